/*
 * event.h: what a gex_Event_t points to, and how operations that are not done when they return are
 * counted and carried on. internal.h includes it; event.c and nbi.c define it. Knows libfabric's
 * completions only as weft_op_t.
 *
 * An event object counts what is not complete, by category. A handle is its address (the root), or
 * that plus the number of a category (a leaf). The root is complete when all counts are 0, so
 * nobody has to be told: the thread that completes a part counts it down, and touches the
 * object no more. The one that syncs the root gives the object back.
 *
 * Usual: an operation that must be advanced by polling.
 *   weft_gex_event_t *e = weft_gex_event_new();     root not complete
 *   p->base.advance = step; weft_pending_add(&p->base);
 *   return weft_gex_event_root(e);                  and when it is done: weft_gex_event_done(e)
 * Usual: an operation of the NBI kind.
 *   weft_op_t *op = weft_gex_nbi_op(GEX_EC_PUT);    of this thread, or of its access region
 *   count op->pending up (weft_op_up), later down (weft_op_down)
 */
#ifndef WEFT_GASNET_EVENT_H
#define WEFT_GASNET_EVENT_H

#include <stdbool.h>

#include "am/am.h"
#include "rma/rma.h"
#include "sync/sync.h"
#include "weft/gex_event.h"

/* Part of an event: 0 is the root's own, the others one for each bit of gex_EC_t. */
enum { WEFT_GEX_PARTS = 6 };
static inline int weft_gex_part(gex_EC_t category) {
  return category ? __builtin_ctz(category) + 1 : 0;
}

struct weft_gex_event {
  _Alignas(WEFT_CACHELINE) weft_op_t part[WEFT_GEX_PARTS];
  uint64_t value;              /* gasnet_get_nb_val */
  void *copy;                  /* of the source; freed with the event */
  struct weft_gex_event *next; /* in the list of free ones */
};
typedef struct weft_gex_event weft_gex_event_t;

/* ---- event.c: events ---- */

/* A new one, whose root counts 1 and leaves 0. Fatal if there is no memory. */
weft_gex_event_t *weft_gex_event_new(void);
/* Give one back that nobody has a handle of and that is complete. */
void weft_gex_event_free(weft_gex_event_t *e);
static inline gex_Event_t weft_gex_event_root(weft_gex_event_t *e) {
  return e;
}
/* `category` is one GEX_EC_ bit. To make a leaf, count its op up before. */
static inline gex_Event_t weft_gex_event_leaf(weft_gex_event_t *e, gex_EC_t category) {
  return (gex_Event_t)((char *)e + weft_gex_part(category));
}
/* The count of a category; 0: the root's own. */
static inline weft_op_t *weft_gex_event_op(weft_gex_event_t *e, gex_EC_t category) {
  return &e->part[weft_gex_part(category)];
}
/* The root's own part is complete. */
static inline void weft_gex_event_done(weft_gex_event_t *e) {
  weft_op_down(&e->part[0]);
}
/* Is a handle (not GEX_EVENT_INVALID) complete? Frees nothing. */
bool weft_gex_event_ready(gex_Event_t event);

/* ---- nbi.c: operations without an event of their own ---- */

/* Where this thread's (or its open access region's) operations of a category are counted. The next
 * sync of that category waits until the count is 0 (and sync_*, GEX_EC_ALL). */
weft_op_t *weft_gex_nbi_op(gex_EC_t category);
/* Make this thread's state, if it has none yet. */
void weft_gex_nbi_up(void);
/* This thread's small puts to other nodes, after weft_gex_nbi_up. A caller that adds to them sets
 * GEX_EC_PUT in weft_gex_open. */
extern __thread weft_puts_t weft_gex_puts
    __attribute__((tls_model("initial-exec"), visibility("hidden")));

#endif
