/*
 * Records: small puts, atomics and what else a node's port carries out, written into the staging
 * area of that node. A record leaves at once while nothing of this PE is under way to the node, or
 * one packet: a flag follows its data at once (but for streams, stage.h, and where there are two
 * buffers). Otherwise it gathers with others until the answer comes, the buffer is full, or
 * somebody waits (Nagle's rule).
 */
#include <string.h>

#include "port/port_internal.h"

static inline size_t padded(size_t n) {
  return weft_round_up(n, 8);
}

size_t weft_stage_put_bytes(size_t n) {
  return sizeof(weft_record_t) + padded(n);
}

/* ---- room ------------------------------------------------------------------------------------ */

static inline weft_record_t *append(weft_stage_t *stage, size_t bytes) {
  weft_record_t *record = (weft_record_t *)(weft_stage_buffer(stage, stage->next) + stage->fill);
  weft_poke(&stage->fill, stage->fill + (uint32_t)bytes);
  return record;
}

/* Room for a record of `bytes` (header included, padded) in the stage, which is locked. */
static inline weft_record_t *open_locked(weft_channel_t *c, int node, size_t bytes) {
  weft_stage_t *stage = &c->stages[node];
  const bool ready = stage->fill ? stage->fill + bytes <= stage->room
                                 : weft_likely(stage->data) && weft_stage_begin(c, node);
  if (weft_unlikely(!ready)) weft_stage_make_room(c, node, bytes);
  return append(stage, bytes);
}

/* As open_locked, and locks the stage. */
static inline weft_record_t *open_record(weft_channel_t *c, int node, size_t bytes) {
  weft_lock(&c->stages[node].lock);
  return open_locked(c, node, bytes);
}

weft_record_t *weft_stage_try_record(weft_channel_t *c, int node, size_t bytes) {
  weft_stage_t *stage = &c->stages[node];
  weft_lock(&stage->lock);
  if (weft_stage_has_room(c, node, bytes)) return append(stage, bytes);
  weft_unlock(&stage->lock);
  return NULL;
}

static inline unsigned lone_way(weft_lone_t *lone) {
  const uint32_t sent = weft_peek(&lone->sent);
  weft_poke(&lone->sent, sent + 1);
  return WEFT_SEND_MEET | (sent == weft_peek(&lone->asks) ? WEFT_SEND_ASK : WEFT_SEND_LAZY);
}

/* The first record of a buffer stays until packets under way are answered. Either who takes the
 * last answer sees the stage's mark (send_gathered), or it is seen here that no packet is left. */
static WEFT_COLD void send_missed(weft_channel_t *c, int node) {
  weft_stage_t *stage = &c->stages[node];
  if (__atomic_load_n(&stage->busy, __ATOMIC_SEQ_CST) == 0 && weft_peek(&c->eager))
    weft_stage_send(c->head, stage, node, c->endpoint, WEFT_SEND_LAZY | WEFT_SEND_TRY);
}

/* The record is written. It leaves now as `how` says, or (0) when it is time. Unlocks. Without
 * gathering it leaves before the lock is given up: the helper must not send it on its own
 * connection, where it could pass what was written before a fence. */
static inline __attribute__((always_inline)) void close_record(weft_channel_t *c, int node,
                                                               unsigned how) {
  weft_stage_t *stage = &c->stages[node];
  int eager = weft_peek(&c->eager); /* fewer packets than that do not keep it */
  if (how == WEFT_SEND_FIRST) eager = eager > 0, how = 0;
  const bool waits = weft_stage_under_way(stage) >= eager && !weft_stage_is_quiet(stage);
  if (!how && !waits && eager && !weft_stage_streams(stage)) how = lone_way(&c->lone);
  if (!how && weft_unlikely(!weft_peek(&c->staging))) how = WEFT_SEND_ASK;
  if (how) {
    weft_stage_send(c->head, stage, node, c->endpoint, how);
  } else {
    if (weft_stage_mark(c->head, node) && waits) send_missed(c, node);
    /* The helper may have to send it, and not before what it could pass is answered. */
    if (weft_unlikely(stage->fenced)) weft_stage_ask(c, node);
  }
  weft_unlock(&stage->lock);
}

/* ---- writing them ---------------------------------------------------------------------------- */

