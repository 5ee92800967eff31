/*
 * coll_reduce.c: one turn of a reduction. On a node members post and either everybody combines
 * everything (small), or everybody a slice (large), or the leader all; between nodes a binomial
 * tree to one, or recursive doubling to all.
 *
 * The operand that is replaced is the right one, so a node's members are combined from the last to
 * the first. The order of ranks is kept throughout: where the ranks of the nodes are interleaved,
 * an operation that does not commute takes every member for a node of its own.
 */
#include <stdlib.h>
#include <string.h>

#include "gasnet/ex/team.h"

enum { BEGIN, UP, NODES, DOWN, SHOWN };
enum { ROUND_FOLD, ROUND_FIRST }; /* of recursive doubling */

void weft_gex_combine(const weft_gex_op_t *op, const void *left, void *right, size_t bytes) {
  if (op->user)
    op->user(left, right, bytes / op->width, op->cdata);
  else
    op->combine(left, right, bytes / op->width);
}

/* Who takes part between nodes: a member of each, or every member. */
typedef struct parties {
  int n, me, home; /* home: where the root is */
  bool flat;
} parties_t;

static bool is_flat(const weft_gex_team_t *team, const weft_gex_op_t *op) {
  return op->ordered && team->nodes > 1 && !team->runs;
}

static parties_t parties(const weft_gex_team_t *team, const weft_gex_turn_t *turn, bool rooted) {
  if (is_flat(team, turn->op))
    return (parties_t){(int)team->size, (int)team->rank, rooted ? (int)turn->root : 0, true};
  const int home = rooted && team->nodes > 1 ? weft_gex_node_of(team, turn->root) : 0;
  return (parties_t){team->nodes, team->node, home, false};
}

static gex_Rank_t rank_of(const weft_gex_team_t *team, const weft_gex_turn_t *turn,
                          const parties_t *p, int party, bool rooted) {
  if (p->flat) return (gex_Rank_t)party;
  return rooted && party == p->home ? turn->root : team->leader[party];
}

/* ---- on the node ----------------------------------------------------------------------------- */

static const char *contribution(const weft_gex_team_t *team, const weft_gex_turn_t *turn, int k) {
  return k == team->local ? turn->src : weft_gex_seen(team, k, weft_gex_up_of(team, k, turn));
}

/* right = all members' bytes [at, at + n). */
static void combine_all(weft_gex_team_t *team, const weft_gex_turn_t *turn, char *right, size_t at,
                        size_t n) {
  int k = team->locals - 1;
  memcpy(right, contribution(team, turn, k) + at, n);
  while (--k >= 0) weft_gex_combine(turn->op, contribution(team, turn, k) + at, right, n);
}

static void show_mine(weft_gex_team_t *team, weft_gex_turn_t *turn) {
  weft_gex_show(team, turn, &team->area->up[turn->seq % WEFT_GEX_WINDOW], turn->src, turn->n, true);
}

/* ---- between nodes: to one ------------------------------------------------------------------- */

/* Up the tree whose numbers begin at `base`. true: my part is done. */
static bool up_tree(weft_gex_team_t *team, weft_gex_turn_t *turn, const parties_t *p, int base) {
  const int v = (p->me - base + p->n) % p->n;
  for (; 1 << turn->round < p->n; turn->round++) {
    const int d = 1 << turn->round;
    if (v & d) {
      const gex_Rank_t to = rank_of(team, turn, p, (v - d + base) % p->n, base == p->home);
      return weft_gex_pass(team, turn, to, turn->round, turn->sum, turn->n);
    }
    if (v + d >= p->n) continue;
    char *theirs = weft_gex_arrived(team, turn, turn->round, turn->n);
    if (!theirs) return false;
    weft_gex_combine(turn->op, turn->sum, theirs, turn->n);
    turn->sum = theirs;
  }
  return true;
}

/* The tree begins at the root's party, so that its last step is the root's; if the order matters it
 * begins at 0, and the sum goes on to the root from there. */
static bool to_one(weft_gex_team_t *team, weft_gex_turn_t *turn, const parties_t *p) {
  const int base = turn->op->ordered ? 0 : p->home, last = team->boxes - 1;
  if (turn->stage == NODES) {
    if (!up_tree(team, turn, p, base)) return false;
    turn->stage = DOWN;
  }
  if (base == p->home || (p->me != base && p->me != p->home)) return true;
  if (p->me == base)
    return weft_gex_pass(team, turn, rank_of(team, turn, p, p->home, true), last, turn->sum,
                         turn->n);
  char *sum = weft_gex_arrived(team, turn, last, turn->n);
  if (!sum) return false;
  turn->sum = sum;
  return true;
}

