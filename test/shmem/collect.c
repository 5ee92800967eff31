/* Trap 10: collect with another length on every PE, 0 too; fcollect; alltoall and alltoalls with
 * strides in elements; 0 elements. */
#include <shmem.h>

#include "check.h"

enum { MAX_PES = 24, BLOCK = 3, LARGE = 5000 };
static int source[MAX_PES * LARGE], dest[MAX_PES * LARGE + 1];
static long psync[SHMEM_SYNC_SIZE];
static int me, n;

static void clear(void) {
  for (int i = 0; i <= MAX_PES * LARGE; i++) dest[i] = -1;
  shmem_barrier_all();
}

/* PE p gave (p + skip) % 3 * scale elements. */
static size_t given(int p, int skip, int scale) {
  return (size_t)((p + skip) % 3 * scale);
}

static void expect_parts(int skip, int scale) {
  size_t at = 0;
  for (int p = 0; p < n; p++)
    for (size_t i = 0; i < given(p, skip, scale); i++) CHECK_EQ(dest[at++], 10000 * p + (int)i);
  CHECK_EQ(dest[at], -1);
  shmem_barrier_all();
}

/* Element j of the block from member p to me, in a dest of stride dst; nothing in between. */
static void expect_blocks(int dst, int sst) {
  for (int p = 0; p < n; p++)
    for (int j = 0; j < BLOCK; j++) {
      CHECK_EQ(dest[(p * BLOCK + j) * dst], 10000 * p + (me * BLOCK + j) * sst);
      for (int gap = 1; gap < dst; gap++) CHECK_EQ(dest[(p * BLOCK + j) * dst + gap], -1);
    }
  shmem_barrier_all();
}

int main(void) {
  shmem_init();
  me = shmem_my_pe();
  n = shmem_n_pes();
  CHECK(n <= MAX_PES);
  for (int i = 0; i < MAX_PES * LARGE; i++) source[i] = 10000 * me + i;
  for (int skip = 0; skip < 3; skip++)
    for (int scale = 1; scale <= 2000; scale += 1999) {
      clear();
      CHECK_EQ(shmem_int_collect(SHMEM_TEAM_WORLD, dest, source, given(me, skip, scale)), 0);
      expect_parts(skip, scale);
      clear();
      CHECK_EQ(shmem_collectmem(SHMEM_TEAM_WORLD, dest, source, 4 * given(me, skip, scale)), 0);
      expect_parts(skip, scale);
      clear();
      shmem_collect32(dest, source, given(me, skip, scale), 0, 0, n, psync);
      expect_parts(skip, scale);
    }

  clear();
  CHECK_EQ(shmem_int_fcollect(SHMEM_TEAM_WORLD, dest, source, BLOCK), 0);
  for (int i = 0; i < n * BLOCK; i++) CHECK_EQ(dest[i], 10000 * (i / BLOCK) + i % BLOCK);
  CHECK_EQ(dest[n * BLOCK], -1);
  clear();
  shmem_fcollect64(dest, source, 1, 0, 0, n, psync);
  for (int i = 0; i < n * 2; i++) CHECK_EQ(dest[i], 10000 * (i / 2) + i % 2);

  clear();
  CHECK_EQ(shmem_int_alltoall(SHMEM_TEAM_WORLD, dest, source, BLOCK), 0);
  expect_blocks(1, 1);
  clear();
  CHECK_EQ(shmem_alltoallmem(SHMEM_TEAM_WORLD, dest, source, BLOCK * 4), 0);
  expect_blocks(1, 1);
  clear();
  shmem_alltoall32(dest, source, BLOCK, 0, 0, n, psync);
  expect_blocks(1, 1);
  clear();
  CHECK_EQ(shmem_int_alltoalls(SHMEM_TEAM_WORLD, dest, source, 3, 2, BLOCK), 0);
  expect_blocks(3, 2);
  clear();
  shmem_alltoalls32(dest, source, 2, 3, BLOCK, 0, 0, n, psync);
  expect_blocks(2, 3);

  clear();
  CHECK_EQ(shmem_int_alltoall(SHMEM_TEAM_WORLD, dest, source, 0), 0);
  CHECK_EQ(shmem_int_alltoalls(SHMEM_TEAM_WORLD, dest, source, 2, 2, 0), 0);
  CHECK_EQ(shmem_int_fcollect(SHMEM_TEAM_WORLD, dest, source, 0), 0);
  CHECK_EQ(shmem_int_sum_reduce(SHMEM_TEAM_WORLD, dest, source, 0), 0);
  CHECK_EQ(dest[0], -1);
  shmem_finalize();
  return 0;
}
