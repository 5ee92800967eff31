/*
 * begun_calls.c: the operations of begun.h, each as a series of turns. Knows nothing of how a turn
 * is done.
 */
#include "coll/begun_internal.h"

void weft_team_wait(const weft_op_t *op) {
  WEFT_WAIT_UNTIL(weft_op_is_done(op));
}

/* ---- barrier --------------------------------------------------------------------------------- */

void weft_team_barrier_begin(weft_team_t *team, weft_op_t *op) {
  weft_begun_t *begun = weft_begun_new(team, op);
  begun->cut = weft_cut_barrier;
  weft_begun_promise(begun, WEFT_TURN_BARRIER, 0, 0);
  weft_begun_start(begun);
}

void weft_team_notify(weft_team_t *team, uint64_t *name, weft_op_t *op) {
  weft_begun_t *begun = weft_begun_new(team, op);
  begun->cut = weft_cut_barrier;
  begun->name = *name;
  begun->tell = name;
  weft_begun_start(begun);
}

/* ---- broadcast and reductions ---------------------------------------------------------------- */

static weft_begun_t *parts(weft_team_t *team, enum weft_turn_kind kind, int root, void *dst,
                           const void *src, size_t n, size_t width, weft_op_t *op) {
  weft_begun_t *begun = weft_begun_new(team, op);
  begun->cut = weft_cut_parts;
  begun->kind = kind;
  begun->root = root;
  begun->dst = dst;
  begun->src = src;
  begun->bytes = n;
  begun->most = weft_turn_bytes(n, width);
  return begun;
}

/* All members say the same. Where the job goes on when a PE dies, nothing is lent: a put may come
 * after the team has given up. */
static bool is_large(const weft_team_t *team, size_t n) {
  enum { LARGE = 262144 }; /* bytes: a message to the parent is little beside them */
  return n >= LARGE && team->members.nodes > 1 && weft_rma_lends() && !weft_job_goes_on();
}

void weft_team_broadcast_begin(weft_team_t *team, int root, void *dst, const void *src, size_t n,
                               weft_op_t *op) {
  weft_begun_t *begun =
      parts(team, WEFT_TURN_BROADCAST, root, dst, team->me == root ? src : NULL, n, 1, op);
  if (is_large(team, n)) weft_broadcast_large_begin(begun);
  weft_begun_promise(begun, WEFT_TURN_BROADCAST, 0, 0);
  weft_begun_start(begun);
}

/* Bytes of a turn, if this reduction to all goes in large ones, or 0. All members say the same.
 * Each node sums equally many turns. These are of one size, but for the last. */
static size_t large_turn(const weft_team_t *team, const weft_begun_t *begun) {
  enum { MOST = 262144 };
  const size_t nodes = (size_t)team->members.nodes, width = begun->how.width;
  const size_t turns = ((begun->bytes + MOST - 1) / MOST + nodes - 1) / nodes * nodes;
  if (nodes == 1 || begun->bytes <= nodes * WEFT_TURN_PART || begun->how.ordered) return 0;
  if (begun->bytes / turns <= WEFT_TURN_PART || !weft_rma_lends() || weft_job_goes_on()) return 0;
  return (begun->bytes / width + turns - 1) / turns * width;
}

static void reduce(weft_team_t *team, enum weft_turn_kind kind, int root, void *dst,
                   const void *src, size_t count, const weft_reducer_t *how, weft_op_t *op) {
  weft_begun_t *begun = parts(team, kind, root, dst, src, count * how->width, how->width, op);
  begun->how = *how;
  const size_t large = kind == WEFT_TURN_REDUCE_ALL ? large_turn(team, begun) : 0;
  if (large) weft_reduce_large_begin(begun, large);
  weft_begun_promise(begun, kind, how->check, how->width);
  weft_begun_start(begun);
}

