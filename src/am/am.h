/*
 * am: messages between nodes that are not plain RMA. A PE packs records (small puts, atomics) into
 * packets, one staging area per destination node; a packet goes to the node's port, whose helper
 * thread applies the records to the window with the same loads, stores and atomics that local PEs
 * use, and replies with the fetched values. Every packet is answered, so a PE knows when all its
 * records have been applied.
 *
 * The staging areas lie in the window: the helper of the PE's own node sends what has aged there,
 * so a program that never calls Weft again still has its puts delivered. Each destination node has
 * a few buffers; that many packets of a PE can be on their way to a node, and no more
 * (the port's credits; am/plan.h).
 *
 * All this exists once per channel: an endpoint, staging areas and the marks of what was put. What
 * is posted on one channel completes without the others, and threads on different channels
 * take no common lock to post. Channel 0 is there from the start; others are opened as contexts ask
 * for them.
 *
 * Knows PEs, nodes and slot offsets; no symmetric addresses, no front end.
 */
#ifndef WEFT_AM_H
#define WEFT_AM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "am/flow.h"
#include "am/shape.h"
#include "am/message.h" /* active messages of the front ends: a part of this interface */
#include "job/job.h"
#include "weft/direct.h"

enum { WEFT_CHANNELS_MAX = 64 };

/* For weft_job_start. */
int weft_am_plan(size_t memory, size_t clients, weft_job_areas_t *areas);

/* ---- channel.c ---- */

struct weft_stage;

typedef struct weft_channel {
  _Alignas(WEFT_CACHELINE) weft_endpoint_t *endpoint;
  struct weft_stage *stages; /* one per node */
  uint64_t *dirty;           /* a bit per node: put to since this channel's last quiet */
  size_t small_max;          /* puts up to so many bytes are staged; 0: none */
  bool staging;              /* small puts and atomics are gathered */
  /* This channel's staging at a glance, in the window. */
  uint64_t *open;        /* a bit per node for which something is staged */
  uint32_t *outstanding; /* packets sent, by this PE or for it by the helper, and not answered */
  uint32_t *due;         /* replies that were asked for and are not there */
  struct weft_flow_peer **flows; /* per node; NULL until there is a flow */
  int words;                     /* of open; 0 on a one-node job */
  uint8_t number;
  int context;    /* the endpoint is this context of the first channel's; 0: it is one itself */
  bool armed;     /* something was posted that nobody may be waiting for */
  uint32_t unmet; /* greetings not yet answered */
  int users;      /* contexts */
  int sessions;   /* of theirs */
  uint8_t address[WEFT_ADDRESS_MAX]; /* the endpoint's, for replies; channel 0's was exchanged */
} weft_channel_t;

extern weft_channel_t weft_channels[WEFT_CHANNELS_MAX] __attribute__((visibility("hidden")));

/* How many are open. */
int weft_channel_count(void);
/* The channel in a PE or tag as weft/direct.h defines them. */
static inline weft_channel_t *weft_channel_of(long to) {
  return &weft_channels[(unsigned long)to >> 32 & (WEFT_CHANNELS_MAX - 1)];
}
/* A channel for a new context: one that nobody has, else the one that fewest share. Never NULL. */
weft_channel_t *weft_channel_acquire(void);
void weft_channel_release(weft_channel_t *channel);
/* A context says that many operations come (true), or that it is done: gather more and longer. */
void weft_channel_session(weft_channel_t *channel, bool begins);

/* ---- helper.c ---- */

/* Start the helper thread and connect to every node. Collective; returns at once on a one-node job.
 */
int weft_am_start(void);
void weft_am_stop(void);
/* Something was posted that nobody may be waiting for: see that it is carried on, from now on. */
void weft_helper_arm(weft_channel_t *channel);
/* One step of a wait for a completion or reply: progress, and when there was none, a pause or the
 * processor to someone else. *steps starts at 0. */
void weft_am_wait_step(weft_channel_t *channel, unsigned *steps);
/* The same for who waits for its own memory to change, not for a completion. */
void weft_am_idle_step(unsigned *steps);

/* ---- stage.c: the sending side. All may wait for a free buffer, making progress meanwhile. --- */

