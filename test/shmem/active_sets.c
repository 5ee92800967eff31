/*
 * Active sets and their pSync rules: sets of all shapes, one after another on few pSync arrays and
 * interleaved, with barriers of the world now and then; pSync is as it was afterwards; results are
 * right whether a set is kept as a team, plain, or kept again after all have been forgotten.
 */
#include <shmem.h>

#include "check.h"

enum { ARRAYS = 3, MOST = 8, ROUNDS = 6 };
static long psync[ARRAYS][SHMEM_SYNC_SIZE], bsync[SHMEM_SYNC_SIZE], work[SHMEM_SYNC_SIZE];
static long source[MOST], dest[MOST], all[MOST];
static int me, n;

static void expect_clean(const long *sync) {
  for (int i = 0; i < SHMEM_SYNC_SIZE; i++) CHECK_EQ(sync[i], SHMEM_SYNC_VALUE);
}

/* Everything once on one set; `k` is different each time. */
static void use(int start, int log, int size, long *sync, long k) {
  const int rank = (me - start) >> log, root = (int)(k % size);
  if (me < start || (me - start) % (1 << log) || rank >= size) return;
  source[0] = 100 * k + rank;
  dest[0] = -1;
  shmem_barrier(start, log, size, bsync);
  shmem_broadcast64(dest, source, 1, root, start, log, size, sync);
  CHECK_EQ(dest[0], rank == root ? -1 : 100 * k + root);
  shmem_barrier(start, log, size, bsync);
  expect_clean(sync);
  shmem_barrier(start, log, size, bsync);
  shmem_long_sum_to_all(dest, source, 1, start, log, size, work, sync);
  CHECK_EQ(dest[0], 100 * k * size + (long)size * (size - 1) / 2);
  shmem_barrier(start, log, size, bsync);
  shmem_fcollect64(all, source, 1, start, log, size, sync);
  for (int i = 0; i < size; i++) CHECK_EQ(all[i], 100 * k + i);
  shmem_barrier(start, log, size, bsync);
  shmem_collect64(all, source, rank == root ? 1 : 0, start, log, size, sync);
  CHECK_EQ(all[0], 100 * k + root);
  for (int i = 0; i < size; i++) source[i] = 1000 * k + 10 * rank + i;
  shmem_barrier(start, log, size, bsync);
  shmem_alltoall64(all, source, 1, start, log, size, sync);
  for (int i = 0; i < size; i++) CHECK_EQ(all[i], 1000 * k + 10 * i + rank);
  shmem_barrier(start, log, size, bsync);
  expect_clean(sync);
  shmem_barrier(start, log, size, bsync);
  shmem_sync(start, log, size, sync);
}

int main(void) {
  long k = 1;
  shmem_init();
  me = shmem_my_pe();
  n = shmem_n_pes();
  CHECK(n <= MOST);
  shmem_barrier_all();
  /* All sets that there are. Sets overlap and pSync arrays are shared: a sync of the world between
   * sets, as the rules ask for. */
  for (int round = 0; round < ROUNDS; round++)
    for (int log = 0; 1 << log < n || log == 0; log++)
      for (int size = 1; (size - 1) * (1 << log) < n; size++)
        for (int start = 0; start + (size - 1) * (1 << log) < n; start++, k++) {
          use(start, log, size, psync[k % ARRAYS], k);
          if (round % 2)
            shmem_barrier_all();
          else
            shmem_sync_all();
        }
  /* Barriers and syncs may follow one another on one pSync. */
  for (int i = 0; i < 300; i++) {
    if (i % 3)
      shmem_barrier(0, 0, n, bsync);
    else
      shmem_sync(0, 0, n, bsync);
  }
  shmem_barrier_all();
  expect_clean(bsync);
  shmem_finalize();
  return 0;
}
