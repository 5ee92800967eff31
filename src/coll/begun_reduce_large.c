/*
 * begun_reduce_large.c: a large reduction to all between nodes. It is cut into few large turns, as
 * each message between nodes costs system calls. On a node each member combines a slice of a turn,
 * and the leader has the sum; a member that is alone there just has its own data. Among the leaders
 * each turn is summed at another one, up and down a binomial tree. What goes up lands in memory of
 * the parent's slot, what goes down in the child's dst, or in its slot too: no copy out of boxes.
 * Leaders tell those they will meet where that is, before the first turn.
 */
#include "coll/begun_internal.h"

enum { BEGIN, SHOWN, SLICES, UP, DOWN, LEAVES }; /* stages */

/* What a leader tells those whose messages it gets. */
typedef struct offer {
  weft_lent_t parts;  /* for what comes up: places for each of log2(nodes) children */
  weft_lent_t dst;    /* for what comes down */
  uint64_t lends_dst; /* else that has places behind the others of parts */
} offer_t;

/* Leaders are parents and children at distances of powers of two, whichever has the sum. */
typedef struct large {
  offer_t mine, parent[WEFT_COLL_LOG_NODES], child[WEFT_COLL_LOG_NODES];
  int told;        /* turns in which leaders tell one another */
  weft_lent_t dst; /* lent */
  char *parts;     /* in the own slot: where they land */
  size_t room;     /* bytes there */
  weft_op_t sent[WEFT_TURN_REACH]; /* of a turn */
} large_t;

static int rounds_of(int nodes) {
  int rounds = 0;
  while (1 << rounds < nodes) rounds++;
  return rounds;
}

/* Is the parent at distance 2^k the child at this distance, too? */
static bool are_same(const weft_team_t *team, int k) {
  return 2 << k == team->members.nodes;
}

static bool leads(const weft_team_t *team) {
  return team->members.local == 0;
}
static bool is_alone(const weft_team_t *team) {
  return team->members.locals == 1;
}

/* ---- where data lands ------------------------------------------------------------------------ */

/* All members cut alike, so they find the same places. A place is used again WEFT_TURN_REACH turns
 * later. Nobody writes there too early: what comes up is of a child that has begun that turn, so it
 * has the sum of this one; what comes down, and the slices of the node's members, follow what the
 * leader itself gives in that turn, when this one is complete at the leader. */
static size_t places(const weft_begun_t *begun) {
  return weft_smaller(WEFT_TURN_REACH, (begun->bytes + begun->most - 1) / begun->most);
}
static size_t all_up(const weft_begun_t *begun) {
  return (size_t)rounds_of(begun->team->members.nodes) * places(begun);
}
static size_t room_of(const weft_begun_t *begun) {
  return weft_round_up(begun->most, WEFT_CACHELINE);
}
static size_t place_of(const weft_turn_t *turn, size_t before) {
  const weft_begun_t *begun = turn->begun;
  return (before + weft_turn_index(turn) % places(begun)) * room_of(begun);
}
static size_t place_up(const weft_turn_t *turn, int round) {
  return place_of(turn, (size_t)round * places(turn->begun));
}
static size_t place_down(const weft_turn_t *turn) {
  return place_of(turn, all_up(turn->begun));
}
/* Where others of the node read a member's data, if they cannot where the program has it. */
static char *place_for_node(const weft_turn_t *turn) {
  const weft_begun_t *begun = turn->begun;
  const large_t *large = begun->mine;
  return large->parts + place_of(turn, leads(begun->team) ? all_up(begun) + places(begun) : 0);
}

/* ---- before the first turn ------------------------------------------------------------------- */

/* The team keeps it for the next operation: given back, it would lose its pages. Both of these are
 * under the team's lock. */
static void get_memory(weft_team_t *team, large_t *large, size_t n) {
  if (team->spare && team->spare_room >= n) {
    large->parts = team->spare;
    large->room = team->spare_room;
    team->spare = NULL;
    return;
  }
  large->parts = weft_private_alloc(WEFT_CACHELINE, n);
  large->room = n;
  if (!large->parts) weft_fatal("no memory for a team's collectives (%zu bytes)", n);
}
static void put_back(weft_team_t *team, const large_t *large) {
  if (team->spare && team->spare_room >= large->room) {
    weft_private_free(large->parts);
    return;
  }
  weft_private_free(team->spare);
  team->spare = large->parts;
  team->spare_room = large->room;
}

static void make_offer(weft_begun_t *begun) {
  weft_team_t *team = begun->team;
  large_t *large = begun->mine;
  offer_t *mine = &large->mine;
  mine->lends_dst = is_alone(team) && weft_rma_lend(&large->dst, begun->dst, begun->bytes);
  size_t n = 0;
  if (leads(team)) n += all_up(begun) + (mine->lends_dst ? 0 : places(begun));
  if (!is_alone(team)) n += places(begun);
  n *= room_of(begun);
  get_memory(team, large, n);
  if (!weft_rma_lend(&mine->parts, large->parts, n)) weft_fatal("memory of the slot is not lent");
  mine->dst = (weft_lent_t){.addr = large->dst.addr, .key = large->dst.key};
}

