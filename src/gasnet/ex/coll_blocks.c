/*
 * coll_blocks.c: one turn in which members send one another blocks: one to one, or everybody to the
 * member so many places further on. Gather, scatter and exchange are made of these.
 */
#include <string.h>

#include "gasnet/ex/team.h"

enum { SENT = 1, GOT = 2, READ = 4 };

/* true: it has left, and if others read it where it is, they have. */
static bool send(weft_gex_team_t *team, weft_gex_turn_t *turn, gex_Rank_t to) {
  const int local = weft_gex_local_of(team, to);
  if (!(turn->stage & SENT)) {
    if (local < 0) {
      if (!weft_gex_pass(team, turn, to, 0, turn->src, turn->n)) return false;
    } else {
      weft_gex_post_t *post = &team->area->down[turn->seq % WEFT_GEX_WINDOW];
      weft_gex_show(team, turn, post, turn->src, turn->n, true);
    }
    turn->stage |= SENT;
  }
  return !turn->acks || weft_gex_acked(team, local, turn);
}

static bool receive(weft_gex_team_t *team, weft_gex_turn_t *turn, gex_Rank_t from) {
  const int local = weft_gex_local_of(team, from);
  if (local < 0) {
    const char *data = weft_gex_arrived(team, turn, 0, turn->n);
    if (!data) return false;
    memcpy(turn->dst, data, turn->n);
    return true;
  }
  const weft_gex_post_t *post = weft_gex_down_of(team, local, turn);
  if (!weft_gex_posted(post, turn)) return false;
  memcpy(turn->dst, weft_gex_seen(team, local, post), turn->n);
  if (post->note & 1) weft_gex_ack(team, turn);
  return true;
}

static bool copy(weft_gex_turn_t *turn) {
  if (turn->dst && turn->src && turn->dst != turn->src) memmove(turn->dst, turn->src, turn->n);
  return true;
}

bool weft_gex_step_send(weft_gex_team_t *team, weft_gex_turn_t *turn) {
  const bool from = team->rank == turn->root, to = team->rank == turn->to;
  if (from && to) return copy(turn);
  return from ? send(team, turn, turn->to) : to ? receive(team, turn, turn->root) : true;
}

bool weft_gex_step_shift(weft_gex_team_t *team, weft_gex_turn_t *turn) {
  const uint64_t size = team->size, distance = turn->root % size;
  if (distance == 0) return copy(turn);
  if (!turn->src) turn->stage |= READ; /* nothing to give, or nothing to get */
  if (!turn->dst) turn->stage |= GOT;
  if (!(turn->stage & READ) && send(team, turn, (gex_Rank_t)((team->rank + distance) % size)))
    turn->stage |= READ;
  if (!(turn->stage & GOT) &&
      receive(team, turn, (gex_Rank_t)((team->rank + size - distance) % size)))
    turn->stage |= GOT;
  return (turn->stage & (READ | GOT)) == (READ | GOT);
}
