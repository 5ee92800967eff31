/* An attach for which one PE has no room fails on all, and the others have theirs back: all that is
 * offered can be attached then. */
#include "check.h"

#define GASNET_SEQ
#include <gasnet_coll.h>
#include <gasnetex.h>

int main(int argc, char **argv) {
  gex_Client_t client;
  gex_EP_t ep;
  gex_TM_t tm;
  gex_Segment_t own = GEX_SEGMENT_INVALID, attached;
  gex_System_SetVerboseErrors(0);
  CHECK_EQ(gex_Client_Init(&client, &ep, &tm, "again", &argc, &argv, 0), GASNET_OK);
  const uintptr_t most = gasnet_getMaxGlobalSegmentSize();
  const uintptr_t size = most / 4 * 3 / GASNET_PAGESIZE * GASNET_PAGESIZE; /* twice has no room */
  if (gex_TM_QueryRank(tm) == gex_TM_QuerySize(tm) - 1)
    CHECK_EQ(gex_Segment_Create(&own, client, NULL, most / 2, GEX_MK_HOST, 0), GASNET_OK);
  CHECK_EQ(gex_Segment_Attach(&attached, tm, size), GASNET_ERR_RESOURCE);
  if (own) gex_Segment_Destroy(own, 0);
  CHECK_EQ(gex_Segment_Attach(&attached, tm, most), GASNET_OK);
  CHECK_EQ(gex_Segment_QuerySize(attached), most);
  uint64_t sum = 1;
  gex_Event_Wait(
      gex_Coll_ReduceToAllNB(tm, &sum, &sum, GEX_DT_U64, 8, 1, GEX_OP_ADD, NULL, NULL, 0));
  CHECK_EQ(sum, gex_TM_QuerySize(tm));
  gasnet_exit(0);
}