void weft_team_reduce_begin(weft_team_t *team, int root, void *dst, const void *src, size_t count,
                            const weft_reducer_t *how, weft_op_t *op) {
  reduce(team, WEFT_TURN_REDUCE, root, team->me == root ? dst : NULL, src, count, how, op);
}

void weft_team_reduce_all_begin(weft_team_t *team, void *dst, const void *src, size_t count,
                                const weft_reducer_t *how, weft_op_t *op) {
  reduce(team, WEFT_TURN_REDUCE_ALL, 0, dst, src, count, how, op);
}

/* ---- blocks ---------------------------------------------------------------------------------- */

/* What a member has of others' blocks goes through one reduction or broadcast of them all if they
 * are small: that takes log(size) steps, where one block at a time takes `size` turns. */
enum { TOGETHER = 16384 };

enum { GATHER = 16, SCATTER, GATHER_ALL, EXCHANGE }; /* kinds for promises */

static weft_begun_t *blocks(weft_team_t *team, int kind, int root, void *dst, const void *src,
                            size_t n, weft_op_t *op) {
  weft_begun_t *begun = weft_begun_new(team, op);
  begun->root = root;
  begun->dst = dst;
  begun->src = src;
  begun->bytes = n;
  begun->most = weft_turn_bytes(n, 1);
  weft_begun_promise(begun, (unsigned)kind, 0, 0);
  return begun;
}

static void end_temporary(weft_begun_t *begun) {
  free(begun->mine);
}

static void take_block(weft_begun_t *begun) {
  const size_t n = begun->bytes / (size_t)begun->team->set.size;
  weft_direct_memcpy(begun->into, (char *)begun->mine + (size_t)begun->team->me * n, n);
  free(begun->mine);
}

static bool together(weft_team_t *team, size_t n) {
  return n > 0 && team->set.size > 2 && n <= TOGETHER / (size_t)team->set.size;
}

/* All blocks, of which the others' are zero. */
static void *own_block(weft_team_t *team, void *room, const void *src, size_t n) {
  char *all = room ? room : malloc((size_t)team->set.size * n);
  if (!all) weft_fatal("no memory for a collective operation");
  char *own = all + (size_t)team->me * n;
  if (own != src) memmove(own, src, n);
  memset(all, 0, (size_t)team->me * n);
  memset(own + n, 0, (size_t)(team->set.size - 1 - team->me) * n);
  return all;
}

static void reduce_blocks(weft_team_t *team, enum weft_turn_kind kind, int root, void *dst,
                          void *all, size_t n, weft_op_t *op) {
  weft_begun_t *begun = parts(team, kind, root, dst, all, n * (size_t)team->set.size, 1, op);
  begun->how =
      (weft_reducer_t){.combine = weft_data_combine(WEFT_TYPE_U8, WEFT_COMBINE_or), .width = 1};
  weft_begun_promise(begun, kind == WEFT_TURN_REDUCE ? GATHER : GATHER_ALL, 0, 0);
  if (all != dst) begun->mine = all, begun->end = end_temporary;
  weft_begun_start(begun);
}

/* which: the member that has the block. */
static enum weft_cut cut_rooted(weft_begun_t *begun, weft_turn_t *turn) {
  const weft_team_t *team = begun->team;
  const bool gather = begun->step == GATHER;
  const int owner = (int)begun->which;
  if (owner == team->set.size || begun->bytes == 0) return WEFT_CUT_END;
  const size_t at = begun->which * begun->bytes;
  turn->kind = WEFT_TURN_SEND;
  turn->root = gather ? owner : begun->root;
  turn->to = gather ? begun->root : owner;
  char *dst = team->me != turn->to ? NULL : begun->dst + (gather ? at : 0);
  const char *src = team->me != turn->root ? NULL : begun->src + (gather ? 0 : at);
  begun->which += weft_cut_block(begun, turn, dst, src, begun->bytes);
  return WEFT_CUT_TURN;
}

