/*
 * begun_reduce_large.c: a large reduction to all, where every member is alone on its node. It is
 * cut into few large turns, as each message between nodes costs system calls. Each turn is summed
 * at another member, up and down a binomial tree. What goes up lands in memory of the parent's
 * slot, what goes down in the child's dst: no copy out of boxes. Where that is, all tell those
 * they will meet, before the first turn.
 */
#include "coll/begun_internal.h"

enum { BEGIN, UP, DOWN, LEAVES }; /* stages */

/* What a member tells those whose messages it gets. */
typedef struct offer {
  weft_lent_t landing; /* for what comes up: places for each of log2(members) children */
  weft_lent_t dst;     /* for what comes down */
  uint64_t lends_dst;  /* else that has places behind the others of landing */
} offer_t;

/* Members are parents and children at distances of powers of two, whichever has the sum. */
typedef struct large {
  offer_t mine, parent[WEFT_COLL_LOG_NODES], child[WEFT_COLL_LOG_NODES];
  int told;      /* turns in which members tell one another */
  char *landing; /* in the own slot */
  size_t room;   /* bytes there */
  weft_op_t sent[WEFT_TURN_REACH]; /* of a turn */
} large_t;

static int rounds_of(int size) {
  int rounds = 0;
  while (1 << rounds < size) rounds++;
  return rounds;
}

/* ---- where data lands ------------------------------------------------------------------------ */

/* All members cut alike, so they find the same places. A place is used again so many turns later:
 * when the sender begins that turn, it has the result of this one, for which its data was read. But
 * what came down is copied at any time before the turn is complete here, and that is certain
 * 2 * WEFT_TURN_REACH turns later (begun_internal.h). */
static size_t index_of(const weft_turn_t *turn) {
  return (size_t)(turn->dst - turn->begun->dst) / turn->begun->most;
}
static size_t at_most_turns(const weft_begun_t *begun, size_t places) {
  return weft_smaller(places, (begun->bytes + begun->most - 1) / begun->most);
}
static size_t places_up(const weft_begun_t *begun) { /* of one child */
  return at_most_turns(begun, WEFT_TURN_REACH);
}
static size_t places_down(const weft_begun_t *begun) {
  return at_most_turns(begun, 2 * WEFT_TURN_REACH);
}
static size_t all_up(const weft_begun_t *begun) {
  return (size_t)rounds_of(begun->team->set.size) * places_up(begun);
}
static size_t room_of(const weft_begun_t *begun) {
  return weft_round_up(begun->most, WEFT_CACHELINE);
}
static size_t place_up(const weft_turn_t *turn, int round) {
  const size_t places = places_up(turn->begun);
  return ((size_t)round * places + index_of(turn) % places) * room_of(turn->begun);
}
static size_t place_down(const weft_turn_t *turn) {
  const weft_begun_t *begun = turn->begun;
  return (all_up(begun) + index_of(turn) % places_down(begun)) * room_of(begun);
}

/* ---- before the first turn ------------------------------------------------------------------- */

/* The team keeps it for the next operation: given back, it would lose its pages. */
static void get_landing(weft_team_t *team, large_t *large, size_t n) {
  weft_lock(&team->lock);
  large->landing = team->spare;
  large->room = team->spare_room;
  team->spare = NULL;
  weft_unlock(&team->lock);
  if (large->landing && large->room >= n) return;
  weft_private_free(large->landing);
  large->landing = weft_private_alloc(WEFT_CACHELINE, n);
  large->room = n;
  if (!large->landing) weft_fatal("no memory for a team's collectives (%zu bytes)", n);
}
/* Under the team's lock. */
static void put_back(weft_team_t *team, const large_t *large) {
  weft_private_free(team->spare);
  team->spare = large->landing;
  team->spare_room = large->room;
}

static void make_offer(weft_begun_t *begun) {
  large_t *large = begun->mine;
  offer_t *mine = &large->mine;
  mine->lends_dst = weft_rma_lend(&mine->dst, begun->dst, begun->bytes);
  const size_t places = all_up(begun) + (mine->lends_dst ? 0 : places_down(begun));
  const size_t n = places * room_of(begun);
  get_landing(begun->team, large, n);
  weft_rma_lend(&mine->landing, large->landing, n); /* which can be done with memory of the slot */
}

/* Even turns: everyone tells the member 2^k further on, which is its child; odd ones: the member
 * 2^k before it. Where 2^k is half of the members these are the same, and once is enough. */
static bool are_same(const weft_team_t *team, int k) {
  return 2 << k == team->set.size;
}

static enum weft_cut cut_offers(weft_begun_t *begun, weft_turn_t *turn) {
  large_t *large = begun->mine;
  const int k = large->told / 2, distance = 1 << k, size = begun->team->set.size;
  turn->kind = WEFT_TURN_SHIFT;
  turn->src = (const char *)&large->mine;
  turn->n = sizeof large->mine;
  turn->root = large->told % 2 ? size - distance : distance;
  turn->dst = (char *)(large->told % 2 ? &large->child[k] : &large->parent[k]);
  large->told++;
  return WEFT_CUT_TURN;
}

