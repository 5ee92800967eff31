/*
 * test: none
 * A handle that was destroyed, or is none, is used in the way of the first argument; handles.sh
 * judges what is said.
 */
#define GASNET_SEQ
#include <gasnetex.h>
#include <gasnet_ratomic.h>
#include <shmem.h>

#include <stdlib.h>
#include <string.h>

static long word;
static const char *which;

static int is(const char *name) {
  return !strcmp(which, name);
}

static void shmem_handles(void) {
  shmem_team_t team, other;
  shmem_ctx_t ctx;
  shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, shmem_n_pes(), NULL, 0, &team);
  if (shmem_team_create_ctx(team, 0, &ctx)) exit(60);
  if (is("ctx-none")) shmem_ctx_long_p(SHMEM_CTX_INVALID, &word, 1, 0);
  if (is("ctx")) shmem_ctx_destroy(ctx), shmem_ctx_long_p(ctx, &word, 1, 0);
  if (is("ctx-quiet")) shmem_ctx_destroy(ctx), shmem_ctx_quiet(ctx);
  if (is("ctx-twice")) shmem_ctx_destroy(ctx), shmem_ctx_destroy(ctx);
  if (is("ctx-reused")) { /* another one stands elsewhere */
    shmem_ctx_destroy(ctx);
    if (shmem_ctx_create(0, &ctx)) exit(61);
    shmem_ctx_long_p(ctx, &word, 1, 0);
    exit(0);
  }
  shmem_team_destroy(team);
  if (is("ctx-of-team")) shmem_ctx_long_atomic_add(ctx, &word, 1, 0);
  if (is("team")) shmem_team_sync(team);
  if (is("team-size")) shmem_team_n_pes(team);
  if (is("team-twice")) shmem_team_destroy(team);
  if (is("team-split")) shmem_team_split_strided(team, 0, 1, 1, NULL, 0, &other);
}

static void gasnet_handles(void) {
  gex_Client_t client;
  gex_EP_t ep;
  gex_TM_t tm, part;
  gex_AD_t domain;
  gex_Segment_t segment;
  gex_Client_Init(&client, &ep, &tm, "handles", NULL, NULL, 0);
  gex_TM_Split(&part, tm, 0, 0, NULL, 0, GEX_FLAG_TM_NO_SCRATCH);
  gex_TM_Destroy(part, NULL, 0);
  if (is("tm")) exit((int)gex_TM_QueryRank(part));
  if (is("tm-barrier")) gex_Event_Wait(gex_Coll_BarrierNB(part, 0));
  gex_AD_Create(&domain, tm, GEX_DT_I64, GEX_OP_ADD, 0);
  gex_AD_Destroy(domain);
  if (is("ad")) gex_AD_OpNBI_I64(domain, NULL, 0, &word, GEX_OP_ADD, 1, 0, 0);
  if (gex_Segment_Create(&segment, client, NULL, GASNET_PAGESIZE, GEX_MK_HOST, 0)) exit(62);
  gex_Segment_Destroy(segment, 0);
  if (is("segment")) gex_Segment_QueryAddr(segment);
}

int main(int argc, char **argv) {
  which = argc > 1 ? argv[1] : "";
  shmem_init();
  shmem_handles();
  gasnet_handles();
  return 63; /* nothing was found */
}