weft_record_t *weft_stage_write_put(weft_record_t *r, int slot, uintptr_t off, const void *source,
                                    size_t n) {
  *r = (weft_record_t){
      .off = off, .slot = (uint16_t)slot, .kind = WEFT_RECORD_PUT, .len = (uint32_t)n};
  weft_direct_fetch(r + 1, source, n); /* no call for 8 bytes */
  return (weft_record_t *)((char *)(r + 1) + padded(n));
}

enum {
  POST_BYTES = sizeof(weft_record_t) + sizeof(uint64_t),
  FETCH_BYTES = sizeof(weft_record_t) + 3 * sizeof(uint64_t)
};

static inline void write_post(weft_record_t *r, int slot, const weft_amo_t *amo) {
  *r = (weft_record_t){.off = amo->off,
                       .slot = (uint16_t)slot,
                       .kind = WEFT_RECORD_POST,
                       .op = (uint8_t)amo->op,
                       .len = amo->width};
  memcpy(r + 1, &amo->operand, sizeof amo->operand);
}

static inline void write_fetch(weft_record_t *r, int slot, const weft_amo_t *amo) {
  const uint64_t rest[3] = {amo->operand, amo->cond, (uint64_t)(uintptr_t)amo->result};
  *r = (weft_record_t){.off = amo->off,
                       .slot = (uint16_t)slot,
                       .kind = WEFT_RECORD_FETCH,
                       .op = (uint8_t)amo->op,
                       .len = amo->width};
  memcpy(r + 1, rest, sizeof rest);
}

/* ---- puts ------------------------------------------------------------------------------------ */

/* What there is room for of a large put that does not fit into what is left of the packet at hand,
 * in bytes, up to the end of a word of the target's; 0: it stays whole. A packet is as long as
 * whole loads (WEFT_LOAD): three puts of 64 KB, of which it would otherwise hold no more, leave
 * most of a load empty. */
static size_t part_of_put(const weft_stage_t *stage, uintptr_t off, size_t n) {
  enum { LARGE = 16384, LEAST = 4096, WORD = 8 };
  const size_t end = stage->fill + sizeof(weft_record_t);
  if (weft_likely(n < LARGE) || !stage->fill || end + LEAST > stage->room) return 0;
  const size_t left = stage->room - end;
  return padded(n) > left ? left - (off + left) % WORD : 0;
}

void weft_stage_put(weft_channel_t *c, int pe, uintptr_t off, const void *source, size_t n) {
  weft_where_t to = weft_job.where[pe];
  weft_stage_t *stage = &c->stages[to.node];
  weft_lock(&stage->lock);
  const size_t first = part_of_put(stage, off, n), rest = n - first;
  const char *from = source;
  if (weft_unlikely(first))
    weft_stage_write_put(append(stage, weft_stage_put_bytes(first)), to.slot, off, from, first);
  weft_stage_write_put(open_locked(c, to.node, weft_stage_put_bytes(rest)), to.slot, off + first,
                       from + first, rest);
  close_record(c, to.node, 0);
}

bool weft_stage_put_begin(weft_channel_t *c, int pe, uintptr_t off, const void *source, size_t n,
                          weft_op_t *op, bool immediate) {
  weft_where_t to = weft_job.where[pe];
  weft_stage_t *stage = &c->stages[to.node];
  const char *from = source;
  size_t first = 0;
  weft_record_t *r;
  if (immediate) {
    if (!(r = weft_stage_try_record(c, to.node, weft_stage_put_bytes(n)))) return false;
  } else {
    weft_lock(&stage->lock);
    first = part_of_put(stage, off, n);
    if (weft_unlikely(first)) {
      weft_stage_write_put(append(stage, weft_stage_put_bytes(first)), to.slot, off, from, first);
      weft_stage_hold(c, to.node, op);
    }
    r = open_locked(c, to.node, weft_stage_put_bytes(n - first));
  }
  weft_stage_write_put(r, to.slot, off + first, from + first, n - first);
  weft_stage_hold(c, to.node, op);
  close_record(c, to.node, 0);
  return true;
}

/* Does the word go on the record of words `r`? Only while that is the last record. The store is
 * always of 8 bytes, so there must be room for 8. */
static inline bool continues(weft_stage_t *stage, weft_record_t *r, uint32_t slot, uintptr_t off,
                             size_t n) {
  return r->off + r->len == off && r->slot == slot && r->op == n &&
         stage->run + sizeof *r + padded(r->len) == stage->fill &&
         stage->fill + sizeof(uint64_t) <= stage->room;
}

