/* OpenSHMEM and GASNet-EX in one process, initialised in either order (ARGS: "gasnet", and that is
 * first): the same PEs, each reaches the other's memory, and both end well. */
#define GASNET_SEQ
#include <gasnetex.h>
#include <shmem.h>

#include "check.h"

static int handled;
static long symmetric[64];

static void handler(gex_Token_t token, gex_AM_Arg_t value) {
  (void)token;
  handled += value;
}

int main(int argc, char **argv) {
  const int gasnet_first = argc > 1 && strcmp(argv[1], "gasnet") == 0;
  gex_EP_t ep;
  gex_TM_t tm;
  gex_Segment_t segment;
  gex_AM_Entry_t entry = {
      200, (gex_AM_Fn_t)handler, GEX_FLAG_AM_SHORT | GEX_FLAG_AM_REQUEST, 1, NULL, NULL};
  if (!gasnet_first) shmem_init();
  CHECK_EQ(gex_Client_Init(NULL, &ep, &tm, "TEST", &argc, &argv, 0), GASNET_OK);
  if (gasnet_first) shmem_init();
  CHECK_EQ(gex_EP_RegisterHandlers(ep, &entry, 1), GASNET_OK);
  CHECK_EQ(gex_Segment_Attach(&segment, tm, GASNET_PAGESIZE), GASNET_OK);
  const int me = shmem_my_pe(), n = shmem_n_pes(), peer = (me + 1) % n, from = (me + n - 1) % n;
  CHECK_EQ(gex_TM_QueryRank(tm), me);
  CHECK_EQ(gex_TM_QuerySize(tm), n);

  /* one allocation, two names: put by one, read by the other */
  long *heap = shmem_calloc(8, sizeof *heap);
  shmem_long_p(&heap[0], 100 + me, peer);
  shmem_barrier_all();
  gex_AM_RequestShort1(tm, (gex_Rank_t)peer, 200, 0, 7);
  GASNET_BLOCKUNTIL(handled == 7);
  CHECK_EQ(heap[0], 100 + from);
  long *segment_words = gex_Segment_QueryAddr(segment);
  segment_words[1] = 300 + me;
  gex_Event_Wait(gex_Coll_BarrierNB(tm, 0));
  void *base;
  gex_Event_Wait(gex_EP_QueryBoundSegmentNB(tm, (gex_Rank_t)peer, &base, NULL, NULL, 0));
  CHECK_EQ((long)gex_RMA_GetBlockingVal(tm, (gex_Rank_t)peer, (long *)base + 1, sizeof(long), 0),
           300 + peer);
  shmem_long_atomic_add(&symmetric[3], me + 1, peer);
  shmem_barrier_all();
  CHECK_EQ(symmetric[3], from + 1);
  shmem_free(heap);
  shmem_finalize();
  gex_AM_RequestShort1(tm, (gex_Rank_t)peer, 200, 0, 5); /* GASNet goes on */
  GASNET_BLOCKUNTIL(handled == 12);
  gex_Event_Wait(gex_Coll_BarrierNB(tm, 0));
  gasnet_exit(0);
}
