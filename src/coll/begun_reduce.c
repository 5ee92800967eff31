/*
 * begun_reduce.c: one turn of a reduction. On a node members post and either everybody combines
 * everything (small), or everybody a slice (large), or one of them all; between nodes a binomial
 * tree to one; to all recursive doubling (small), or such a tree up and down (large).
 *
 * The operand that is replaced is the right one, so a node's members are combined from the last to
 * the first. The order of ranks is kept throughout: where the ranks of the nodes are interleaved,
 * an operation that does not commute takes every member for a node of its own.
 */
#include "coll/begun_internal.h"

enum { BEGIN, UP, NODES, DOWN, SHOWN };
enum { ROUND_FOLD, ROUND_FIRST }; /* of recursive doubling */

/* The parties between nodes: one member of each node, or every member. */
typedef struct parties {
  int n, me, home; /* home: where the root is */
  bool flat, rooted;
} parties_t;

static bool is_flat(const weft_team_t *team, const weft_begun_t *begun) {
  return begun->how.ordered && team->members.nodes > 1 && !team->members.runs;
}

static parties_t parties(const weft_team_t *team, const weft_turn_t *turn, bool rooted) {
  if (is_flat(team, turn->begun))
    return (parties_t){team->set.size, team->me, rooted ? turn->root : 0, true, rooted};
  const int home = rooted && team->members.nodes > 1
                       ? weft_members_node_in(&team->members, &team->set, turn->root)
                       : 0;
  return (parties_t){team->members.nodes, team->members.node, home, false, rooted};
}

static int rank_of(const weft_team_t *team, const weft_turn_t *turn, const parties_t *p,
                   int party) {
  if (p->flat) return party;
  return p->rooted && party == p->home ? turn->root : weft_team_leader(team, party);
}

/* ---- on the node ----------------------------------------------------------------------------- */

static const char *contribution(const weft_team_t *team, const weft_turn_t *turn, int k) {
  return k == team->members.local ? turn->src : weft_turn_seen(team, k, weft_up_of(team, k, turn));
}

/* right = all members' bytes [at, at + n). */
static void combine_all(weft_team_t *team, const weft_turn_t *turn, char *right, size_t at,
                        size_t n) {
  int k = team->members.locals - 1;
  weft_direct_memcpy(right, contribution(team, turn, k) + at, n);
  while (--k >= 0) weft_turn_combine(turn->begun, contribution(team, turn, k) + at, right, n);
}

static void show_mine(weft_team_t *team, weft_turn_t *turn) {
  weft_turn_show(team, turn, weft_my_up(team, turn), turn->src, turn->n, true);
}

/* ---- between nodes: trees -------------------------------------------------------------------- */

/* Up the tree whose numbers begin at `base`. true: my part is done. Wherever it begins, the root
 * acts for its own party. */
static bool up_tree(weft_team_t *team, weft_turn_t *turn, const parties_t *p, int base) {
  const int v = (p->me - base + p->n) % p->n;
  for (; 1 << turn->round < p->n; turn->round++) {
    const int d = 1 << turn->round;
    if (v & d) {
      const int to = rank_of(team, turn, p, (v - d + base) % p->n);
      return weft_box_send(team, turn, to, turn->round, turn->sum, turn->n);
    }
    if (v + d >= p->n) continue;
    char *theirs = weft_box_take(team, turn, turn->round, turn->n);
    if (!theirs) return false;
    weft_turn_combine(turn->begun, turn->sum, theirs, turn->n);
    turn->sum = theirs;
  }
  return true;
}

/* Down the same tree: from the parent, and to each that has come up to me. The box is that of the
 * round in which the child went up: nobody came up to the child in that one. */
static bool down_tree(weft_team_t *team, weft_turn_t *turn, const parties_t *p, int base) {
  const int v = (p->me - base + p->n) % p->n;
  if (v && !turn->next) {
    char *sum = weft_box_take(team, turn, turn->round, turn->n);
    if (!sum) return false;
    turn->sum = sum;
    turn->next = 1;
  }
  for (; turn->round > 0; turn->round--) {
    const int box = turn->round - 1, child = v + (1 << box);
    if (child < p->n && !weft_box_send(team, turn, rank_of(team, turn, p, (child + base) % p->n),
                                       box, turn->sum, turn->n))
      return false;
  }
  return true;
}

/* The tree begins at the root's party, so that its last step is the root's; if the order matters it
 * begins at 0, and the sum goes on to the root from there. */
