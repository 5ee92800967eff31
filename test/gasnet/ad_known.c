/*
 * As ad_types, with operations that the compiler knows, so that the inline path does them, and on
 * the library's symbols, which programs of other languages call.
 */
#include "gasnet/ad.h"

#define EVERY(DO, N) EVERY_REAL(DO, N) DO(N, GEX_OP_AND) DO(N, GEX_OP_OR) DO(N, GEX_OP_XOR)
#define EVERY_INT EVERY
#define EVERY_REAL(DO, N)                                                                          \
  DO(N, GEX_OP_ADD)                                                                                \
  DO(N, GEX_OP_SUB)                                                                                \
  DO(N, GEX_OP_MULT)                                                                               \
  DO(N, GEX_OP_MIN)                                                                                \
  DO(N, GEX_OP_MAX)                                                                                \
  DO(N, GEX_OP_INC)                                                                                \
  DO(N, GEX_OP_DEC)                                                                                \
  DO(N, GEX_OP_SET)                                                                                \
  DO(N, GEX_OP_CAS)

#define ONE(N, OP) AD_CHECK(N, OP, old, a, b)
#define SYMBOL(N, OP)                                                                              \
  gex_NBI_Wait(nbi(ad, NULL, to, target, GEX_OP_SET, old, 0, 0) ? GEX_EC_ALL : GEX_EC_PUT, 0);     \
  gex_Event_Wait(nb(ad, &got, to, target, GEX_OP_TO_FETCHING(OP), a, b, 0));                       \
  CHECK(got == old);                                                                               \
  gex_Event_Wait(                                                                                  \
      nb(ad, &got, to, target, GEX_OP_GET, 0, 0, GEX_FLAG_AD_MY_NBRHD *(to == world.me)));         \
  CHECK(got == ad_expect_##N(OP, old, a, b));

#define TYPE(N, T, KIND)                                                                           \
  static void test_##N(gex_Rank_t to) {                                                            \
    T *target = (T *)(void *)world_of(to) + world.me, got = 0;                                     \
    gex_Event_t(*volatile nb) WEFT_GEX_AD_PARAMS(T) = gex_AD_OpNB_##N;                             \
    int(*volatile nbi) WEFT_GEX_AD_PARAMS(T) = gex_AD_OpNBI_##N;                                   \
    gex_AD_t ad;                                                                                   \
    gex_AD_Create(&ad, world.tm, GEX_DT_##N, AD_ALL(KIND), GEX_FLAG_AD_FAVOR_MY_NBRHD);            \
    for (int i = 0; i < 4; i++) {                                                                  \
      const T old = AD_VALUE_##KIND(T), b = AD_VALUE_##KIND(T);                                    \
      const T a = i % 2 ? old : AD_VALUE_##KIND(T);                                                \
      EVERY_##KIND(ONE, N) EVERY_##KIND(SYMBOL, N)                                                 \
    }                                                                                              \
    gex_AD_Destroy(ad);                                                                            \
  }
WEFT_GEX_AD_TYPES(TYPE)

int main(void) {
  world_open();
  for (gex_Rank_t i = 0; i < world.n; i++) {
    const gex_Rank_t to = (world.me + i) % world.n;
    ad_seed = world.me * 1000 + i;
#define RUN(N, T, KIND)                                                                            \
  test_##N(to);                                                                                    \
  world_barrier();
    WEFT_GEX_AD_TYPES(RUN)
  }
  world_close();
  return 0;
}
