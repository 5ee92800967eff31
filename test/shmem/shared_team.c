/*
 * SHMEM_TEAM_SHARED is the PEs of the node, wherever these are in the world's numbering: those that
 * shmem_ptr reaches. It has collectives, children and contexts like any other team.
 */
#include <shmem.h>

#include "check.h"

enum { MOST = 16 };
static long mine, sum, all[MOST];

static int check_team(shmem_team_t team) {
  const int rank = shmem_team_my_pe(team), size = shmem_team_n_pes(team);
  mine = shmem_my_pe();
  long want = 0;
  CHECK_EQ(shmem_team_sync(team), 0);
  CHECK_EQ(shmem_long_fcollect(team, all, &mine, 1), 0);
  for (int i = 0; i < size; i++) {
    CHECK_EQ(all[i], shmem_team_translate_pe(team, i, SHMEM_TEAM_WORLD));
    CHECK_EQ(shmem_team_translate_pe(SHMEM_TEAM_WORLD, (int)all[i], team), i);
    CHECK(shmem_team_ptr(team, &mine, i) == shmem_ptr(&mine, (int)all[i]));
    want += all[i];
  }
  CHECK_EQ(shmem_long_sum_reduce(team, &sum, &mine, 1), 0);
  CHECK_EQ(sum, want);
  return rank;
}

/* A context of the team, and what is said meanwhile on the standard error. */
static int make_context(shmem_ctx_t *ctx, char *said, size_t n) {
  const int saved = dup(STDERR_FILENO);
  int ends[2];
  CHECK(saved >= 0 && pipe(ends) == 0 && dup2(ends[1], STDERR_FILENO) >= 0);
  const int rc = shmem_team_create_ctx(SHMEM_TEAM_SHARED, 0, ctx);
  CHECK(dup2(saved, STDERR_FILENO) >= 0);
  close(ends[1]);
  const ssize_t got = read(ends[0], said, n - 1);
  said[got < 0 ? 0 : got] = 0;
  close(ends[0]);
  close(saved);
  return rc;
}

int main(void) {
  shmem_init();
  const int n = shmem_n_pes();
  int reached = 0;
  CHECK(n <= MOST);
  for (int pe = 0; pe < n; pe++) {
    const int shared = shmem_team_translate_pe(SHMEM_TEAM_WORLD, pe, SHMEM_TEAM_SHARED);
    CHECK_EQ(shmem_ptr(&mine, pe) != NULL, shared >= 0);
    reached += shared >= 0;
  }
  const int size = shmem_team_n_pes(SHMEM_TEAM_SHARED);
  CHECK_EQ(reached, size);
  const int rank = check_team(SHMEM_TEAM_SHARED);

  shmem_team_t backwards, half;
  CHECK_EQ(shmem_team_split_strided(SHMEM_TEAM_SHARED, size - 1, -1, size, NULL, 0, &backwards), 0);
  CHECK_EQ(check_team(backwards), size - 1 - rank);
  CHECK_EQ(shmem_team_split_strided(backwards, 0, 2, (size + 1) / 2, NULL, 0, &half), 0);
  CHECK_EQ(half != SHMEM_TEAM_INVALID, (size - 1 - rank) % 2 == 0);
  if (half != SHMEM_TEAM_INVALID) CHECK_EQ(check_team(half), (size - 1 - rank) / 2);
  shmem_team_destroy(half);
  shmem_team_destroy(backwards);

  shmem_ctx_t ctx;
  char said[500];
  const int right = (rank + 1) % size;
  shmem_sync_all();
  if (make_context(&ctx, said, sizeof said) == 0) {
    shmem_ctx_long_p(ctx, &sum, 1000 + rank, right);
    shmem_ctx_quiet(ctx);
    shmem_sync_all();
    CHECK_EQ(sum, 1000 + (rank + size - 1) % size);
    CHECK_EQ(shmem_ctx_long_g(ctx, &sum, right), 1000 + rank);
    shmem_ctx_destroy(ctx);
  } else {
    CHECK(ctx == SHMEM_CTX_INVALID && getenv("UNEVEN")); /* the one team that has none */
    CHECK(strstr(said, "shmem_team_create_ctx: no context for this team"));
    CHECK(make_context(&ctx, said, sizeof said) != 0 && !*said); /* once */
    shmem_sync_all();
  }
  shmem_finalize();
  return 0;
}