static bool to_one(weft_team_t *team, weft_turn_t *turn, const parties_t *p) {
  const int base = turn->begun->how.ordered ? 0 : p->home, last = team->boxes - 1;
  if (turn->stage == NODES) {
    if (!up_tree(team, turn, p, base)) return false;
    turn->stage = DOWN;
  }
  if (base == p->home || (p->me != base && p->me != p->home)) return true;
  if (p->me == base)
    return weft_box_send(team, turn, rank_of(team, turn, p, p->home), last, turn->sum, turn->n);
  char *sum = weft_box_take(team, turn, last, turn->n);
  if (!sum) return false;
  turn->sum = sum;
  return true;
}

/* ---- between nodes: to all ------------------------------------------------------------------- */

/* Each turn of a large operation is summed at another party. So each byte is combined at one and
 * travels up and down a tree, where doubling sends and combines it at all in each round. Two nodes
 * of several members gain nothing by that, and wait longer where PEs share processors. */
static bool goes_round(const weft_team_t *team, const weft_begun_t *begun, const parties_t *p) {
  enum { LARGE = 4 * WEFT_TURN_PIECE };
  return begun->bytes >= LARGE && !begun->how.ordered && (p->n > 2 || team->set.size == p->n);
}

static bool round_the_parties(weft_team_t *team, weft_turn_t *turn, const parties_t *p) {
  /* By the index of the turn in its operation: equal calls combine in the same order. */
  const int base = (int)(weft_turn_index(turn) % (size_t)p->n);
  if (turn->stage == NODES) {
    if (!up_tree(team, turn, p, base)) return false;
    turn->stage = DOWN;
    turn->next = 0;
  }
  return down_tree(team, turn, p, base);
}

/* `sum` is still the caller's src, which must not change: the sum goes on in dst. (If both are the
 * same memory it may change: what was sent of it has left.) */
static void begin_in_dst(weft_turn_t *turn) {
  if (turn->dst != turn->src) weft_direct_memcpy(turn->dst, turn->src, turn->n);
  turn->sum = turn->dst;
}

/* Parties beyond a power of two are folded into their left neighbours, which keeps the order; these
 * give them the result. Rounds: 0 the fold, 1.. the doubling, box 0 also the result. */
static bool to_all(weft_team_t *team, weft_turn_t *turn, const parties_t *p) {
  int power = 1, rounds = ROUND_FIRST;
  while (power * 2 <= p->n) power *= 2, rounds++;
  const int rest = p->n - power, odd = p->me < 2 * rest && p->me % 2;
  char *theirs;
  if (turn->round == ROUND_FOLD && odd) {
    const int to = rank_of(team, turn, p, p->me - 1);
    if (!turn->next && !weft_box_send(team, turn, to, 0, turn->sum, turn->n)) return false;
    turn->next = 1;
    theirs = weft_box_take(team, turn, 0, turn->n);
    if (!theirs) return false;
    turn->sum = theirs;
    return true;
  }
  if (turn->round == ROUND_FOLD) {
    if (p->me < 2 * rest) {
      theirs = weft_box_take(team, turn, 0, turn->n);
      if (!theirs) return false;
      weft_turn_combine(turn->begun, turn->sum, theirs, turn->n);
      turn->sum = theirs;
    }
    turn->round = ROUND_FIRST;
  }
  const int q = p->me < 2 * rest ? p->me / 2 : p->me - rest;
  for (; turn->round < rounds; turn->round++, turn->next = 0) {
    const int other = q ^ (1 << (turn->round - ROUND_FIRST));
    const int party = other < rest ? other * 2 : other + rest;
    if (!turn->next &&
        !weft_box_send(team, turn, rank_of(team, turn, p, party), turn->round, turn->sum, turn->n))
      return false;
    turn->next = 1; /* it has left */
    theirs = weft_box_take(team, turn, turn->round, turn->n);
    if (!theirs) return false;
    if (other < q) {
      if (turn->sum == turn->src) begin_in_dst(turn);
      weft_turn_combine(turn->begun, theirs, turn->sum, turn->n);
    } else {
      weft_turn_combine(turn->begun, turn->sum, theirs, turn->n);
      turn->sum = theirs;
    }
  }
  if (p->me >= 2 * rest) return true;
  return weft_box_send(team, turn, rank_of(team, turn, p, p->me + 1), 0, turn->sum, turn->n);
}

/* ---- by slices, on one node ------------------------------------------------------------------ */

static bool receives(const weft_team_t *team, const weft_turn_t *turn, int k) {
  return turn->kind == WEFT_TURN_REDUCE_ALL ||
         k == weft_members_local_of(&team->members, turn->root);
}

