/*
 * coll.c: the collectives of GASNet-EX as the program calls them: arguments are looked at and
 * become an operation.
 */
#include "gasnet/team.h"

static weft_gex_team_t *team_of(gex_TM_t tm, gex_Rank_t root, const char *who) {
  weft_gex_up(who);
  if (weft_unlikely(WEFT_GEX_IS_PAIR(tm))) weft_fatal("%s: a TM-pair is no team", who);
  if (weft_unlikely(root >= tm->size))
    weft_fatal("%s: root %u is not in a team of %u", who, root, tm->size);
  return tm->team;
}

WEFT_API gex_Event_t gex_Coll_BarrierNB(gex_TM_t tm, gex_Flags_t flags) {
  (void)flags;
  weft_gex_op_t *op = weft_gex_op_new(team_of(tm, 0, "gex_Coll_BarrierNB"));
  op->cut = weft_gex_cut_barrier;
  return weft_gex_op_start(op);
}

WEFT_API void gex_Coll_BarrierBlocking(gex_TM_t tm, gex_Flags_t flags) {
  (void)flags;
  weft_gex_team_barrier(team_of(tm, 0, "gex_Coll_BarrierBlocking"));
}

WEFT_API gex_Event_t gex_Coll_BroadcastNB(gex_TM_t tm, gex_Rank_t root, void *dst, const void *src,
                                          size_t nbytes, gex_Flags_t flags) {
  (void)flags;
  weft_gex_op_t *op = weft_gex_op_new(team_of(tm, root, "gex_Coll_BroadcastNB"));
  op->cut = weft_gex_cut_parts;
  op->kind = WEFT_GEX_BROADCAST;
  op->root = root;
  op->dst = dst;
  op->src = op->team->rank == root ? src : NULL;
  op->bytes = nbytes;
  op->most = weft_gex_cut_size(op->team, nbytes, 1);
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
  return weft_gex_op_start(op);
}

WEFT_API gex_Event_t gex_Coll_ReduceToOneNB(gex_TM_t tm, gex_Rank_t root, void *dst,
                                            const void *src, gex_DT_t dt, size_t dt_sz,
                                            size_t dt_cnt, gex_OP_t op, gex_Coll_ReduceFn_t user_op,
                                            void *user_cdata, gex_Flags_t flags) {
  const char *who = "gex_Coll_ReduceToOneNB";
  (void)flags;
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
  weft_gex_op_t *o = weft_gex_op_new(team_of(tm, 0, who));
  o->kind = WEFT_GEX_REDUCE_ALL;
  o->dst = dst;
  return reduce(o, src, dt, dt_sz, dt_cnt, op, user_op, user_cdata, who);
}
