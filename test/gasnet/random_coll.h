/*
 * The random test: teams that are made anew in each phase, and collectives on them, several under
 * way at a time.
 */
#ifndef TEST_GASNET_RANDOM_COLL_H
#define TEST_GASNET_RANDOM_COLL_H

#include "gasnet/random_ad.h"
#include "gasnet/random_old.h"

/* ---- teams ----------------------------------------------------------------------------------- */

/* The members of mine: in the order of key, then of the parent's ranks. */
static void note_team(struct team *t, const struct team *parent, const int *key) {
  t->size = 0;
  for (gex_Rank_t i = 0; i < (t == parent ? world.n : parent->size); i++) {
    const gex_Rank_t r = t == parent ? i : parent->member[i];
    if (t->of[r] == t->of[world.me] && t->of[r] != NOBODY) {
      gex_Rank_t at = t->size++;
      for (; at > 0 && key[t->member[at - 1]] > key[r]; at--) t->member[at] = t->member[at - 1];
      t->member[at] = r;
    }
  }
  for (gex_Rank_t i = 0; i < t->size; i++)
    if (t->member[i] == world.me) t->me = i;
}

static void check_team(const struct team *t) {
  if (!t->tm) return;
  CHECK_EQ(gex_TM_QuerySize(t->tm), t->size);
  CHECK_EQ(gex_TM_QueryRank(t->tm), t->me);
  for (gex_Rank_t i = 0; i < t->size; i++) {
    CHECK_EQ(gex_TM_TranslateRankToJobrank(t->tm, i), t->member[i]);
    CHECK_EQ(gex_TM_TranslateJobrankToRank(t->tm, t->member[i]), i);
  }
}

/* Scratch memory is said by each for itself, by all for all, or once where it is the same. */
static gex_Flags_t say_scratch(const struct team *t, size_t how, gex_Addr_t *scratch) {
  bool same = true;
  scratch[0] = t->scratch;
  if (!t->scratch) return GEX_FLAG_TM_NO_SCRATCH;
  if (how == 0) return GEX_FLAG_TM_LOCAL_SCRATCH;
  for (gex_Rank_t i = 0; i < t->size; i++) {
    scratch[i] = world_of(t->member[i]) + (t->scratch - world_of(world.me));
    same = same && scratch[i] == scratch[0];
  }
  return how == 1 && same ? GEX_FLAG_TM_SYMMETRIC_SCRATCH : GEX_FLAG_TM_GLOBAL_SCRATCH;
}

static void create_team(struct team *t, gex_TM_t parent, bool jobranks, size_t how) {
  gex_EP_Location_t args[WORLD_PES];
  gex_Addr_t scratch[WORLD_PES];
  const bool in = t->of[world.me] != NOBODY;
  for (gex_Rank_t i = 0; in && i < t->size; i++)
    args[i] = (gex_EP_Location_t){
        jobranks ? t->member[i] : gex_TM_TranslateJobrankToRank(parent, t->member[i]), 0};
  gex_TM_Create(in ? &t->tm : NULL, in, parent, args, in ? t->size : 0, scratch, t->lent,
                say_scratch(t, how, scratch) | (jobranks ? GEX_FLAG_RANK_IS_JOBRANK : 0));
}

/* As much is always enough. */
static void check_scratch(void) {
  gex_TM_t none;
  const size_t n =
      gex_TM_Split(&none, world.tm, 0, 0, NULL, 0, GEX_FLAG_TM_SCRATCH_SIZE_RECOMMENDED);
  CHECK(n > 0 && n <= SCRATCH);
}

/* Team k is made of one before it, in which its members are all in the same. */
static void open_teams(uint64_t *state) {
  for (int k = 0; k < TEAMS; k++) {
    struct team *t = &teams[k];
    int key[WORLD_PES], parent = k ? (int)draw(state, (size_t)k) : 0;
    const size_t how = draw(state, 3), colors = 1 + draw(state, 3);
    for (gex_Rank_t r = 0; r < world.n; r++) {
      const int of = k ? teams[parent].of[r] : 0;
      const int color = k ? (int)draw(state, colors) : 0;
      t->of[r] = of == NOBODY || (k && draw(state, 8) == 0) ? NOBODY : of * 4 + color;
      key[r] = k ? (int)draw(state, 5) - 2 : 0;
    }
    note_team(t, &teams[parent], key);
    t->scratch = k && draw(state, 2) ? world_of(world.me) + SCRATCH_AT + (k - 1) * SCRATCH : NULL;
    t->lent = SCRATCH;
    if (t->scratch && draw(state, 3) == 0) { /* too little, and anywhere */
      t->scratch += draw(state, 100);
      t->lent = 1 + draw(state, 5000);
    }
    const size_t said = draw(state, 3);
    const gex_TM_t from = k ? teams[parent].tm : world.tm;
    const int mine = t->of[world.me];
    if (k == 0)
      t->tm = world.tm;
    else if (!from)
      t->tm = GEX_TM_INVALID;
    else if (t->tm = GEX_TM_INVALID, how == 0)
      create_team(t, from, draw(&(uint64_t){seed + phase}, 2), said);
    else
      gex_TM_Split(mine == NOBODY ? NULL : &t->tm, from, mine == NOBODY ? 0 : mine,
                   key[world.me], t->scratch, t->lent, t->scratch ? 0 : GEX_FLAG_TM_NO_SCRATCH);
    CHECK((t->tm != GEX_TM_INVALID) == (mine != NOBODY));
    check_team(t);
  }
}

