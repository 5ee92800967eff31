/*
 * More PEs than processors, and each spins by atomics until it is its turn: a PE whose atomics
 * change nothing gives the processor to the one that is to change the word. Counted: atomics in
 * vain for each call of sched_yield. Without these calls every turn takes a slice of the
 * scheduler's, which is tens of thousands of atomics.
 */
#define GASNET_SEQ
#include <gasnetex.h>
#include <gasnet_ratomic.h>

#include "check.h"
#include "yields.h"

enum { TURNS = 600, IN_VAIN_MOST = 1024 }; /* every 512th atomic is to yield */

int main(int argc, char **argv) {
  gex_Client_t client;
  gex_EP_t ep;
  gex_TM_t tm;
  gex_Segment_t segment;
  gex_AD_t ad;
  CHECK_EQ(gex_Client_Init(&client, &ep, &tm, "turns", &argc, &argv, 0), GASNET_OK);
  CHECK_EQ(gex_Segment_Attach(&segment, tm, 1 << 20), GASNET_OK);
  const gex_Rank_t me = gex_TM_QueryRank(tm), n = gex_TM_QuerySize(tm);
  gex_AD_Create(&ad, tm, GEX_DT_I64, GEX_OP_FCAS | GEX_OP_GET, 0);
  int64_t *turn = gex_Segment_QueryAddr(segment), old = -1;
  *turn = 0;
  gex_Event_Wait(gex_Coll_BarrierNB(tm, 0));
  gasnet_seginfo_t segments[64];
  CHECK_EQ(gasnet_getSegmentInfo(segments, 64), GASNET_OK);
  const long before = yields;
  long in_vain = 0;
  for (int64_t i = me; i < TURNS; i += n) { /* turn i is that of PE i mod n, the word is PE 0's */
    for (;; in_vain++) {
      gex_Event_Wait(gex_AD_OpNB_I64(ad, &old, 0, segments[0].addr, GEX_OP_FCAS, i, i + 1, 0));
      if (old == i) break;
    }
  }
  const long gave = yields - before;
  gex_Event_Wait(gex_Coll_BarrierNB(tm, 0));
  CHECK(in_vain <= IN_VAIN_MOST * (gave + 1));
  if (me == 0) CHECK_EQ(*turn, TURNS);
  gex_AD_Destroy(ad);
  gasnet_exit(0);
}
