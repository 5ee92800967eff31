/* Trap 6: a context made from a team numbers PEs as the team does, in fence and quiet lists too;
 * the default one is the world's. */
#include <shmem.h>

#include "check.h"

static long word, count, result;

int main(void) {
  shmem_init();
  const int me = shmem_my_pe(), n = shmem_n_pes();
  shmem_team_t team, reversed;
  shmem_ctx_t ctx, own;

  CHECK(shmem_ctx_get_team(SHMEM_CTX_DEFAULT, &team) == 0 && team == SHMEM_TEAM_WORLD);
  CHECK(shmem_ctx_get_team(SHMEM_CTX_INVALID, &team) != 0 && team == SHMEM_TEAM_INVALID);
  CHECK(shmem_team_create_ctx(SHMEM_TEAM_INVALID, 0, &ctx) != 0 && ctx == SHMEM_CTX_INVALID);
  CHECK_EQ(shmem_ctx_create(SHMEM_CTX_PRIVATE, &own), 0);
  CHECK(shmem_ctx_get_team(own, &team) == 0 && team == SHMEM_TEAM_WORLD);

  CHECK_EQ(shmem_team_split_strided(SHMEM_TEAM_WORLD, n - 1, -1, n, NULL, 0, &reversed), 0);
  CHECK_EQ(shmem_team_my_pe(reversed), n - 1 - me);
  CHECK_EQ(shmem_team_create_ctx(reversed, SHMEM_CTX_SERIALIZED, &ctx), 0);
  CHECK(shmem_ctx_get_team(ctx, &team) == 0 && team == reversed);

  /* Team PE i is world PE n - 1 - i: everyone writes to its mirror image. */
  shmem_ctx_long_p(ctx, &word, me + 1, me);
  const int targets[1] = {me};
  shmem_ctx_pe_quiet(ctx, targets, 1);
  shmem_ctx_fence(ctx);
  CHECK_EQ(shmem_long_g(&word, n - 1 - me), me + 1);
  shmem_barrier_all();
  CHECK_EQ(word, n - me);
  CHECK_EQ(shmem_ctx_long_g(ctx, &word, me), me + 1);
  CHECK_EQ(shmem_ctx_long_atomic_fetch_add(ctx, &count, 1, 0) < n, 1);
  shmem_ctx_long_get_nbi(ctx, &result, &word, 1, me);
  shmem_ctx_quiet(ctx);
  CHECK_EQ(result, me + 1);
  shmem_barrier_all();
  if (me == n - 1) CHECK_EQ(count, n);

  const shmem_ctx_session_config_t config = {.total_ops = 10};
  shmem_ctx_session_start(ctx, SHMEM_CTX_SESSION_BATCH, &config, SHMEM_CTX_SESSION_TOTAL_OPS);
  shmem_ctx_session_stop(ctx);
  shmem_ctx_destroy(ctx);
  shmem_team_destroy(reversed);
  shmem_finalize(); /* `own` goes with it */
  return 0;
}
