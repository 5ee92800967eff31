/*
 * Trap 7: collectives follow one another on one team without any synchronisation of the program,
 * while PEs drift apart; and on two teams with other members in between.
 */
#include <shmem.h>

#include <sched.h>

#include "check.h"

enum { ROUNDS = 200, LONGER = 48 };
static long source[ROUNDS], sums[ROUNDS], gathered[ROUNDS][64], broadcast[ROUNDS], pair[ROUNDS];
static long rows[ROUNDS][LONGER];

/* Broadcasts alone, of short and longer data: nobody waits for the others but where room is short,
 * and each root is as far ahead as it may be. */
static void broadcasts(shmem_team_t team, int me, int n) {
  for (int r = 0; r < ROUNDS; r++) {
    const int words = r % 7 ? 1 : LONGER, root = r / 40 % n;
    if (me != root && r % 16 == 0) sched_yield();
    CHECK_EQ(shmem_long_broadcast(team, rows[r], &source[r % LONGER], (size_t)words, root), 0);
  }
  for (int r = 0; r < ROUNDS; r++)
    for (int i = 0; i < (r % 7 ? 1 : LONGER); i++)
      CHECK_EQ(rows[r][i], 100 * (r % LONGER + i) + r / 40 % n);
}

int main(void) {
  shmem_init();
  const int me = shmem_my_pe(), n = shmem_n_pes();
  shmem_team_t world, row, column;
  unsigned random = (unsigned)me * 7919 + 1;
  CHECK(n <= 64);
  CHECK_EQ(shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, n, NULL, 0, &world), 0);
  CHECK_EQ(shmem_team_split_2d(SHMEM_TEAM_WORLD, 2, NULL, 0, &row, NULL, 0, &column), 0);
  for (int r = 0; r < ROUNDS; r++) source[r] = 100 * r + me;
  shmem_barrier_all();

  for (int r = 0; r < ROUNDS; r++) {
    random = random * 1103515245 + 12345;
    if (random >> 16 & 1) sched_yield();
    CHECK_EQ(shmem_long_sum_reduce(world, &sums[r], &source[r], 1), 0);
    CHECK_EQ(shmem_long_fcollect(world, gathered[r], &source[r], 1), 0);
    CHECK_EQ(shmem_long_broadcast(world, &broadcast[r], &source[r], 1, r % n), 0);
    CHECK_EQ(shmem_long_max_reduce(row, &pair[r], &source[r], 1), 0);
    if (r % 3 == 0) CHECK_EQ(shmem_team_sync(column), 0);
  }
  for (int r = 0; r < ROUNDS; r++) {
    CHECK_EQ(sums[r], 100L * r * n + (long)n * (n - 1) / 2);
    for (int pe = 0; pe < n; pe++) CHECK_EQ(gathered[r][pe], 100 * r + pe);
    CHECK_EQ(broadcast[r], 100 * r + r % n);
    CHECK_EQ(pair[r], 100 * r + ((me | 1) < n ? me | 1 : me));
  }
  broadcasts(world, me, n);
  shmem_team_destroy(row), shmem_team_destroy(column), shmem_team_destroy(world);
  shmem_finalize();
  return 0;
}
