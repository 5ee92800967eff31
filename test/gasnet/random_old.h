/*
 * The random test: GASNet-1's collectives, under way beside those of EX, on everybody and on teams
 * of gasnet_coll_team_split, in all modes of synchronisation. They begin in one order with EX's,
 * since both may be of one team.
 */
#ifndef TEST_GASNET_RANDOM_OLD_H
#define TEST_GASNET_RANDOM_OLD_H

#include "gasnet/random_ad.h"

enum { OLDS = 6, OLD_MOST = 2000, OLD_ROOM = WORLD_PES * OLD_MOST, OLD_TEAMS = 3, OLD_ARG = 41 };
enum { OLD_BROADCAST, OLD_SCATTER, OLD_GATHER, OLD_GATHER_ALL, OLD_EXCHANGE, OLD_REDUCE, OLD_SCAN };
typedef struct map {
  uint32_t a, b;
} map_t;

static struct old_team {
  gasnet_team_handle_t handle;
  gex_Rank_t size, me, member[WORLD_PES];
} old_teams[OLD_TEAMS];

static struct old {
  int kind, form, flags; /* form: one address, a list of mine, a list of all */
  const struct old_team *team;
  gex_Rank_t root;
  size_t n, block, offset;
  bool composes, inclusive, blocking, is_done;
  uint64_t id;
  gasnet_coll_handle_t handle;
  char src[OLD_ROOM], dst[OLD_ROOM + GUARD];
} olds[OLDS];

/* ---- functions ------------------------------------------------------------------------------- */

static void old_add(void *results, size_t result_count, const void *left, size_t left_count,
                    const void *right, size_t width, int flags, int arg) {
  uint64_t sum = 0;
  CHECK(width == 8 && !(flags & GASNET_COLL_NONCOMM) && arg == OLD_ARG);
  for (size_t i = 0; i < left_count; i++) sum += ((const uint64_t *)left)[i];
  for (size_t i = 0; i < result_count; i++)
    ((uint64_t *)results)[i] = sum += ((const uint64_t *)right)[i];
}
static map_t times(map_t l, map_t r) {
  return (map_t){l.a * r.a, l.a * r.b + l.b};
}
static void old_compose(void *results, size_t result_count, const void *left, size_t left_count,
                        const void *right, size_t width, int flags, int arg) {
  map_t product = {1, 0};
  CHECK(width == 8 && flags & GASNET_COLL_NONCOMM && arg == OLD_ARG);
  for (size_t i = 0; i < left_count; i++) product = times(product, ((const map_t *)left)[i]);
  for (size_t i = 0; i < result_count; i++)
    ((map_t *)results)[i] = product = times(product, ((const map_t *)right)[i]);
}
/* x = x, then y */
static void old_join(const struct old *c, uint64_t *x, uint64_t y) {
  map_t a, b;
  memcpy(&a, x, sizeof a), memcpy(&b, &y, sizeof b);
  a = times(a, b);
  if (c->composes)
    memcpy(x, &a, sizeof a);
  else
    *x += y;
}

/* ---- teams, and what is planned -------------------------------------------------------------- */

/* Everybody; the odd and the even in reverse order; those again in two. */
static void open_old_teams(void) {
  gasnet_coll_fn_entry_t functions[] = {{old_add, 0}, {old_compose, GASNET_COLL_NONCOMM}};
  gasnet_coll_init(NULL, 0, functions, 2, 0);
  old_teams[0].handle = GASNET_TEAM_ALL;
  old_teams[1].handle =
      gasnet_coll_team_split(GASNET_TEAM_ALL, world.me % 2, world.n - world.me, NULL);
  old_teams[2].handle = gasnet_coll_team_split(old_teams[1].handle, world.me / 2 % 2, 0, NULL);
  for (int k = 0; k < OLD_TEAMS; k++) {
    struct old_team *t = &old_teams[k];
    t->size = gasnet_coll_team_size(t->handle);
    t->me = gasnet_coll_team_node2rank(t->handle, world.me);
    for (gex_Rank_t i = 0; i < t->size; i++)
      t->member[i] = gasnet_coll_team_rank2node(t->handle, (int)i);
    CHECK(t->member[t->me] == world.me);
    for (gex_Rank_t i = 1; k == 1 && i < t->size; i++) CHECK(t->member[i] < t->member[i - 1]);
  }
}

