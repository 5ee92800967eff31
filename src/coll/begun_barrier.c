/*
 * begun_barrier.c: one turn of a barrier, which carries a name from everybody to everybody. On a
 * node by posts; between nodes the leaders disseminate (Hensgen, Finkel and Manber, 1988).
 */
#include "coll/begun_internal.h"

uint64_t weft_name_agree(uint64_t a, uint64_t b) {
  if (a == 0 || a == b) return b;
  return b == 0 ? a : WEFT_NAME_MISMATCH;
}

static void post(weft_shown_t *post, const weft_turn_t *turn) {
  post->note = turn->name;
  weft_publish(&post->seq, turn->seq + 1);
}

/* Everybody's value, as far as they are there. A member that comes at the same time is seen a
 * moment later. That moment is waited for, where no processor has two PEs. */
static bool gather(weft_team_t *team, weft_turn_t *turn) {
  enum { LOOKS = 100 };
  const int most = weft_progress_is_crowded() ? 1 : LOOKS;
  for (; turn->next < team->members.locals; turn->next++) {
    const weft_shown_t *up = weft_up_of(team, turn->next, turn);
    if (turn->next == team->members.local) continue;
    int looks = 1;
    while (!weft_is_shown(up, turn))
      if (looks++ == most) return false;
    turn->name = weft_name_agree(turn->name, up->note);
  }
  turn->next = 0;
  return true;
}

/* next is 1 while this round's value has left. */
static bool disseminate(weft_team_t *team, weft_turn_t *turn) {
  for (int64_t d; d = INT64_C(1) << turn->round, d < team->members.nodes;
       turn->round++, turn->next = 0) {
    const int to = weft_team_leader(team, (team->members.node + d) % team->members.nodes);
    if (!turn->next) weft_box_send(team, turn, to, turn->round, &turn->name, sizeof turn->name);
    turn->next = 1;
    const uint64_t *theirs =
        (const uint64_t *)(void *)weft_box_take(team, turn, turn->round, sizeof turn->name);
    if (!theirs) return false;
    turn->name = weft_name_agree(turn->name, *theirs);
  }
  return true;
}

bool weft_step_barrier(weft_team_t *team, weft_turn_t *turn) {
  const bool all = team->members.nodes == 1 && team->members.locals <= WEFT_TURN_READ_ALL;
  if (turn->stage == 0) {
    if (all || team->members.local != 0) post(weft_my_up(team, turn), turn);
    turn->stage = 1;
  }
  if (all) return gather(team, turn);
  if (team->members.local != 0) {
    const weft_shown_t *down = weft_down_of(team, 0, turn);
    if (!weft_is_shown(down, turn)) return false;
    turn->name = down->note;
    return true;
  }
  if (turn->stage == 1 && !gather(team, turn)) return false;
  turn->stage = 2;
  if (team->members.nodes > 1 && !disseminate(team, turn)) return false;
  if (team->members.locals > 1) post(weft_my_down(team, turn), turn);
  return true;
}