/* ---- between nodes: to all ------------------------------------------------------------------- */

/* Parties beyond a power of two are folded into their left neighbours, which keeps the order; these
 * give them the result. Rounds: 0 the fold, 1.. the doubling, box 0 also the result. */
static bool to_all(weft_gex_team_t *team, weft_gex_turn_t *turn, const parties_t *p) {
  int power = 1, rounds = ROUND_FIRST;
  while (power * 2 <= p->n) power *= 2, rounds++;
  const int rest = p->n - power, odd = p->me < 2 * rest && p->me % 2;
  char *theirs;
  if (turn->round == ROUND_FOLD && odd) {
    const gex_Rank_t to = rank_of(team, turn, p, p->me - 1, false);
    if (!turn->next && !weft_gex_pass(team, turn, to, 0, turn->sum, turn->n)) return false;
    turn->next = 1;
    theirs = weft_gex_arrived(team, turn, 0, turn->n);
    if (!theirs) return false;
    turn->sum = theirs;
    return true;
  }
  if (turn->round == ROUND_FOLD) {
    if (p->me < 2 * rest) {
      theirs = weft_gex_arrived(team, turn, 0, turn->n);
      if (!theirs) return false;
      weft_gex_combine(turn->op, turn->sum, theirs, turn->n);
      turn->sum = theirs;
    }
    turn->round = ROUND_FIRST;
  }
  const int q = p->me < 2 * rest ? p->me / 2 : p->me - rest;
  for (; turn->round < rounds; turn->round++, turn->next = 0) {
    const int other = q ^ (1 << (turn->round - ROUND_FIRST));
    const int party = other < rest ? other * 2 : other + rest;
    if (!turn->next && !weft_gex_pass(team, turn, rank_of(team, turn, p, party, false), turn->round,
                                      turn->sum, turn->n))
      return false;
    turn->next = 1; /* it has left */
    theirs = weft_gex_arrived(team, turn, turn->round, turn->n);
    if (!theirs) return false;
    if (other < q) {
      weft_gex_combine(turn->op, theirs, turn->sum, turn->n);
    } else {
      weft_gex_combine(turn->op, turn->sum, theirs, turn->n);
      turn->sum = theirs;
    }
  }
  if (p->me >= 2 * rest) return true;
  return weft_gex_pass(team, turn, rank_of(team, turn, p, p->me + 1, false), 0, turn->sum, turn->n);
}

/* ---- to one ---------------------------------------------------------------------------------- */

/* The member of the node that combines: the root, or the leader; flat: everyone, alone. */
static bool combine_node(weft_gex_team_t *team, weft_gex_turn_t *turn, bool flat) {
  if (!flat && !weft_gex_all_up(team, turn)) return false;
  turn->sum = weft_gex_sum(team, turn, turn->n);
  if (flat || team->locals == 1) {
    memcpy(turn->sum, turn->src, turn->n);
    return true;
  }
  combine_all(team, turn, turn->sum, 0, turn->n);
  for (int k = 0; k < team->locals; k++) /* who waits for that may go on */
    if (k != team->local && weft_gex_up_of(team, k, turn)->note & 1) weft_gex_ack(team, turn);
  return true;
}

bool weft_gex_step_reduce(weft_gex_team_t *team, weft_gex_turn_t *turn) {
  const int home = weft_gex_local_of(team, turn->root), to = home < 0 ? 0 : home;
  const bool flat = is_flat(team, turn->op);
  if (!flat && team->local != to) {
    if (turn->stage == BEGIN) show_mine(team, turn);
    turn->stage = UP;
    return !turn->acks || weft_gex_acked(team, to, turn);
  }
  if (turn->stage == BEGIN) {
    if (!combine_node(team, turn, flat)) return false;
    turn->stage = NODES;
  }
  if (flat || team->nodes > 1) {
    const parties_t p = parties(team, turn, true);
    if (!to_one(team, turn, &p)) return false;
  }
  if (team->rank == turn->root) memcpy(turn->dst, turn->sum, turn->n);
  return true;
}

