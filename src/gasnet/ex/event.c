/*
 * event.c: event objects, test and wait. Knows nothing of what the events are for.
 */
#include <stdlib.h>

#include "gasnet/ex/internal.h"

/* ---- objects --------------------------------------------------------------------------------- */

_Static_assert(sizeof(weft_gex_event_t) == 128,
               "two cache lines; the low 6 bits of a handle are free");

static struct {
  weft_lock_t lock;
  weft_gex_event_t *free;
} pool;

static void grow(void) {
  enum { CHUNK = 64 };
  weft_gex_event_t *events = aligned_alloc(WEFT_CACHELINE, CHUNK * sizeof *events);
  if (!events) weft_fatal("no memory for another %d events of nonblocking operations", CHUNK);
  for (int i = 0; i < CHUNK; i++) {
    events[i] = (weft_gex_event_t){.next = pool.free};
    events[i].part[weft_gex_part(GEX_EC_GET)].unordered = true;
    pool.free = &events[i];
  }
}

weft_gex_event_t *weft_gex_event_new(void) {
  weft_lock(&pool.lock);
  if (!pool.free) grow();
  weft_gex_event_t *e = pool.free;
  pool.free = e->next;
  weft_unlock(&pool.lock);
  weft_poke(&e->part[0].pending, 1);
  return e;
}

void weft_gex_event_free(weft_gex_event_t *e) {
  free(e->copy);
  e->copy = NULL;
  weft_lock(&pool.lock);
  e->next = pool.free;
  pool.free = e;
  weft_unlock(&pool.lock);
}

/* ---- handles --------------------------------------------------------------------------------- */

enum { PART_BITS = WEFT_CACHELINE - 1 };

static inline size_t part_of(gex_Event_t event) {
  return (uintptr_t)event & PART_BITS;
}

static inline weft_gex_event_t *object_of(gex_Event_t event) {
  return (weft_gex_event_t *)((uintptr_t)event & ~(uintptr_t)PART_BITS);
}

static WEFT_COLD void bad_event(gex_Event_t event) {
  weft_fatal("gex_Event_Test or Wait: %p is no event%s", (void *)event,
             event == GEX_EVENT_NO_OP ? ": GEX_EVENT_NO_OP says that nothing was done" : "");
}

bool weft_gex_event_ready(gex_Event_t event) {
  const weft_gex_event_t *e = object_of(event);
  const size_t part = part_of(event);
  if (weft_unlikely(!e || part >= WEFT_GEX_PARTS)) bad_event(event);
  if (part) return weft_op_is_done(&e->part[part]);
  /* The last one counted down is seen first: the likeliest to be still there. */
  for (int i = 0; i < WEFT_GEX_PARTS; i++)
    if (!weft_op_is_done(&e->part[i])) return false;
  return true;
}

/* What is staged of it leaves. */
static void release(gex_Event_t event) {
  weft_gex_event_t *e = object_of(event);
  for (int i = 0; i < WEFT_GEX_PARTS; i++) weft_op_release(&e->part[i]);
}

/* Ready: a root is recycled now, a leaf with its root. */
static void consume(gex_Event_t event) {
  if (part_of(event) == 0) weft_gex_event_free(event);
}

/* A thread that only ever tests makes progress too. But a test is no poll: no handler of the
 * client's runs. */
WEFT_API int weft_gex_event_test(gex_Event_t event) {
  if (!weft_gex_event_ready(event)) {
    release(event);
    weft_gex_advance();
    if (!weft_gex_event_ready(event)) return GASNET_ERR_NOT_READY;
  }
  consume(event);
  return GASNET_OK;
}

WEFT_API void weft_gex_event_wait(gex_Event_t event) {
  if (!weft_gex_event_ready(event)) release(event);
  WEFT_WAIT_ON(NULL, weft_gex_event_ready(event));
  consume(event);
}

