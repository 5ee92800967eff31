/*
 * The random test: atomics. In a phase a word is one actor's, which may do everything and knows
 * what it fetches; or everybody's, for operations that commute.
 */
#ifndef TEST_GASNET_RANDOM_AD_H
#define TEST_GASNET_RANDOM_AD_H

#include "gasnet/ad.h"
#include "gasnet/random_rma.h"

#define AD_INDEX(N, T, KIND) AD_##N,
enum { WEFT_GEX_AD_TYPES(AD_INDEX) AD_TYPES };
enum { WORDS = 6, SUM = GEX_OP_ADD | GEX_OP_SUB | GEX_OP_INC | GEX_OP_DEC };
_Static_assert(AD_TYPES * WORDS * 8 <= REPLIES_AT - WORDS_AT, "fits");

static struct {
  gex_AD_t ad[AD_TYPES];  /* of everybody, made once */
  gex_AD_t now[AD_TYPES]; /* what this phase uses */
  const struct team *team[AD_TYPES];
  int owner[WORLD_PES][AD_TYPES][WORDS]; /* NOBODY: everybody */
  gex_OP_t ops[WORLD_PES][AD_TYPES][WORDS];
  uint64_t word[WORLD_PES][AD_TYPES][WORDS];
} atomics;

static inline bool is_real(int type) {
  return type == AD_FLT || type == AD_DBL;
}

