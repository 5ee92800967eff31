/*
 * rma.c: puts and gets that the headers do not do inline: to other nodes, with other teams than the
 * first, and with WEFT_CHECK=1. What is counted where is in event.h; how data travel in src/rma.
 */
#include "gasnet/ex/rma.h"

#include <stdlib.h>
#include <string.h>

/* ---- where ----------------------------------------------------------------------------------- */

void weft_gex_check_place(const weft_gex_place_t *p, unsigned index, size_t n, const char *who) {
  weft_gex_card_t card;
  if (n == 0) return;
  weft_gex_card_get(p->pe, index, false, &card);
  const uint64_t at = p->off + card.base;
  if (card.size == 0)
    weft_fatal("%s: no segment is bound to endpoint %u of process %d", who, index, p->pe);
  if (at < card.addr || n > card.size || at - card.addr > card.size - n)
    weft_fatal("%s: %zu bytes at %p are not in the segment of process %d (%zu bytes at %p)", who, n,
               (void *)(uintptr_t)at, p->pe, (size_t)card.size, (void *)(uintptr_t)card.addr);
}

bool weft_gex_looks = true;

/* `address` as its owner sees it. */
static WEFT_COLD weft_gex_place_t looked_at(gex_TM_t tm, gex_Rank_t rank, const void *address,
                                            size_t n, const char *who) {
  uintptr_t at = (uintptr_t)address;
  weft_gex_up(who);
  weft_gex_check_rank(tm, rank, who);
  const int pe = (int)weft_gex_target(tm, rank, &at);
  weft_gex_place_t p = {.pe = pe, .off = at + weft_gex_shift(pe)};
  weft_gex_check_place(&p, weft_gex_pair_remote(tm), n, who);
  p.here = weft_job_here(pe, p.off);
  return p;
}

weft_gex_place_t weft_gex_place_at(int pe, uintptr_t off, size_t n, const char *who) {
  if (weft_unlikely(weft_gex_looks)) /* every displacement is the same then, and right for no PE */
    return looked_at(WEFT_GASNET1_TM, (gex_Rank_t)pe, (const void *)(off - weft_gex.disp[0]), n,
                     who);
  return (weft_gex_place_t){.pe = pe, .off = off, .here = weft_job_here(pe, off)};
}

weft_gex_place_t weft_gex_find(gex_TM_t tm, gex_Rank_t rank, const void *address, size_t n,
                               const char *who) {
  uintptr_t at = (uintptr_t)address;
  if (weft_unlikely(weft_gex_looks)) return looked_at(tm, rank, address, n, who);
  const long pe = weft_gex_reach(tm, rank, &at);
  if (weft_gex_at((const void *)at, pe, &at))
    return (weft_gex_place_t){.pe = (int)pe, .here = (void *)at};
  return (weft_gex_place_t){.pe = (int)pe, .off = at, .here = weft_job_here((int)pe, at)};
}

/* ---- on this node ---------------------------------------------------------------------------- */

static void check_overlap(const void *to, const void *from, size_t n, const char *who) {
  const uintptr_t t = (uintptr_t)to, f = (uintptr_t)from;
  if (t != f && t < f + n && f < t + n)
    weft_fatal("%s: source %p and destination %p overlap (%zu bytes)", who, from, to, n);
}

void weft_gex_copy_to(const weft_gex_place_t *to, const void *src, size_t n, const char *who) {
  if (weft_unlikely(weft_options.check)) check_overlap(to->here, src, n, who);
  weft_direct_copy(to->here, src, n);
  weft_gex_ordered();
}

void weft_gex_copy_from(void *dest, const weft_gex_place_t *from, size_t n, const char *who) {
  if (weft_unlikely(weft_options.check)) check_overlap(dest, from->here, n, who);
  weft_direct_fetch(dest, from->here, n);
  weft_gex_ordered();
}

/* ---- blocking -------------------------------------------------------------------------------- */

static int put_away(const weft_gex_place_t *to, const void *src, size_t n, bool immediate) {
  weft_op_t op = {0};
  if (!weft_rma_put_begin(to->pe, to->off, src, n, &op, immediate)) return 1;
  weft_op_wait(&op);
  return 0;
}

