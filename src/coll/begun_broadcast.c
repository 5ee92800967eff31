/*
 * begun_broadcast.c: one turn of a broadcast: a binomial tree over the nodes, then one post that
 * the others of the node read.
 *
 * Of a large broadcast each child tells its parent in the first turn where it wants the data, or
 * that it cannot say so. The parent puts it there a chunk at a time, if it has the whole chunk:
 * that is one long message, and no copy out of boxes. The turns of the chunk find it there. Where a
 * parent has not got it so itself, it passes on each turn as it comes.
 */
#include "coll/begun_internal.h"

enum { SENT = 1, SHOWN = 2 }; /* stages: bits */

enum {
  CHUNK = 17, /* turns: 1 MB */
  CHUNKS = (WEFT_TURN_WINDOW + CHUNK - 2) / CHUNK + 1 /* of so many parts are under way at most */
};

/* ---- large ones ------------------------------------------------------------------------------ */

/* Of a large broadcast, of which CHUNK turns are a chunk: what this member has from its parent and
 * gives its children in the tree over the nodes. Each child has a bit. */
struct weft_large {
  bool asked;              /* it has told its parent where it wants the data */
  weft_lent_t lent;        /* the memory for that */
  uint32_t known, willing; /* children that have said something, and that said where */
  weft_lent_t wishes[WEFT_COLL_LOG_NODES];
  struct {
    uint64_t number;  /* its index + 1 */
    bool here;        /* all of it is in dst */
    uint32_t decided; /* children of which it is known how they get it */
    uint32_t direct;  /* those of them that get all of it with one put */
  } chunk[CHUNKS];
  weft_op_t sent;     /* those puts */
};
typedef struct weft_large weft_large_t;

/* What a child says, in a box of its own. Children are numbered: the k-th is 2^k behind. */
typedef struct wish {
  uint64_t willing;
  weft_lent_t lent; /* without its region */
} wish_t;
static int box_of_child(int number) {
  return 1 + number;
}
/* The box behind the children's (there are two more than log2(members)). Its count says that a
 * chunk has arrived. */
static int box_of_all(const weft_team_t *team) {
  return team->boxes - 1;
}

static void end_large(weft_begun_t *begun) {
  weft_rma_take_back(&begun->large->lent);
  free(begun->large);
}

void weft_broadcast_large_begin(weft_begun_t *begun) {
  begun->large = calloc(1, sizeof *begun->large);
  if (!begun->large) weft_fatal("no memory for a collective operation");
  begun->end = end_large;
}

/* Where this turn begins in the broadcast. */
static size_t at_of(const weft_turn_t *turn) {
  return (size_t)(turn->dst - turn->begun->dst);
}
static bool begins_chunk(const weft_turn_t *turn) {
  return weft_turn_index(turn) % CHUNK == 0;
}
/* While a turn of this chunk is under way, no turn of the one CHUNKS before is. */
static int chunk_of(weft_turn_t *turn) {
  weft_large_t *large = turn->begun->large;
  const uint64_t number = weft_turn_index(turn) / CHUNK + 1;
  const int i = (int)(number % CHUNKS);
  if (large->chunk[i].number != number) {
    memset(&large->chunk[i], 0, sizeof large->chunk[i]);
    large->chunk[i].number = number;
  }
  return i;
}

static int home_of(const weft_team_t *team, const weft_turn_t *turn) {
  return weft_members_node_in(&team->members, &team->set, turn->root);
}

static void ask_parent(weft_team_t *team, weft_turn_t *turn) {
  weft_large_t *large = turn->begun->large;
  const int home = home_of(team, turn), size = team->members.nodes;
  const int v = (team->members.node - home + size) % size, number = __builtin_ctz((unsigned)v);
  const int above = v - (1 << number), node = (above + home) % size;
  wish_t wish = {.willing = weft_rma_lend(&large->lent, turn->begun->dst, turn->begun->bytes)};
  if (wish.willing) wish.lent = large->lent;
  wish.lent.region = NULL;
  /* It is small: it leaves at once. */
  weft_box_send(team, turn, above ? weft_team_leader(team, node) : turn->root, box_of_child(number),
                &wish, sizeof wish);
  large->asked = true;
}

