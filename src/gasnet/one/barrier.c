/*
 * barrier.c: the split-phase barrier of GASNet-1, of all PEs and of the teams of its collectives.
 * It is a barrier of coll_barrier.c that carries the name.
 */
#include "gasnet/ex/team.h"
#include "trace/trace.h"

/* A barrier's value as an (id, flags) pair, and back. */
static uint64_t value_of(int id, int flags) {
  if (flags & GASNET_BARRIERFLAG_MISMATCH) return (uint64_t)WEFT_GEX_MISMATCH << 32;
  if (flags & GASNET_BARRIERFLAG_ANONYMOUS) return 0;
  return (uint64_t)WEFT_GEX_NAMED << 32 | (uint32_t)id;
}

static bool is_mismatch(uint64_t value) {
  return value >> 32 == WEFT_GEX_MISMATCH;
}

/* The name at the wait must be the barrier's, if there are such names. */
static int finish(gasnet_team_handle_t team, int id, int flags) {
  weft_gex_op_t *op = team->barrier;
  team->result = op->value;
  team->barrier = NULL;
  weft_gex_op_free(op);
  if (is_mismatch(weft_gex_agree(team->result, value_of(id, flags))))
    return GASNET_ERR_BARRIER_MISMATCH;
  return GASNET_OK;
}

WEFT_API void gasnet_coll_barrier_notify(gasnet_team_handle_t team, int id, int flags) {
  weft_gex_up("gasnet_barrier_notify");
  if (team->barrier) weft_fatal("gasnet_barrier_notify: called twice without a wait between");
  weft_gex_op_t *op = weft_gex_op_new(weft_gex_team_of(team));
  op->cut = weft_gex_cut_barrier;
  op->value = value_of(id, flags);
  op->keep = true;
  team->barrier = op;
  weft_gex_op_start(op);
}

static weft_gex_op_t *notified(gasnet_team_handle_t team, const char *who) {
  if (!team->barrier) weft_fatal("%s: there was no gasnet_barrier_notify before", who);
  return team->barrier;
}

WEFT_API int gasnet_coll_barrier_wait(gasnet_team_handle_t team, int id, int flags) {
  WEFT_SPAN(WEFT_TRACE_COLLECTIVE, "gasnet_barrier_wait", 0);
  weft_gex_op_t *op = notified(team, "gasnet_barrier_wait");
  for (unsigned steps = 0; !weft_observe(&op->done);) weft_gex_wait_step(&steps);
  return finish(team, id, flags);
}

WEFT_API int gasnet_coll_barrier_try(gasnet_team_handle_t team, int id, int flags) {
  weft_gex_op_t *op = notified(team, "gasnet_barrier_try");
  if (!weft_observe(&op->done)) weft_gex_poll();
  return weft_observe(&op->done) ? finish(team, id, flags) : GASNET_ERR_NOT_READY;
}

WEFT_API int gasnet_coll_barrier(gasnet_team_handle_t team, int id, int flags) {
  gasnet_coll_barrier_notify(team, id, flags);
  return gasnet_coll_barrier_wait(team, id, flags);
}

/* 0 and the name, or 1: it was anonymous. */
WEFT_API int gasnet_coll_barrier_result(gasnet_team_handle_t team, int *id) {
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
