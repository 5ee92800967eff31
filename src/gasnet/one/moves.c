/*
 * moves.c: which data go where in a collective of GASNet-1. Each is a series of turns of
 * the kinds that there are: broadcasts, blocks from one to one or by shifts, reductions; and a
 * barrier before or behind where ALLSYNC is asked for. Data to the images of a process that all get
 * the same are moved once, and copied.
 */
#include <stdlib.h>
#include <string.h>

#include "gasnet/one/images.h"

enum { ENTER, ENTERED, MOVE, DEAL, LEAVE, LEFT };

static gex_Rank_t member_of(const weft_gasnet_joint_t *j, gasnet_image_t image) {
  gex_Rank_t low = 0, high = j->size - 1;
  while (low < high) {
    const gex_Rank_t middle = (low + high + 1) / 2;
    if (j->images->first[middle] <= image)
      low = middle;
    else
      high = middle - 1;
  }
  return low;
}

static gasnet_image_t images_of(const weft_gasnet_joint_t *j, gex_Rank_t member) {
  return j->images->first[member + 1] - j->images->first[member];
}

static gasnet_image_t all_images(const weft_gasnet_joint_t *j) {
  return j->images->first[j->size];
}

/* The number here of an image of this process. */
static gasnet_image_t here(const weft_gasnet_joint_t *j, gasnet_image_t image) {
  return image - j->images->first[j->me];
}

/* ---- one kind each; which: how far it has come; false: that was all -------------------------- */

static bool broadcast(weft_gasnet_joint_t *j, weft_begun_t *op, weft_turn_t *turn) {
  if (op->which) return false;
  turn->kind = WEFT_TURN_BROADCAST;
  turn->root = (int)member_of(j, j->call.root);
  op->which += weft_cut_block(op, turn, j->dsts[0], j->at_root, j->call.n);
  return true;
}

/* which: the image that gives. */
static bool gather_all(weft_gasnet_joint_t *j, weft_begun_t *op, weft_turn_t *turn) {
  if (op->which == all_images(j)) return false;
  const gasnet_image_t image = (gasnet_image_t)op->which;
  turn->kind = WEFT_TURN_BROADCAST;
  turn->root = (int)member_of(j, image);
  const char *src = turn->root == (int)j->me ? j->srcs[here(j, image)] : NULL;
  op->which += weft_cut_block(op, turn, j->dsts[0] + image * j->call.n, src, j->call.n);
  return true;
}

/* which: the image that has the block. */
static bool rooted(weft_gasnet_joint_t *j, weft_begun_t *op, weft_turn_t *turn) {
  if (op->which == all_images(j)) return false;
  const gasnet_image_t image = (gasnet_image_t)op->which;
  const gex_Rank_t owner = member_of(j, image), root = member_of(j, j->call.root);
  const bool gather = j->call.kind == WEFT_GASNET_GATHER;
  char *block = root == j->me ? j->at_root + image * j->call.n : NULL;
  turn->kind = WEFT_TURN_SEND;
  turn->root = (int)(gather ? owner : root);
  turn->to = (int)(gather ? root : owner);
  char *own = NULL;
  if (owner == j->me) own = (gather ? j->srcs : j->dsts)[here(j, image)];
  op->which += weft_cut_block(op, turn, gather ? block : own, gather ? own : block, j->call.n);
  return true;
}

/* which: distance, then the image that gives among its member's, then the one that gets. Members
 * may have less than the most images: then they only give, or only get. */
static bool exchange(weft_gasnet_joint_t *j, weft_begun_t *op, weft_turn_t *turn) {
  const gex_Rank_t size = j->size, me = j->me;
  const gasnet_image_t most = j->images->most;
  if (op->which == (size_t)size * most * most) return false;
  const gex_Rank_t distance = (gex_Rank_t)(op->which / most / most);
  const gasnet_image_t giver = (gasnet_image_t)(op->which / most % most);
  const gasnet_image_t taker = (gasnet_image_t)(op->which % most);
  const gex_Rank_t to = (gex_Rank_t)(((uint64_t)me + distance) % size);
  const gex_Rank_t from = (gex_Rank_t)(((uint64_t)me + size - distance) % size);
  char *dst = NULL;
  const char *src = NULL;
  if (giver < images_of(j, me) && taker < images_of(j, to))
    src = j->srcs[giver] + (j->images->first[to] + taker) * j->call.n;
  if (taker < images_of(j, me) && giver < images_of(j, from))
    dst = j->dsts[taker] + (j->images->first[from] + giver) * j->call.n;
  turn->kind = WEFT_TURN_SHIFT;
  turn->root = (int)distance;
  op->which += weft_cut_block(op, turn, dst, src, j->call.n);
  return true;
}

