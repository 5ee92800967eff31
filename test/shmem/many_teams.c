/*
 * Hundreds of teams at a time, all of them usable, also from the last one made; when there is no
 * room for another every PE is told so, and after some have been destroyed there is room again.
 */
#include <shmem.h>

#include "check.h"

enum { MOST = 2000, ENOUGH = 900 };
static shmem_team_t teams[MOST];
static int one, sum;

int main(void) {
  int count = 0;
  shmem_init();
  const int me = shmem_my_pe(), n = shmem_n_pes();
  while (count < MOST &&
         shmem_team_split_strided(SHMEM_TEAM_WORLD, count % 2 ? n - 1 : 0, count % 2 ? -1 : 1, n,
                                  NULL, 0, &teams[count]) == 0)
    count++;
  CHECK(count >= ENOUGH && count < MOST);
  CHECK(teams[count] == SHMEM_TEAM_INVALID);
  for (int i = 0; i < count; i += 37) {
    one = 1;
    CHECK_EQ(shmem_int_sum_reduce(teams[i], &sum, &one, 1), 0);
    CHECK_EQ(sum, n);
    CHECK_EQ(shmem_team_my_pe(teams[i]), i % 2 ? n - 1 - me : me);
  }
  shmem_team_t x, y;
  CHECK(shmem_team_split_2d(teams[count - 1], 2, NULL, 0, &x, NULL, 0, &y) != 0);
  CHECK(x == SHMEM_TEAM_INVALID && y == SHMEM_TEAM_INVALID);
  shmem_team_destroy(teams[5]);
  /* Room for the rows, not for the columns: neither is there, and the room is not lost. */
  CHECK(shmem_team_split_2d(teams[0], 2, NULL, 0, &x, NULL, 0, &y) != 0);
  CHECK(x == SHMEM_TEAM_INVALID && y == SHMEM_TEAM_INVALID);
  shmem_team_destroy(teams[7]);
  CHECK_EQ(shmem_team_split_2d(teams[0], 2, NULL, 0, &x, NULL, 0, &y), 0);
  CHECK_EQ(shmem_team_sync(x), 0);
  CHECK_EQ(shmem_team_sync(y), 0);
  for (int i = 0; i < count; i++)
    if (i != 5 && i != 7) shmem_team_destroy(teams[i]);
  shmem_finalize();
  return 0;
}
