/*
 * coll.c: the collectives of GASNet-EX as the program calls them: arguments are looked at and
 * become an operation.
 */
#include "gasnet/ex/team.h"
#include "trace/trace.h"

static weft_gex_team_t *team_of(gex_TM_t tm, gex_Rank_t root, const char *who) {
  weft_gex_up(who);
  if (weft_unlikely(WEFT_GEX_IS_PAIR(tm))) weft_fatal("%s: a TM-pair is no team", who);
  if (weft_unlikely(root >= tm->size))
    weft_fatal("%s: root %u is not in a team of %u", who, root, tm->size);
  return tm->team;
}

/* With WEFT_CHECK=1: what must be the same on all members. Never 0. */
static void promise(weft_gex_op_t *op, const char *who, unsigned kind, uint64_t a, uint64_t b) {
  if (weft_likely(!weft_options.check)) return;
  uint64_t hash = 0xcbf29ce484222325u;
  for (uint64_t value[] = {kind, op->root, op->bytes, a, b}, *v = value; v < value + 5; v++)
    hash = (hash ^ *v ^ *v >> 32) * 0x100000001b3u;
  op->digest = (uint32_t)(hash ^ hash >> 32) | 1;
  op->who = who;
}

WEFT_API gex_Event_t gex_Coll_BarrierNB(gex_TM_t tm, gex_Flags_t flags) {
  (void)flags;
  const char *who = "gex_Coll_BarrierNB";
  WEFT_SPAN(WEFT_TRACE_COLLECTIVE, who, 0);
  weft_gex_op_t *op = weft_gex_op_new(team_of(tm, 0, who));
  op->cut = weft_gex_cut_barrier;
  promise(op, who, WEFT_GEX_BARRIER, 0, 0);
  return weft_gex_op_start(op);
}

WEFT_API void gex_Coll_BarrierBlocking(gex_TM_t tm, gex_Flags_t flags) {
  (void)flags;
  const char *who = "gex_Coll_BarrierBlocking";
  WEFT_SPAN(WEFT_TRACE_COLLECTIVE, who, 0);
  weft_gex_op_t *op = weft_gex_op_new(team_of(tm, 0, who));
  op->cut = weft_gex_cut_barrier;
  promise(op, who, WEFT_GEX_BARRIER, 0, 0);
  weft_gex_op_run(op);
}

WEFT_API gex_Event_t gex_Coll_BroadcastNB(gex_TM_t tm, gex_Rank_t root, void *dst, const void *src,
                                          size_t nbytes, gex_Flags_t flags) {
  (void)flags;
  const char *who = "gex_Coll_BroadcastNB";
  WEFT_SPAN(WEFT_TRACE_COLLECTIVE, who, nbytes);
  weft_gex_op_t *op = weft_gex_op_new(team_of(tm, root, who));
  op->cut = weft_gex_cut_parts;
  op->kind = WEFT_GEX_BROADCAST;
  op->root = root;
  op->dst = dst;
  op->src = op->team->rank == root ? src : NULL;
  op->bytes = nbytes;
  op->most = weft_gex_cut_size(op->team, nbytes, 1);
  promise(op, who, WEFT_GEX_BROADCAST, 0, 0);
  return weft_gex_op_start(op);
}

/* The kinds of reductions differ in kind, root and dst only. */
static gex_Event_t reduce(weft_gex_op_t *op, const void *src, gex_DT_t dt, size_t dt_sz,
                          size_t dt_cnt, gex_OP_t operation, gex_Coll_ReduceFn_t user_op,
                          void *user_cdata, const char *who) {
  const bool users = operation == GEX_OP_USER || operation == (gex_OP_t)GEX_OP_USER_NC;
  const size_t width = weft_gex_width(dt);
  if (users)
    op->user = user_op;
  else
    op->combine = weft_gex_arithmetic(dt, operation);
  if (!op->user && !op->combine)
    weft_fatal("%s: there is no operation %#x on type %#x", who, (unsigned)operation, (unsigned)dt);
  if (dt_sz == 0 || (width && dt_sz != width))
    weft_fatal("%s: an element of type %#x has not %zu bytes", who, (unsigned)dt, dt_sz);
  op->cdata = user_cdata;
  op->ordered = operation == (gex_OP_t)GEX_OP_USER_NC;
  op->cut = weft_gex_cut_parts;
  op->src = src;
  op->width = dt_sz;
  op->bytes = dt_sz * dt_cnt;
  op->most = weft_gex_cut_size(op->team, op->bytes, dt_sz);
  promise(op, who, op->kind, (uint64_t)dt << 32 | (uint32_t)operation, dt_sz);
  return weft_gex_op_start(op);
}

WEFT_API gex_Event_t gex_Coll_ReduceToOneNB(gex_TM_t tm, gex_Rank_t root, void *dst,
                                            const void *src, gex_DT_t dt, size_t dt_sz,
                                            size_t dt_cnt, gex_OP_t op, gex_Coll_ReduceFn_t user_op,
                                            void *user_cdata, gex_Flags_t flags) {
  const char *who = "gex_Coll_ReduceToOneNB";
  (void)flags;
  WEFT_SPAN(WEFT_TRACE_COLLECTIVE, who, dt_sz * dt_cnt);
  weft_gex_op_t *o = weft_gex_op_new(team_of(tm, root, who));
  o->kind = WEFT_GEX_REDUCE;
  o->root = root;
  o->dst = o->team->rank == root ? dst : NULL;
  return reduce(o, src, dt, dt_sz, dt_cnt, op, user_op, user_cdata, who);
}

WEFT_API gex_Event_t gex_Coll_ReduceToAllNB(gex_TM_t tm, void *dst, const void *src, gex_DT_t dt,
                                            size_t dt_sz, size_t dt_cnt, gex_OP_t op,
                                            gex_Coll_ReduceFn_t user_op, void *user_cdata,
                                            gex_Flags_t flags) {
  const char *who = "gex_Coll_ReduceToAllNB";
  (void)flags;
  WEFT_SPAN(WEFT_TRACE_COLLECTIVE, who, dt_sz * dt_cnt);
  weft_gex_op_t *o = weft_gex_op_new(team_of(tm, 0, who));
  o->kind = WEFT_GEX_REDUCE_ALL;
  o->dst = dst;
  return reduce(o, src, dt, dt_sz, dt_cnt, op, user_op, user_cdata, who);
}
