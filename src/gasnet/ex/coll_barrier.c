/*
 * coll_barrier.c: one turn of a barrier, which carries a value from everybody to everybody: the
 * names of GASNet-1's barrier. On a node by posts; between nodes the leaders disseminate (Hensgen,
 * Finkel and Manber, 1988).
 */
#include "gasnet/ex/team.h"

uint64_t weft_gex_agree(uint64_t a, uint64_t b) {
  if (a == 0 || a == b) return b;
  return b == 0 ? a : (uint64_t)WEFT_GEX_MISMATCH << 32;
}

static void post(weft_gex_post_t *post, const weft_gex_turn_t *turn) {
  post->note = turn->value;
  weft_publish(&post->seq, turn->seq + 1);
}

/* Everybody's value, as far as they are there. */
static bool gather(weft_gex_team_t *team, weft_gex_turn_t *turn) {
  for (; turn->next < team->locals; turn->next++) {
    const weft_gex_post_t *up = weft_gex_up_of(team, turn->next, turn);
    if (turn->next == team->local) continue;
    if (!weft_gex_posted(up, turn)) return false;
    turn->value = weft_gex_agree(turn->value, up->note);
  }
  turn->next = 0;
  return true;
}

/* next is 1 while this round's value has left. */
static bool disseminate(weft_gex_team_t *team, weft_gex_turn_t *turn) {
  for (int64_t d; d = INT64_C(1) << turn->round, d < team->nodes; turn->round++, turn->next = 0) {
    const gex_Rank_t to = team->leader[(team->node + d) % team->nodes];
    if (!turn->next) weft_gex_pass(team, turn, to, turn->round, &turn->value, sizeof turn->value);
    turn->next = 1;
    const uint64_t *theirs =
        (const uint64_t *)(void *)weft_gex_arrived(team, turn, turn->round, sizeof turn->value);
    if (!theirs) return false;
    turn->value = weft_gex_agree(turn->value, *theirs);
  }
  return true;
}

bool weft_gex_step_barrier(weft_gex_team_t *team, weft_gex_turn_t *turn) {
  const bool all = team->nodes == 1 && team->locals <= WEFT_GEX_READ_ALL;
  if (turn->stage == 0) {
    if (all || team->local != 0) post(&team->area->up[turn->seq % WEFT_GEX_WINDOW], turn);
    turn->stage = 1;
  }
  if (all) return gather(team, turn);
  if (team->local != 0) {
    const weft_gex_post_t *down = weft_gex_down_of(team, 0, turn);
    if (!weft_gex_posted(down, turn)) return false;
    turn->value = down->note;
    return true;
  }
  if (turn->stage == 1 && !gather(team, turn)) return false;
  turn->stage = 2;
  if (team->nodes > 1 && !disseminate(team, turn)) return false;
  if (team->locals > 1) post(&team->area->down[turn->seq % WEFT_GEX_WINDOW], turn);
  return true;
}
