/*
 * barrier.c: the split-phase barrier of GASNet-1, of all PEs and of the teams of its collectives.
 * It is a barrier of coll's that carries the name.
 */
#include "gasnet/ex/team.h"
#include "trace/trace.h"

/* A barrier's value as an (id, flags) pair, and back. */
static uint64_t value_of(int id, int flags) {
  if (flags & GASNET_BARRIERFLAG_MISMATCH) return WEFT_NAME_MISMATCH;
  if (flags & GASNET_BARRIERFLAG_ANONYMOUS) return WEFT_NAME_NONE;
  return weft_name((uint32_t)id);
}

/* The name at the wait must be the barrier's, if there are such names. What processes of this node
 * sent before their notify has come, and runs now: programs that poll before a barrier, and not
 * behind it, count on that (Graph500's aml). */
static int finish(gasnet_team_handle_t team, int id, int flags) {
  weft_am_run_what_came();
  team->result = team->name;
  team->notified = false;
  if (weft_name_agree(team->result, value_of(id, flags)) == WEFT_NAME_MISMATCH)
    return GASNET_ERR_BARRIER_MISMATCH;
  return GASNET_OK;
}

WEFT_API void gasnet_coll_barrier_notify(gasnet_team_handle_t team, int id, int flags) {
  weft_gex_up("gasnet_barrier_notify");
  weft_gex_given(team, "gasnet_coll_barrier_notify");
  if (team->notified) weft_fatal("gasnet_barrier_notify: called twice without a wait between");
  team->notified = true;
  team->name = value_of(id, flags);
  weft_team_t *members = weft_gex_team(weft_gasnet_tm(team));
  weft_team_name(members, "gasnet_barrier");
  weft_team_notify(members, &team->name, &team->barrier);
}

static void check_notified(gasnet_team_handle_t team, const char *who) {
  weft_gex_given(team, who);
  if (!team->notified) weft_fatal("%s: there was no gasnet_barrier_notify before", who);
}

WEFT_API int gasnet_coll_barrier_wait(gasnet_team_handle_t team, int id, int flags) {
  WEFT_SPAN(WEFT_TRACE_COLLECTIVE, "gasnet_barrier_wait", 0);
  check_notified(team, "gasnet_barrier_wait");
  weft_team_wait(&team->barrier);
  return finish(team, id, flags);
}

WEFT_API int gasnet_coll_barrier_try(gasnet_team_handle_t team, int id, int flags) {
  check_notified(team, "gasnet_barrier_try");
  if (!weft_op_is_done(&team->barrier)) weft_gex_poll();
  return weft_op_is_done(&team->barrier) ? finish(team, id, flags) : GASNET_ERR_NOT_READY;
}

WEFT_API int gasnet_coll_barrier(gasnet_team_handle_t team, int id, int flags) {
  gasnet_coll_barrier_notify(team, id, flags);
  return gasnet_coll_barrier_wait(team, id, flags);
}

/* 0 and the name, or 1: it was anonymous. */
WEFT_API int gasnet_coll_barrier_result(gasnet_team_handle_t team, int *id) {
  weft_gex_given(team, "gasnet_barrier_result");
  *id = (int)(uint32_t)team->result;
  return team->result == 0;
}

/* ---- of all PEs ------------------------------------------------------------------------------ */

WEFT_API void gasnet_barrier_notify(int id, int flags) {
  gasnet_coll_barrier_notify(GASNET_TEAM_ALL, id, flags);
}

WEFT_API int gasnet_barrier_wait(int id, int flags) {
  return gasnet_coll_barrier_wait(GASNET_TEAM_ALL, id, flags);
}

WEFT_API int gasnet_barrier_try(int id, int flags) {
  return gasnet_coll_barrier_try(GASNET_TEAM_ALL, id, flags);
}

WEFT_API int gasnet_barrier(int id, int flags) {
  return gasnet_coll_barrier(GASNET_TEAM_ALL, id, flags);
}

WEFT_API int gasnet_barrier_result(int *id) {
  return gasnet_coll_barrier_result(GASNET_TEAM_ALL, id);
}