/* ---- reductions ------------------------------------------------------------------------------ */

/* One element at a time: what a function makes of several is not what all of them agree on. */
static void combine(const void *left, void *right, size_t count, const void *cdata) {
  const weft_gasnet_joint_t *j = cdata;
  const size_t n = j->call.n;
  for (size_t i = 0; i < count; i++) {
    char *r = (char *)right + i * n;
    j->function.fnptr(j->result, 1, (const char *)left + i * n, 1, r, n,
                      (int)j->function.flags & GASNET_COLL_NONCOMM, j->call.argument);
    memcpy(r, j->result, n);
  }
}

static char *room_for(size_t n) {
  char *p = malloc(n ? n : 1);
  if (!p) weft_fatal("collectives of GASNet-1: no memory for %zu bytes", n);
  return p;
}

/* What this process gives: of several images, what they make together. */
static const char *contribution(weft_gasnet_joint_t *j) {
  const size_t bytes = j->call.n * j->call.count;
  if (j->mine == 1) return j->srcs[0];
  j->array = room_for(bytes);
  memcpy(j->array, j->srcs[j->mine - 1], bytes);
  for (gasnet_image_t i = j->mine - 1; i-- > 0;) combine(j->srcs[i], j->array, j->call.count, j);
  return j->array;
}

static bool reduce(weft_gasnet_joint_t *j, weft_begun_t *op, weft_turn_t *turn) {
  if (!op->src) {
    op->src = contribution(j);
    op->dst = j->at_root;
    op->kind = WEFT_TURN_REDUCE;
    op->root = (int)member_of(j, j->call.root);
    op->bytes = j->call.n * j->call.count;
  }
  return weft_cut_parts(op, turn) != WEFT_CUT_END;
}

/* ---- arrays that are dealt to the images ----------------------------------------------------- */

/* The run of elements from `which` on that lie together: the image, where in its memory, how many.
 */
static size_t run(const weft_gasnet_joint_t *j, weft_gasnet_deal_t deal, size_t which,
                  gasnet_image_t *image, size_t *at) {
  const size_t left = j->call.count - which;
  if (deal.block == 0) {
    *image = (gasnet_image_t)deal.offset;
    *at = which;
    return left;
  }
  const size_t position = deal.offset + which, block = position / deal.block;
  const size_t rest = deal.block - position % deal.block;
  *image = (gasnet_image_t)(block % all_images(j));
  *at = block / all_images(j) * deal.block + position % deal.block;
  return rest < left ? rest : left;
}

/* All elements to the collecting member, or from there; which: the element. */
static bool dealt(weft_gasnet_joint_t *j, weft_begun_t *op, weft_turn_t *turn, bool back) {
  const gex_Rank_t collector = member_of(j, j->call.root);
  gasnet_image_t image;
  size_t at;
  if (op->which == j->call.count) return false;
  const size_t n = run(j, back ? j->call.to : j->call.from, op->which, &image, &at);
  const gex_Rank_t owner = member_of(j, image);
  char *whole = NULL, *own = NULL;
  if (collector == j->me) whole = (back ? j->result : j->array) + op->which * j->call.n;
  if (owner == j->me) own = (back ? j->dsts : j->srcs)[here(j, image)] + at * j->call.n;
  turn->kind = WEFT_TURN_SEND;
  turn->root = (int)(back ? collector : owner);
  turn->to = (int)(back ? owner : collector);
  if (weft_cut_block(op, turn, back ? own : whole, back ? whole : own, n * j->call.n))
    op->which += n;
  return true;
}

/* Everything is at the collecting member. */
static void combine_array(weft_gasnet_joint_t *j) {
  const size_t n = j->call.n, count = j->call.count;
  const int flags = (int)j->function.flags & GASNET_COLL_NONCOMM, argument = j->call.argument;
  if (count == 0) return;
  if (j->call.kind == WEFT_GASNET_BLOCKS && count == 1)
    memcpy(j->at_root, j->array, n);
  else if (j->call.kind == WEFT_GASNET_BLOCKS)
    j->function.fnptr(j->at_root, 1, j->array, count - 1, j->array + (count - 1) * n, n, flags,
                      argument);
  else if (j->call.flags & GASNET_COLL_INCLUSIVE_SCAN)
    j->function.fnptr(j->result, count, NULL, 0, j->array, n, flags, argument);
  else if (count > 1) /* element 0 is nobody's business */
    j->function.fnptr(j->result + n, count - 1, NULL, 0, j->array, n, flags, argument);
}

