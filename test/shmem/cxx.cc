/* C++ sees the plain names, with the inline forms, and initialises with the predefined handles. */
#include <shmem.h>
#include <mpp/shmemx.h>

#include "check.h"

static shmem_ctx_t ctx = SHMEM_CTX_DEFAULT;
static shmem_team_t team = SHMEM_TEAM_WORLD;
static int word, sum;
static double real;
static long count;

int main() {
  shmem_init();
  const int me = shmem_my_pe(), n = shmem_n_pes(), right = (me + 1) % n, left = (me + n - 1) % n;
  shmem_int_p(&word, me + 1, right);
  shmem_ctx_double_p(ctx, &real, me + 0.5, right);
  shmem_long_atomic_add(&count, 2, 0);
  shmem_barrier_all();
  CHECK_EQ(word, left + 1);
  CHECK(real == left + 0.5 && shmem_double_atomic_swap(&real, 1, me) == left + 0.5);
  CHECK_EQ(shmem_long_g(&count, 0), 2 * n);
  CHECK_EQ(shmem_int_sum_reduce(team, &sum, &word, 1), 0);
  CHECK_EQ(sum, n * (n + 1) / 2);
  shmem_finalize();
  return 0;
}
