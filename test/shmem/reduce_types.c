/*
 * Traps 8 and 18: every typed reduction and scan, also in place; unsigned maxima of numbers with
 * the top bit set; the active-set forms.
 */
#include <shmem.h>

#include "check.h"

/* clang-format off: it takes the lists of macros for declarations */

enum { ELEMS = 3 };
static int me, n;
static long psync[SHMEM_SYNC_SIZE];
static long double work[ELEMS * 2];

#define DATA(FN, N, T) static T N##_dest[ELEMS], N##_source[ELEMS];
WEFT_TYPES_SUM(DATA, )

/* A function per type: one large main would take minutes to compile. */
#define APART static __attribute__((noinline)) void
#define RUN(F, N, T) F##_##N();

/* PE p's element i, and the reduction of all PEs' in C. */
#define VALUE(T, p, i) ((T)((p) + (i) + 1))
#define REDUCE(N, T, op, C, CALL)                                                                  \
  for (int inplace = 0; inplace < 2; inplace++) {                                                  \
    T *const dest = inplace ? N##_source : N##_dest;                                               \
    for (int i = 0; i < ELEMS; i++) N##_source[i] = VALUE(T, me, i);                               \
    shmem_barrier_all();                                                                           \
    CALL;                                                                                          \
    for (int i = 0; i < ELEMS; i++) {                                                              \
      T all = VALUE(T, 0, i);                                                                      \
      for (int p = 1; p < n; p++) {                                                                \
        const T b = VALUE(T, p, i);                                                                \
        all = (T)(C);                                                                              \
      }                                                                                            \
      CHECK(dest[i] == all);                                                                       \
    }                                                                                              \
    shmem_barrier_all();                                                                           \
  }
#define TEAM(N, T, op, C)                                                                          \
  REDUCE(N, T, op, C,                                                                              \
         CHECK_EQ(shmem_##N##_##op##_reduce(SHMEM_TEAM_WORLD, dest, N##_source, ELEMS), 0))
#define SET(N, T, op, C)                                                                           \
  REDUCE(N, T, op, C,                                                                              \
         shmem_##N##_##op##_to_all(dest, N##_source, ELEMS, 0, 0, n, (void *)work, psync))

#define BITS(FN, N, T)                                                                             \
  APART FN##_bits_##N(void) {                                                                      \
    FN(N, T, and, all &b) FN(N, T, or, all | b) FN(N, T, xor, all ^ b)                             \
  }
#define MAX(FN, N, T)                                                                              \
  APART FN##_max_##N(void) {                                                                       \
    FN(N, T, max, all > b ? all : b) FN(N, T, min, all < b ? all : b)                              \
  }
#define SUM(FN, N, T)                                                                              \
  APART FN##_sum_##N(void) {                                                                       \
    FN(N, T, sum, all + b) FN(N, T, prod, all *b)                                                  \
  }

#define SCAN(FN, N, T)                                                                             \
  APART scan_##N(void) {                                                                           \
    for (int i = 0; i < ELEMS; i++) N##_source[i] = VALUE(T, me, i);                               \
    CHECK_EQ(shmem_##N##_sum_inscan(SHMEM_TEAM_WORLD, N##_dest, N##_source, ELEMS), 0);            \
    CHECK_EQ(shmem_##N##_sum_exscan(SHMEM_TEAM_WORLD, N##_source, N##_source, ELEMS), 0);          \
    for (int i = 0; i < ELEMS; i++) {                                                              \
      T before = 0;                                                                                \
      for (int p = 0; p < me; p++) before = (T)(before + VALUE(T, p, i));                          \
      CHECK(N##_source[i] == before);                                                              \
      CHECK(N##_dest[i] == (T)(before + VALUE(T, me, i)));                                         \
    }                                                                                              \
  }
WEFT_TYPES_SUM(SCAN, )

/* The largest number of the type is PE 0's, 1 is the others'. */
#define TOP(FN, N, T)                                                                              \
  N##_source[0] = me == 0 ? (T)-1 : 1;                                                             \
  CHECK_EQ(shmem_##N##_max_reduce(SHMEM_TEAM_WORLD, N##_dest, N##_source, 1), 0);                  \
  CHECK_EQ(shmem_##N##_min_reduce(SHMEM_TEAM_WORLD, N##_dest + 1, N##_source, 1), 0);              \
  CHECK(N##_dest[0] == ((T)-1 > 0 || n == 1 ? (T)-1 : 1));                                         \
  CHECK(N##_dest[1] == ((T)-1 > 0 && n > 1 ? 1 : (T)-1));

WEFT_TYPES_BITS(BITS, TEAM)
WEFT_TYPES_RMA(MAX, TEAM)
WEFT_TYPES_SUM(SUM, TEAM)
WEFT_TYPES_OLD_BITS(BITS, SET)
WEFT_TYPES_OLD_MAX(MAX, SET)
WEFT_TYPES_OLD_SUM(SUM, SET)

int main(void) {
  shmem_init();
  me = shmem_my_pe();
  n = shmem_n_pes();
  WEFT_TYPES_BITS(RUN, TEAM_bits)
  WEFT_TYPES_RMA(RUN, TEAM_max)
  WEFT_TYPES_SUM(RUN, TEAM_sum)
  WEFT_TYPES_SUM(RUN, scan)
  WEFT_TYPES_OLD_BITS(RUN, SET_bits)
  WEFT_TYPES_OLD_MAX(RUN, SET_max)
  WEFT_TYPES_OLD_SUM(RUN, SET_sum)
  WEFT_TYPES_AMO(TOP, )
  WEFT_TYPES_SMALL(TOP, )
  shmem_finalize();
  return 0;
}