/* In the first turn each leader tells those 2^k nodes further on, which are its children, in the
 * second one those 2^k nodes before it (turn->to). */
bool weft_step_offer(weft_team_t *team, weft_turn_t *turn) {
  large_t *large = turn->begun->mine;
  offer_t *said = turn->to ? large->child : large->parent;
  const int nodes = team->members.nodes, all = rounds_of(nodes);
  const int rounds = turn->to && are_same(team, all - 1) ? all - 1 : all;
  if (!leads(team)) return true;
  for (; turn->round < rounds; turn->round++) {
    const int distance = turn->to ? nodes - (1 << turn->round) : 1 << turn->round;
    const int to = weft_team_leader(team, (team->members.node + distance) % nodes);
    if (!weft_box_send(team, turn, to, turn->round, &large->mine, sizeof large->mine)) return false;
  }
  for (; turn->next < rounds; turn->next++) {
    const char *offer = weft_box_take(team, turn, turn->next, sizeof(offer_t));
    if (!offer) return false;
    memcpy(&said[turn->next], offer, sizeof(offer_t));
  }
  return true;
}

static enum weft_cut cut(weft_begun_t *begun, weft_turn_t *turn) {
  large_t *large = begun->mine;
  if (!large->parts) make_offer(begun); /* no memory before there is room for its turns */
  if (large->told < (begun->team->members.nodes == 2 ? 1 : 2)) {
    turn->kind = WEFT_TURN_OFFER;
    turn->n = sizeof(offer_t);
    turn->to = large->told++;
    return WEFT_CUT_TURN;
  }
  if (begun->at == 0 && begun->turns > 0) return WEFT_CUT_WAIT;
  return weft_cut_parts(begun, turn);
}

static void end(weft_begun_t *begun) {
  large_t *large = begun->mine;
  weft_rma_take_back(&large->dst);
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
}

/* ---- a turn, on the node --------------------------------------------------------------------- */

/* Bytes that are combined at a time, so that they stay in the cache. */
static size_t piece_of(const weft_begun_t *begun) {
  enum { PIECE = 16384 };
  const size_t width = begun->how.width;
  return width < PIECE ? PIECE / width * width : width;
}

static void show(const weft_turn_t *turn, weft_shown_t *post, const char *place) {
  post->note = weft_job_offset(place) * 2;
  weft_publish(&post->seq, turn->seq + 1);
}

/* Others read all but my slice. */
static const char *copy_for_node(weft_team_t *team, weft_turn_t *turn) {
  const size_t begin = weft_turn_slice_begins(team, turn, team->members.local);
  const size_t until = weft_turn_slice_begins(team, turn, team->members.local + 1);
  char *place = place_for_node(turn);
  weft_direct_memcpy(place, turn->src, begin);
  weft_direct_memcpy(place + until, turn->src + until, turn->n - until);
  return place;
}

/* Behind its note the leader's post says where the sum goes. */
static void show_mine(weft_team_t *team, weft_turn_t *turn) {
  const large_t *large = turn->begun->mine;
  weft_shown_t *post = weft_my_up(team, turn);
  const bool seen = weft_window_contains(&weft_job.window, turn->src, turn->n);
  if (leads(team)) {
    const uint64_t sum = weft_job_offset(large->parts + place_down(turn));
    memcpy(post->data, &sum, sizeof sum);
  }
  show(turn, post, seen ? turn->src : copy_for_node(team, turn));
}

static void combine_slice(weft_team_t *team, const weft_turn_t *turn) {
  const weft_begun_t *begun = turn->begun;
  const size_t most = piece_of(begun);
  const int locals = team->members.locals, me = team->members.local;
  const size_t begin = weft_turn_slice_begins(team, turn, me);
  const size_t until = weft_turn_slice_begins(team, turn, me + 1);
  uint64_t off;
  memcpy(&off, weft_up_of(team, 0, turn)->data, sizeof off);
  char *sum = team->local[0].slot + off;
  for (size_t at = begin, n; at < until; at += n) {
    n = weft_smaller(until - at, most);
    for (int k = 0; k < locals; k++) {
      const char *theirs =
          k == me ? turn->src : weft_turn_seen(team, k, weft_up_of(team, k, turn));
      if (k == 0)
        weft_direct_memcpy(sum + at, theirs + at, n);
      else
        weft_turn_combine(begun, theirs + at, sum + at, n);
    }
  }
}

/* ---- a turn, between nodes ------------------------------------------------------------------- */

/* Where the leader's sum is: what it had first, and then where this goes on. */
static char *sum_of(const weft_turn_t *turn) {
  const large_t *large = turn->begun->mine;
  return is_alone(turn->begun->team) ? turn->dst : large->parts + place_down(turn);
}

