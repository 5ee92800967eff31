/* Reductions of every built-in type with every operation, to one and to all. */
#define GASNET_SEQ
#include <gasnetex.h>
#include <gasnet_coll.h>

#include "team.h"

enum { COUNT = 37 };

#define ADD(a, b) ((a) + (b))
#define MULT(a, b) ((a) * (b))
#define MIN_(a, b) ((a) < (b) ? (a) : (b))
#define MAX_(a, b) ((a) > (b) ? (a) : (b))
#define AND(a, b) ((a) & (b))
#define OR(a, b) ((a) | (b))
#define XOR(a, b) ((a) ^ (b))

/* Powers of two and their negatives: every sum and product is exact, whatever the order. */
#define VALUE(T, rank, i) ((T)(((i) % 2 ? -1 : 1) * (1 << ((rank) + (i) / 2) % 3)))
#define TEST(D, T, OP, F)                                                                          \
  do {                                                                                             \
    T in[COUNT], out[COUNT], want;                                                                 \
    for (int to_all = 0; to_all < 2; to_all++) {                                                   \
      for (int i = 0; i < COUNT; i++) in[i] = VALUE(T, me, i), out[i] = 0;                         \
      gex_Event_Wait(to_all                                                                        \
                         ? gex_Coll_ReduceToAllNB(all, out, in, GEX_DT_##D, sizeof(T), COUNT,      \
                                                  GEX_OP_##OP, NULL, NULL, 0)                      \
                         : gex_Coll_ReduceToOneNB(all, size - 1, out, in, GEX_DT_##D, sizeof(T),   \
                                                  COUNT, GEX_OP_##OP, NULL, NULL, 0));             \
      for (int i = 0; i < COUNT && (to_all || me == size - 1); i++) {                              \
        want = VALUE(T, 0, i);                                                                     \
        for (gex_Rank_t r = 1; r < size; r++) want = (T)F(want, VALUE(T, r, i));                   \
        CHECK(out[i] == want);                                                                     \
      }                                                                                            \
    }                                                                                              \
  } while (0)
#define TEST_ANY(D, T)                                                                             \
  TEST(D, T, ADD, ADD);                                                                            \
  TEST(D, T, MULT, MULT);                                                                          \
  TEST(D, T, MIN, MIN_);                                                                           \
  TEST(D, T, MAX, MAX_)
#define TEST_BITS(D, T)                                                                            \
  TEST_ANY(D, T);                                                                                  \
  TEST(D, T, AND, AND);                                                                            \
  TEST(D, T, OR, OR);                                                                              \
  TEST(D, T, XOR, XOR)

/* The same bits on all members, where the order of a sum matters. */
static void same_bits(void) {
  double in[COUNT], out[COUNT], from_0[COUNT];
  for (int i = 0; i < COUNT; i++) in[i] = 1.0 / (me + 3.7 * i + 1) * (i % 2 ? 1e9 : 1e-9);
  gex_Event_Wait(
      gex_Coll_ReduceToAllNB(all, out, in, GEX_DT_DBL, 8, COUNT, GEX_OP_ADD, NULL, NULL, 0));
  gex_Event_Wait(gex_Coll_BroadcastNB(all, 0, from_0, out, sizeof out, 0));
  CHECK(memcmp(out, from_0, sizeof out) == 0);
}

int main(int argc, char **argv) {
  start(&argc, &argv);
  TEST_BITS(I32, int32_t);
  TEST_BITS(U32, uint32_t);
  TEST_BITS(I64, int64_t);
  TEST_BITS(U64, uint64_t);
  TEST_ANY(FLT, float);
  TEST_ANY(DBL, double);
  same_bits();
  gasnet_exit(0);
}