void weft_stage_put_word(weft_channel_t *c, int pe, uintptr_t off, uint64_t value, size_t n) {
  weft_where_t to = weft_job.where[pe];
  weft_stage_t *stage = &c->stages[to.node];
  weft_lock(&stage->lock);
  weft_record_t *r = (weft_record_t *)(weft_stage_buffer(stage, stage->next) + stage->run);
  if (stage->run && continues(stage, r, to.slot, off, n)) {
    memcpy((char *)(r + 1) + r->len, &value, sizeof value);
    r->len += (uint32_t)n;
    weft_poke(&stage->fill, stage->run + (uint32_t)(sizeof *r + padded(r->len)));
  } else {
    r = open_locked(c, to.node, sizeof *r + sizeof value);
    *r = (weft_record_t){
        .off = off, .slot = to.slot, .kind = WEFT_RECORD_PUT, .op = (uint8_t)n, .len = (uint32_t)n};
    memcpy(r + 1, &value, sizeof value); /* little endian: the first n bytes count */
    stage->run = stage->fill - (uint32_t)(sizeof *r + sizeof value);
  }
  close_record(c, to.node, 0);
}

void weft_stage_put_signal(weft_channel_t *c, int pe, uintptr_t off, const void *source, size_t n,
                           uintptr_t sig, enum weft_amo op, uint64_t signal, unsigned how) {
  weft_where_t to = weft_job.where[pe];
  const weft_amo_t amo = {.off = sig, .op = op, .width = sizeof signal, .operand = signal};
  weft_record_t *r = open_record(c, to.node, weft_stage_put_bytes(n) + POST_BYTES);
  write_post(weft_stage_write_put(r, to.slot, off, source, n), to.slot, &amo);
  close_record(c, to.node, how);
}

void weft_stage_fill(weft_channel_t *c, int pe, uintptr_t off, int byte, size_t n, weft_op_t *op) {
  enum { MOST = 1 << 30 }; /* a record's length has 32 bits */
  weft_where_t to = weft_job.where[pe];
  for (size_t at = 0, k; at < n; at += k) {
    k = n - at < MOST ? n - at : MOST;
    weft_record_t *r = open_record(c, to.node, sizeof *r);
    *r = (weft_record_t){.off = off + at,
                         .slot = to.slot,
                         .kind = WEFT_RECORD_FILL,
                         .op = (uint8_t)byte,
                         .len = (uint32_t)k};
    if (op) weft_stage_hold(c, to.node, op);
    close_record(c, to.node, 0);
  }
}

void weft_stage_copy(weft_channel_t *c, int to_pe, uintptr_t to_off, int from_pe,
                     uintptr_t from_off, size_t n, weft_op_t *op) {
  enum { MOST = 1 << 30 };
  weft_where_t from = weft_job.where[from_pe];
  for (size_t at = 0, k; at < n; at += k) {
    k = n - at < MOST ? n - at : MOST;
    const uint64_t rest[2] = {(uint64_t)to_pe, to_off + at};
    weft_record_t *r = open_record(c, from.node, sizeof *r + sizeof rest);
    *r = (weft_record_t){
        .off = from_off + at, .slot = from.slot, .kind = WEFT_RECORD_COPY, .len = (uint32_t)k};
    memcpy(r + 1, rest, sizeof rest);
    if (op) weft_stage_hold(c, from.node, op);
    close_record(c, from.node, 0);
  }
}

/* ---- atomics --------------------------------------------------------------------------------- */

static inline void post(weft_channel_t *c, int pe, uintptr_t off, enum weft_amo op, size_t width,
                        uint64_t operand, unsigned how) {
  weft_where_t to = weft_job.where[pe];
  const weft_amo_t amo = {.off = off, .op = op, .width = (uint32_t)width, .operand = operand};
  write_post(open_record(c, to.node, POST_BYTES), to.slot, &amo);
  close_record(c, to.node, how);
}

void weft_stage_post(weft_channel_t *c, int pe, uintptr_t off, enum weft_amo op, size_t width,
                     uint64_t operand) {
  post(c, pe, off, op, width, operand, 0);
}

void weft_stage_post_now(weft_channel_t *c, int pe, uintptr_t off, enum weft_amo op, size_t width,
                         uint64_t operand) {
  post(c, pe, off, op, width, operand, WEFT_SEND_LAZY);
}