/* Behind its note my post says where the result is wanted, if others can write there: slot offset
 * + 1, else 0. Where PEs may fail nobody may write it: the caller of a failed operation may use
 * its dst while others still go on. */
static void show_mine_and_dst(weft_team_t *team, weft_turn_t *turn) {
  const bool open = turn->dst && !weft_job_goes_on() &&
                    weft_window_contains(&weft_job.window, turn->dst, turn->n);
  const uint64_t dst = open ? weft_job_offset(turn->dst) + 1 : 0;
  weft_direct_memcpy(weft_my_up(team, turn)->data, &dst, sizeof dst);
  show_mine(team, turn);
}

/* Where the members that receive want the result, in to[0..]; how many. 0: one of these places
 * cannot be written by others. */
static int find_places(const weft_team_t *team, const weft_turn_t *turn, char **to) {
  int n = 0;
  for (int k = 0; k < team->members.locals; k++) {
    uint64_t dst;
    if (!receives(team, turn, k)) continue;
    weft_direct_memcpy(&dst, weft_up_of(team, k, turn)->data, sizeof dst);
    if (!dst) return 0;
    to[n++] = team->local[k].slot + dst - 1;
  }
  return n;
}

static bool root_can_be_written(const weft_team_t *team, const weft_turn_t *turn) {
  char *to[team->members.locals];
  return find_places(team, turn, to) > 0;
}

/* My slice goes to all who receive, or else to its place in my bulk, a part that only I have read.
 * Nobody else touches the slice anywhere, so a dst may be a src. In pieces that stay in the
 * cache. */
static void combine_slice(weft_team_t *team, weft_turn_t *turn, size_t from, size_t n) {
  enum { PIECE = 8192 };
  const size_t width = turn->begun->how.width, most = width < PIECE ? PIECE / width * width : width;
  char *sum = weft_turn_sum(team, turn, most), *to[team->members.locals];
  int places = find_places(team, turn, to);
  turn->direct = places > 0;
  if (!turn->direct) to[places++] = weft_turn_bulk(team, turn);
  for (size_t at = from, part; at < from + n; at += part) {
    part = from + n - at < most ? from + n - at : most;
    combine_all(team, turn, sum, at, part);
    for (int k = 0; k < places; k++) weft_direct_memcpy(to[k] + at, sum, part);
  }
}

/* All members have shown their data and places. */
static bool have_met(weft_team_t *team, weft_turn_t *turn) {
  if (turn->stage == BEGIN) {
    show_mine_and_dst(team, turn);
    turn->stage = UP;
  }
  return turn->stage != UP || weft_turn_all_up(team, turn);
}

/* They have met; of a reduction to one, the root's dst can be written. */
static bool by_slices(weft_team_t *team, weft_turn_t *turn) {
  const int me = team->members.local;
  weft_shown_t *mine = weft_my_down(team, turn);
  if (turn->stage == UP) {
    const size_t from = weft_turn_slice_begins(team, turn, me);
    const size_t until = weft_turn_slice_begins(team, turn, me + 1);
    combine_slice(team, turn, from, until - from);
    mine->note = turn->direct ? 0 : weft_job_offset(weft_turn_bulk(team, turn)) * 2;
    weft_publish(&mine->seq, turn->seq + 1);
    turn->stage = DOWN;
  }
  /* All have read what they want of my src, and written what they want of my dst. */
  for (; turn->next < team->members.locals; turn->next++)
    if (!weft_is_shown(weft_down_of(team, turn->next, turn), turn)) return false;
  if (turn->direct) return true;
  for (int k = 0; k < team->members.locals; k++) {
    const char *seen = weft_turn_seen(team, k, weft_down_of(team, k, turn));
    const size_t begin = weft_turn_slice_begins(team, turn, k);
    const size_t end = weft_turn_slice_begins(team, turn, k + 1);
    weft_direct_memcpy(turn->dst + begin, seen + begin, end - begin);
  }
  return true;
}

/* ---- to one ---------------------------------------------------------------------------------- */

/* The member of the node that combines: the root, or the leader; flat: everyone, alone. One that is
 * alone copies nothing: `sum` is its src then, and begin_in_dst comes before `sum` is written. */
static bool combine_node(weft_team_t *team, weft_turn_t *turn, bool flat) {
  if (!flat && !weft_turn_all_up(team, turn)) return false;
  if (flat || team->members.locals == 1) {
    turn->sum = (char *)(uintptr_t)turn->src;
    return true;
  }
  turn->sum = weft_turn_sum(team, turn, turn->n);
  combine_all(team, turn, turn->sum, 0, turn->n);
  for (int k = 0; k < team->members.locals; k++) /* a member that waits for that may go on */
    if (k != team->members.local && weft_up_of(team, k, turn)->note & 1) weft_turn_ack(team, turn);
  return true;
}