static int get_away(void *dest, const weft_gex_place_t *from, size_t n, bool immediate) {
  weft_op_t op = {0};
  if (!weft_rma_get_begin(from->pe, from->off, dest, n, &op, immediate)) return 1;
  weft_op_wait(&op);
  return 0;
}

int weft_gex_put_as(gex_TM_t tm, gex_Rank_t rank, void *dest, const void *src, size_t n,
                    gex_Flags_t flags, const char *who) {
  const weft_gex_place_t to = weft_gex_find(tm, rank, dest, n, who);
  WEFT_GEX_SPAN(WEFT_TRACE_PUT, who, n, to);
  if (!to.here) return put_away(&to, src, n, flags & GEX_FLAG_IMMEDIATE);
  weft_gex_copy_to(&to, src, n, who);
  return 0;
}

int weft_gex_get_as(gex_TM_t tm, void *dest, gex_Rank_t rank, void *src, size_t n,
                    gex_Flags_t flags, const char *who) {
  const weft_gex_place_t from = weft_gex_find(tm, rank, src, n, who);
  WEFT_GEX_SPAN(WEFT_TRACE_GET, who, n, from);
  if (!from.here) return get_away(dest, &from, n, flags & GEX_FLAG_IMMEDIATE);
  weft_gex_copy_from(dest, &from, n, who);
  return 0;
}

WEFT_API int weft_gex_put(gex_TM_t tm, gex_Rank_t rank, void *dest, const void *src, size_t n,
                          gex_Flags_t flags) {
  return weft_gex_put_as(tm, rank, dest, src, n, flags, "gex_RMA_PutBlocking");
}

WEFT_API int weft_gex_get(gex_TM_t tm, void *dest, gex_Rank_t rank, void *src, size_t n,
                          gex_Flags_t flags) {
  return weft_gex_get_as(tm, dest, rank, src, n, flags, "gex_RMA_GetBlocking");
}

/* ---- with an event --------------------------------------------------------------------------- */

/* The root's own count was 1 for being begun. */
static gex_Event_t begun(weft_gex_event_t *e) {
  weft_gex_event_done(e);
  return weft_gex_event_root(e);
}

/* Nothing was begun. */
static gex_Event_t no_op(weft_gex_event_t *e) {
  weft_gex_event_done(e);
  weft_gex_event_free(e);
  return GEX_EVENT_NO_OP;
}

static gex_Event_t get_event(void *dest, const weft_gex_place_t *from, size_t n, bool immediate) {
  weft_gex_event_t *e = weft_gex_event_new();
  return weft_rma_get_begin(from->pe, from->off, dest, n, &e->part[0], immediate) ? begun(e)
                                                                                  : no_op(e);
}

/* The source may be used again before the data are there: it leaves, and a flush behind it tells
 * when it is there. `left` counts the first. */
static void leave_and_flush(weft_gex_event_t *e, const weft_gex_place_t *to, const void *src,
                            size_t n, weft_op_t *left) {
  weft_rma_put_leave(to->pe, to->off, src, n, left, false);
  weft_rma_flush_begin(weft_job_node_of(to->pe), &e->part[0], false);
}

/* A leaf counts all of it, and so is complete when the root is: the only way to begin both in one
 * step. */
static gex_Event_t put_immediately(weft_gex_event_t *e, const weft_gex_place_t *to, const void *src,
                                   size_t n, gex_Event_t *lc_opt) {
  const bool leaf = WEFT_GEX_LC_IS_POINTER(lc_opt);
  weft_op_t *op = leaf ? weft_gex_event_op(e, GEX_EC_LC) : &e->part[0];
  if (lc_opt == GEX_EVENT_NOW) {
    if (!(e->copy = malloc(n))) return no_op(e);
    src = memcpy(e->copy, src, n);
  }
  if (!weft_rma_put_begin(to->pe, to->off, src, n, op, true)) return no_op(e);
  if (leaf) *lc_opt = weft_gex_event_leaf(e, GEX_EC_LC);
  return begun(e);
}

