/*
 * Trap 20, and the deprecated names: start_pes without any finalize, _my_pe, _num_pes, the short
 * atomics, barrier and sync of active sets, one pSync for one set after another. <mpp/shmem.h> as
 * old programs include it.
 */
#include <mpp/shmem.h>

#include "check.h"

/* clang-format off: it takes the lists of macros for declarations */

static long psync[_SHMEM_BARRIER_SYNC_SIZE], arrived;
static int me, n;

#define DATA(FN, N, T) static T N##_word;
WEFT_TYPES_OLD_AMO(DATA, )
WEFT_TYPES_REAL(DATA, )

#define EXTENDED(FN, N, T)                                                                         \
  shmem_##N##_set(&N##_word, 3, me);                                                               \
  CHECK(shmem_##N##_fetch(&N##_word, me) == 3);                                                    \
  CHECK(shmem_##N##_swap(&N##_word, 4, me) == 3 && N##_word == 4);
#define STANDARD(FN, N, T)                                                                         \
  CHECK(shmem_##N##_cswap(&N##_word, 4, 5, me) == 4);                                              \
  CHECK(shmem_##N##_cswap(&N##_word, 4, 6, me) == 5);                                              \
  CHECK(shmem_##N##_finc(&N##_word, me) == 5);                                                     \
  shmem_##N##_inc(&N##_word, me);                                                                  \
  CHECK(shmem_##N##_fadd(&N##_word, 3, me) == 7);                                                  \
  shmem_##N##_add(&N##_word, -1, me);                                                              \
  CHECK(N##_word == 9);

int main(void) {
  start_pes(0);
  start_pes(0);
  me = _my_pe();
  n = _num_pes();
  CHECK(me == shmem_my_pe() && n == shmem_n_pes());
  for (int i = 0; i < _SHMEM_BARRIER_SYNC_SIZE; i++) psync[i] = _SHMEM_SYNC_VALUE;
  WEFT_TYPES_OLD_AMO(EXTENDED, )
  WEFT_TYPES_REAL(EXTENDED, )
  WEFT_TYPES_OLD_AMO(STANDARD, )
  shmem_barrier_all();

  /* Each set waits for its own members: PE 0 first for all, then the even ones, then from 1 on. */
  const int even = (n + 1) / 2;
  for (long round = 1; round <= 20; round++) {
    shmem_long_inc(&arrived, 0);
    shmem_barrier(0, 0, n, psync);
    CHECK_EQ(shmem_long_fetch(&arrived, 0), round * n);
    shmem_barrier_all();
  }
  for (long round = 0; round < 20; round++) {
    if (me % 2 == 0) {
      shmem_long_p(&arrived, 1000 * round + me, (me + 2) % (2 * even));
      shmem_barrier(0, 1, even, psync);
      CHECK_EQ(arrived, 1000 * round + (me + 2 * even - 2) % (2 * even));
      shmem_sync(0, 1, even, psync);
    }
    shmem_barrier_all();
    if (me > 0) shmem_sync(1, 0, n - 1, psync);
    shmem_barrier_all();
  }
  shmem_set_cache_inv();
  shmem_clear_cache_inv();
  shmem_set_cache_line_inv(&arrived);
  shmem_clear_cache_line_inv(&arrived);
  shmem_udcflush();
  shmem_udcflush_line(&arrived);
  return 0; /* start_pes implies finalize */
}