void weft_stage_fetch_nbi(weft_channel_t *c, int pe, uintptr_t off, enum weft_amo op, size_t width,
                          uint64_t operand, uint64_t cond, void *result) {
  weft_where_t to = weft_job.where[pe];
  const weft_amo_t amo = {off, op, (uint32_t)width, operand, cond, result};
  write_fetch(open_record(c, to.node, FETCH_BYTES), to.slot, &amo);
  close_record(c, to.node, 0);
}

/* Beyond this copies cost more than fewer messages spare. */
size_t weft_stage_get_max(void) {
  enum { GET_MAX = 32768 };
  const size_t most = weft_ports.buffer_bytes / 4;
  return most < GET_MAX ? most : GET_MAX;
}

/* There is room as if the bytes were in the record, and it is kept for them in the answer: that is
 * never longer than a packet. */
void weft_stage_get(weft_channel_t *c, int pe, uintptr_t off, void *dest, size_t n, weft_op_t *op,
                    bool now) {
  weft_where_t to = weft_job.where[pe];
  weft_stage_t *stage = &c->stages[to.node];
  const uint64_t address = (uintptr_t)dest;
  weft_record_t *r = open_record(c, to.node, sizeof *r + sizeof address + padded(n));
  weft_poke(&stage->fill, stage->fill - (uint32_t)padded(n));
  stage->room -= (uint32_t)padded(n);
  *r = (weft_record_t){.off = off, .slot = to.slot, .kind = WEFT_RECORD_GET, .len = (uint32_t)n};
  memcpy(r + 1, &address, sizeof address);
  if (op) weft_stage_hold(c, to.node, op);
  close_record(c, to.node, now ? WEFT_SEND_ASK : 0);
}

uint64_t weft_stage_fetch(weft_channel_t *c, int pe, uintptr_t off, enum weft_amo op, size_t width,
                          uint64_t operand, uint64_t cond) {
  weft_where_t to = weft_job.where[pe];
  uint64_t result = 0;
  weft_op_t done = {0};
  const weft_amo_t amo = {off, op, (uint32_t)width, operand, cond, &result};
  write_fetch(open_record(c, to.node, FETCH_BYTES), to.slot, &amo);
  weft_stage_hold(c, to.node, &done);
  close_record(c, to.node, WEFT_SEND_ASK);
  weft_op_wait_on(c, &done);
  return result; /* little endian, as all our machines are: a 4-byte result fills the low half */
}

bool weft_stage_amo_begin(weft_channel_t *c, int pe, const weft_amo_t *amo, weft_op_t *op,
                          bool immediate) {
  weft_where_t to = weft_job.where[pe];
  const bool fetches = amo->result || amo->op == WEFT_AMO_CSWAP || amo->op == WEFT_AMO_CSWAP_R;
  const size_t bytes = fetches ? FETCH_BYTES : POST_BYTES;
  weft_record_t *r =
      immediate ? weft_stage_try_record(c, to.node, bytes) : open_record(c, to.node, bytes);
  if (!r) return false;
  if (fetches)
    write_fetch(r, to.slot, amo);
  else
    write_post(r, to.slot, amo);
  weft_stage_hold(c, to.node, op);
  close_record(c, to.node, 0);
  return true;
}

/* ---- calls ----------------------------------------------------------------------------------- */

void weft_stage_call(weft_channel_t *c, uintptr_t off, enum weft_service number,
                     const weft_call_t *call) {
  weft_where_t to = weft_job.where[call->pe];
  const uint64_t rest[3] = {call->operand, call->cond, call->result};
  weft_record_t *r = open_record(c, to.node, FETCH_BYTES + padded(call->n));
  *r = (weft_record_t){.off = off,
                       .slot = to.slot,
                       .kind = WEFT_RECORD_CALL,
                       .op = (uint8_t)number,
                       .len = (uint32_t)call->n};
  memcpy(r + 1, rest, sizeof rest);
  if (call->n) memcpy((char *)(r + 1) + sizeof rest, call->data, call->n);
  close_record(c, to.node, WEFT_SEND_NOW); /* its result comes by itself */
}

size_t weft_service_data_max(void) {
  enum { DATA_MAX = 1024 };
  const size_t room = weft_ports.buffer_bytes - sizeof(weft_packet_t) - FETCH_BYTES;
  return weft_job.nnodes == 1 || room > DATA_MAX ? DATA_MAX : room;
}