static void close_teams(bool quiet) {
  for (int k = TEAMS; --k > 0;) {
    gex_Memvec_t scratch = {NULL, 0};
    if (!teams[k].tm) continue;
    const int lent = gex_TM_Destroy(teams[k].tm, &scratch, quiet ? GEX_FLAG_GLOBALLY_QUIESCED : 0);
    CHECK(!lent == !teams[k].scratch && scratch.gex_addr == teams[k].scratch);
    CHECK_EQ(scratch.gex_len, lent ? teams[k].lent : 0);
  }
}

/* ---- elements -------------------------------------------------------------------------------- */

/* The client's: three numbers; 2 x 2; a few bytes; many. */
enum { COLL_PAIR = AD_TYPES, COLL_MATRIX, COLL_BYTES, COLL_PAGES, COLL_TYPES, WIDEST = 9001 };
static const size_t widths[] = {4, 4, 8, 8, 4, 8, 12, 16, 7, WIDEST};
static const gex_DT_t dts[] = {GEX_DT_I32, GEX_DT_U32,  GEX_DT_I64,  GEX_DT_U64,  GEX_DT_FLT,
                               GEX_DT_DBL, GEX_DT_USER, GEX_DT_USER, GEX_DT_USER, GEX_DT_USER};

static void element(int type, void *to, uint64_t from) {
  const float f = (float)(from % 9);
  const double d = (double)(from % 1000);
  uint32_t words[4] = {(uint32_t)from, (uint32_t)(from >> 20), (uint32_t)(from >> 40), 3};
  if (type == COLL_PAGES)
    for (size_t i = 0; i < WIDEST; i++) ((unsigned char *)to)[i] = (unsigned char)(from + i);
  if (type == COLL_PAGES) return;
  memcpy(to, type == AD_FLT ? (const void *)&f : type == AD_DBL ? (const void *)&d : words,
         widths[type]);
}

/* y = x (+) y */
static void pair(const uint32_t *x, uint32_t *y) {
  y[0] += x[0];
  y[1] ^= x[1];
  if (x[2] > y[2]) y[2] = x[2];
}
static void matrix(const uint32_t *x, uint32_t *y) {
  const uint32_t r[] = {x[0] * y[0] + x[1] * y[2], x[0] * y[1] + x[1] * y[3],
                        x[2] * y[0] + x[3] * y[2], x[2] * y[1] + x[3] * y[3]};
  memcpy(y, r, sizeof r);
}
static void bytes(const unsigned char *x, unsigned char *y, size_t n) {
  for (size_t i = 0; i < n; i++) y[i] = (unsigned char)(y[i] + x[i]);
}
static void users(const void *left, void *right, size_t count, const void *cdata) {
  const bool matrices = cdata == &widths[COLL_MATRIX];
  if (cdata == &widths[COLL_BYTES] || cdata == &widths[COLL_PAGES])
    return bytes(left, right, count * *(const size_t *)cdata);
  for (size_t i = 0; i < count; i++)
    (matrices ? matrix : pair)((const uint32_t *)left + i * (matrices ? 4 : 3),
                               (uint32_t *)right + i * (matrices ? 4 : 3));
}

#define AD_COMBINE(N, T, KIND)                                                                     \
  if (type == AD_##N) {                                                                            \
    T a, b;                                                                                        \
    memcpy(&a, x, sizeof a);                                                                       \
    memcpy(&b, y, sizeof b);                                                                       \
    a = ad_expect_##N(op, a, b, b);                                                                \
    memcpy(y, &a, sizeof a);                                                                       \
  }
static void combine(int type, gex_OP_t op, const void *x, void *y) {
  WEFT_GEX_AD_TYPES(AD_COMBINE)
  if (type == COLL_PAIR) pair(x, y);
  if (type == COLL_MATRIX) matrix(x, y);
  if (type == COLL_BYTES || type == COLL_PAGES) bytes(x, y, widths[type]);
}

/* ---- operations ------------------------------------------------------------------------------ */

enum { COLLS = 10, COLL_MOST = 60000, COLL_LARGE = 900000 };
static struct coll {
  enum { BARRIER, BROADCAST, REDUCE_ONE, REDUCE_ALL } kind;
  const struct team *team;
  int type;
  gex_OP_t op;
  gex_Rank_t root;
  size_t count;
  bool in_place;
  gex_Event_t event;
  size_t most;
  char *src, *dst;
} colls[COLLS];
static int colls_begun;

