/*
 * Trap 12: nothing to wait for: any gives SIZE_MAX, some 0, all returns; a nonzero status excludes;
 * any is fair: a series of calls finds every variable that stays ready, also where several arrays
 * are looked at in turns.
 */
#include <shmem.h>

#include "check.h"

enum { VARS = 6 };
static long vars[VARS], by_pe[64];
static const int all_out[VARS] = {1, 2, -1, 1, 1, 1};

int main(void) {
  shmem_init();
  const int me = shmem_my_pe(), n = shmem_n_pes();
  size_t found[VARS];
  CHECK(n <= 64);
  for (int k = 0; k < 2; k++) {
    const size_t count = k ? VARS : 0;
    const int *status = k ? all_out : NULL;
    CHECK(shmem_long_wait_until_any(vars, count, status, SHMEM_CMP_EQ, 1) == SIZE_MAX);
    CHECK(shmem_long_test_any(vars, count, status, SHMEM_CMP_EQ, 1) == SIZE_MAX);
    CHECK_EQ(shmem_long_wait_until_some(vars, count, found, status, SHMEM_CMP_EQ, 1), 0);
    CHECK_EQ(shmem_long_test_some(vars, count, found, status, SHMEM_CMP_EQ, 1), 0);
    CHECK_EQ(shmem_long_test_all(vars, count, status, SHMEM_CMP_EQ, 1), 1);
    shmem_long_wait_until_all(vars, count, status, SHMEM_CMP_EQ, 1);
  }

  int times[VARS] = {0};
  for (int i = 0; i < VARS; i++) vars[i] = i != 3;
  for (int call = 0; call < 10 * VARS; call++) {
    times[shmem_long_wait_until_any(vars, VARS, NULL, SHMEM_CMP_EQ, 1)]++;
    times[shmem_long_test_any(vars, VARS, NULL, SHMEM_CMP_EQ, 1)]++;
  }
  for (int i = 0; i < VARS; i++) CHECK((times[i] > 0) == (i != 3));

  static long others[4][2] = {{0, 1}, {1, 0}, {1, 1}, {0, 1}};
  memset(times, 0, sizeof times);
  for (int call = 0; call < 2 * VARS; call++) {
    times[shmem_long_wait_until_any(vars, 2, NULL, SHMEM_CMP_EQ, 1)]++;
    for (int i = 0; i <= call % 4; i++)
      CHECK(shmem_long_test_any(others[i], 2, NULL, SHMEM_CMP_EQ, 1) < 2);
  }
  CHECK(times[0] == VARS && times[1] == VARS);

  /* A message of every PE, taken as they come. */
  int done[64] = {0};
  shmem_barrier_all();
  for (int pe = 0; pe < n; pe++) shmem_long_p(&by_pe[me], me + 1, pe);
  for (int k = 0; k < n; k++) {
    const size_t i = shmem_long_wait_until_any(by_pe, (size_t)n, done, SHMEM_CMP_NE, 0);
    CHECK(i < (size_t)n && !done[i] && by_pe[i] == (long)i + 1);
    done[i] = 1;
  }
  CHECK(shmem_long_wait_until_any(by_pe, (size_t)n, done, SHMEM_CMP_NE, 0) == SIZE_MAX);
  shmem_finalize();
  return 0;
}
