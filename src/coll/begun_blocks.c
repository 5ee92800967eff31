/*
 * begun_blocks.c: one turn in which members send one another blocks: one to one, or everybody to
 * the member `root` places further on. Gather, scatter and exchange are made of these.
 */
#include "coll/begun_internal.h"

enum { SENT = 1, GOT = 2, READ = 4 };

/* true: it has left, and if others read it where it is, they have. */
static bool send(weft_team_t *team, weft_turn_t *turn, int to) {
  const int local = weft_members_local_of(&team->members, to);
  if (!(turn->stage & SENT)) {
    if (local < 0) {
      if (!weft_box_send(team, turn, to, 0, turn->src, turn->n)) return false;
    } else {
      weft_shown_t *post = weft_my_down(team, turn);
      weft_turn_show(team, turn, post, turn->src, turn->n, true);
    }
    turn->stage |= SENT;
  }
  return !turn->acks || weft_turn_acked(team, local, turn);
}

static bool receive(weft_team_t *team, weft_turn_t *turn, int from) {
  const int local = weft_members_local_of(&team->members, from);
  if (local < 0) {
    if (turn->n == 0) return true; /* nothing is sent */
    const char *data = weft_box_take(team, turn, 0, turn->n);
    if (!data) return false;
    weft_direct_memcpy(turn->dst, data, turn->n);
    return true;
  }
  const weft_shown_t *post = weft_down_of(team, local, turn);
  if (!weft_is_shown(post, turn)) return false;
  weft_direct_memcpy(turn->dst, weft_turn_seen(team, local, post), turn->n);
  if (post->note & 1) weft_turn_ack(team, turn);
  return true;
}

static bool copy(weft_turn_t *turn) {
  if (turn->dst && turn->src && turn->dst != turn->src) memmove(turn->dst, turn->src, turn->n);
  return true;
}

bool weft_step_send(weft_team_t *team, weft_turn_t *turn) {
  const bool from = team->me == turn->root, to = team->me == turn->to;
  if (from && to) return copy(turn);
  return from ? send(team, turn, turn->to) : to ? receive(team, turn, turn->root) : true;
}

bool weft_step_shift(weft_team_t *team, weft_turn_t *turn) {
  const uint64_t size = team->set.size, distance = turn->root % size;
  if (distance == 0) return copy(turn);
  if (!turn->src) turn->stage |= READ; /* nothing to give, or nothing to get */
  if (!turn->dst) turn->stage |= GOT;
  if (!(turn->stage & READ) && send(team, turn, (int)((team->me + distance) % size)))
    turn->stage |= READ;
  if (!(turn->stage & GOT) && receive(team, turn, (int)((team->me + size - distance) % size)))
    turn->stage |= GOT;
  return (turn->stage & (READ | GOT)) == (READ | GOT);
}