static uint32_t old_seed(const struct old *c, gex_Rank_t rank) {
  return (uint32_t)mix(c->id, c->team->member[rank]);
}
static uint64_t old_value(const struct old *c, size_t rank, size_t i) {
  return mix(c->id * 31 + rank, i);
}
/* Where element e of a dealt array is. */
static gex_Rank_t old_owner(const struct old *c, size_t e, size_t *at) {
  const size_t position = e + c->offset, size = c->team->size;
  *at = position / c->block / size * c->block + position % c->block;
  return (gex_Rank_t)(position / c->block % size);
}

static void fill_old(struct old *c) {
  size_t at;
  if (c->kind == OLD_REDUCE)
    for (size_t i = 0; i < c->n; i++) ((uint64_t *)c->src)[i] = old_value(c, c->team->me, i);
  else if (c->kind == OLD_SCAN)
    for (size_t e = 0; e < c->n; e++)
      old_owner(c, e, &at) == c->team->me ? (((uint64_t *)c->src)[at] = old_value(c, 0, e)) : 0;
  else
    fill(c->src, c->n * c->team->size, old_seed(c, c->team->me));
  memset(c->dst, 0x33, sizeof c->dst);
}

static void plan_olds(uint64_t *state) {
  static const int in[] = {GASNET_COLL_IN_NOSYNC, GASNET_COLL_IN_MYSYNC, GASNET_COLL_IN_ALLSYNC};
  static const int out[] = {GASNET_COLL_OUT_NOSYNC, GASNET_COLL_OUT_MYSYNC,
                            GASNET_COLL_OUT_ALLSYNC};
  for (int i = 0; i < OLDS; i++) {
    struct old *c = &olds[i];
    c->team = &old_teams[draw(state, OLD_TEAMS)];
    c->kind = (int)draw(state, OLD_SCAN + 1);
    c->form = (int)draw(state, 3);
    c->flags = in[draw(state, 3)] | out[draw(state, 3)];
    c->flags |= c->form == 2 ? GASNET_COLL_SINGLE : GASNET_COLL_LOCAL;
    c->root = (gex_Rank_t)draw(state, 1000) % c->team->size;
    c->n = some_size(state, c->kind < OLD_REDUCE ? OLD_MOST : OLD_MOST / 8);
    c->block = 1 + draw(state, 20);
    c->offset = draw(state, 100);
    c->composes = draw(state, 2);
    c->inclusive = draw(state, 2);
    c->blocking = draw(state, 4) == 0;
    c->id = mix(seed + phase, (uint64_t)i + draw(state, 1000) * 16);
    c->is_done = false;
    fill_old(c);
  }
}

/* ---- begun, and over ------------------------------------------------------------------------- */