/* ---- to all ---------------------------------------------------------------------------------- */

/* Bytes in front of the k-th member's slice: whole elements. */
static size_t slice_begins(const weft_gex_team_t *team, const weft_gex_turn_t *turn, int k) {
  const size_t width = turn->op->width;
  return turn->n / width * (size_t)k / (size_t)team->locals * width;
}

/* A slice's result takes the place of the slice in my own bulk: nobody else reads that one. */
static bool by_slices(weft_gex_team_t *team, weft_gex_turn_t *turn) {
  const size_t from = slice_begins(team, turn, team->local);
  const size_t n = slice_begins(team, turn, team->local + 1) - from;
  weft_gex_post_t *mine = &team->area->down[turn->seq % WEFT_GEX_WINDOW];
  if (turn->stage == UP) {
    if (!weft_gex_all_up(team, turn)) return false;
    char *sum = weft_gex_sum(team, turn, turn->n), *bulk = weft_gex_bulk(team, turn);
    if (n > 0) combine_all(team, turn, sum, from, n);
    memcpy(bulk + from, sum, n);
    mine->note = weft_job_offset(bulk) * 2;
    weft_publish(&mine->seq, turn->seq + 1);
    turn->stage = DOWN;
  }
  for (; turn->next < team->locals; turn->next++)
    if (!weft_gex_posted(weft_gex_down_of(team, turn->next, turn), turn)) return false;
  for (int k = 0; k < team->locals; k++) {
    const char *seen = weft_gex_seen(team, k, weft_gex_down_of(team, k, turn));
    const size_t begin = slice_begins(team, turn, k), end = slice_begins(team, turn, k + 1);
    memcpy(turn->dst + begin, seen + begin, end - begin);
  }
  return true;
}

static bool one_node(weft_gex_team_t *team, weft_gex_turn_t *turn) {
  if (turn->stage == BEGIN) show_mine(team, turn);
  turn->stage = turn->stage == BEGIN ? UP : turn->stage;
  if (turn->n > WEFT_GEX_SMALL) return by_slices(team, turn);
  if (!weft_gex_all_up(team, turn)) return false;
  char sum[WEFT_GEX_SMALL] __attribute__((aligned(16)));
  combine_all(team, turn, sum, 0, turn->n);
  memcpy(turn->dst, sum, turn->n);
  return true;
}

/* The leader has the node's sum and exchanges it with the others'. */
static bool lead(weft_gex_team_t *team, weft_gex_turn_t *turn, bool flat) {
  if (turn->stage == BEGIN) {
    if (!combine_node(team, turn, flat)) return false;
    turn->stage = NODES;
  }
  if (turn->stage == NODES) {
    if (flat || team->nodes > 1) {
      const parties_t p = parties(team, turn, false);
      if (!to_all(team, turn, &p)) return false;
    }
    turn->next = 0;
    turn->acks = false;
    if (!flat && team->locals > 1) {
      weft_gex_post_t *post = &team->area->down[turn->seq % WEFT_GEX_WINDOW];
      weft_gex_show(team, turn, post, turn->sum, turn->n, false);
    }
    memcpy(turn->dst, turn->sum, turn->n);
    turn->stage = SHOWN;
  }
  return weft_gex_all_acked(team, turn);
}

bool weft_gex_step_reduce_all(weft_gex_team_t *team, weft_gex_turn_t *turn) {
  const bool flat = is_flat(team, turn->op);
  const bool small = turn->n <= WEFT_GEX_SMALL && team->locals <= WEFT_GEX_READ_ALL;
  const bool large = turn->n > WEFT_GEX_SMALL && turn->n <= WEFT_GEX_PART;
  if (team->size == 1) {
    if (turn->dst != turn->src) memcpy(turn->dst, turn->src, turn->n);
    return true;
  }
  if (team->nodes == 1 && (small || large)) return one_node(team, turn);
  if (flat || team->local == 0) return lead(team, turn, flat);
  if (turn->stage == BEGIN) show_mine(team, turn);
  turn->stage = UP;
  const weft_gex_post_t *down = weft_gex_down_of(team, 0, turn);
  if (!weft_gex_posted(down, turn)) return false;
  memcpy(turn->dst, weft_gex_seen(team, 0, down), turn->n);
  if (down->note & 1) weft_gex_ack(team, turn);
  return true;
}
