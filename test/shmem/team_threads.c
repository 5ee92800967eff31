/*
 * Trap 7: collectives on different teams at a time, from different threads of every PE, and an
 * active set of a thread's own beside them. Each thread's team has another order of PEs. With an
 * argument the program asks for SHMEM_THREAD_SINGLE, and relies on what is provided.
 */
#include <shmem.h>

#include <pthread.h>

#include "check.h"

enum { THREADS = 3, ROUNDS = 60, MOST = 16, LARGE = 4000 };
static long in[THREADS][LARGE], out[THREADS][LARGE], all[THREADS][MOST * 2];
static long psync[THREADS][3][SHMEM_SYNC_SIZE], work[THREADS][LARGE];
static shmem_team_t teams[THREADS];
static int me, n;

static void small(long t, shmem_team_t team, long r) {
  const int rank = shmem_team_my_pe(team), root = (int)(r % n);
  in[t][0] = r * 100 + rank;
  in[t][1] = -in[t][0];
  CHECK_EQ(shmem_long_sum_reduce(team, out[t], in[t], 2), 0);
  CHECK_EQ(out[t][0], r * 100 * n + (long)n * (n - 1) / 2);
  CHECK_EQ(out[t][1], -out[t][0]);
  CHECK_EQ(shmem_long_fcollect(team, all[t], in[t], 1), 0);
  for (int i = 0; i < n; i++) CHECK_EQ(all[t][i], r * 100 + i);
  CHECK_EQ(shmem_long_broadcast(team, &out[t][2], in[t], 1, root), 0);
  CHECK_EQ(out[t][2], r * 100 + root);
  CHECK_EQ(shmem_long_sum_inscan(team, &out[t][3], in[t], 1), 0);
  CHECK_EQ(out[t][3], r * 100 * (rank + 1) + (long)rank * (rank + 1) / 2);
}

static void large(long t, shmem_team_t team, long r) {
  for (int i = 0; i < LARGE; i++) in[t][i] = r + i * (shmem_team_my_pe(team) + 1);
  CHECK_EQ(shmem_team_sync(team), 0); /* out is ready */
  CHECK_EQ(shmem_long_max_reduce(team, out[t], in[t], LARGE), 0);
  for (int i = 0; i < LARGE; i++) CHECK_EQ(out[t][i], r + (long)i * n);
}

static void active(long t, long r) {
  in[t][0] = r + me;
  shmem_long_sum_to_all(out[t], in[t], 1, 0, 0, n, work[t], psync[t][r % 3]);
  CHECK_EQ(out[t][0], r * n + (long)n * (n - 1) / 2);
}

static void *run(void *number) {
  const long t = (long)number;
  for (long r = 0; r < ROUNDS; r++) {
    small(t, teams[t], r);
    CHECK_EQ(shmem_team_sync(teams[t]), 0);
    if (r % 10 == 0) large(t, teams[t], r);
    for (int i = 0; i < 20; i++) active(t, r + i);
  }
  return NULL;
}

int main(int argc, char **argv) {
  int provided;
  pthread_t threads[THREADS];
  static long words[SHMEM_SYNC_SIZE];
  (void)argv;
  CHECK_EQ(shmem_init_thread(argc > 1 ? SHMEM_THREAD_SINGLE : SHMEM_THREAD_MULTIPLE, &provided), 0);
  if (provided < SHMEM_THREAD_MULTIPLE) CHECK_SKIP("the library is not safe for threads");
  me = shmem_my_pe();
  n = shmem_n_pes();
  CHECK(n <= MOST);
  for (int t = 0; t < THREADS; t++)
    CHECK_EQ(shmem_team_split_strided(SHMEM_TEAM_WORLD, t % 2 ? n - 1 : 0, t % 2 ? -1 : 1, n, NULL,
                                      0, &teams[t]),
             0);
  for (int r = 0; r < 2; r++) shmem_barrier(0, 0, n, words);
  for (long t = 0; t < THREADS; t++) CHECK_EQ(pthread_create(&threads[t], NULL, run, (void *)t), 0);
  for (int r = 0; r < 50 * ROUNDS; r++) shmem_barrier(0, 0, n, words);
  for (int t = 0; t < THREADS; t++) pthread_join(threads[t], NULL);
  shmem_barrier_all();
  for (int t = 0; t < THREADS; t++) shmem_team_destroy(teams[t]);
  shmem_finalize();
  return 0;
}
