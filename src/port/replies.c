/*
 * What the port sends: memory for it, and what waits. A PE has few packets on their way, so their
 * answers always fit into its connection. Where there is none (it is still made, or the PE is dead
 * and nobody knows it yet) the port waits a moment, and then holds them: others need it.
 */
#include <stdlib.h>

#include "port/port_internal.h"

static weft_reply_t *ready; /* one that is free, or NULL */
static weft_reply_t *pool;  /* others; the server touches it, and the completions in its polls */

/* In the order in which they are to leave; only the server changes them. */
static struct {
  weft_reply_t *first, **last;
  uint64_t next; /* ns: when they are offered again */
} held = {.last = &held.first};

/* ---- memory ---------------------------------------------------------------------------------- */

static void reply_done(weft_op_t *op, size_t len) {
  (void)len;
  weft_reply_t *reply = (weft_reply_t *)op;
  reply->next = __atomic_load_n(&pool, __ATOMIC_RELAXED);
  while (!__atomic_compare_exchange_n(&pool, &reply->next, reply, true, __ATOMIC_RELEASE,
                                      __ATOMIC_RELAXED)) {
  }
}

/* Only the server takes, so a popped reply cannot come back in between (no ABA). */
static WEFT_COLD weft_reply_t *pop_reply(void) {
  weft_reply_t *reply = weft_observe(&pool);
  while (reply && !__atomic_compare_exchange_n(&pool, &reply, reply->next, true, __ATOMIC_ACQUIRE,
                                               __ATOMIC_ACQUIRE)) {
  }
  if (!reply) {
    reply = malloc(sizeof *reply + weft_job.layout.message_max);
    if (!reply) weft_fatal("no memory to answer another node: this machine is out of memory");
    reply->op = (weft_op_t){.done = reply_done};
  }
  return reply;
}

weft_reply_t *weft_reply_take(void) {
  weft_reply_t *reply = ready;
  ready = NULL;
  return weft_likely(reply != NULL) ? reply : pop_reply();
}

void weft_reply_keep(weft_reply_t *reply) {
  if (ready)
    reply_done(&reply->op, 0);
  else
    ready = reply;
}

/* ---- sending --------------------------------------------------------------------------------- */

/* True: the provider has it. What it injects is free at once. (A longer one that nobody takes any
 * more, as its PE has failed, is not given back.) */
static inline bool offer(weft_reply_t *reply, fi_addr_t to) {
  const size_t n = ((const weft_packet_t *)reply->data)->bytes;
  if (!weft_endpoint_try_send(weft_job.port, to, reply->data, n, &reply->op)) return false;
  if (n <= weft_job.port->inject_max) weft_reply_keep(reply);
  return true;
}

/* Is anything held for this address, before `end`? */
static bool is_held(fi_addr_t to, const weft_reply_t *end) {
  const weft_reply_t *reply = held.first;
  while (reply != end && reply->to != to) reply = reply->next;
  return reply != end;
}

static WEFT_COLD void hold(weft_reply_t *reply, fi_addr_t to) {
  enum { MOMENT_NS = 10000000 };
  const uint64_t begin = weft_clock_ns();
  while (!held.first && weft_clock_ns() - begin < MOMENT_NS)
    if (offer(reply, to)) return;
  if (held.first && !is_held(to, NULL) && offer(reply, to)) return;
  reply->to = to;
  reply->next = NULL;
  weft_poke(held.last, reply);
  held.last = &reply->next;
}

void weft_reply_send(weft_reply_t *reply, fi_addr_t to) {
  if (weft_unlikely(held.first != NULL) || weft_unlikely(!offer(reply, to))) hold(reply, to);
}

/* Each offer that is not taken is a poll and perhaps a yield: most of the time is for others. */
static WEFT_COLD int offer_held(void) {
  enum { PAUSE_NS = 100000, SHARE = 4 };
  const uint64_t begin = weft_clock_ns();
  int sent = 0;
  if (begin < held.next) return 0;
  for (weft_reply_t **link = &held.first, *reply; (reply = *link);) {
    weft_reply_t *next = reply->next;
    if (is_held(reply->to, reply) || !offer(reply, reply->to)) {
      link = &reply->next;
      continue;
    }
    weft_poke(link, next);
    if (held.last == &reply->next) held.last = link;
    sent++;
  }
  const uint64_t end = weft_clock_ns();
  held.next = end + PAUSE_NS + SHARE * (end - begin);
  return sent;
}

int weft_replies_again(void) {
  return weft_likely(!held.first) ? 0 : offer_held();
}

bool weft_replies_held(void) {
  return weft_peek(&held.first) != NULL;
}

void weft_replies_start(void) {
  weft_reply_keep(pop_reply()); /* else the first packet would wait for this memory, too */
}

/* What is held now is for PEs that are gone. */
void weft_replies_stop(void) {
  free(ready);
  ready = NULL;
  while (pool) free(pop_reply());
  for (weft_reply_t *reply; (reply = held.first); free(reply)) held.first = reply->next;
  held.last = &held.first;
  held.next = 0;
}
