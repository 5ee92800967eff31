/*
 * Every operation of remote atomics for every type, on oneself and every other PE, against the
 * formulas of the specification. The compiler does not know which operation it is. The words beside
 * the target stay as they are.
 */
#include "gasnet/ad.h"

enum { ROUNDS = 3 };

#define TYPE(N, T, KIND)                                                                           \
  static void neighbours_##N(gex_AD_t ad, gex_Rank_t to, T *target, gex_OP_t op) {                 \
    for (int side = -1; side <= 1; side += 2) {                                                    \
      T got = (T)(7 + side);                                                                       \
      target += side;                                                                              \
      AD_DO(N, &got, op, got, 0);                                                                  \
      CHECK(got == (T)(7 + side));                                                                 \
      target -= side;                                                                              \
    }                                                                                              \
  }                                                                                                \
  static void test_##N(gex_Rank_t to) {                                                            \
    T *target = (T *)(void *)world_of(to) + 3 * world.me + 1, got = 0;                             \
    gex_AD_t ad;                                                                                   \
    gex_AD_Create(&ad, world.tm, GEX_DT_##N, AD_ALL(KIND), 0);                                     \
    neighbours_##N(ad, to, target, GEX_OP_SET);                                                    \
    for (gex_OP_t left = AD_##KIND; left; left &= left - 1) {                                      \
      const gex_OP_t op = left & -left;                                                            \
      for (int i = 0; i < ROUNDS; i++) {                                                           \
        const T old = AD_VALUE_##KIND(T), b = AD_VALUE_##KIND(T);                                  \
        const T a = op == GEX_OP_CAS && i % 2 ? old : AD_VALUE_##KIND(T);                          \
        AD_CHECK(N, op, old, a, b)                                                                 \
      }                                                                                            \
      neighbours_##N(ad, to, target, GEX_OP_GET);                                                  \
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
