/*
 * Short messages to another node, each a packet of its own while the lane is empty: requests that
 * left the inline path of weft/am.h, one function per number of arguments, and replies.
 */
#include <string.h>

#include "am/am_internal.h"
#include "weft/am_arity.h"

/* The provider had no room at once. */
static WEFT_COLD void inject_again(const weft_channel_t *c, uint32_t node,
                                   const weft_packet_t *packet) {
  weft_poke(&c->stages[node].stuck, true); /* who takes answers does not wait for the lock */
  weft_endpoint_inject(c->endpoint, node, packet, packet->bytes);
  weft_poke(&c->stages[node].stuck, false);
}

/* An answer may ride on the packet. */
static WEFT_COLD void take_along(const weft_channel_t *c, uint32_t node, weft_packet_t *packet) {
  if (c->endpoint == weft_job.port) packet->ride = weft_server_ride((int)node);
}

__attribute__((weak)) void weft_am_closed(void) {
  weft_fatal("an active message before the library was initialised");
}

static WEFT_NOINLINE int request(int pe, int handler, unsigned flags, int nargs,
                                 const int32_t *args) {
  if (weft_unlikely(!weft_inbox_is_open())) weft_am_closed();
  return weft_am_request(pe, WEFT_AM_SHORT, handler, NULL, 0, 0, flags, NULL, nargs, args);
}

/* Node in the low half, slot in the high one: two loads would be an instruction more. */
static inline uint32_t where(long pe) {
  uint32_t word;
  memcpy(&word, &weft_job.where[pe], sizeof word);
  return word;
}

/* A packet with one short message. */
typedef struct alone {
  weft_packet_t head;
  weft_record_t record;
  weft_wire_message_t wire;
  int32_t args[WEFT_AM_ARGS_MAX];
} alone_t;

/* What message.c would do, in one go: the packet is made where it would have been gathered. False,
 * and nothing was done, if anything is unusual. Instructions are counted here (test/count): nargs
 * is mostly a constant, every field is set once, and any number but 0 means that an answer is
 * wanted. */
static inline __attribute__((always_inline)) bool send_alone(uint32_t node, uint32_t slot,
                                                             enum weft_lane lane, int handler,
                                                             int nargs, const int32_t *args) {
  weft_channel_t *c = &weft_channels[WEFT_LANE + lane];
  const uint32_t rest = (uint32_t)sizeof(weft_wire_message_t) + (((uint32_t)nargs + 1) & ~1u) * 4;
  const uint32_t bytes = (uint32_t)offsetof(alone_t, wire) + rest;
  if (weft_unlikely(bytes > c->endpoint->inject_max)) return false; /* or there is no job */
  weft_stage_t *stage = &c->stages[node];
  if (weft_unlikely(!weft_lock_try(&stage->lock))) return false;
  const uint32_t busy = weft_peek(&stage->busy), next = stage->next, bit = 1u << next;
  if (weft_unlikely(stage->fill | (busy & ((busy - 1) | bit)))) {
    weft_unlock(&stage->lock);
    return false;
  }
  alone_t *p = (alone_t *)weft_stage_buffer(stage, next);
  p->head.kind = WEFT_PACKET_RECORDS;
  p->head.channel = (uint8_t)(WEFT_LANE + lane);
  p->head.buffer = (uint16_t)next;
  p->head.bytes = bytes;
  p->head.from = (uint32_t)weft_job.pe;
  p->head.word = busy;
  if (weft_unlikely(weft_peek(&weft_server_put_off))) take_along(c, node, &p->head);
  p->record.off = 0;
  p->record.slot = (uint16_t)slot;
  p->record.kind = WEFT_RECORD_MESSAGE;
  p->record.op = (uint8_t)handler;
  p->record.len = rest;
  p->wire = (weft_wire_message_t){.category = WEFT_AM_SHORT, .nargs = (uint8_t)nargs};
#pragma GCC unroll 16
  for (int i = 0; i < nargs; i++) p->args[i] = args[i];
  weft_op_up(&c->packets);
  if (busy) __atomic_fetch_add(&c->head->due, 1, __ATOMIC_RELAXED);
  __atomic_fetch_or(&stage->busy, bit, __ATOMIC_RELEASE);
  stage->next = weft_stage_after(next);
  if (weft_unlikely(fi_inject(c->endpoint->ep, p, bytes, node) < 0))
    inject_again(c, node, &p->head);
  weft_unlock(&stage->lock);
  return true;
}

/* The arguments are put into an array twice, so that the first need not be one. */
#define DEFINE(n)                                                                                  \
  int weft_am_request_short##n(const void *set, long pe, int handler,                              \
                               unsigned flags WEFT_AM_PARAMS_##n) {                                \
    (void)set;                                                                                     \
    const uint32_t to = where(pe);                                                                 \
    const int32_t values[] = {0 WEFT_AM_NAMES_##n};                                                \
    if (weft_likely((int)(to & 0xffff) != weft_job.node && !flags &&                               \
                    send_alone(to & 0xffff, to >> 16, WEFT_REQUESTS, handler, n, values + 1)))     \
      return 0;                                                                                    \
    const int32_t args[] = {0 WEFT_AM_NAMES_##n};                                                  \
    return request((int)pe, handler, flags, n, args + 1);                                          \
  }
WEFT_AM_ARITIES(DEFINE)

/* Likewise. */
bool weft_short_reply(int pe, int handler, int nargs, const int32_t *args) {
  const uint32_t to = where(pe);
  return send_alone(to & 0xffff, to >> 16, WEFT_REPLIES, handler, nargs, args);
}
