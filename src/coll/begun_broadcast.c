/*
 * begun_broadcast.c: one turn of a broadcast: a binomial tree over the nodes, then one post that
 * the others of the node read.
 */
#include "coll/begun_internal.h"

enum { BEGIN, SEND, SHOW, SHOWN };

/* Children in the tree: me plus every power of two below my lowest bit, the farthest first. */
static bool to_nodes(weft_team_t *team, weft_turn_t *turn, const char *data) {
  const int home = weft_members_node_in(&team->members, &team->set, turn->root),
            size = team->members.nodes;
  const int v = (team->members.node - home + size) % size;
  int low = 0;
  while (1 << low < size && !(v & 1 << low)) low++;
  for (; turn->round < low; turn->round++) {
    const int child = v + (1 << (low - 1 - turn->round));
    if (child >= size) continue;
    const int node = (child + home) % size;
    if (!weft_box_send(team, turn, weft_team_leader(team, node), 0, data, turn->n)) return false;
  }
  return true;
}

/* The member of this node that has the data first. */
static bool first(weft_team_t *team, weft_turn_t *turn, bool root) {
  const char *data = root ? turn->src : weft_box_take(team, turn, 0, turn->n);
  if (!data && turn->n) return false;
  if (turn->stage <= SEND) {
    turn->stage = SEND;
    if (team->members.nodes > 1 && !to_nodes(team, turn, data)) return false;
    turn->stage = SHOW;
  }
  if (turn->stage == SHOW) {
    if (team->members.locals > 1) {
      weft_shown_t *post = &team->turns->down[turn->seq % WEFT_TURN_WINDOW];
      weft_turn_show(team, turn, post, data, turn->n, root);
    }
    if (turn->dst != data) weft_direct_memcpy(turn->dst, data, turn->n);
    turn->stage = SHOWN;
  }
  return weft_turn_all_acked(team, turn);
}

bool weft_step_broadcast(weft_team_t *team, weft_turn_t *turn) {
  const int home = weft_members_local_of(&team->members, turn->root), from = home < 0 ? 0 : home;
  if (team->members.local == from) return first(team, turn, home >= 0);
  const weft_shown_t *post = weft_down_of(team, from, turn);
  if (!weft_is_shown(post, turn)) return false;
  weft_direct_memcpy(turn->dst, weft_turn_seen(team, from, post), turn->n);
  if (post->note & 1) weft_turn_ack(team, turn);
  return true;
}