bool weft_step_reduce(weft_team_t *team, weft_turn_t *turn) {
  const int home = weft_members_local_of(&team->members, turn->root), to = home < 0 ? 0 : home;
  const bool flat = is_flat(team, turn->begun);
  const bool slices = team->members.nodes == 1 && team->members.locals > 1 &&
                      turn->n > WEFT_TURN_DIRECT && turn->n <= WEFT_TURN_PART;
  if (slices && !have_met(team, turn)) return false;
  if (slices && root_can_be_written(team, turn)) return by_slices(team, turn);
  if (!flat && team->members.local != to) {
    if (turn->stage == BEGIN) show_mine(team, turn);
    turn->stage = UP;
    return !turn->acks || weft_turn_acked(team, to, turn);
  }
  if (turn->stage < NODES) {
    if (!combine_node(team, turn, flat)) return false;
    turn->stage = NODES;
  }
  if (flat || team->members.nodes > 1) {
    const parties_t p = parties(team, turn, true);
    if (!to_one(team, turn, &p)) return false;
  }
  if (team->me == turn->root && turn->dst != turn->sum)
    weft_direct_memcpy(turn->dst, turn->sum, turn->n);
  return true;
}

/* ---- to all ---------------------------------------------------------------------------------- */

static bool one_node(weft_team_t *team, weft_turn_t *turn) {
  enum { EVERYBODY = 8192 }; /* bytes that everybody combines, rather than wait for one another */
  const bool each = turn->n * (size_t)team->members.locals <= EVERYBODY;
  if (!each) return have_met(team, turn) && by_slices(team, turn);
  if (turn->stage == BEGIN) show_mine(team, turn);
  turn->stage = UP;
  if (!weft_turn_all_up(team, turn)) return false;
  char small[WEFT_TURN_SMALL] __attribute__((aligned(16)));
  char *sum = turn->n <= WEFT_TURN_SMALL ? small : weft_turn_sum(team, turn, turn->n);
  combine_all(team, turn, sum, 0, turn->n);
  weft_direct_memcpy(turn->dst, sum, turn->n);
  return true;
}

/* The leader has the node's sum and exchanges it with the others'. */
static bool lead(weft_team_t *team, weft_turn_t *turn, bool flat) {
  if (turn->stage == BEGIN) {
    if (!combine_node(team, turn, flat)) return false;
    turn->stage = NODES;
  }
  if (turn->stage != SHOWN) {
    if (flat || team->members.nodes > 1) {
      const parties_t p = parties(team, turn, false);
      const bool round = goes_round(team, turn->begun, &p);
      if (!(round ? round_the_parties(team, turn, &p) : to_all(team, turn, &p))) return false;
    }
    turn->next = 0;
    turn->acks = false;
    if (!flat && team->members.locals > 1) {
      weft_shown_t *post = weft_my_down(team, turn);
      weft_turn_show(team, turn, post, turn->sum, turn->n, false);
    }
    if (turn->dst != turn->sum) weft_direct_memcpy(turn->dst, turn->sum, turn->n);
    turn->stage = SHOWN;
  }
  return weft_turn_all_acked(team, turn);
}

bool weft_step_reduce_all(weft_team_t *team, weft_turn_t *turn) {
  const bool flat = is_flat(team, turn->begun);
  const bool small = turn->n <= WEFT_TURN_SMALL && team->members.locals <= WEFT_TURN_READ_ALL;
  const bool large = turn->n > WEFT_TURN_SMALL && turn->n <= WEFT_TURN_PART;
  if (team->set.size == 1) {
    if (turn->dst != turn->src) weft_direct_memcpy(turn->dst, turn->src, turn->n);
    return true;
  }
  if (team->members.nodes == 1 && (small || large)) return one_node(team, turn);
  if (flat || team->members.local == 0) return lead(team, turn, flat);
  if (turn->stage == BEGIN) show_mine(team, turn);
  turn->stage = UP;
  const weft_shown_t *down = weft_down_of(team, 0, turn);
  if (!weft_is_shown(down, turn)) return false;
  weft_direct_memcpy(turn->dst, weft_turn_seen(team, 0, down), turn->n);
  if (down->note & 1) weft_turn_ack(team, turn);
  return true;
}
