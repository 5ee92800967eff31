/*
 * Trap 9 and 1.6's clarifications: strides are the parent's, may be 0 for one member and negative;
 * non-members get SHMEM_TEAM_INVALID and 0; every member of the parent gets the same return code;
 * configurations read back.
 */
#include <shmem.h>

#include "check.h"

static int sum, part;

static void split_2d(int me, int n) {
  shmem_team_t x, y, team, child;
  /* Rows of 2 and their columns; a row wider than the parent is the parent. */
  CHECK_EQ(shmem_team_split_2d(SHMEM_TEAM_WORLD, 2, NULL, 0, &x, NULL, 0, &y), 0);
  CHECK_EQ(shmem_team_my_pe(x), me % 2);
  CHECK_EQ(shmem_team_my_pe(y), me / 2);
  CHECK_EQ(shmem_team_n_pes(x), n - me / 2 * 2 >= 2 ? 2 : 1);
  CHECK_EQ(shmem_team_n_pes(y), (n - me % 2 + 1) / 2);
  part = 1;
  CHECK(shmem_int_sum_reduce(y, &sum, &part, 1) == 0 && sum == shmem_team_n_pes(y));
  CHECK(shmem_int_sum_reduce(x, &sum, &part, 1) == 0 && sum == shmem_team_n_pes(x));
  CHECK_EQ(shmem_team_split_2d(x, 10, NULL, 0, &team, NULL, 0, &child), 0);
  CHECK(shmem_team_n_pes(team) == shmem_team_n_pes(x) && shmem_team_n_pes(child) == 1);
  CHECK(shmem_team_split_2d(SHMEM_TEAM_INVALID, 1, NULL, 0, &x, NULL, 0, &y) != 0);
}

int main(void) {
  shmem_init();
  const int me = shmem_my_pe(), n = shmem_n_pes();
  shmem_team_t team, child;
  shmem_team_config_t config = {.num_contexts = 3}, got = {0};

  CHECK_EQ(shmem_team_my_pe(SHMEM_TEAM_WORLD), me);
  CHECK_EQ(shmem_team_my_pe(SHMEM_TEAM_INVALID), -1);
  CHECK_EQ(shmem_team_n_pes(SHMEM_TEAM_INVALID), -1);

  /* The odd ones, backwards; then every second of these. */
  const int odd = n / 2, last = n % 2 ? n - 2 : n - 1;
  if (odd) {
    CHECK_EQ(shmem_team_split_strided(SHMEM_TEAM_WORLD, last, -2, odd, &config,
                                      SHMEM_TEAM_NUM_CONTEXTS, &team),
             0);
    CHECK_EQ(team == SHMEM_TEAM_INVALID, me % 2 == 0);
    CHECK_EQ(shmem_team_translate_pe(SHMEM_TEAM_WORLD, 1, team), me % 2 ? odd - 1 : -1);
    if (team != SHMEM_TEAM_INVALID) {
      CHECK(shmem_team_get_config(team, SHMEM_TEAM_NUM_CONTEXTS, &got) == 0 &&
            got.num_contexts == 3);
      CHECK(shmem_team_get_config(team, 0, NULL) == 0);
      CHECK_EQ(shmem_team_my_pe(team), (last - me) / 2);
      CHECK_EQ(shmem_team_translate_pe(team, 0, SHMEM_TEAM_WORLD), last);
      CHECK_EQ(shmem_team_split_strided(team, 0, 2, (odd + 1) / 2, NULL, 0, &child), 0);
      CHECK_EQ(child == SHMEM_TEAM_INVALID, shmem_team_my_pe(team) % 2);
      if (child != SHMEM_TEAM_INVALID) {
        CHECK_EQ(shmem_team_translate_pe(child, shmem_team_my_pe(child), SHMEM_TEAM_WORLD), me);
        part = me;
        CHECK_EQ(shmem_int_max_reduce(child, &sum, &part, 1), 0);
        CHECK_EQ(sum, last);
        shmem_team_destroy(child);
      }
      shmem_team_destroy(team);
    }
  }

  CHECK_EQ(shmem_team_split_strided(SHMEM_TEAM_WORLD, n - 1, 0, 1, NULL, 0, &team), 0);
  CHECK_EQ(team != SHMEM_TEAM_INVALID, me == n - 1);
  if (team != SHMEM_TEAM_INVALID) CHECK_EQ(shmem_team_n_pes(team), 1);
  shmem_team_destroy(team);

  /* What does not fit fails everywhere; so does an invalid parent. */
  CHECK(shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, n + 1, NULL, 0, &team) != 0);
  CHECK(team == SHMEM_TEAM_INVALID);
  CHECK(shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, -1, 2, NULL, 0, &team) != 0);
  CHECK(shmem_team_split_strided(SHMEM_TEAM_INVALID, 0, 1, 1, NULL, 0, &team) != 0);

  split_2d(me, n);

  /* Slots of destroyed teams are used again: many more teams in turn than there are at a time. */
  for (int i = 0; i < 200; i++) {
    CHECK_EQ(shmem_team_split_strided(SHMEM_TEAM_WORLD, i % n, 0, 1, NULL, 0, &team), 0);
    if (team != SHMEM_TEAM_INVALID) CHECK_EQ(shmem_team_sync(team), 0);
    shmem_team_destroy(team);
  }
  shmem_finalize();
  return 0;
}
