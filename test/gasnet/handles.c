/*
 * test: none
 * A handle that is NULL, a TM-pair in the place of a team, or a message before there is a client
 * while OpenSHMEM is up, for handles.sh: handles WHICH, with "early" behind it before
 * gex_Client_Init.
 */
#define GASNET_PAR
#include <gasnet_coll.h>
#include <gasnet_ratomic.h>
#include <gasnetex.h>
#include <shmem.h>
#include <string.h>

int main(int argc, char **argv) {
  const char *which = argc > 1 ? argv[1] : "";
  gex_Client_t client;
  gex_EP_t ep;
  gex_TM_t tm, new_tm;
  gex_AD_t ad;
  gex_EP_Location_t own = {0, 0};
  shmem_init();
  shmem_barrier_all();
  if (argc < 3) gex_Client_Init(&client, &ep, &tm, "handles", &argc, &argv, 0);
#define IS(name) if (!strcmp(which, name))
  const gex_Rank_t me = (gex_Rank_t)shmem_my_pe(), other = (me + 1) % (gex_Rank_t)shmem_n_pes();
  IS("short") gex_AM_RequestShort0(NULL, other, 200, 0);
  IS("short-own") gex_AM_RequestShort4(NULL, me, 200, 0, 1, 2, 3, 4);
  IS("short-16")
  gex_AM_RequestShort16(NULL, other, 200, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16);
  IS("medium") gex_AM_RequestMedium0(NULL, other, 200, &me, 4, GEX_EVENT_NOW, 0);
  IS("put") gex_RMA_PutBlocking(NULL, other, &argc, &argc, 4, 0);
  IS("gex_Client_QueryName") gex_Client_QueryName(NULL);
  IS("gex_Client_QueryFlags") gex_Client_QueryFlags(NULL);
  IS("gex_Client_SetCData") gex_Client_SetCData(NULL, NULL);
  IS("gex_EP_QueryClient") gex_EP_QueryClient(NULL);
  IS("gex_EP_QuerySegment") gex_EP_QuerySegment(NULL);
  IS("gex_EP_QueryIndex") gex_TM_Pair(NULL, 1);
  IS("gex_EP_QueryCData") gex_EP_QueryCData(NULL);
  IS("gex_Segment_QueryAddr") gex_Segment_QueryAddr(NULL);
  IS("gex_Segment_QuerySize") gex_Segment_QuerySize(NULL);
  IS("gex_TM_QueryClient") gex_TM_QueryClient(NULL);
  IS("gex_TM_Split") gex_TM_Split(&new_tm, NULL, 0, 0, NULL, 0, 0);
  IS("gex_TM_Create") gex_TM_Create(&new_tm, 1, NULL, &own, 1, NULL, 0, GEX_FLAG_TM_NO_SCRATCH);
  IS("gex_TM_Destroy") gex_TM_Destroy(NULL, NULL, 0);
  IS("gex_Coll_BarrierNB") gex_Coll_BarrierNB(NULL, 0);
  IS("gex_Coll_BroadcastNB") gex_Coll_BroadcastNB(NULL, 0, &tm, &tm, 4, 0);
  IS("gex_AD_Create") gex_AD_Create(&ad, NULL, GEX_DT_I32, GEX_OP_ADD, 0);
  IS("gex_AD_Destroy") gex_AD_Destroy(NULL);
  IS("gex_AD_QueryTM") gex_AD_QueryTM(NULL);
  gex_Token_Info_t info;
  IS("gex_Token_Info") gex_Token_Info(NULL, &info, GEX_TI_ALL);
  IS("gex_Token_MaxReplyMedium") gex_Token_MaxReplyMedium(NULL, GEX_EVENT_NOW, 0, 0);
  IS("gex_AM_PrepareReplyLong") gex_AM_PrepareReplyLong(NULL, NULL, 8, 8, &tm, NULL, 0, 0);
  IS("gex_AM_SrcDescAddr") gex_AM_SrcDescAddr(GEX_AM_SRCDESC_NO_OP);
  IS("gex_AM_SrcDescSize") gex_AM_SrcDescSize(GEX_AM_SRCDESC_NO_OP);
  IS("gex_AM_Commit") gex_AM_CommitRequestMedium0(GEX_AM_SRCDESC_NO_OP, 200, 0);
  static int32_t word;
  const gex_OP_t op = argc > 20 ? GEX_OP_ADD : GEX_OP_MULT; /* known to nobody */
  IS("gex_AD_Op") gex_AD_OpNBI_I32(NULL, NULL, me, &word, op, 2, 0, 0);
  IS("domain") gex_AD_OpNBI_I32(NULL, NULL, other, &word, GEX_OP_ADD, 1, 0, 0);
  IS("domain-get") gex_Event_Wait(gex_AD_OpNB_I32(NULL, &word, me, &word, op / 2, 1, 0, 0));
  IS("reply") gex_AM_ReplyShort0(NULL, 200, 0);
  IS("rank") return (int)gex_TM_QueryRank(GEX_TM_INVALID) + 1;
  IS("size") return (int)gex_TM_QuerySize(GEX_TM_INVALID);
  const gex_TM_t pair = argc < 3 ? gex_TM_Pair(ep, 0) : NULL;
  IS("pair-split") gex_TM_Split(&new_tm, pair, 0, 0, NULL, 0, GEX_FLAG_TM_NO_SCRATCH);
  IS("pair-create") gex_TM_Create(&new_tm, 1, pair, &own, 1, NULL, 0, GEX_FLAG_TM_NO_SCRATCH);
  IS("pair-destroy") gex_TM_Destroy(pair, NULL, 0);
  IS("pair-client") gex_TM_QueryClient(pair);
  IS("pair-barrier") gex_Coll_BarrierNB(pair, 0);
  IS("pair-domain") gex_AD_Create(&ad, pair, GEX_DT_I32, GEX_OP_ADD, 0);
  return 0;
}