/* Store n bytes (at most weft_am_put_max) at a PE's slot offset. */
void weft_am_put(weft_channel_t *c, int pe, uintptr_t off, const void *source, size_t n);
size_t weft_am_put_max(void);
/* The same for the low n bytes (1, 2, 4 or 8) of a word. */
void weft_am_put_word(weft_channel_t *c, int pe, uintptr_t off, uint64_t value, size_t n);
/* Atomic without a result. */
void weft_am_post(weft_channel_t *c, int pe, uintptr_t off, enum weft_amo op, size_t width,
                  uint64_t operand);
/* The same, and it leaves at once on this PE's own connection: where the provider keeps messages
 * behind writes (ordered_writes), it is applied after what was written before. */
void weft_am_post_now(weft_channel_t *c, int pe, uintptr_t off, enum weft_amo op, size_t width,
                      uint64_t operand);
/* A put of n bytes (at most weft_am_put_max) and an 8-byte atomic after it, in one packet. `now`:
 * it leaves at once. */
void weft_am_put_signal(weft_channel_t *c, int pe, uintptr_t off, const void *source, size_t n,
                        uintptr_t sig, enum weft_amo op, uint64_t signal, bool now);
/* Atomic whose old value is stored at `result` (width bytes) by the time weft_am_quiet returns. */
void weft_am_fetch_nbi(weft_channel_t *c, int pe, uintptr_t off, enum weft_amo op, size_t width,
                       uint64_t operand, uint64_t cond, void *result);
/* Atomic; returns the old value. */
uint64_t weft_am_fetch(weft_channel_t *c, int pe, uintptr_t off, enum weft_amo op, size_t width,
                       uint64_t operand, uint64_t cond);

/* An atomic that can be asked for on its own whether it is complete. */
typedef struct weft_am_ticket {
  const uint32_t *answered; /* grows when the packet that has it is answered */
  uint32_t before;
  int node;
} weft_am_ticket_t;

/* Post an atomic; its old value is stored at `result` (width bytes; NULL: nobody wants it, and
 * there is no cond) by the time the ticket is answered. It leaves with the packet that it was put
 * into, at the latest when pushed. False, and nothing was done, if `immediate` and there is no room
 * for it just now. */
bool weft_am_begin(weft_channel_t *c, int pe, uintptr_t off, enum weft_amo op, size_t width,
                   uint64_t operand, uint64_t cond, void *result, bool immediate,
                   weft_am_ticket_t *ticket);
/* See that it leaves and is answered. Does not wait for that. */
void weft_am_push(weft_channel_t *c, const weft_am_ticket_t *ticket);
static inline bool weft_am_answered(const weft_am_ticket_t *ticket) {
  return weft_observe(ticket->answered) != ticket->before;
}

/* What is staged for a node leaves, to have it answered. How many packets have left for it so far:
 * once weft_am_all_answered says so of this number, all of them have been applied, whatever has
 * been staged since. */
uint32_t weft_am_send_to(weft_channel_t *c, int node);
bool weft_am_all_answered(const weft_channel_t *c, int node, uint32_t sent);

/* Is anything staged? */
static inline bool weft_am_staged(const weft_channel_t *c) {
  for (int w = 0; w < c->words; w++)
    if (weft_observe(&c->open[w])) return true;
  return false;
}
/* Send what is staged, to have it answered. */
void weft_am_flush(weft_channel_t *c);
/* Send what is staged on any channel; the answers may come with later ones. For who waits for
 * something else. */
void weft_am_release(void);
/* Send what is staged and wait until everything sent has been applied. */
void weft_am_quiet(weft_channel_t *c);
/* Is anything staged or unanswered? */
static inline bool weft_am_busy(const weft_channel_t *c) {
  return weft_am_staged(c) || (c->words && weft_observe(c->outstanding));
}

/* Apply an atomic to memory of this node; the old value. The one definition of what the operations
 * do. */
uint64_t weft_am_apply(void *object, enum weft_amo op, size_t width, uint64_t operand,
                       uint64_t cond);

/* Copy to memory of this node. A scalar (1, 2, 4 or 8 bytes, aligned) is stored once and whole: its
 * owner may be polling it. */
void weft_am_store(void *to, const void *from, size_t n);

#endif