/* ---- the whole ------------------------------------------------------------------------------- */

static bool move(weft_gasnet_joint_t *j, weft_begun_t *op, weft_turn_t *turn) {
  switch (j->call.kind) {
  case WEFT_GASNET_BROADCAST: return broadcast(j, op, turn);
  case WEFT_GASNET_SCATTER:
  case WEFT_GASNET_GATHER: return rooted(j, op, turn);
  case WEFT_GASNET_GATHER_ALL: return gather_all(j, op, turn);
  case WEFT_GASNET_EXCHANGE: return exchange(j, op, turn);
  case WEFT_GASNET_REDUCE: return reduce(j, op, turn);
  default: return dealt(j, op, turn, false);
  }
}

/* Everything has been moved here: what is left to be done with it. */
static void moved(weft_gasnet_joint_t *j) {
  size_t n = 0;
  if (j->call.kind == WEFT_GASNET_BROADCAST) n = j->call.n;
  if (j->call.kind == WEFT_GASNET_GATHER_ALL) n = j->call.n * all_images(j);
  for (gasnet_image_t i = 1; n && i < j->mine; i++)
    if (j->dsts[i] != j->dsts[0]) memcpy(j->dsts[i], j->dsts[0], n);
  if (j->call.kind >= WEFT_GASNET_BLOCKS && member_of(j, j->call.root) == j->me) combine_array(j);
}

static enum weft_cut cut_barrier(weft_gasnet_joint_t *j, weft_turn_t *turn) {
  turn->kind = WEFT_TURN_BARRIER;
  turn->name = WEFT_NAME_NONE;
  j->phase++;
  return WEFT_CUT_TURN;
}

static enum weft_cut cut(weft_begun_t *op, weft_turn_t *turn) {
  weft_gasnet_joint_t *j = op->mine;
  if (j->phase == ENTER) {
    if (j->call.flags & GASNET_COLL_IN_ALLSYNC) return cut_barrier(j, turn);
    j->phase = ENTERED;
  }
  if (j->phase == ENTERED) {
    if (op->turns) return WEFT_CUT_WAIT;
    j->phase = MOVE;
  }
  if (j->phase == MOVE) {
    if (move(j, op, turn)) return WEFT_CUT_TURN;
    if (op->turns) return WEFT_CUT_WAIT;
    moved(j);
    op->which = 0;
    j->phase = DEAL;
  }
  if (j->phase == DEAL) {
    if (j->call.kind == WEFT_GASNET_SCAN && dealt(j, op, turn, true)) return WEFT_CUT_TURN;
    if (op->turns) return WEFT_CUT_WAIT;
    j->phase = LEAVE;
  }
  if (j->phase == LEAVE && j->call.flags & GASNET_COLL_OUT_ALLSYNC) return cut_barrier(j, turn);
  return WEFT_CUT_END;
}

void weft_gasnet_begin(weft_gasnet_joint_t *j) {
  weft_team_t *team = weft_gex_team(weft_gasnet_tm(j->call.team));
  weft_team_name(team, j->call.who);
  weft_begun_t *op = weft_begun_new(team, &j->op);
  const size_t bytes = j->call.kind < WEFT_GASNET_REDUCE ? j->call.n : j->call.n * j->call.count;
  const bool whole = j->call.kind == WEFT_GASNET_REDUCE; /* elements */
  op->cut = cut;
  op->mine = j;
  op->most = weft_turn_bytes(bytes, whole && j->call.n ? j->call.n : 1);
  op->how = (weft_reducer_t){.user = combine,
                             .arg = j,
                             .width = j->call.n,
                             .ordered = j->function.flags & GASNET_COLL_NONCOMM};
  if (j->call.kind >= WEFT_GASNET_REDUCE) j->result = room_for(j->call.n * (j->call.count + 1));
  if (j->call.kind >= WEFT_GASNET_BLOCKS) j->array = room_for(j->call.n * j->call.count);
  weft_begun_start(op);
  weft_publish(&j->begun, true); /* other images may be looking */
}