void weft_team_gather_begin(weft_team_t *team, int root, void *dst, const void *src, size_t n,
                            weft_op_t *op) {
  if (together(team, n)) {
    void *all = own_block(team, NULL, src, n);
    reduce_blocks(team, WEFT_TURN_REDUCE, root, team->me == root ? dst : NULL, all, n, op);
    return;
  }
  weft_begun_t *begun = blocks(team, GATHER, root, dst, src, n, op);
  begun->cut = cut_rooted;
  begun->step = GATHER;
  weft_begun_start(begun);
}

void weft_team_scatter_begin(weft_team_t *team, int root, void *dst, const void *src, size_t n,
                             weft_op_t *op) {
  if (together(team, n)) {
    const size_t bytes = (size_t)team->set.size * n;
    void *all = malloc(bytes);
    if (!all) weft_fatal("no memory for a collective operation");
    weft_begun_t *begun =
        parts(team, WEFT_TURN_BROADCAST, root, all, team->me == root ? src : NULL, bytes, 1, op);
    begun->mine = all;
    begun->into = dst;
    begun->end = take_block;
    weft_begun_promise(begun, SCATTER, 0, 0);
    weft_begun_start(begun);
    return;
  }
  weft_begun_t *begun = blocks(team, SCATTER, root, dst, src, n, op);
  begun->cut = cut_rooted;
  begun->step = SCATTER;
  weft_begun_start(begun);
}

/* which: the member that gives. */
static enum weft_cut cut_gather_all(weft_begun_t *begun, weft_turn_t *turn) {
  const weft_team_t *team = begun->team;
  if (begun->which == (size_t)team->set.size || begun->bytes == 0) return WEFT_CUT_END;
  turn->kind = WEFT_TURN_BROADCAST;
  turn->root = (int)begun->which;
  const char *src = turn->root == team->me ? begun->src : NULL;
  char *dst = begun->dst + begun->which * begun->bytes;
  begun->which += weft_cut_block(begun, turn, dst, src, begun->bytes);
  return WEFT_CUT_TURN;
}

void weft_team_gather_all_begin(weft_team_t *team, void *dst, const void *src, size_t n,
                                weft_op_t *op) {
  if (together(team, n)) {
    own_block(team, dst, src, n);
    reduce_blocks(team, WEFT_TURN_REDUCE_ALL, 0, dst, dst, n, op);
    return;
  }
  weft_begun_t *begun = blocks(team, GATHER_ALL, 0, dst, src, n, op);
  begun->cut = cut_gather_all;
  weft_begun_start(begun);
}

/* which: distance. The own block takes no turn: after some turns there is a barrier. */
static enum weft_cut cut_exchange(weft_begun_t *begun, weft_turn_t *turn) {
  const weft_team_t *team = begun->team;
  const size_t size = (size_t)team->set.size, me = (size_t)team->me, own = me * begun->bytes;
  if (begun->bytes == 0) return WEFT_CUT_END;
  if (begun->which == 0) {
    if (begun->dst != begun->src) memmove(begun->dst + own, begun->src + own, begun->bytes);
    begun->which = 1;
  }
  const size_t distance = begun->which;
  if (distance == size) return WEFT_CUT_END;
  const size_t to = (me + distance) % size, from = (me + size - distance) % size;
  turn->kind = WEFT_TURN_SHIFT;
  turn->root = (int)distance;
  begun->which += weft_cut_block(begun, turn, begun->dst + from * begun->bytes,
                                 begun->src + to * begun->bytes, begun->bytes);
  return WEFT_CUT_TURN;
}

void weft_team_exchange_begin(weft_team_t *team, void *dst, const void *src, size_t n,
                              weft_op_t *op) {
  weft_begun_t *begun = blocks(team, EXCHANGE, 0, dst, src, n, op);
  begun->cut = cut_exchange;
  weft_begun_start(begun);
}
