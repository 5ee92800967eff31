/*
 * coll_broadcast.c: one turn of a broadcast: a binomial tree over the nodes, then one post that the
 * others of the node read.
 */
#include <string.h>

#include "gasnet/ex/team.h"

enum { BEGIN, SEND, SHOW, SHOWN };

/* Children in the tree: me plus every power of two below my lowest bit, the farthest first. */
static bool to_nodes(weft_gex_team_t *team, weft_gex_turn_t *turn, const char *data) {
  const int home = weft_gex_node_of(team, turn->root), size = team->nodes;
  const int v = (team->node - home + size) % size;
  int low = 0;
  while (1 << low < size && !(v & 1 << low)) low++;
  for (; turn->round < low; turn->round++) {
    const int child = v + (1 << (low - 1 - turn->round));
    if (child >= size) continue;
    const int node = (child + home) % size;
    if (!weft_gex_pass(team, turn, team->leader[node], 0, data, turn->n)) return false;
  }
  return true;
}

/* The member of this node that has the data first. */
static bool first(weft_gex_team_t *team, weft_gex_turn_t *turn, bool root) {
  const char *data = root ? turn->src : weft_gex_arrived(team, turn, 0, turn->n);
  if (!data && turn->n) return false;
  if (turn->stage <= SEND) {
    turn->stage = SEND;
    if (team->nodes > 1 && !to_nodes(team, turn, data)) return false;
    turn->stage = SHOW;
  }
  if (turn->stage == SHOW) {
    if (team->locals > 1) {
      weft_gex_post_t *post = &team->area->down[turn->seq % WEFT_GEX_WINDOW];
      weft_gex_show(team, turn, post, data, turn->n, root);
    }
    if (turn->dst != data) memcpy(turn->dst, data, turn->n);
    turn->stage = SHOWN;
  }
  return weft_gex_all_acked(team, turn);
}

bool weft_gex_step_broadcast(weft_gex_team_t *team, weft_gex_turn_t *turn) {
  const int home = weft_gex_local_of(team, turn->root), from = home < 0 ? 0 : home;
  if (team->local == from) return first(team, turn, home >= 0);
  const weft_gex_post_t *post = weft_gex_down_of(team, from, turn);
  if (!weft_gex_posted(post, turn)) return false;
  memcpy(turn->dst, weft_gex_seen(team, from, post), turn->n);
  if (post->note & 1) weft_gex_ack(team, turn);
  return true;
}
