/*
 * test: none
 * A job that moves a little of everything and ends well, or, with a number of MB, tells whether so
 * much symmetric memory is to be had, all of which it then writes; with a number of pieces, too, in
 * so many (limits.sh). Notes its process id.
 */
#include <shmem.h>

#include "check.h"

static long word, sum[64];

int main(int argc, char **argv) {
  char name[512];
  shmem_init();
  const int me = shmem_my_pe(), n = shmem_n_pes(), to = (me + 1) % n;
  if (getenv("NOTES")) {
    snprintf(name, sizeof name, "%s/pid.%d", getenv("NOTES"), me);
    FILE *f = fopen(name, "w");
    if (f) fprintf(f, "%d\n", (int)getpid()), fclose(f);
  }
  for (int round = 1; round <= 20; round++) {
    shmem_long_p(&word, round, to);
    shmem_long_atomic_inc(&sum[0], to);
    shmem_barrier_all();
    CHECK_EQ(word, round);
    CHECK_EQ(shmem_long_atomic_fetch(&sum[0], to), round);
    sum[1] = me;
    shmem_long_sum_reduce(SHMEM_TEAM_WORLD, &sum[2], &sum[1], 1);
    CHECK_EQ(sum[2], (long)n * (n - 1) / 2);
    shmem_barrier_all();
  }
  if (argc > 1) {
    const int pieces = argc > 2 ? atoi(argv[2]) : 1;
    const size_t bytes = ((size_t)atol(argv[1]) << 20) / (size_t)pieces;
    char *p = NULL;
    for (int i = 0; i < pieces && (p = shmem_malloc(bytes)); i++) memset(p, 1, bytes);
    shmem_barrier_all();
    if (me == 0) printf("%s\n", p ? "had" : "NULL");
  }
  shmem_finalize();
  return 0;
}