/* More bytes than leave their source at once. */
static gex_Event_t put_large(weft_gex_event_t *e, const weft_gex_place_t *to, const void *src,
                             size_t n, gex_Event_t *lc_opt) {
  if (lc_opt == GEX_EVENT_NOW) {
    weft_op_t left = {0};
    leave_and_flush(e, to, src, n, &left);
    weft_op_wait(&left);
  } else if (WEFT_GEX_LC_IS_POINTER(lc_opt)) {
    leave_and_flush(e, to, src, n, weft_gex_event_op(e, GEX_EC_LC));
    *lc_opt = weft_gex_event_leaf(e, GEX_EC_LC);
  } else {
    weft_rma_put_begin(to->pe, to->off, src, n, &e->part[0], false);
  }
  return begun(e);
}

static gex_Event_t put_event(const weft_gex_place_t *to, const void *src, size_t n,
                             gex_Event_t *lc_opt, bool immediate) {
  weft_gex_event_t *e = weft_gex_event_new();
  if (n > weft_rma_copied_max())
    return immediate ? put_immediately(e, to, src, n, lc_opt) : put_large(e, to, src, n, lc_opt);
  if (!weft_rma_put_begin(to->pe, to->off, src, n, &e->part[0], immediate)) return no_op(e);
  if (WEFT_GEX_LC_IS_POINTER(lc_opt)) *lc_opt = GEX_EVENT_INVALID;
  return begun(e);
}

gex_Event_t weft_gex_put_nb_as(gex_TM_t tm, gex_Rank_t rank, void *dest, const void *src, size_t n,
                               gex_Event_t *lc_opt, gex_Flags_t flags, const char *who) {
  const weft_gex_place_t to = weft_gex_find(tm, rank, dest, n, who);
  WEFT_GEX_SPAN(WEFT_TRACE_PUT, who, n, to);
  if (!to.here && n) return put_event(&to, src, n, lc_opt, flags & GEX_FLAG_IMMEDIATE);
  if (to.here) weft_gex_copy_to(&to, src, n, who);
  if (WEFT_GEX_LC_IS_POINTER(lc_opt)) *lc_opt = GEX_EVENT_INVALID;
  return GEX_EVENT_INVALID;
}

WEFT_API gex_Event_t weft_gex_put_nb(gex_TM_t tm, gex_Rank_t rank, void *dest, const void *src,
                                     size_t n, gex_Event_t *lc_opt, gex_Flags_t flags) {
  return weft_gex_put_nb_as(tm, rank, dest, src, n, lc_opt, flags, "gex_RMA_PutNB");
}

WEFT_API gex_Event_t weft_gex_get_nb(gex_TM_t tm, void *dest, gex_Rank_t rank, void *src, size_t n,
                                     gex_Flags_t flags) {
  static const char who[] = "gex_RMA_GetNB";
  const weft_gex_place_t from = weft_gex_find(tm, rank, src, n, who);
  WEFT_GEX_SPAN(WEFT_TRACE_GET, who, n, from);
  if (!from.here && n) return get_event(dest, &from, n, flags & GEX_FLAG_IMMEDIATE);
  if (from.here) weft_gex_copy_from(dest, &from, n, who);
  return GEX_EVENT_INVALID;
}

/* ---- with an implicit event ------------------------------------------------------------------ */

static int put_small(const weft_gex_place_t *to, const void *src, size_t n, bool immediate) {
  weft_gex_nbi_up();
  if (!weft_puts_put(&weft_gex_puts, to->pe, to->off, src, n, immediate)) return 1;
  weft_gex_open |= GEX_EC_PUT;
  return 0;
}

/* A window of these is flushed once, by the wait, and not acknowledged one by one. NOW waits for
 * the source; with `immediate`, which never waits, it is not to be had. */
static int put_nbi_large(const weft_gex_place_t *to, const void *src, size_t n, gex_Event_t *lc_opt,
                         bool immediate) {
  weft_op_t now = {0}, *puts = weft_gex_nbi_op(GEX_EC_PUT);
  if (lc_opt == GEX_EVENT_DEFER && n <= weft_rma_gathered_max())
    return !weft_rma_put_begin(to->pe, to->off, src, n, puts, immediate);
  if (immediate && lc_opt == GEX_EVENT_NOW) return 1;
  weft_op_t *left = lc_opt == GEX_EVENT_GROUP   ? weft_gex_nbi_op(GEX_EC_LC)
                    : lc_opt == GEX_EVENT_DEFER ? puts
                                                : &now;
  if (!weft_rma_put_leave(to->pe, to->off, src, n, left, immediate)) return 1;
  weft_puts_mark(&weft_gex_puts, to->pe);
  weft_op_wait(&now);
  return 0;
}