static enum weft_cut cut(weft_begun_t *begun, weft_turn_t *turn) {
  large_t *large = begun->mine;
  const int rounds = rounds_of(begun->team->set.size);
  if (large->told < 2 * rounds - are_same(begun->team, rounds - 1)) return cut_offers(begun, turn);
  if (begun->at == 0 && begun->turns > 0) return WEFT_CUT_WAIT;
  return weft_cut_parts(begun, turn);
}

static void end(weft_begun_t *begun) {
  large_t *large = begun->mine;
  weft_rma_take_back(&large->mine.dst);
  put_back(begun->team, large);
  free(large);
}

void weft_reduce_large_begin(weft_begun_t *begun, size_t most) {
  begun->mine = calloc(1, sizeof(large_t));
  if (!begun->mine) weft_fatal("no memory for a collective operation");
  begun->kind = WEFT_TURN_REDUCE_LARGE;
  begun->most = most;
  begun->cut = cut;
  begun->end = end;
  make_offer(begun);
}

/* ---- a turn ---------------------------------------------------------------------------------- */

static void put(weft_team_t *team, weft_turn_t *turn, int to, int box, weft_lent_t there,
                size_t at, const char *data) {
  large_t *large = turn->begun->mine;
  there.addr += at;
  weft_box_tell(team, turn, to, box, &there, data, turn->n,
                &large->sent[index_of(turn) % WEFT_TURN_REACH]);
}

/* sum = sum op theirs, in dst, in pieces that stay in the cache. The operation commutes. */
static void combine(weft_turn_t *turn, const char *theirs) {
  enum { PIECE = 16384 };
  const weft_reducer_t *how = &turn->begun->how;
  const size_t most = how->width < PIECE ? PIECE / how->width * how->width : how->width;
  for (size_t at = 0, n; at < turn->n; at += n) {
    n = turn->n - at < most ? turn->n - at : most;
    if (turn->sum != turn->dst) weft_direct_memcpy(turn->dst + at, turn->sum + at, n);
    if (how->user)
      how->user(theirs + at, turn->dst + at, n / how->width, how->arg);
    else
      how->combine(turn->dst + at, theirs + at, n / how->width);
  }
  turn->sum = turn->dst;
}

/* From each child, then to the parent. */
static bool up(weft_team_t *team, weft_turn_t *turn, int v) {
  const large_t *large = turn->begun->mine;
  const int size = team->set.size;
  for (; 1 << turn->round < size && !(v & 1 << turn->round); turn->round++) {
    if (v + (1 << turn->round) >= size) continue;
    if (!weft_box_take(team, turn, turn->round, 0)) return false;
    combine(turn, large->landing + place_up(turn, turn->round));
  }
  if (!v) return true;
  const int to = (team->me - (1 << turn->round) + size) % size;
  put(team, turn, to, turn->round, large->parent[turn->round].landing, place_up(turn, turn->round),
      turn->sum);
  return true;
}

/* From the parent, in the box of the round in which this member went up. */
static bool down(weft_team_t *team, weft_turn_t *turn, int v) {
  const large_t *large = turn->begun->mine;
  if (!v) return true;
  if (!weft_box_take(team, turn, turn->round, 0)) return false;
  if (!large->mine.lends_dst)
    weft_direct_memcpy(turn->dst, large->landing + place_down(turn), turn->n);
  return true;
}

/* To each child, in the same way. */
static void pass_on(weft_team_t *team, weft_turn_t *turn, int v) {
  const large_t *large = turn->begun->mine;
  const int size = team->set.size;
  for (int k = turn->round - 1; k >= 0; k--) {
    const offer_t *child = are_same(team, k) ? &large->parent[k] : &large->child[k];
    if (v + (1 << k) >= size) continue;
    const int to = (team->me + (1 << k)) % size;
    if (child->lends_dst)
      put(team, turn, to, k, child->dst, (size_t)(turn->dst - turn->begun->dst), turn->dst);
    else
      put(team, turn, to, k, child->landing, place_down(turn), turn->dst);
  }
}

bool weft_step_reduce_large(weft_team_t *team, weft_turn_t *turn) {
  const int size = team->set.size, base = (int)(index_of(turn) % (size_t)size);
  const int v = (team->me - base + size) % size;
  if (turn->stage == BEGIN) {
    turn->sum = (char *)(uintptr_t)turn->src; /* it is not written */
    turn->stage = UP;
  }
  if (turn->stage == UP) {
    if (!up(team, turn, v)) return false;
    turn->stage = DOWN;
  }
  if (turn->stage == DOWN) {
    if (!down(team, turn, v)) return false;
    pass_on(team, turn, v);
    turn->stage = LEAVES;
  }
  large_t *large = turn->begun->mine;
  return weft_op_is_done(&large->sent[index_of(turn) % WEFT_TURN_REACH]);
}
