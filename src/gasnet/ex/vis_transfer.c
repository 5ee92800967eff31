/*
 * vis_transfer.c: carries out non-contiguous transfers. The rma layer knows how to move one shape
 * into another and counts completions in weft_op_t; here these are parts of an event, of the
 * thread's NBI operations, or of nobody but the caller. Nothing of it waits but the blocking forms,
 * so GEX_FLAG_IMMEDIATE is granted always.
 */
#include "gasnet/ex/rma.h"
#include "gasnet/ex/vis.h"
#include "trace/trace.h"

/* Every block must lie in the segment. */
static WEFT_COLD void check_blocks(const weft_gex_vis_t *v, long pe) {
  weft_cursor_t c;
  for (weft_cursor_open(&c, &v->remote); c.left > 0; weft_cursor_step(&c, c.left))
    weft_gex_check_place(&(weft_gex_place_t){.pe = (int)pe, .off = c.at},
                         weft_gex_pair_remote(v->tm), c.left, v->who);
}

/* The target's PE. */
static long aim(weft_gex_vis_t *v) {
  weft_gex_up(v->who);
  if (weft_unlikely(weft_options.check)) weft_gex_check_rank(v->tm, v->rank, v->who);
  const long pe = weft_gex_reach(v->tm, v->rank, &v->remote.base);
  v->remote.base += weft_gex_shift(pe);
  if (weft_unlikely(weft_options.check)) check_blocks(v, pe);
  return pe;
}

/* A transfer is recorded until the end of the block. */
#define RECORD(v, pe)                                                                              \
  WEFT_SPAN_TO((v)->is_put ? WEFT_TRACE_PUT : WEFT_TRACE_GET, (v)->who,                            \
               weft_peek(&weft_trace_on) ? weft_shape_bytes(&(v)->local) : 0, (int)(pe), 0)

/* lc may be counted in the same op as rc. */
static void move(const weft_gex_vis_t *v, long pe, weft_op_t *lc, weft_op_t *rc) {
  if (v->is_put)
    weft_rma_put_shape(&v->remote, &v->local, pe, lc, rc, v->who);
  else
    weft_rma_get_shape(&v->local, &v->remote, pe, rc, v->who);
}

/* A PE of this node: done when this returns. */
static bool done_here(weft_gex_vis_t *v, long pe) {
  if (!weft_job_slot((int)pe)) return false;
  move(v, pe, NULL, NULL);
  struct weft_gex_peer *peer = weft_gex_peer_take(v, pe);
  if (weft_unlikely(peer)) weft_gex_peer_tell(peer);
  return true;
}

/* To another node: counted in `op`, and with GEX_FLAG_ENABLE_LEAF_LC in `leaf` as well. */
static void start(const weft_gex_vis_t *v, long pe, weft_op_t *leaf, weft_op_t *op) {
  weft_op_t *lc = v->flags & GEX_FLAG_ENABLE_LEAF_LC ? leaf : op;
  struct weft_gex_peer *peer = weft_gex_peer_take(v, pe);
  if (weft_likely(!peer)) {
    move(v, pe, lc, op);
  } else {
    move(v, pe, lc, weft_gex_peer_follow(peer, op));
    weft_gex_peer_start(peer);
  }
}

gex_Event_t weft_gex_vis_nb(weft_gex_vis_t *v) {
  const long pe = aim(v);
  RECORD(v, pe);
  if (done_here(v, pe)) return GEX_EVENT_INVALID;
  weft_gex_event_t *event = weft_gex_event_new();
  gex_Event_t root = weft_gex_event_root(event);
  start(v, pe, weft_gex_event_op(event, GEX_EC_LC), weft_gex_event_op(event, 0));
  weft_gex_event_done(event);
  if (!weft_gex_event_ready(root)) return root;
  weft_gex_event_free(event);
  return GEX_EVENT_INVALID;
}

int weft_gex_vis_nbi(weft_gex_vis_t *v) {
  const long pe = aim(v);
  RECORD(v, pe);
  if (done_here(v, pe)) return 0;
  weft_op_t *leaf = v->flags & GEX_FLAG_ENABLE_LEAF_LC ? weft_gex_nbi_op(GEX_EC_LC) : NULL;
  start(v, pe, leaf, weft_gex_nbi_op(v->is_put ? GEX_EC_PUT : GEX_EC_GET));
  return 0;
}

int weft_gex_vis_blocking(weft_gex_vis_t *v) {
  const long pe = aim(v);
  RECORD(v, pe);
  if (!done_here(v, pe)) {
    weft_op_t op = {0};
    start(v, pe, &op, &op);
    weft_op_wait(&op);
  }
  weft_gex_ordered();
  return 0;
}

void weft_gex_vis_nothing(weft_gex_vis_t *v) {
  if (v->is_put && weft_gex_peer_is_armed()) weft_gex_peer_tell(weft_gex_peer_take(v, aim(v)));
}