/* An operand: small, where sums must be exact and products stay numbers. */
#define AD_OPERAND(N, T, KIND)                                                                     \
  static T operand_##N(const plan_t *p, uint32_t from) {                                           \
    if (is_real(AD_##N)) return (T)(from % 8) / (p->op == GEX_OP_MULT ? 4 : 1);                    \
    return (T)mix(from, from % 3 ? p->seed : 0);                                                   \
  }
WEFT_GEX_AD_TYPES(AD_OPERAND)

static inline gex_OP_t plain(gex_OP_t op) {
  return op >= GEX_OP_FAND && op != GEX_OP_GET ? GEX_OP_TO_NONFETCHING(op) : op;
}

static char *word_at(const plan_t *p) {
  return world_of(p->to) + WORDS_AT + (p->type * WORDS + p->word) * 8;
}

/* Roles of the words, and what is in them at the beginning. */
static void deal_words(uint64_t *state) {
  static const gex_OP_t sets[] = {SUM, GEX_OP_MIN, GEX_OP_MAX, GEX_OP_AND, GEX_OP_OR, GEX_OP_XOR};
  for (gex_Rank_t r = 0; r < world.n; r++)
    for (int t = 0; t < AD_TYPES; t++)
      for (int w = 0; w < WORDS; w++) {
        atomics.owner[r][t][w] = w < 3 ? (int)draw(state, world.n * threads) : NOBODY;
        atomics.ops[r][t][w] = sets[draw(state, is_real(t) ? 3 : 6)];
        uint64_t value = mix(draw(state, 1000), w);
        const float f = (float)(value % 16);
        const double d = (double)(value % 16);
        if (is_real(t)) memcpy(&value, t == AD_FLT ? (const void *)&f : &d, t == AD_FLT ? 4 : 8);
        atomics.word[r][t][w] = value;
        if (r == world.me) memcpy(word_at(&(plan_t){.to = r, .type = t, .word = w}), &value, 8);
      }
}

/* Some domains are of this phase's teams. */
static void open_domains(uint64_t *state) {
  static const gex_DT_t dt[] = {GEX_DT_I32, GEX_DT_U32, GEX_DT_I64,
                                GEX_DT_U64, GEX_DT_FLT, GEX_DT_DBL};
  for (int t = 0; t < AD_TYPES; t++) {
    const size_t which = draw(state, TEAMS);
    const gex_OP_t ops = is_real(t) ? AD_ALL(REAL) : AD_ALL(INT);
    if (!atomics.ad[t]) gex_AD_Create(&atomics.ad[t], world.tm, dt[t], ops, 0);
    atomics.team[t] = &teams[which];
    atomics.now[t] = which ? GEX_AD_INVALID : atomics.ad[t];
    if (which && teams[which].tm)
      gex_AD_Create(&atomics.now[t], teams[which].tm, dt[t], ops, GEX_FLAG_AD_FAVOR_REMOTE);
  }
}

static void close_domains(void) {
  for (int t = 0; t < AD_TYPES; t++)
    if (atomics.now[t] && atomics.now[t] != atomics.ad[t]) gex_AD_Destroy(atomics.now[t]);
}

static void plan_atomic(plan_t *p, uint64_t *state, int actor) {
  p->to = (gex_Rank_t)draw(state, world.n);
  p->type = (int)draw(state, AD_TYPES);
  p->word = (int)draw(state, WORDS);
  p->a = world_random(state);
  p->b = world_random(state);
  const int *of = atomics.team[p->type]->of, owner = atomics.owner[p->to][p->type][p->word];
  const bool others = owner != NOBODY && owner != actor;
  const bool may_reach = of[p->to] == of[rank_of(actor)] && of[p->to] != NOBODY;
  gex_OP_t ops = atomics.ops[p->to][p->type][p->word];
  if (owner == actor) ops = is_real(p->type) ? AD_REAL | GEX_OP_GET : AD_INT | GEX_OP_GET;
  size_t which = draw(state, (size_t)__builtin_popcount(ops));
  while (which--) ops &= ops - 1;
  p->op = ops & -ops;
  if (p->op != GEX_OP_GET && draw(state, 2)) p->op = GEX_OP_TO_FETCHING(p->op);
  if (others || !may_reach) p->kind = NOTHING;
}

/* An operation that the compiler knows goes another way. */
#define AD_KNOWN(N, op)                                                                            \
  case op: return gex_AD_OpNB_##N(ad, result, rank, word, op, a, b, flags);
#define AD_KNOWN_PAIR(N, name) AD_KNOWN(N, GEX_OP_##name) AD_KNOWN(N, GEX_OP_F##name)
#define AD_KNOWN_REAL(N)                                                                           \
  AD_KNOWN_PAIR(N, ADD)                                                                            \
  AD_KNOWN_PAIR(N, SUB) AD_KNOWN_PAIR(N, MULT) AD_KNOWN_PAIR(N, MIN) AD_KNOWN_PAIR(N, MAX)         \
  AD_KNOWN_PAIR(N, INC) AD_KNOWN_PAIR(N, DEC) AD_KNOWN_PAIR(N, CAS) AD_KNOWN(N, GEX_OP_SET)        \
  AD_KNOWN(N, GEX_OP_SWAP) AD_KNOWN(N, GEX_OP_GET)
#define AD_KNOWN_INT(N)                                                                            \
  AD_KNOWN_REAL(N) AD_KNOWN_PAIR(N, AND) AD_KNOWN_PAIR(N, OR) AD_KNOWN_PAIR(N, XOR)
#define AD_BY_NAME(N, T, KIND)                                                                     \
  static gex_Event_t known_##N(gex_AD_t ad, T *result, gex_Rank_t rank, void *word, gex_OP_t op,   \
                               T a, T b, gex_Flags_t flags) {                                      \
    switch (op) { AD_KNOWN_##KIND(N) }                                                             \
    CHECK(!"an operation");                                                                        \
    return GEX_EVENT_INVALID;                                                                      \
  }
WEFT_GEX_AD_TYPES(AD_BY_NAME)

/* One type's: the call, and what it does to the model. */
#define AD_TYPED(N, T, KIND)                                                                       \
  static void perform_##N(slot_t *s, gex_AD_t ad, gex_Rank_t rank, gex_Flags_t more) {             \
    const plan_t *p = &s->plan;                                                                    \
    const T a = operand_##N(p, p->a), b = operand_##N(p, p->b);                                    \
    T *result = p->op >= GEX_OP_FAND ? (T *)(void *)local(s) : NULL;                               \
    gex_Event_t event = GEX_EVENT_INVALID;                                                         \
    if (chance(3) == 0) {                                                                          \
      INSISTING((event = known_##N(ad, result, rank, word_at(p), p->op, a, b, flags | more)) !=    \
                GEX_EVENT_NO_OP);                                                                  \
      is_event(s, event);                                                                          \
    } else if (chance(2)) {                                                                        \
      INSISTING((event = gex_AD_OpNB_##N(ad, result, rank, word_at(p), p->op, a, b,                \
                                         flags | more)) != GEX_EVENT_NO_OP);                       \
      is_event(s, event);                                                                          \
    } else {                                                                                       \
      INSISTING(!gex_AD_OpNBI_##N(ad, result, rank, word_at(p), p->op, a, b, flags | more));       \
      is_implicit(s, ad_category(p->op));                                                          \
    }                                                                                              \
  }                                                                                                \
  static void model_##N(const plan_t *p, uint64_t *word) {                                         \
    T x, a = operand_##N(p, p->a), b = operand_##N(p, p->b);                                       \
    memcpy(&x, word, sizeof x);                                                                    \
    if (p->op != GEX_OP_GET) x = ad_expect_##N(plain(p->op), x, a, b);                             \
    memcpy(word, &x, sizeof x);                                                                    \
  }