/* On a member that is not the root: is the chunk of this turn in dst? */
static bool is_here(weft_team_t *team, weft_turn_t *turn) {
  weft_large_t *large = turn->begun->large;
  const int i = chunk_of(turn);
  if (!large->asked) ask_parent(team, turn);
  if (begins_chunk(turn) && weft_box_take(team, turn, box_of_all(team), 0))
    large->chunk[i].here = true;
  return large->chunk[i].here;
}

static void put_chunk(weft_team_t *team, weft_turn_t *turn, int to, int number) {
  weft_begun_t *begun = turn->begun;
  const size_t at = at_of(turn), left = begun->bytes - at, most = CHUNK * begun->most;
  weft_lent_t there = begun->large->wishes[number];
  there.addr += at;
  weft_box_tell(team, turn, to, box_of_all(team), &there,
                team->me == turn->root ? turn->src : turn->dst, left < most ? left : most,
                &begun->large->sent);
}

/* How a child gets this turn's data: that is not known yet; with the whole chunk; by this turn. */
enum way { LATER, WITH_CHUNK, BY_TURN };
static enum way way_to(weft_team_t *team, weft_turn_t *turn, int to, int number) {
  weft_large_t *large = turn->begun->large;
  const uint32_t bit = UINT32_C(1) << number;
  const int i = chunk_of(turn);
  if (!(large->known & bit) && at_of(turn) == 0) {
    const char *said = weft_box_take(team, turn, box_of_child(number), sizeof(wish_t));
    wish_t wish;
    if (!said) return LATER;
    memcpy(&wish, said, sizeof wish);
    large->known |= bit;
    if (wish.willing) large->willing |= bit;
    large->wishes[number] = wish.lent;
  }
  if (large->known & bit && begins_chunk(turn) && !(large->chunk[i].decided & bit)) {
    large->chunk[i].decided |= bit;
    if (large->willing & bit && (team->me == turn->root || large->chunk[i].here)) {
      large->chunk[i].direct |= bit;
      put_chunk(team, turn, to, number);
    }
  }
  return !(large->chunk[i].decided & bit) ? LATER
         : large->chunk[i].direct & bit   ? WITH_CHUNK
                                          : BY_TURN;
}

/* The chunks that were put have left. */
static bool is_through(const weft_turn_t *turn) {
  const weft_large_t *large = turn->begun->large;
  return !large || !begins_chunk(turn) || weft_op_is_done(&large->sent);
}

/* ---- all of them ----------------------------------------------------------------------------- */

/* Children in the tree: me plus every power of two below my lowest bit, the farthest first. `round`
 * has a bit for each that has its data. */
static bool to_nodes(weft_team_t *team, weft_turn_t *turn, const char *data) {
  const int home = home_of(team, turn), size = team->members.nodes;
  const int v = (team->members.node - home + size) % size;
  bool all = true;
  int low = 0;
  while (1 << low < size && !(v & 1 << low)) low++;
  for (int number = low - 1; number >= 0; number--) {
    const int child = v + (1 << number), bit = 1 << number;
    if (child >= size || turn->round & bit) continue;
    const int to = weft_team_leader(team, (child + home) % size);
    const enum way way = turn->begun->large ? way_to(team, turn, to, number) : BY_TURN;
    if (way == BY_TURN && !weft_box_send(team, turn, to, 0, data, turn->n)) return false;
    if (way == LATER)
      all = false; /* others need not wait for it */
    else
      turn->round |= bit;
  }
  return all;
}

/* The member of this node that has the data first. */
static bool first(weft_team_t *team, weft_turn_t *turn, bool root) {
  const bool here = turn->begun->large && !root && is_here(team, turn);
  const char *data = root ? turn->src : here ? turn->dst : weft_box_take(team, turn, 0, turn->n);
  if (!data && turn->n) return false;
  if (!(turn->stage & SENT) && (team->members.nodes == 1 || to_nodes(team, turn, data)))
    turn->stage |= SENT;
  if (!(turn->stage & SHOWN)) {
    if (team->members.locals > 1) {
      weft_shown_t *post = weft_my_down(team, turn);
      weft_turn_show(team, turn, post, data, turn->n, root);
    }
    if (turn->dst != data) weft_direct_memcpy(turn->dst, data, turn->n);
    turn->stage |= SHOWN;
  }
  return turn->stage & SENT && weft_turn_all_acked(team, turn) && is_through(turn);
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
