/*
 * Endpoints of other PEs, of which only the primordial one has no segment: what is known of one is
 * never asked for again, however many there are. So an operation to it does not wait, a query that
 * may not wait (IMMEDIATE) has an answer in the end, and a Long that may not wait gets through.
 * Members of a team that publish are asked together, not one after the other.
 */
#define GASNET_SEQ
#include <gasnetex.h>

#include "check.h"
#include "job/job.h"
#include "port/port_internal.h"
#include "rma/rma.h"

enum { EPS = 4, BYTES = 5000, LONG = 200 };

static gex_EP_t ep[EPS];
static gex_Rank_t me, size;
static char *mine[EPS];
static int longs;

static void on_long(gex_Token_t token, void *data, size_t n, gex_AM_Arg_t to) {
  gex_Token_Info_t info;
  gex_Token_Info(token, &info, GEX_TI_SRCRANK);
  CHECK_EQ(n, BYTES);
  CHECK(data == mine[to] && ((char *)data)[0] == (char)info.gex_srcrank);
  CHECK(((char *)data)[n - 1] == (char)info.gex_srcrank);
  longs++;
}

static void create(gex_Client_t client, gex_TM_t tm) {
  gex_AM_Entry_t entry = {
      LONG, (gex_AM_Fn_t)on_long, GEX_FLAG_AM_LONG | GEX_FLAG_AM_REQUEST, 1, NULL, NULL};
  for (int i = 1; i < EPS; i++) {
    gex_Segment_t s;
    CHECK_EQ(gex_EP_Create(&ep[i], client, GEX_EP_CAPABILITY_RMA | GEX_EP_CAPABILITY_AM, 0),
             GASNET_OK);
    CHECK_EQ(gex_EP_RegisterHandlers(ep[i], &entry, 1), GASNET_OK);
    if (i == EPS - 1) break; /* this one has no segment */
    CHECK_EQ(gex_Segment_Create(&s, client, NULL, BYTES, GEX_MK_HOST, 0), GASNET_OK);
    CHECK_EQ(gex_EP_BindSegment(ep[i], s, 0), GASNET_OK);
    mine[i] = gex_Segment_QueryAddr(s);
    memset(mine[i], (int)(16 * i + me), BYTES);
  }
  CHECK_EQ(gex_EP_PublishBoundSegment(tm, ep + 1, EPS - 1, 0), GASNET_OK);
}

static int gets; /* that were waited for one by one */

void __real_weft_rma_get(int pe, uintptr_t off, void *dest, size_t n);
void __wrap_weft_rma_get(int pe, uintptr_t off, void *dest, size_t n);
void __wrap_weft_rma_get(int pe, uintptr_t off, void *dest, size_t n) {
  gets++;
  __real_weft_rma_get(pe, off, dest, n);
}

static void publish_in_team(gex_TM_t tm) {
  gex_TM_t all;
  gex_TM_Split(&all, tm, 0, me, NULL, 0, GEX_FLAG_TM_NO_SCRATCH);
  const int before = gets;
  CHECK_EQ(gex_EP_PublishBoundSegment(all, ep + 1, EPS - 1, 0), GASNET_OK);
  CHECK_EQ(gets, before);
}

static int asked(gex_TM_t pair, gex_Rank_t pe, char **base, gex_Flags_t flags) {
  uintptr_t bytes = 0;
  *base = NULL;
  gex_Event_t e = gex_EP_QueryBoundSegmentNB(pair, pe, (void **)base, NULL, &bytes, flags);
  if (e == GEX_EVENT_NO_OP) return 0;
  gex_Event_Wait(e);
  CHECK((*base != NULL) == (bytes >= BYTES));
  return 1;
}

/* One's port is not looked at in it, as a wait would. */
static void get(gex_TM_t pair, gex_Rank_t pe, char *base, int i) {
  char got[2];
  bool looked = true; /* where the provider has no room for the get it is, once in a while */
  for (int tries = 0; looked && tries < 10; tries++) {
    const uint32_t beat = weft_progress_beat();
    gex_Event_t e = gex_RMA_GetNB(pair, got, pe, base + BYTES - 2, 2, 0);
    looked = weft_job.port && weft_progress_beat() != beat;
    gex_Event_Wait(e);
  }
  CHECK(!looked);
  CHECK(got[0] == (char)(16 * i + (int)pe) && got[1] == got[0]);
}

int main(void) {
  gex_Client_t client;
  gex_TM_t tm;
  char *base;
  static char data[BYTES];
  CHECK_EQ(gex_Client_Init(&client, &ep[0], &tm, "TEST", NULL, NULL, 0), GASNET_OK);
  me = gex_System_QueryJobRank(), size = gex_System_QueryJobSize();
  create(client, tm);
  memset(data, (int)me, sizeof data);
  const gex_Rank_t peer = (me + size / 2) % size; /* on the other node */
  for (gex_EP_Index_t i = 1; i < EPS; i++) {
    gex_TM_t pair = gex_TM_Pair(ep[0], i);
    while (!asked(pair, peer, &base, GEX_FLAG_IMMEDIATE)) gasnet_AMPoll();
    CHECK((base != NULL) == (i < EPS - 1));
  }
  for (gex_Rank_t pe = 0; pe < size; pe++)
    for (gex_EP_Index_t i = 1; i < EPS - 1; i++) CHECK(asked(gex_TM_Pair(ep[0], i), pe, &base, 0));
  for (gex_Rank_t pe = 0; pe < size; pe++)
    for (gex_EP_Index_t i = 1; i < EPS - 1; i++) {
      gex_TM_t pair = gex_TM_Pair(ep[0], i);
      CHECK(asked(pair, pe, &base, GEX_FLAG_IMMEDIATE));
      get(pair, pe, base, i);
    }
  gex_Event_Wait(gex_Coll_BarrierNB(tm, 0)); /* now the segments may change */
  for (gex_EP_Index_t i = 1; i < EPS - 1; i++) {
    gex_TM_t pair = gex_TM_Pair(ep[0], i);
    CHECK(asked(pair, peer, &base, GEX_FLAG_IMMEDIATE));
    while (gex_AM_RequestLong1(pair, peer, LONG, data, BYTES, base, GEX_EVENT_NOW,
                               GEX_FLAG_IMMEDIATE, i))
      gasnet_AMPoll();
  }
  GASNET_BLOCKUNTIL(longs == EPS - 2);
  publish_in_team(tm);
  gasnet_exit(0);
}
