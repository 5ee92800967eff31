/*
 * coll_turns.c: the sequence of turns of a team (team.h): operations are cut, turns are carried on
 * from weft_gex_poll, barriers are put in, events are told. Knows nothing of how a turn is done.
 */
#include <stdlib.h>
#include <string.h>

#include "gasnet/ex/team.h"
#include "runtime/runtime.h"

/* ---- cutting --------------------------------------------------------------------------------- */

enum weft_gex_cut weft_gex_cut_barrier(weft_gex_op_t *op, weft_gex_turn_t *turn) {
  if (op->step++) return WEFT_GEX_CUT_END;
  turn->kind = WEFT_GEX_BARRIER;
  turn->value = op->value;
  return WEFT_GEX_CUT_TURN;
}

enum weft_gex_cut weft_gex_cut_parts(weft_gex_op_t *op, weft_gex_turn_t *turn) {
  if (op->at == op->bytes) return WEFT_GEX_CUT_END;
  turn->kind = op->kind;
  turn->root = op->root;
  turn->n = op->bytes - op->at < op->most ? op->bytes - op->at : op->most;
  turn->dst = op->dst ? op->dst + op->at : NULL;
  turn->src = op->src ? op->src + op->at : NULL;
  op->at += turn->n;
  return WEFT_GEX_CUT_TURN;
}

static bool is_sync(const weft_gex_turn_t *turn) {
  return turn->kind == WEFT_GEX_BARRIER || turn->kind == WEFT_GEX_REDUCE_ALL;
}

/* The next turn of the window, to be filled. */
static weft_gex_turn_t *blank(weft_gex_team_t *team) {
  weft_gex_turn_t *turn = &team->turn[team->next % WEFT_GEX_WINDOW];
  memset(turn, 0, sizeof *turn);
  turn->seq = team->next;
  return turn;
}

static void begin(weft_gex_team_t *team, weft_gex_turn_t *turn) {
  turn->live = true;
  team->next++;
  if (is_sync(turn)) team->synced = team->next;
}

static void complete(weft_gex_op_t *op) {
  weft_gex_event_t *event = op->event;
  const bool keep = op->keep;
  weft_publish(&op->done, true);
  if (keep || !event) return; /* without event: weft_gex_op_start is looking */
  op->next = op->team->free;
  op->team->free = op;
  weft_gex_event_done(event);
}

/* Before anything of an operation, and alone: a barrier that carries the digest. */
static enum weft_gex_cut cut_comparison(weft_gex_op_t *op, weft_gex_turn_t *turn) {
  if (op->compared) return WEFT_GEX_CUT_WAIT;
  op->compared = turn->compares = true;
  turn->kind = WEFT_GEX_BARRIER;
  turn->value = (uint64_t)WEFT_GEX_NAMED << 32 | op->digest;
  return WEFT_GEX_CUT_TURN;
}

static void compare(weft_gex_op_t *op, uint64_t value) {
  if (value >> 32 == WEFT_GEX_MISMATCH)
    weft_fatal(
        "%s: members of the team call another collective, or with another root, size, type or "
        "operation",
        op->who);
  op->digest = 0;
}

/* Cut as long as the window has room. */
static void fill(weft_gex_team_t *team) {
  while (team->next < team->horizon + WEFT_GEX_WINDOW) {
    weft_gex_turn_t *turn = blank(team);
    weft_gex_op_t *op = team->head;
    if (team->next - team->synced == WEFT_GEX_REACH - 1) {
      turn->kind = WEFT_GEX_BARRIER;
      begin(team, turn);
      continue;
    }
    if (!op) return;
    const enum weft_gex_cut cut = op->digest ? cut_comparison(op, turn) : op->cut(op, turn);
    if (cut == WEFT_GEX_CUT_WAIT) return;
    if (cut == WEFT_GEX_CUT_TURN) {
      turn->op = op;
      op->turns++;
      begin(team, turn);
      continue;
    }
    team->head = op->next;
    if (!team->head) team->tail = &team->head;
    op->cut_all = true;
    if (op->turns == 0) complete(op);
  }
}

/* ---- carrying on ----------------------------------------------------------------------------- */

