/*
 * coll.c: the collectives of GASNet-EX as the program calls them: arguments are looked at and
 * become one of coll's operations (coll/begun.h).
 */
#include "gasnet/ex/team.h"
#include "trace/trace.h"

static weft_team_t *team_of(gex_TM_t tm, gex_Rank_t root, const char *who) {
  weft_gex_up(who);
  weft_gex_given_team(tm, who);
  if (weft_unlikely(root >= tm->size))
    weft_fatal("%s: root %u is not in a team of %u", who, root, tm->size);
  weft_team_name(weft_gex_team(tm), who);
  return weft_gex_team(tm);
}

void weft_gex_team_sync(gex_TM_t tm, const char *who) {
  weft_op_t op = {0};
  weft_team_name(weft_gex_team(tm), who);
  weft_team_barrier_begin(weft_gex_team(tm), &op);
  weft_team_wait(&op);
}

/* An event that counts what is begun, and what becomes of it: none if that is complete already. */
static weft_gex_event_t *event_new(void) {
  weft_gex_event_t *event = weft_gex_event_new();
  weft_poke(&event->part[0].pending, 0);
  return event;
}
static gex_Event_t begun(weft_gex_event_t *event) {
  if (!weft_op_is_done(&event->part[0])) return weft_gex_event_root(event);
  weft_gex_event_free(event);
  return GEX_EVENT_INVALID;
}

WEFT_API gex_Event_t gex_Coll_BarrierNB(gex_TM_t tm, gex_Flags_t flags) {
  (void)flags;
  const char *who = "gex_Coll_BarrierNB";
  WEFT_SPAN(WEFT_TRACE_COLLECTIVE, who, 0);
  weft_team_t *team = team_of(tm, 0, who);
  weft_gex_event_t *event = event_new();
  weft_team_barrier_begin(team, &event->part[0]);
  return begun(event);
}

WEFT_API void gex_Coll_BarrierBlocking(gex_TM_t tm, gex_Flags_t flags) {
  (void)flags;
  const char *who = "gex_Coll_BarrierBlocking";
  WEFT_SPAN(WEFT_TRACE_COLLECTIVE, who, 0);
  weft_op_t op = {0};
  weft_team_barrier_begin(team_of(tm, 0, who), &op);
  weft_team_wait(&op);
}

WEFT_API gex_Event_t gex_Coll_BroadcastNB(gex_TM_t tm, gex_Rank_t root, void *dst, const void *src,
                                          size_t nbytes, gex_Flags_t flags) {
  (void)flags;
  const char *who = "gex_Coll_BroadcastNB";
  WEFT_SPAN(WEFT_TRACE_COLLECTIVE, who, nbytes);
  weft_team_t *team = team_of(tm, root, who);
  weft_gex_event_t *event = event_new();
  weft_team_broadcast_begin(team, (int)root, dst, src, nbytes, &event->part[0]);
  return begun(event);
}

static weft_reducer_t reducer(gex_DT_t dt, size_t dt_sz, gex_OP_t op, gex_Coll_ReduceFn_t user_op,
                              void *user_cdata, const char *who) {
  const bool users = op == GEX_OP_USER || op == (gex_OP_t)GEX_OP_USER_NC;
  const size_t width = weft_gex_width(dt);
  const weft_reducer_t how = {.combine = users ? NULL : weft_gex_arithmetic(dt, op),
                              .user = users ? user_op : NULL,
                              .arg = user_cdata,
                              .width = dt_sz,
                              .ordered = op == (gex_OP_t)GEX_OP_USER_NC,
                              .check = (uint64_t)dt << 32 | (uint32_t)op};
  if (!how.user && !how.combine)
    weft_fatal("%s: there is no operation %#x on type %#x", who, (unsigned)op, (unsigned)dt);
  if (dt_sz == 0 || (width && dt_sz != width))
    weft_fatal("%s: an element of type %#x has not %zu bytes", who, (unsigned)dt, dt_sz);
  return how;
}

WEFT_API gex_Event_t gex_Coll_ReduceToOneNB(gex_TM_t tm, gex_Rank_t root, void *dst,
                                            const void *src, gex_DT_t dt, size_t dt_sz,
                                            size_t dt_cnt, gex_OP_t op, gex_Coll_ReduceFn_t user_op,
                                            void *user_cdata, gex_Flags_t flags) {
  const char *who = "gex_Coll_ReduceToOneNB";
  (void)flags;
  WEFT_SPAN(WEFT_TRACE_COLLECTIVE, who, dt_sz * dt_cnt);
  weft_team_t *team = team_of(tm, root, who);
  const weft_reducer_t how = reducer(dt, dt_sz, op, user_op, user_cdata, who);
  weft_gex_event_t *event = event_new();
  weft_team_reduce_begin(team, (int)root, dst, src, dt_cnt, &how, &event->part[0]);
  return begun(event);
}

WEFT_API gex_Event_t gex_Coll_ReduceToAllNB(gex_TM_t tm, void *dst, const void *src, gex_DT_t dt,
                                            size_t dt_sz, size_t dt_cnt, gex_OP_t op,
                                            gex_Coll_ReduceFn_t user_op, void *user_cdata,
                                            gex_Flags_t flags) {
  const char *who = "gex_Coll_ReduceToAllNB";
  (void)flags;
  WEFT_SPAN(WEFT_TRACE_COLLECTIVE, who, dt_sz * dt_cnt);
  weft_team_t *team = team_of(tm, 0, who);
  const weft_reducer_t how = reducer(dt, dt_sz, op, user_op, user_cdata, who);
  weft_gex_event_t *event = event_new();
  weft_team_reduce_all_begin(team, dst, src, dt_cnt, &how, &event->part[0]);
  return begun(event);
}
