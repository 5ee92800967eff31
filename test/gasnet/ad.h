/*
 * What the tests of remote atomics share: the formulas of the specification, and one operation done
 * in any of the ways there are. They need `ad`, `to` and `target` where they are used.
 */
#ifndef TEST_GASNET_AD_H
#define TEST_GASNET_AD_H

#include "gasnet/world.h"

static __attribute__((unused)) uint64_t ad_seed;

static inline gex_EC_t ad_category(gex_OP_t op) {
  return op == GEX_OP_SET ? GEX_EC_PUT : op == GEX_OP_GET ? GEX_EC_GET : GEX_EC_RMW;
}

enum {
  AD_REAL = GEX_OP_ADD | GEX_OP_SUB | GEX_OP_MULT | GEX_OP_MIN | GEX_OP_MAX | GEX_OP_INC |
            GEX_OP_DEC | GEX_OP_SET | GEX_OP_CAS,
  AD_INT = AD_REAL | GEX_OP_AND | GEX_OP_OR | GEX_OP_XOR
};
#define AD_ALL(KIND) (gex_OP_t)(AD_##KIND | GEX_OP_TO_FETCHING(AD_##KIND) | GEX_OP_GET)

#define AD_BITS_INT(op, x, a, rest)                                                                \
  (op == GEX_OP_AND ? (x & a) : op == GEX_OP_OR ? (x | a) : op == GEX_OP_XOR ? (x ^ a) : rest)
#define AD_BITS_REAL(op, x, a, rest) rest
#define AD_VALUE_INT(T)                                                                            \
  ((T)((T)(world_random(&ad_seed) * 2654435761u) >> world_random(&ad_seed) % 24))
#define AD_VALUE_REAL(T) ((T)((int)(world_random(&ad_seed) % 4001) - 2000) / 8)

/* What a word holds afterwards; signed overflow wraps, as it does in the processor. */
#define AD_EXPECT(N, T, KIND)                                                                      \
  __attribute__((no_sanitize("signed-integer-overflow"), unused)) static T ad_expect_##N(          \
      gex_OP_t op, T x, T a, T b) {                                                                \
    return op == GEX_OP_SUB    ? (T)(x - a)                                                        \
           : op == GEX_OP_MULT ? (T)(x * a)                                                        \
           : op == GEX_OP_MIN  ? (x < a ? x : a)                                                   \
           : op == GEX_OP_MAX  ? (x > a ? x : a)                                                   \
           : op == GEX_OP_INC  ? (T)(x + 1)                                                        \
           : op == GEX_OP_DEC  ? (T)(x - 1)                                                        \
           : op == GEX_OP_SET  ? a                                                                 \
           : op == GEX_OP_CAS  ? (x == a ? b : x)                                                  \
                               : AD_BITS_##KIND(op, x, a, (T)(x + a));                             \
  }
WEFT_GEX_AD_TYPES(AD_EXPECT)

/* With an event or without, immediate or not, with fences or not: by chance. */
#define AD_DO(N, result, op, a, b)                                                                 \
  do {                                                                                             \
    const unsigned way = world_random(&ad_seed);                                                   \
    gex_Flags_t flags = (way & 1 ? GEX_FLAG_IMMEDIATE : 0) | (way & 2 ? GEX_FLAG_AD_ACQ : 0) |     \
                        (way & 4 ? GEX_FLAG_AD_REL : 0) |                                          \
                        (way & 8 ? GEX_FLAG_RANK_IS_JOBRANK : 0);                                  \
    if (way & 16) {                                                                                \
      gex_Event_t e;                                                                               \
      while ((e = gex_AD_OpNB_##N(ad, result, to, target, op, a, b, flags)) == GEX_EVENT_NO_OP)    \
        flags &= ~GEX_FLAG_IMMEDIATE;                                                              \
      gex_Event_Wait(e);                                                                           \
    } else {                                                                                       \
      while (gex_AD_OpNBI_##N(ad, result, to, target, op, a, b, flags))                            \
        flags &= ~GEX_FLAG_IMMEDIATE;                                                              \
      gex_NBI_Wait(ad_category(op), 0);                                                            \
    }                                                                                              \
  } while (0)

/* From `old`: the fetching form, then the other; both must do what the formula says. */
#define AD_CHECK(N, op, old, a, b)                                                                 \
  AD_DO(N, NULL, GEX_OP_SET, old, 0);                                                              \
  AD_DO(N, &got, GEX_OP_TO_FETCHING(op), a, b);                                                    \
  CHECK(got == old);                                                                               \
  AD_DO(N, NULL, op, a, b);                                                                        \
  AD_DO(N, &got, GEX_OP_GET, 0, 0);                                                                \
  CHECK(got == ad_expect_##N(op, ad_expect_##N(op, old, a, b), a, b));

#endif
