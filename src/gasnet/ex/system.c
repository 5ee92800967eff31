/*
 * system.c: the job as gex_System_* shows it. A neighbourhood is a node of Weft, the PEs that share
 * memory; PEs that share no memory are taken to be on different hosts.
 */
#include "gasnet/ex/internal.h"

int weft_gex_verbose = 1;

WEFT_API gex_Rank_t gex_System_QueryJobRank(void) {
  return (gex_Rank_t)weft_job.pe;
}

WEFT_API gex_Rank_t gex_System_QueryJobSize(void) {
  return (gex_Rank_t)weft_job.npes;
}

WEFT_API int gex_System_GetVerboseErrors(void) {
  return weft_gex_verbose;
}

WEFT_API void gex_System_SetVerboseErrors(int enable) {
  weft_gex_verbose = enable;
}

/* Threads are bounded by memory only. */
WEFT_API uint64_t gex_System_QueryMaxThreads(void) {
  return weft_gex_client.mode == 0 ? 1 : (uint64_t)1 << 20;
}

WEFT_API int gex_System_QueryHiddenAMConcurrencyLevel(void) {
  return GASNET_HIDDEN_AM_CONCURRENCY_LEVEL;
}

/* Weft's helper runs no code of the client and is started with the job: there is none to defer. */
WEFT_API int gex_System_QueryProgressThreads(gex_Client_t client, unsigned int *count_p,
                                             const gex_ProgressThreadInfo_t **info_p,
                                             gex_Flags_t flags) {
  const char *who = "gex_System_QueryProgressThreads";
  weft_gex_up(who);
  if (client != &weft_gex_client || !count_p || !info_p || flags)
    return weft_gex_error(GASNET_ERR_BAD_ARG, who, "no such client, NULL, or flags not 0");
  if (!(weft_gex_client.flags & GEX_FLAG_DEFER_THREADS))
    return weft_gex_error(GASNET_ERR_RESOURCE, who,
                          "the client did not pass GEX_FLAG_DEFER_THREADS");
  *count_p = 0;
  *info_p = NULL;
  return GASNET_OK;
}

/* PEs of the node by slot, which are in the order of PE numbers. */
_Static_assert(sizeof(gex_RankInfo_t) == sizeof(int), "weft_job.local is an array of these");

WEFT_API void gex_System_QueryNbrhdInfo(gex_RankInfo_t **info_p, gex_Rank_t *info_count_p,
                                        gex_Rank_t *my_info_index_p) {
  weft_gex_up("gex_System_QueryNbrhdInfo");
  if (info_p) *info_p = (gex_RankInfo_t *)weft_job.local;
  if (info_count_p) *info_count_p = (gex_Rank_t)weft_job.nslots;
  if (my_info_index_p) *my_info_index_p = (gex_Rank_t)weft_job.slot;
}

WEFT_API void gex_System_QueryHostInfo(gex_RankInfo_t **info_p, gex_Rank_t *info_count_p,
                                       gex_Rank_t *my_info_index_p) {
  gex_System_QueryNbrhdInfo(info_p, info_count_p, my_info_index_p);
}

WEFT_API void gex_System_QueryMyPosition(gex_Rank_t *nbrhd_set_size_p, gex_Rank_t *nbrhd_set_rank_p,
                                         gex_Rank_t *host_set_size_p, gex_Rank_t *host_set_rank_p) {
  weft_gex_up("gex_System_QueryMyPosition");
  if (nbrhd_set_size_p) *nbrhd_set_size_p = (gex_Rank_t)weft_job.nnodes;
  if (nbrhd_set_rank_p) *nbrhd_set_rank_p = (gex_Rank_t)weft_job.node;
  if (host_set_size_p) *host_set_size_p = (gex_Rank_t)weft_job.nnodes;
  if (host_set_rank_p) *host_set_rank_p = (gex_Rank_t)weft_job.node;
}