int weft_gex_put_nbi_to(const weft_gex_place_t *to, const void *src, size_t n, unsigned long how,
                        const char *who) {
  const bool immediate = weft_gex_how_flags(how) & GEX_FLAG_IMMEDIATE;
  WEFT_GEX_SPAN(WEFT_TRACE_PUT, who, n, *to);
  if (!to->here && n)
    return n <= weft_rma_copied_max()
               ? put_small(to, src, n, immediate)
               : put_nbi_large(to, src, n, weft_gex_how_lc(how), immediate);
  if (to->here) weft_gex_copy_to(to, src, n, who);
  return 0;
}

WEFT_API int weft_gex_put_nbi(gex_TM_t tm, gex_Rank_t rank, void *dest, const void *src, size_t n,
                              unsigned long how) {
  uintptr_t at;
  if (n - 1 < weft_inject.max && !weft_gex_how_flags(how) && WEFT_GEX_IS_WORLD(tm) &&
      !weft_gex_at(dest, (long)rank, &at))
    return weft_gex_put_nbi_away(tm, rank, at, src, n);
  const weft_gex_place_t to = weft_gex_find(tm, rank, dest, n, "gex_RMA_PutNBI");
  return weft_gex_put_nbi_to(&to, src, n, how, "gex_RMA_PutNBI");
}

/* Not static: a compiler that knows all callers would drop the first argument and shift the others,
 * which costs the caller instructions. */
int weft_gex_put_nbi_at(gex_TM_t unused, unsigned long pe, uintptr_t off, const void *src,
                        size_t n) {
  const weft_gex_place_t to = weft_gex_place_at((int)pe, off, n, "gex_RMA_PutNBI");
  (void)unused;
  return weft_gex_put_nbi_to(&to, src, n, WEFT_GEX_HOW(GEX_EVENT_NOW, 0), "gex_RMA_PutNBI");
}

/* What is left to do after libfabric; apart, so that what is before saves no registers. */
int weft_gex_injected(const weft_gex_injected_t *put, ssize_t rc, bool is_value) {
  weft_gex_nbi_up();
  weft_puts_injected(&weft_gex_puts, rc, (int)put->pe, put->off,
                     is_value ? &put->data.value : put->data.src, put->n);
  weft_gex_open |= GEX_EC_PUT;
  return 0;
}

/* Straight to libfabric where nothing else is to be thought of; test/count holds it to 30
 * instructions from the API's entry. */
WEFT_API int weft_gex_put_nbi_away(gex_TM_t unused, unsigned long pe, uintptr_t off,
                                   const void *src, size_t n) {
  if (weft_unlikely(n > weft_inject.max)) return weft_gex_put_nbi_at(unused, pe, off, src, n);
  const weft_gex_injected_t put = {.data.src = src, .n = n, .pe = pe, .off = off};
  return weft_gex_injected(&put, weft_puts_inject(pe, off, src, n), false);
}

/* Which addresses of which PEs are where has changed: is a carry another node's now? */
void weft_gex_rma_tables(void) {
  bool elsewhere = true;
  weft_gex_looks = weft_options.check;
  for (int slot = 0; slot < weft_job.nslots; slot++) {
    const int pe = weft_job.local[slot];
    elsewhere &= weft_gex.disp[pe] == weft_gex_offset(pe);
  }
  weft_rma_inject_start(elsewhere);
}

WEFT_API int weft_gex_get_nbi(gex_TM_t tm, void *dest, gex_Rank_t rank, void *src, size_t n,
                              gex_Flags_t flags) {
  static const char who[] = "gex_RMA_GetNBI";
  const weft_gex_place_t from = weft_gex_find(tm, rank, src, n, who);
  WEFT_GEX_SPAN(WEFT_TRACE_GET, who, n, from);
  if (!from.here)
    return !weft_rma_get_begin(from.pe, from.off, dest, n, weft_gex_nbi_op(GEX_EC_GET),
                               flags & GEX_FLAG_IMMEDIATE);
  weft_gex_copy_from(dest, &from, n, who);
  return 0;
}
