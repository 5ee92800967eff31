/* gex_Segment_Attach: sizes that may be asked for, one segment per process, known to all at once;
 * GASNET_MAX_SEGSIZE in the environment (2MB) is the limit. Then the queries of system and client.
 */
#define GASNET_SEQ
#include <gasnetex.h>

#include "check.h"

static gex_Client_t client;
static gex_TM_t tm;
static gex_EP_t ep;

static void sizes(void) {
  gex_Segment_t s = GEX_SEGMENT_INVALID;
  const uintptr_t most = gasnet_getMaxLocalSegmentSize();
  CHECK_EQ(most, 2 << 20);
  CHECK_EQ(gasnet_getMaxGlobalSegmentSize(), most);
  gex_System_SetVerboseErrors(0);
  CHECK_EQ(gex_Segment_Attach(&s, tm, 0), GASNET_ERR_BAD_ARG);
  CHECK_EQ(gex_Segment_Attach(&s, tm, GASNET_PAGESIZE / 2), GASNET_ERR_BAD_ARG);
  CHECK_EQ(gex_Segment_Attach(&s, tm, most + GASNET_PAGESIZE), GASNET_ERR_BAD_ARG);
  CHECK(gex_EP_QuerySegment(ep) == GEX_SEGMENT_INVALID);
  /* every PE another size */
  const uintptr_t size = (uintptr_t)GASNET_PAGESIZE * (1 + gex_System_QueryJobRank());
  CHECK_EQ(gex_Segment_Attach(&s, tm, size), GASNET_OK);
  CHECK_EQ(gex_Segment_QuerySize(s), size);
  CHECK_EQ((uintptr_t)gex_Segment_QueryAddr(s) % GASNET_PAGESIZE, 0);
  CHECK(gex_EP_QuerySegment(ep) == s);
  CHECK_EQ(gex_Segment_Attach(&s, tm, size), GASNET_ERR_NOT_INIT);
  gex_System_SetVerboseErrors(1);
}

static void bound(void) {
  gasnet_seginfo_t table[64];
  gasnet_nodeinfo_t nodes[64];
  const gex_Rank_t n = gex_System_QueryJobSize(), me = gex_System_QueryJobRank();
  CHECK_EQ(gasnet_getSegmentInfo(table, (int)n), GASNET_OK);
  CHECK_EQ(gasnet_getNodeInfo(nodes, (int)n), GASNET_OK);
  for (gex_Rank_t pe = 0; pe < n; pe++) {
    void *owners, *here;
    uintptr_t size;
    gex_Event_Wait(gex_EP_QueryBoundSegmentNB(tm, pe, &owners, &here, &size, 0));
    CHECK_EQ(size, (uintptr_t)GASNET_PAGESIZE * (1 + pe));
    CHECK(table[pe].addr == owners);
    CHECK_EQ(table[pe].size, size);
    CHECK((here != NULL) == (nodes[pe].supernode == nodes[me].supernode));
    if (here) {
      CHECK_EQ((uintptr_t)owners + nodes[pe].offset, (uintptr_t)here);
      ((int *)here)[me] = (int)(100 * pe + me);
      CHECK(gex_EP_QueryBoundSegmentNB(tm, pe, NULL, NULL, NULL, GEX_FLAG_IMMEDIATE) ==
            GEX_EVENT_INVALID);
    }
  }
  gex_Event_Wait(gex_Coll_BarrierNB(tm, 0));
  int *mine = gex_Segment_QueryAddr(gex_EP_QuerySegment(ep));
  for (gex_Rank_t pe = 0; pe < n; pe++)
    if (nodes[pe].supernode == nodes[me].supernode) CHECK_EQ(mine[pe], (int)(100 * me + pe));
}

static void system_queries(void) {
  gex_RankInfo_t *list;
  gex_Rank_t count, mine, nbrhds, nbrhd, hosts, host, before = 0;
  const gex_ProgressThreadInfo_t *threads;
  unsigned nthreads = 7;
  gex_System_QueryMyPosition(&nbrhds, &nbrhd, &hosts, &host);
  CHECK(nbrhd < nbrhds && host < hosts && hosts <= nbrhds);
  for (int which = 0; which < 2; which++) {
    if (which == 0)
      gex_System_QueryNbrhdInfo(&list, &count, &mine);
    else
      gex_System_QueryHostInfo(&list, &count, &mine);
    CHECK_EQ(list[mine].gex_jobrank, gex_System_QueryJobRank());
    for (gex_Rank_t i = 0; i < count; i++) {
      CHECK(i == 0 || list[i].gex_jobrank > before);
      before = list[i].gex_jobrank;
    }
  }
  if (nbrhds == 1) CHECK_EQ(count, gex_System_QueryJobSize());
  CHECK_EQ(gex_System_QueryMaxThreads(), 1);
  CHECK_EQ(gex_System_QueryHiddenAMConcurrencyLevel(), GASNET_HIDDEN_AM_CONCURRENCY_LEVEL);
  CHECK_EQ(gex_System_QueryProgressThreads(client, &nthreads, &threads, 0), GASNET_OK);
  CHECK_EQ(nthreads, 0);
}

int main(int argc, char **argv) {
  CHECK_EQ(gex_Client_Init(&client, &ep, &tm, "TEST_1", &argc, &argv, GEX_FLAG_DEFER_THREADS),
           GASNET_OK);
  gex_System_SetVerboseErrors(0);
  CHECK_EQ(gex_Client_Init(&client, &ep, &tm, "AGAIN", NULL, NULL, 0), GASNET_ERR_NOT_INIT);
  gex_System_SetVerboseErrors(1);
  CHECK_STR(gex_Client_QueryName(client), "TEST_1");
  CHECK_EQ(gex_Client_QueryFlags(client), GEX_FLAG_DEFER_THREADS);
  CHECK_EQ(gex_EP_QueryFlags(ep), GEX_FLAG_DEFER_THREADS); /* they made all three */
  CHECK_EQ(gex_TM_QueryFlags(tm), GEX_FLAG_DEFER_THREADS);
  CHECK(gex_Client_QueryCData(client) == NULL);
  gex_Client_SetCData(client, &client);
  CHECK(gex_Client_QueryCData(client) == &client);
  sizes();
  bound();
  system_queries();
  return 0; /* which is gasnet_exit(0) */
}
