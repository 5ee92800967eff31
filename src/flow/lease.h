/*
 * lease: which client may send a large packet to a port just now. Every client has its few base
 * buffers; a port has besides a few spare ones, and a client that has said how much more is coming
 * (flow intimation, ARMCI-XT5) may be granted leases of them. A lease is the right to one packet of
 * a spare buffer's size. It ends when that packet was applied and is told so, when the client gives
 * it back, or when nothing was heard of it for too long.
 *
 * Flows that find no lease free wait in a queue. A lease that ends goes to the first of them, and a
 * flow that has more to send queues again behind the others: round-robin, a packet each.
 *
 * Logic only: no network, no clock, no memory of its own. Clients are numbers.
 */
#ifndef WEFT_LEASE_H
#define WEFT_LEASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
  WEFT_LEASES_MAX = 32,  /* a bit each in acknowledgements */
  WEFT_WAITING_MAX = 256 /* flows that wait; others ask again with their next packet */
};

enum weft_lease_state { WEFT_LEASE_FREE, WEFT_LEASE_OUT, WEFT_LEASE_USED };

typedef struct weft_lease {
  uint8_t state; /* USED: its packet was applied, which the client has not been told */
  uint8_t id;    /* USED: the client's name for that packet */
  uint32_t client;
  uint64_t since; /* when it was granted or used */
} weft_lease_t;

typedef struct weft_waiting {
  uint32_t client, flow;
  int wants;
} weft_waiting_t;

/* Invariants: a client is in the queue at most once; out + used = busy; once weft_lease_next has
 * said false, no lease is free or no flow waits. */
typedef struct weft_leases {
  int spares, busy; /* busy: not free */
  weft_lease_t lease[WEFT_LEASES_MAX];
  weft_waiting_t queue[WEFT_WAITING_MAX]; /* a ring */
  int first, waiting;
  uint64_t granted, expired; /* so far */
} weft_leases_t;

void weft_leases_open(weft_leases_t *leases, int spares);

/* A flow of the client could use `wants` leases more. Returns how many it is granted; where that is
 * none, it waits. */
int weft_lease_ask(weft_leases_t *leases, uint32_t client, uint32_t flow, int wants, uint64_t now);
/* The flow has no more to send: the client waits no longer. */
void weft_lease_done(weft_leases_t *leases, uint32_t client);
/* The client is gone: its leases are free, and it waits no longer. */
void weft_lease_drop(weft_leases_t *leases, uint32_t client);
/* A packet on a lease was applied; `id` (below 64) is the client's name for it. False: the client
 * has none (any more). */
bool weft_lease_use(weft_leases_t *leases, uint32_t client, int id, uint64_t now);
/* The client gives back n that it has not used. */
void weft_lease_return(weft_leases_t *leases, uint32_t client, int n);
/* The ids of the applied packets that are to be acknowledged to the client now, a bit each: these
 * leases end. Usually none before the client has used all its leases, so that one acknowledgement
 * is enough; but at once if other flows wait or, with `more` to come, half of the spares are used.
 */
uint64_t weft_lease_settle(weft_leases_t *leases, uint32_t client, bool more);
/* Grant free leases to the next flow in the queue: true, and *granted says which flow and how many
 * leases. Call it until false. */
bool weft_lease_next(weft_leases_t *leases, uint64_t now, weft_waiting_t *granted);
/* End leases that were not used for `after`. True, and a client whose last lease ended so:
 * weft_lease_settle is due for it. Call it until false. */
bool weft_lease_expire(weft_leases_t *leases, uint64_t now, uint64_t after, uint32_t *client);
/* The ids of the client's packets that were applied and of which it was not told, a bit each. */
uint64_t weft_lease_used(const weft_leases_t *leases, uint32_t client);
/* The leases that the client was granted and has not used. */
int weft_lease_held(const weft_leases_t *leases, uint32_t client);
/* No client has a lease or waits for one. */
static inline bool weft_leases_idle(const weft_leases_t *leases) {
  return leases->busy == 0 && leases->waiting == 0;
}
/* Do the invariants hold? */
bool weft_leases_sound(const weft_leases_t *leases);

#endif
