/*
 * Trap 8: a team's broadcast writes dest on the root too, the active set's does not; every root,
 * small and large; dest == source. Nothing behind dest is touched.
 */
#include <shmem.h>

#include "check.h"

enum { LARGE = 30000 };
static int source[LARGE], dest[LARGE + 1];
static long psync[SHMEM_SYNC_SIZE];
static int me, n;

static void fill(size_t count) {
  for (size_t i = 0; i < count; i++) source[i] = 1000 * me + (int)i;
  for (size_t i = 0; i <= count; i++) dest[i] = -1;
  shmem_barrier_all();
}

static void expect(size_t count, int root, int untouched) {
  for (size_t i = 0; i < count; i++) CHECK_EQ(dest[i], untouched ? -1 : 1000 * root + (int)i);
  CHECK_EQ(dest[count], -1);
  shmem_barrier_all();
}

int main(void) {
  shmem_init();
  me = shmem_my_pe();
  n = shmem_n_pes();
  const size_t counts[] = {0, 1, 100, LARGE};
  for (int k = 0; k < 4; k++)
    for (int root = 0; root < n; root++) {
      const size_t count = counts[k];
      fill(count);
      CHECK_EQ(shmem_int_broadcast(SHMEM_TEAM_WORLD, dest, source, count, root), 0);
      expect(count, root, 0);
      fill(count);
      CHECK_EQ(shmem_broadcastmem(SHMEM_TEAM_WORLD, dest, source, 4 * count, root), 0);
      expect(count, root, 0);
      fill(count);
      shmem_broadcast32(dest, source, count, root, 0, 0, n, psync);
      expect(count, root, me == root);
      fill(count / 2 * 2);
      shmem_broadcast64(dest, source, count / 2, root, 0, 0, n, psync);
      expect(count / 2 * 2, root, me == root);
    }
  fill(3);
  CHECK_EQ(shmem_int_broadcast(SHMEM_TEAM_WORLD, source, source, 3, n - 1), 0);
  CHECK(source[0] == 1000 * (n - 1) && source[2] == 1000 * (n - 1) + 2);
  shmem_barrier_all();

  /* Active sets: every second PE, the root is a member's number, not a PE; then all again on the
   * same pSync. */
  const int half = (n + 1) / 2;
  fill(5);
  if (me % 2 == 0) shmem_broadcast32(dest, source, 5, half - 1, 0, 1, half, psync);
  shmem_barrier_all();
  expect(5, 2 * (half - 1), me % 2 || me == 2 * (half - 1));
  fill(5);
  shmem_broadcast32(dest, source, 5, 0, 0, 0, n, psync);
  expect(5, 0, me == 0);
  shmem_finalize();
  return 0;
}
