/* Reductions larger than any inner buffer, of an odd length; the same bits on all PEs for reals. */
#include <shmem.h>

#include "check.h"

enum { ELEMS = 70001 };

int main(void) {
  shmem_init();
  const int me = shmem_my_pe(), n = shmem_n_pes();
  double *source = shmem_malloc(ELEMS * sizeof(double)),
         *dest = shmem_malloc(ELEMS * sizeof(double));
  double *theirs = malloc(ELEMS * sizeof(double));
  CHECK(source && dest && theirs);
  for (int i = 0; i < ELEMS; i++) source[i] = 1.0 / (me + 3) + i;
  CHECK_EQ(shmem_double_sum_reduce(SHMEM_TEAM_WORLD, dest, source, ELEMS), 0);
  shmem_barrier_all();
  shmem_double_get(theirs, dest, ELEMS, (me + 1) % n);
  CHECK(memcmp(theirs, dest, ELEMS * sizeof(double)) == 0);
  for (int i = 0; i < ELEMS; i++) {
    double sum = 0;
    for (int p = 0; p < n; p++) sum += 1.0 / (p + 3) + i;
    CHECK(dest[i] > sum - 1e-6 * sum && dest[i] < sum + 1e-6 * sum);
  }
  shmem_barrier_all();
  CHECK_EQ(shmem_double_max_reduce(SHMEM_TEAM_WORLD, source, source, ELEMS), 0);
  for (int i = 0; i < ELEMS; i++) CHECK(source[i] == 1.0 / 3 + i);
  shmem_barrier_all();
  shmem_free(dest);
  shmem_free(source);
  free(theirs);
  shmem_finalize();
  return 0;
}
