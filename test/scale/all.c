/*
 * What a job of any size does first: everyone says hello, waits for all, sums, puts to all and
 * leaves. Connections are made by the first operation: before the puts to all, on many nodes, a PE
 * has them to few.
 */
#include <shmem.h>

#include "check.h"
#include "measure.h"

static long sum, mine, *from, used[TAKEN], all_used[TAKEN];

int main(int argc, char **argv) {
  times_t t;
  int few;
  shmem_init();
  const int me = shmem_my_pe(), n = shmem_n_pes();
  shmem_barrier_all();
  t.up = now();
  for (int i = 0; i < 3; i++) shmem_barrier_all();
  t.barrier = (now() - t.up) / 3;
  mine = me + 1;
  CHECK_EQ(shmem_long_sum_reduce(SHMEM_TEAM_WORLD, &sum, &mine, 1), 0);
  CHECK_EQ(sum, (long)n * (n + 1) / 2);
  from = shmem_calloc((size_t)n, sizeof *from);
  CHECK(from != NULL);
  descriptors(&few);
  CHECK(n < 32 || few < n / 2);
  shmem_barrier_all();
  const double before = now();
  for (int i = 0; i < n; i++) shmem_long_p(&from[me], me + 1, (me + i) % n);
  shmem_barrier_all();
  t.put = now() - before;
  for (int i = 0; i < n; i++) CHECK_EQ(from[i], i + 1);
  taken(used);
  CHECK_EQ(shmem_long_sum_reduce(SHMEM_TEAM_WORLD, all_used, used, TAKEN), 0);
  if (me == 0) print_line(&t, n, all_used, argc > 1 ? argv[1] : NULL, few);
  shmem_free(from);
  shmem_finalize();
  return 0;
}