static bool step(weft_gex_team_t *team, weft_gex_turn_t *turn) {
  if (is_sync(turn) && turn->stage == 0 && team->done + WEFT_GEX_REACH <= turn->seq) return false;
  switch (turn->kind) {
  case WEFT_GEX_BARRIER: return weft_gex_step_barrier(team, turn);
  case WEFT_GEX_BROADCAST: return weft_gex_step_broadcast(team, turn);
  case WEFT_GEX_REDUCE: return weft_gex_step_reduce(team, turn);
  case WEFT_GEX_REDUCE_ALL: return weft_gex_step_reduce_all(team, turn);
  case WEFT_GEX_SEND: return weft_gex_step_send(team, turn);
  case WEFT_GEX_SHIFT: return weft_gex_step_shift(team, turn);
  }
  return true;
}

static void end(weft_gex_team_t *team, weft_gex_turn_t *turn) {
  weft_gex_op_t *op = turn->op;
  turn->live = false;
  if (team->boxes) weft_gex_boxes_clear(team, turn);
  weft_private_free(turn->shown);
  free(turn->heap);
  if (is_sync(turn) && turn->seq + 1 > team->horizon + WEFT_GEX_REACH)
    team->horizon = turn->seq + 1 - WEFT_GEX_REACH;
  if (!op) return;
  if (turn->compares)
    compare(op, turn->value);
  else if (turn->kind == WEFT_GEX_BARRIER)
    op->value = turn->value;
  if (--op->turns == 0 && op->cut_all) complete(op);
}

static void carry_on(weft_gex_team_t *team) {
  for (bool again = true; again;) {
    again = false;
    fill(team);
    for (uint64_t seq = team->done; seq < team->next; seq++) {
      weft_gex_turn_t *turn = &team->turn[seq % WEFT_GEX_WINDOW];
      if (!turn->live || !step(team, turn)) continue;
      end(team, turn);
      again = true;
    }
    while (team->done < team->next && !team->turn[team->done % WEFT_GEX_WINDOW].live) team->done++;
  }
}

/* From weft_gex_poll. */
static bool advance(weft_gex_pending_t *pending) {
  weft_gex_team_t *team = (weft_gex_team_t *)(void *)pending;
  if (!weft_lock_try(&team->lock)) return false;
  if (weft_unlikely(team->dead)) {
    weft_gex_team_free(team);
    return true;
  }
  carry_on(team);
  const bool idle = !team->head && team->done == team->next;
  if (idle) team->polled = false;
  weft_unlock(&team->lock);
  return idle;
}

/* ---- operations ------------------------------------------------------------------------------ */

weft_gex_op_t *weft_gex_op_new(weft_gex_team_t *team) {
  weft_lock(&team->lock);
  weft_gex_op_t *op = team->free;
  if (op) team->free = op->next;
  weft_unlock(&team->lock);
  if (!op) op = malloc(sizeof *op);
  if (!op) weft_fatal("GASNet: no memory for a collective operation");
  memset(op, 0, sizeof *op);
  op->team = team;
  return op;
}

void weft_gex_op_free(weft_gex_op_t *op) {
  weft_gex_team_t *team = op->team;
  weft_lock(&team->lock);
  op->next = team->free;
  team->free = op;
  weft_unlock(&team->lock);
}

gex_Event_t weft_gex_op_start(weft_gex_op_t *op) {
  weft_gex_team_t *team = op->team;
  gex_Event_t event = GEX_EVENT_INVALID;
  weft_lock(&team->lock);
  *team->tail = op;
  team->tail = &op->next;
  carry_on(team);
  if (!op->keep && op->done) {
    op->next = team->free;
    team->free = op;
  } else if (!op->keep) {
    op->event = weft_gex_event_new();
    event = weft_gex_event_root(op->event);
  }
  if (!team->polled && (team->head || team->done != team->next)) {
    team->polled = true;
    team->pending.advance = advance;
    weft_gex_pending_add(&team->pending);
  }
  weft_unlock(&team->lock);
  return event;
}

void weft_gex_op_run(weft_gex_op_t *op) {
  op->keep = true;
  weft_gex_op_start(op);
  for (unsigned steps = 0; !weft_observe(&op->done);) weft_gex_wait_step(&steps);
  weft_gex_op_free(op);
}

bool weft_gex_team_idle(weft_gex_team_t *team) {
  weft_lock(&team->lock);
  const bool idle = !team->head && team->done == team->next;
  weft_unlock(&team->lock);
  return idle;
}

void weft_gex_team_barrier(weft_gex_team_t *team) {
  weft_gex_op_t *op = weft_gex_op_new(team);
  op->cut = weft_gex_cut_barrier;
  weft_gex_op_run(op);
}