static weft_op_t *sent_of(const weft_turn_t *turn) {
  large_t *large = turn->begun->mine;
  return &large->sent[weft_turn_index(turn) % WEFT_TURN_REACH];
}

/* The sum so far to another leader. */
static void put_turn(weft_team_t *team, weft_turn_t *turn, int node, int box, weft_lent_t there,
                     size_t at) {
  there.addr += at;
  weft_box_tell(team, turn, weft_team_leader(team, node), box, &there, turn->sum, turn->n,
                sent_of(turn));
}

static void add(weft_turn_t *turn, const char *theirs) {
  char *sum = sum_of(turn);
  const size_t most = piece_of(turn->begun);
  for (size_t at = 0, n; at < turn->n; at += n) {
    n = weft_smaller(turn->n - at, most);
    if (turn->sum != sum) weft_direct_memcpy(sum + at, turn->sum + at, n);
    weft_turn_combine(turn->begun, theirs + at, sum + at, n);
  }
  turn->sum = sum;
}

/* From each child, then to the parent. v: the number in the tree. */
static bool up(weft_team_t *team, weft_turn_t *turn, int v) {
  const large_t *large = turn->begun->mine;
  const int nodes = team->members.nodes;
  for (; 1 << turn->round < nodes && !(v & 1 << turn->round); turn->round++) {
    if (v + (1 << turn->round) >= nodes) continue;
    if (!weft_box_take(team, turn, turn->round, 0)) return false;
    add(turn, large->parts + place_up(turn, turn->round));
  }
  if (!v) return true;
  const int node = (team->members.node - (1 << turn->round) + nodes) % nodes;
  put_turn(team, turn, node, turn->round, large->parent[turn->round].parts,
           place_up(turn, turn->round));
  return true;
}

/* From the parent, in the box of the round in which this node went up. */
static bool down(weft_team_t *team, weft_turn_t *turn, int v) {
  const large_t *large = turn->begun->mine;
  if (v && !weft_box_take(team, turn, turn->round, 0)) return false;
  turn->sum = v && !large->mine.lends_dst ? large->parts + place_down(turn) : sum_of(turn);
  return true;
}

/* To all here, to each child, and into dst. */
static void pass_on(weft_team_t *team, weft_turn_t *turn, int v) {
  const large_t *large = turn->begun->mine;
  const int nodes = team->members.nodes;
  if (!is_alone(team)) show(turn, weft_my_down(team, turn), turn->sum);
  for (int k = turn->round - 1; k >= 0; k--) {
    const offer_t *child = are_same(team, k) ? &large->parent[k] : &large->child[k];
    if (v + (1 << k) >= nodes) continue;
    const int node = (team->members.node + (1 << k)) % nodes;
    if (child->lends_dst)
      put_turn(team, turn, node, k, child->dst, (size_t)(turn->dst - turn->begun->dst));
    else
      put_turn(team, turn, node, k, child->parts, place_down(turn));
  }
  if (turn->sum != turn->dst) weft_direct_memcpy(turn->dst, turn->sum, turn->n);
}

/* All members of the node have read the sum: with the last turn its place is no longer theirs. */
static bool have_read(const weft_team_t *team, weft_turn_t *turn) {
  for (; turn->next < team->members.locals; turn->next++)
    if (turn->next != team->members.local &&
        !weft_is_shown(weft_down_of(team, turn->next, turn), turn))
      return false;
  return true;
}

static bool lead(weft_team_t *team, weft_turn_t *turn) {
  const int nodes = team->members.nodes, base = (int)(weft_turn_index(turn) % (size_t)nodes);
  const int v = (team->members.node - base + nodes) % nodes;
  if (turn->stage == SLICES) {
    turn->acks = true;
    if (!weft_turn_all_acked(team, turn)) return false;
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
  return have_read(team, turn) && weft_op_is_done(sent_of(turn));
}

bool weft_step_reduce_large(weft_team_t *team, weft_turn_t *turn) {
  if (turn->stage == BEGIN) {
    if (leads(team)) /* src is not written */
      turn->sum = is_alone(team) ? (char *)(uintptr_t)turn->src : sum_of(turn);
    turn->stage = is_alone(team) ? UP : SHOWN;
    if (!is_alone(team)) show_mine(team, turn);
  }
  if (turn->stage == SHOWN) {
    if (!weft_turn_all_up(team, turn)) return false;
    combine_slice(team, turn);
    if (!leads(team)) weft_turn_ack(team, turn);
    turn->stage = SLICES;
  }
  if (leads(team)) return lead(team, turn);
  const weft_shown_t *post = weft_down_of(team, 0, turn);
  if (!weft_is_shown(post, turn)) return false;
  weft_direct_memcpy(turn->dst, weft_turn_seen(team, 0, post), turn->n);
  weft_publish(&weft_my_down(team, turn)->seq, turn->seq + 1);
  return true;
}