WEFT_GEX_AD_TYPES(AD_TYPED)

/* What may be said of where the target is. */
static gex_Flags_t locality(gex_Rank_t to) {
  gex_RankInfo_t *near;
  gex_Rank_t n;
  gex_System_QueryNbrhdInfo(&near, &n, NULL);
  if (to == world.me && chance(2)) return GEX_FLAG_AD_MY_RANK;
  for (gex_Rank_t i = 0; i < n; i++)
    if (near[i].gex_jobrank == to && chance(2)) return GEX_FLAG_AD_MY_NBRHD;
  return 0;
}

static void perform_atomic(slot_t *s) {
  const plan_t *p = &s->plan;
  const gex_AD_t ad = atomics.now[p->type];
  gex_Flags_t flags = (chance(2) ? GEX_FLAG_AD_ACQ : 0) | (chance(2) ? GEX_FLAG_AD_REL : 0) |
                      locality(p->to);
  gex_Rank_t rank = gex_TM_TranslateJobrankToRank(gex_AD_QueryTM(ad), p->to);
  if (chance(3) == 0) {
    rank = p->to;
    flags |= GEX_FLAG_RANK_IS_JOBRANK;
  }
  if (atomics.owner[p->to][p->type][p->word] != NOBODY)
    memcpy(s->want, &atomics.word[p->to][p->type][p->word], 8);
#define AD_CASE(N, T, KIND)                                                                        \
  case AD_##N: perform_##N(s, ad, rank, flags); break;
  switch (p->type) { WEFT_GEX_AD_TYPES(AD_CASE) }
#undef AD_CASE
}

static void model_atomic(const plan_t *p) {
  uint64_t *word = &atomics.word[p->to][p->type][p->word];
#define AD_CASE(N, T, KIND)                                                                        \
  case AD_##N: model_##N(p, word); break;
  switch (p->type) { WEFT_GEX_AD_TYPES(AD_CASE) }
#undef AD_CASE
}

static void look_at_word(slot_t *s) {
  const plan_t *p = &s->plan;
  if (p->kind != ATOMIC || p->op < GEX_OP_FAND) return;
  if (atomics.owner[p->to][p->type][p->word] == NOBODY) return;
  const size_t n = p->type == AD_I32 || p->type == AD_U32 || p->type == AD_FLT ? 4 : 8;
  CHECK(memcmp(local(s), s->want, n) == 0);
}

static void check_words(void) {
  for (int t = 0; t < AD_TYPES; t++)
    for (int w = 0; w < WORDS; w++) {
      uint64_t got;
      memcpy(&got, word_at(&(plan_t){.to = world.me, .type = t, .word = w}), 8);
      CHECK_EQ(got, atomics.word[world.me][t][w]);
    }
}

#endif
