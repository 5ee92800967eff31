/*
 * A PE that posts large puts in a row, and never waits, is served all the same: it posts until its
 * port has carried out what another PE sends, a hundred atomics and one that raises a flag. It is
 * not looked at how long that takes.
 */
#include <shmem.h>

#include "check.h"

enum { ROUNDS = 20, BYTES = 131072, ROW = 8 };

static long flag, sum;

int main(void) {
  shmem_init();
  const int me = shmem_my_pe(), other = shmem_n_pes() - 1;
  char *dest = shmem_malloc(ROW * BYTES), *source = shmem_malloc(ROW * BYTES);
  for (long i = 0; i < ROW * BYTES; i++) source[i] = (char)(i * 7 + i / 256);
  for (int round = 1; round <= ROUNDS; round++) {
    shmem_barrier_all();
    if (me == other) {
      for (int k = 0; k < 100; k++) shmem_long_atomic_add(&sum, 1, 0);
      CHECK_EQ(shmem_long_atomic_fetch_inc(&flag, 0), round - 1);
    }
    for (long k = 0; me == 0 && *(volatile long *)&flag < round; k++) {
      const long at = k % ROW * BYTES;
      shmem_putmem_nbi(dest + at, source + at, BYTES, other);
    }
    shmem_barrier_all();
    if (me == 0) CHECK_EQ(sum, 100L * round);
  }
  if (me == 0) shmem_putmem(dest, source, ROW * BYTES, other);
  shmem_barrier_all();
  if (me == other) CHECK(memcmp(dest, source, ROW * BYTES) == 0);
  shmem_finalize();
  return 0;
}