WEFT_API gex_Event_t gex_Event_QueryLeaf(gex_Event_t root, gex_EC_t category) {
  if (root == GEX_EVENT_INVALID) return GEX_EVENT_INVALID;
  if (weft_unlikely(part_of(root) || __builtin_popcount(category) != 1 ||
                    weft_gex_part(category) >= WEFT_GEX_PARTS))
    weft_fatal("gex_Event_QueryLeaf: %p is no root event, or %#x not one GEX_EC_ category",
               (void *)root, category);
  return weft_gex_event_leaf(root, category);
}

/* ---- arrays ---------------------------------------------------------------------------------- */

static void release_each(const gex_Event_t *events, size_t n) {
  for (size_t i = 0; i < n; i++)
    if (events[i] != GEX_EVENT_INVALID) release(events[i]);
}

/* Leaves may stand before or behind their root: they go when it does. */
static size_t drop_leaves(gex_Event_t root, gex_Event_t *events, size_t n) {
  size_t dropped = 0;
  for (size_t i = 0; i < n; i++)
    if (events[i] != root && object_of(events[i]) == root) {
      events[i] = GEX_EVENT_INVALID;
      dropped++;
    }
  return dropped;
}

/* Sync what is complete: first the leaves, since syncing a root makes its leaves invalid. How many
 * there were, and how many of them are left. */
static size_t sync_ready(gex_Event_t *events, size_t n, size_t *left) {
  size_t valid = 0, synced = 0, leaves = 0;
  for (size_t i = 0; i < n; i++) {
    if (events[i] == GEX_EVENT_INVALID) continue;
    valid++;
    if (part_of(events[i]) == 0) continue;
    if (weft_gex_event_ready(events[i])) {
      events[i] = GEX_EVENT_INVALID;
      synced++;
    } else {
      leaves++;
    }
  }
  for (size_t i = 0; i < n; i++) {
    gex_Event_t root = events[i];
    if (root == GEX_EVENT_INVALID || part_of(root) || !weft_gex_event_ready(root)) continue;
    if (leaves) synced += drop_leaves(root, events, n);
    events[i] = GEX_EVENT_INVALID;
    consume(root);
    synced++;
  }
  *left = valid - synced;
  return valid;
}

static bool some(gex_Event_t *events, size_t n) {
  size_t left, valid = sync_ready(events, n, &left);
  return valid == 0 || left < valid;
}

static bool all(gex_Event_t *events, size_t n) {
  size_t left;
  sync_ready(events, n, &left);
  return left == 0;
}

/* Those that are GEX_EVENT_INVALID may be of operations on this node (weft_gex_ordered). */

WEFT_API int gex_Event_TestSome(gex_Event_t *events, size_t n, gex_Flags_t flags) {
  (void)flags;
  weft_gex_ordered();
  if (some(events, n)) return GASNET_OK;
  release_each(events, n);
  weft_gex_advance();
  return some(events, n) ? GASNET_OK : GASNET_ERR_NOT_READY;
}

WEFT_API void gex_Event_WaitSome(gex_Event_t *events, size_t n, gex_Flags_t flags) {
  (void)flags;
  weft_gex_ordered();
  if (some(events, n)) return;
  release_each(events, n);
  WEFT_WAIT_ON(NULL, some(events, n));
}

WEFT_API int gex_Event_TestAll(gex_Event_t *events, size_t n, gex_Flags_t flags) {
  (void)flags;
  weft_gex_ordered();
  if (all(events, n)) return GASNET_OK;
  release_each(events, n);
  weft_gex_advance();
  return all(events, n) ? GASNET_OK : GASNET_ERR_NOT_READY;
}

WEFT_API void gex_Event_WaitAll(gex_Event_t *events, size_t n, gex_Flags_t flags) {
  (void)flags;
  weft_gex_ordered();
  if (all(events, n)) return;
  release_each(events, n);
  WEFT_WAIT_ON(NULL, all(events, n));
}
