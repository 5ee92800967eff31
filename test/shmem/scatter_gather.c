/*
 * The extensions scatter and gather: every type by name and by C11's generic form, every root, on
 * the world, a reversed team and a team of one; a root's own block in place; pshmemx_ twins.
 */
#include <shmemx.h>

#include "check.h"

enum { LARGE = 3000, MOST = 16 };
static int me, n;
static long blocks[MOST * LARGE], mine[LARGE];

#define DATA(FN, N, T) static T N##_all[2 * MOST], N##_part[2];
WEFT_TYPES_RMA(DATA, )

/* Out and back again. */
#define TYPE(FN, N, T)                                                                             \
  static __attribute__((noinline)) void run_##N(shmem_team_t team, int root) {                     \
    const int size = shmem_team_n_pes(team), rank = shmem_team_my_pe(team);                        \
    for (int i = 0; i < 2 * size; i++) N##_all[i] = (T)(rank == root ? i + 3 : 0);                 \
    shmem_team_sync(team);                                                                         \
    CHECK_EQ(shmemx_##N##_scatter(team, N##_part, N##_all, 2, root), 0);                           \
    CHECK(N##_part[0] == (T)(2 * rank + 3) && N##_part[1] == (T)(2 * rank + 4));                   \
    for (int i = 0; i < 2; i++) N##_part[i] = (T)(N##_part[i] + 1);                                \
    CHECK_EQ(pshmemx_##N##_gather(team, N##_all, N##_part, 2, root), 0);                           \
    for (int i = 0; i < 2 * size && rank == root; i++) CHECK(N##_all[i] == (T)(i + 4));            \
    shmem_team_sync(team);                                                                         \
    CHECK_EQ(shmemx_scatter(team, N##_part, N##_all, 2, root), 0);                                 \
    CHECK(N##_part[1] == (T)(2 * rank + 5));                                                       \
    CHECK_EQ(shmemx_gather(team, N##_all, N##_part, 1, root), 0);                                  \
    for (int i = 0; i < size && rank == root; i++) CHECK(N##_all[i] == (T)(2 * i + 4));            \
    shmem_team_sync(team);                                                                         \
  }
WEFT_TYPES_RMA(TYPE, )
#define RUN(FN, N, T) run_##N(team, root);

static void all_types(shmem_team_t team) {
  for (int root = 0; root < shmem_team_n_pes(team); root++) {
    WEFT_TYPES_RMA(RUN, )
  }
}

/* Large blocks; with `place` the root's own is where it belongs, and that is everybody's part. */
static void large(int root, int place) {
  long *part = place ? blocks + root * LARGE : mine;
  for (int i = 0; i < n * LARGE; i++) blocks[i] = me == root ? i : -1;
  shmem_sync_all();
  CHECK_EQ(shmemx_scattermem(SHMEM_TEAM_WORLD, part, blocks, sizeof mine, root), 0);
  for (int i = 0; i < LARGE; i++) CHECK_EQ(part[i], me * LARGE + i);
  for (int i = 0; i < LARGE; i++) part[i] += 7;
  shmem_sync_all();
  CHECK_EQ(shmemx_gathermem(SHMEM_TEAM_WORLD, blocks, part, sizeof mine, root), 0);
  for (int i = 0; i < n * LARGE; i++)
    if (me == root) CHECK_EQ(blocks[i], i + 7);
  shmem_sync_all();
}

int main(void) {
  shmem_team_t team;
  shmem_init();
  me = shmem_my_pe();
  n = shmem_n_pes();
  CHECK(n <= MOST);
  all_types(SHMEM_TEAM_WORLD);
  CHECK_EQ(shmem_team_split_strided(SHMEM_TEAM_WORLD, n - 1, -1, n, NULL, 0, &team), 0);
  all_types(team);
  shmem_team_destroy(team);
  CHECK_EQ(shmem_team_split_strided(SHMEM_TEAM_WORLD, n - 1, 0, 1, NULL, 0, &team), 0);
  if (team != SHMEM_TEAM_INVALID) all_types(team);
  shmem_team_destroy(team);
  for (int root = 0; root < n; root++) large(root, 0), large(root, 1);
  CHECK(shmemx_int_scatter(SHMEM_TEAM_WORLD, int_part, int_all, 0, n - 1) == 0);
  CHECK(shmemx_gathermem(SHMEM_TEAM_WORLD, blocks, mine, 0, 0) == 0);
  if (!getenv("WEFT_CHECK")) /* which ends the job */
    CHECK(shmemx_int_gather(SHMEM_TEAM_INVALID, int_all, int_part, 1, 0) != 0);
  shmem_finalize();
  return 0;
}
