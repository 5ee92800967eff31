/*
 * Traps 16 and 17: the type-generic macros take const, volatile and array arguments and a leading
 * context, tell int32_t from int by nothing, and share names with functions (shmem_sync,
 * shmem_wait_until). This must compile without a warning.
 */
#include <shmem.h>

#include "check.h"

static int ints[4] = {1, 2, 3, 4}, to[4];
static const double array[3] = {1, 2, 3}; /* may be a source here, not on another PE */
static double numbers[3] = {1, 2, 3};
static const double *const constants = numbers;
static double reals[3];
static volatile long flag;
static int three = 3;
#define cv (*(const volatile int *)&three)
static long double wide = 1;
static unsigned char bytes[8] = {1, 2, 3, 4};
static float real = 1.5f;
static size_t size = 5;
static int64_t i64 = 6;
static uint32_t u32[2] = {7, 7};
static ptrdiff_t distance = 8;
static char text[4];
static int8_t small = 9, copy;
static uint64_t signals[2];
static long psync[SHMEM_SYNC_SIZE];
static double _Complex complexes[2];

static void rma(shmem_ctx_t c, int me) {
  int *const p = to;
  shmem_put(to, ints, 4, me);
  shmem_put(c, p, ints + 1, 1, me);
  shmem_put(&to[1], &cv, 1, me);
  CHECK(to[0] == 2 && to[1] == 3 && to[3] == 4);
  shmem_put(reals, array, 3, me);
  CHECK(reals[2] == 3);
  shmem_get(reals, constants, 3, me);
  shmem_get(c, reals, &constants[2], 1, me);
  CHECK(reals[0] == 3 && reals[1] == 2);
  shmem_p(&flag, 3, me);
  shmem_p(c, &flag, shmem_g(&flag, me) + shmem_g(c, &cv, me), me);
  CHECK_EQ(flag, 6);
  shmem_p(&wide, shmem_g(&wide, me) + 1, me);
  CHECK(wide == 2 && shmem_g(constants, me) == 1);
  shmem_put_nbi(text, "abc", 4, me);
  shmem_get_nbi(c, &copy, &small, 1, me);
  shmem_quiet();
  CHECK_STR(text, "abc");
  CHECK_EQ(copy, 9);
  shmem_iput(bytes + 4, bytes, 2, 1, 2, me);
  shmem_iget(c, bytes + 5, bytes, 2, 1, 2, me);
  CHECK(bytes[4] == 1 && bytes[5] == 1 && bytes[6] == 2 && bytes[7] == 2);
  shmem_ibput(bytes + 4, bytes, 2, 2, 2, 2, me);
  shmem_ibget(c, to, ints, 2, 2, 2, 2, me);
  CHECK(bytes[7] == 4 && to[3] == 4);
}

static void amo(shmem_ctx_t c, int me) {
  CHECK(shmem_atomic_fetch(&cv, me) == 3 && shmem_atomic_fetch(c, &real, me) == 1.5f);
  shmem_atomic_set(&real, 2, me);
  CHECK(shmem_atomic_swap(c, &real, 3, me) == 2);
  CHECK_EQ(shmem_atomic_compare_swap(ints, 1, 5, me), 1);
  CHECK_EQ(shmem_atomic_fetch_inc(&size, me), 5);
  shmem_atomic_inc(c, &distance, me);
  CHECK_EQ(shmem_atomic_fetch_add(c, &flag, 4, me), 6);
  shmem_atomic_add(&i64, 1, me);
  CHECK_EQ(shmem_atomic_fetch_and(u32, 6, me), 7);
  shmem_atomic_or(c, u32, 8, me);
  shmem_atomic_xor(&i64, 1, me);
  CHECK(distance == 9 && i64 == 6 && u32[0] == 14);
  shmem_atomic_fetch_nbi(&real, &real, me);
  shmem_atomic_swap_nbi(c, reals, reals + 1, 9, me);
  shmem_atomic_compare_swap_nbi(to, ints, 5, 1, me);
  shmem_atomic_fetch_inc_nbi(c, to + 1, ints, me);
  shmem_atomic_fetch_xor_nbi(u32 + 1, u32, 2, me);
  shmem_quiet();
  CHECK(reals[0] == 2 && to[0] == 5 && to[1] == 1 && u32[1] == 14 && u32[0] == 12);
  CHECK(shmem_finc(ints, me) == 2 && shmem_fadd(ints, 2, me) == 3 &&
        shmem_cswap(ints, 5, 1, me) == 5);
  shmem_inc(ints, me), shmem_add(ints, 1, me), shmem_set(&real, 4, me);
  CHECK(shmem_fetch(ints, me) == 3 && shmem_swap(&real, 5, me) == 4);
}

int main(void) {
  shmem_init();
  const int me = shmem_my_pe(), n = shmem_n_pes();
  rma(SHMEM_CTX_DEFAULT, me);
  amo(SHMEM_CTX_DEFAULT, me);
  shmem_put_signal(to, ints, 1, signals, 1, SHMEM_SIGNAL_ADD, me);
  shmem_put_signal_nbi(SHMEM_CTX_DEFAULT, to, ints, 1, signals, 1, SHMEM_SIGNAL_ADD, me);
  shmem_signal_add(signals, 1, me), shmem_signal_add(SHMEM_CTX_DEFAULT, signals, 1, me);
  shmem_signal_set(signals + 1, 1, me), shmem_signal_set(SHMEM_CTX_DEFAULT, signals + 1, 2, me);
  CHECK(signals[0] == 4 && signals[1] == 2);
  shmem_sync(0, 0, n, psync);
  CHECK_EQ(shmem_sync(SHMEM_TEAM_WORLD), 0);
  shmem_wait_until(&flag, SHMEM_CMP_GE, 10), (shmem_wait_until)((long *)&flag, SHMEM_CMP_EQ, 10);
  CHECK(shmem_test(&flag, SHMEM_CMP_EQ, 10) && shmem_test_any(ints, 1, NULL, SHMEM_CMP_EQ, 3) == 0);
  CHECK_EQ(shmem_broadcast(SHMEM_TEAM_WORLD, reals, constants, 2, 0), 0);
  CHECK_EQ(shmem_and_reduce(SHMEM_TEAM_WORLD, bytes, bytes, 4), 0);
  complexes[1] = 2;
  CHECK_EQ(shmem_sum_reduce(SHMEM_TEAM_WORLD, complexes, complexes + 1, 1), 0);
  CHECK(reals[1] == 2 && bytes[3] == 4 && complexes[0] == 2.0 * n);
  shmem_finalize();
  return 0;
}