static void plan_colls(uint64_t *state) {
  static const gex_OP_t ops[] = {GEX_OP_ADD, GEX_OP_MIN, GEX_OP_MAX, GEX_OP_AND,
                                 GEX_OP_OR,  GEX_OP_XOR, GEX_OP_MULT};
  colls_begun = 0;
  for (int i = 0; i < COLLS; i++) {
    struct coll *c = &colls[i];
    c->team = &teams[draw(state, TEAMS)];
    c->kind = draw(state, 4);
    c->type = (int)draw(state, COLL_TYPES);
    c->op = ops[draw(state, is_real(c->type) ? 3 : 7)];
    if (c->type == COLL_PAIR || c->type == COLL_BYTES || c->type == COLL_PAGES)
      c->op = GEX_OP_USER;
    if (c->type == COLL_MATRIX) c->op = GEX_OP_USER_NC;
    c->root = (gex_Rank_t)draw(state, 1000);
    c->most = i == 0 && draw(state, 3) == 0 ? COLL_LARGE : COLL_MOST;
    c->count = some_size(state, c->most / widths[c->type]);
    if (c->most == COLL_LARGE) c->count = c->most / widths[c->type] - draw(state, 5);
    if (!c->src) c->src = malloc(i ? COLL_MOST : COLL_LARGE);
    if (!c->dst) c->dst = malloc((i ? COLL_MOST : COLL_LARGE) + 8);
    c->in_place = draw(state, 4) == 0;
  }
}

static void *element_of(const struct coll *c, void *array, size_t i) {
  return (char *)array + i * widths[c->type];
}
static uint64_t value_of(const struct coll *c, gex_Rank_t rank, size_t i) {
  return mix(seed * 77 + phase, (uint64_t)(c - colls) << 40 | (uint64_t)rank << 32 | i);
}

static void begin_one(void) {
  struct coll *c = &colls[colls_begun++];
  const struct team *t = c->team;
  c->event = GEX_EVENT_INVALID;
  if (!t->tm) return;
  const gex_Rank_t root = c->root % t->size;
  const size_t width = widths[c->type];
  memset(c->dst, 0x33, c->most + 8);
  char *src = c->in_place && (c->kind == REDUCE_ALL || t->me == root) ? c->dst : c->src;
  for (size_t i = 0; i < c->count; i++)
    element(c->type, element_of(c, src, i), value_of(c, world.me, i));
  void *users_data = (void *)(uintptr_t)&widths[c->type];
  switch (c->kind) {
  case BARRIER: c->event = gex_Coll_BarrierNB(t->tm, 0); break;
  case BROADCAST:
    c->event = gex_Coll_BroadcastNB(t->tm, root, c->dst, t->me == root ? src : NULL,
                                    c->count * width, 0);
    break;
  case REDUCE_ONE:
    c->event = gex_Coll_ReduceToOneNB(t->tm, root, t->me == root ? c->dst : NULL, src, dts[c->type],
                                      width, c->count, c->op, users, users_data, 0);
    break;
  case REDUCE_ALL:
    c->event = gex_Coll_ReduceToAllNB(t->tm, c->dst, src, dts[c->type], width, c->count, c->op,
                                      users, users_data, 0);
    break;
  }
}

static void begin_coll(void) {
  begin_one();
  if (colls_begun <= OLDS) begin_old(&olds[colls_begun - 1]);
}

static void check_coll(struct coll *c) {
  const struct team *t = c->team;
  const size_t width = widths[c->type];
  static char want[WIDEST], more[WIDEST];
  if (!t->tm) return;
  const gex_Rank_t root = c->root % t->size;
  const bool gets = c->kind == BROADCAST || c->kind == REDUCE_ALL || t->me == root;
  for (size_t i = 0; c->kind != BARRIER && i < c->count && gets; i++) {
    const gex_Rank_t last = c->kind == BROADCAST ? root : t->size - 1;
    element(c->type, want, value_of(c, t->member[last], i));
    for (gex_Rank_t r = last; c->kind != BROADCAST && r-- > 0;) {
      element(c->type, more, value_of(c, t->member[r], i));
      combine(c->type, c->op, more, want);
    }
    CHECK(memcmp(element_of(c, c->dst, i), want, width) == 0);
  }
  if (c->kind != BARRIER && gets) CHECK_EQ(c->dst[c->count * width], 0x33);
}

/* The rest begins, and all end. */
static void finish_colls(void) {
  gex_Event_t events[COLLS];
  while (colls_begun < COLLS) begin_coll();
  for (int i = 0; i < COLLS; i++) events[i] = colls[i].event;
  if (chance(3) == 0)
    while (gex_Event_TestAll(events, COLLS, 0)) gasnet_AMPoll();
  else if (chance(2))
    gex_Event_WaitAll(events, COLLS, 0);
  else
    for (int i = COLLS; i-- > 0;) gex_Event_Wait(events[i]);
  for (int i = 0; i < COLLS; i++) check_coll(&colls[i]);
}

#endif