#define OLD_CALL(NAME, ...)                                                                        \
  (c->blocking ? (gasnet_coll_##NAME(__VA_ARGS__), GASNET_COLL_INVALID_HANDLE)                     \
               : gasnet_coll_##NAME##_nb(__VA_ARGS__))
static void begin_old(struct old *c) {
  const gasnet_team_handle_t team = c->team->handle;
  const bool I = c->team->me == c->root, list = c->form > 0;
  void *src = I ? c->src : NULL, *dst = I ? c->dst : NULL, *srcs[WORLD_PES], *dsts[WORLD_PES];
  for (gex_Rank_t r = 0; r < WORLD_PES; r++) srcs[r] = c->src, dsts[r] = c->dst;
  if (c->form == 2) src = c->src, dst = c->dst;
  if (!(c->flags & GASNET_COLL_IN_NOSYNC)) fill_old(c);
  const int scan = c->inclusive ? GASNET_COLL_INCLUSIVE_SCAN : GASNET_COLL_EXCLUSIVE_SCAN;
  const size_t n = c->n;
  switch (c->kind) {
  case OLD_BROADCAST:
    c->handle = list ? OLD_CALL(broadcastM, team, dsts, c->root, src, n, c->flags)
                     : OLD_CALL(broadcast, team, c->dst, c->root, src, n, c->flags);
    break;
  case OLD_SCATTER:
    c->handle = list ? OLD_CALL(scatterM, team, dsts, c->root, src, n, c->flags)
                     : OLD_CALL(scatter, team, c->dst, c->root, src, n, c->flags);
    break;
  case OLD_GATHER:
    c->handle = list ? OLD_CALL(gatherM, team, c->root, dst, srcs, n, c->flags)
                     : OLD_CALL(gather, team, c->root, dst, c->src, n, c->flags);
    break;
  case OLD_GATHER_ALL:
    c->handle = list ? OLD_CALL(gather_allM, team, dsts, srcs, n, c->flags)
                     : OLD_CALL(gather_all, team, c->dst, c->src, n, c->flags);
    break;
  case OLD_EXCHANGE:
    c->handle = list ? OLD_CALL(exchangeM, team, dsts, srcs, n, c->flags)
                     : OLD_CALL(exchange, team, c->dst, c->src, n, c->flags);
    break;
  case OLD_REDUCE:
    c->handle = list ? OLD_CALL(reduceM, team, c->root, dst, srcs, 0, 0, 8, n, c->composes,
                                OLD_ARG, c->flags)
                     : OLD_CALL(reduce, team, c->root, dst, c->src, 0, 0, 8, n, c->composes,
                                OLD_ARG, c->flags);
    break;
  default:
    c->handle = list ? OLD_CALL(scanM, team, dsts, c->block, c->offset, srcs, c->block, c->offset,
                                8, n, c->composes, OLD_ARG, c->flags | scan)
                     : OLD_CALL(scan, team, c->dst, c->block, c->offset, c->src, c->block,
                                c->offset, 8, n, c->composes, OLD_ARG, c->flags | scan);
  }
}

static void look_at_scan(const struct old *c) {
  uint64_t sum = 0, got;
  size_t at;
  for (size_t e = 0; e < c->n; e++) {
    const uint64_t before = sum;
    e ? old_join(c, &sum, old_value(c, 0, e)) : (void)(sum = old_value(c, 0, 0));
    if (old_owner(c, e, &at) != c->team->me || (!c->inclusive && e == 0)) continue;
    memcpy(&got, c->dst + at * 8, 8);
    CHECK_EQ(got, c->inclusive ? sum : before);
  }
}

static void look_at_old(struct old *c) {
  static char want[OLD_ROOM];
  const struct old_team *t = c->team;
  const size_t n = c->n, all = n * t->size;
  size_t got = 0;
  c->is_done = true;
  if (c->kind == OLD_SCAN) return look_at_scan(c);
  if (c->kind == OLD_REDUCE) {
    for (size_t i = 0; t->me == c->root && i < n; i++) {
      uint64_t sum = old_value(c, 0, i), found;
      for (gex_Rank_t r = 1; r < t->size; r++) old_join(c, &sum, old_value(c, r, i));
      memcpy(&found, c->dst + i * 8, 8);
      CHECK_EQ(found, sum);
    }
    if (t->me == c->root) CHECK_EQ(c->dst[n * 8], 0x33);
    return;
  }
  for (gex_Rank_t r = 0; r < t->size; r++) {
    static char from[OLD_ROOM];
    const bool rooted = c->kind == OLD_BROADCAST || c->kind == OLD_SCATTER;
    if (rooted && r != c->root) continue;
    if (c->kind == OLD_GATHER && t->me != c->root) continue;
    fill(from, all, old_seed(c, r));
    const size_t at = c->kind == OLD_SCATTER || c->kind == OLD_EXCHANGE ? n * t->me : 0;
    memcpy(want + got, from + at, n);
    got += n;
  }
  CHECK(memcmp(c->dst, want, got) == 0);
  CHECK_EQ(c->dst[got], 0x33);
}

/* All are begun. Those without synchronisation are looked at when all have synced. */
static void finish_olds(void) {
  gasnet_coll_handle_t handles[OLDS];
  for (int i = 0; i < OLDS; i++) handles[i] = olds[i].handle;
  const size_t how = chance(5);
  if (how == 0) gasnet_coll_wait_sync_all(handles, OLDS);
  if (how == 1)
    while (gasnet_coll_try_sync_all(handles, OLDS) != GASNET_OK) gasnet_AMPoll();
  for (bool left = how == 2 || how == 3; left;) {
    if (how == 2) gasnet_coll_wait_sync_some(handles, OLDS);
    if (how == 3 && gasnet_coll_try_sync_some(handles, OLDS) != GASNET_OK) gasnet_AMPoll();
    left = false;
    for (int i = 0; i < OLDS; i++) left |= handles[i] != GASNET_COLL_INVALID_HANDLE;
  }
  for (int i = OLDS; how == 4 && i-- > 0;) gasnet_coll_wait_sync(handles[i]);
  for (int i = 0; i < OLDS; i++) {
    if (olds[i].flags & GASNET_COLL_OUT_NOSYNC) continue;
    memset(olds[i].src, 0x55, OLD_ROOM);
    look_at_old(&olds[i]);
  }
}
static void check_olds(void) {
  for (int i = 0; i < OLDS; i++)
    if (!olds[i].is_done) look_at_old(&olds[i]);
}

#endif
