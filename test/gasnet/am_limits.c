/* Limits of active messages hold: the largest payloads of each kind arrive, long local completion
 * by event, by group and at once; what a token tells; an immediate request is sent or is not. */
#define GASNET_SEQ
#include <gasnetex.h>

#include "check.h"

enum { MEDIUM = 150, LONG, SHORT, DONE, LONGEST = 300000 };

static gex_Rank_t me, size, from;
static gex_EP_t ep;
static int arrived, done;
static char *segment, source[LONGEST];

static void look(gex_Token_t token, int is_long, unsigned nargs) {
  gex_Token_Info_t info;
  CHECK_EQ(gex_Token_Info(token, &info, GEX_TI_SRCRANK | GEX_TI_EP) & GEX_TI_ALL, GEX_TI_ALL);
  CHECK_EQ(info.gex_srcrank, from);
  CHECK(info.gex_ep == ep);
  CHECK_EQ(info.gex_is_req, 1);
  CHECK_EQ(info.gex_is_long, is_long);
  CHECK_EQ(info.gex_entry->gex_nargs, nargs);
  CHECK_STR((const char *)info.gex_entry->gex_cdata, "cdata");
}

static void payload(gex_Token_t token, void *p, size_t n) {
  look(token, p == segment, 0);
  CHECK(memcmp(p, source, n) == 0);
  arrived++;
  gex_AM_ReplyShort0(token, DONE, 0);
}

static void counted(gex_Token_t token, gex_AM_Arg_t value) {
  look(token, 0, 1);
  CHECK_EQ(value, arrived);
  arrived++;
}

static void reply(gex_Token_t token) {
  gex_Token_Info_t info;
  gex_Token_Info(token, &info, GEX_TI_ALL);
  CHECK_EQ(info.gex_is_req, 0);
  CHECK_EQ(info.gex_srcrank, (me + 1) % size);
  done++;
}

static void limits(gex_TM_t tm, gex_Rank_t peer) {
  CHECK_EQ(gex_AM_MaxArgs(), 16);
  size_t medium = gex_AM_MaxRequestMedium(tm, peer, GEX_EVENT_NOW, 0, 16);
  CHECK(gex_AM_LUBRequestMedium() >= 512 && gex_AM_LUBRequestMedium() <= medium);
  CHECK(gex_AM_MaxRequestMedium(tm, GEX_RANK_INVALID, NULL, 0, 0) <= medium);
  CHECK(gex_AM_LUBReplyMedium() <= gex_AM_MaxReplyMedium(tm, peer, NULL, 0, 3));
  CHECK(gex_AM_LUBRequestLong() <= gex_AM_MaxRequestLong(tm, peer, NULL, 0, 0));
  CHECK(gex_AM_LUBReplyLong() <= gex_AM_MaxReplyLong(tm, peer, NULL, 0, 0));
  CHECK(gex_AM_MaxRequestLong(tm, peer, NULL, GEX_FLAG_AM_PREPARE_LEAST_ALLOC, 0) >= 512);
  CHECK_EQ(gex_AM_RequestMedium0(tm, peer, MEDIUM, source, medium, GEX_EVENT_NOW, 0), 0);
  GASNET_BLOCKUNTIL(done == 1);
}

int main(void) {
  const gex_Flags_t request = GEX_FLAG_AM_REQUEST;
  gex_AM_Entry_t table[] = {
      {MEDIUM, (gex_AM_Fn_t)payload, GEX_FLAG_AM_MEDIUM | request, 0, "cdata", "payload"},
      {LONG, (gex_AM_Fn_t)payload, GEX_FLAG_AM_LONG | request, 0, "cdata", "payload"},
      {SHORT, (gex_AM_Fn_t)counted, GEX_FLAG_AM_SHORT | request, 1, "cdata", NULL},
      {DONE, (gex_AM_Fn_t)reply, GEX_FLAG_AM_SHORT | GEX_FLAG_AM_REPLY, 0, NULL, NULL}};
  gex_TM_t tm;
  gex_Segment_t attached;
  gex_Event_t event;
  void *dest;
  CHECK_EQ(gex_Client_Init(NULL, &ep, &tm, "TEST", NULL, NULL, 0), GASNET_OK);
  CHECK_EQ(gex_EP_RegisterHandlers(ep, table, 4), GASNET_OK);
  me = gex_System_QueryJobRank(), size = gex_System_QueryJobSize();
  from = (me + size - 1) % size;
  const gex_Rank_t peer = (me + 1) % size;
  for (int i = 0; i < LONGEST; i++) source[i] = (char)(i * 13 + i / 256);
  CHECK_EQ(gex_Segment_Attach(&attached, tm, 128 * (size_t)GASNET_PAGESIZE), GASNET_OK);
  segment = gex_Segment_QueryAddr(attached);
  gex_Event_Wait(gex_EP_QueryBoundSegmentNB(tm, peer, &dest, NULL, NULL, 0));
  gex_Event_Wait(gex_Coll_BarrierNB(tm, 0));
  limits(tm, peer);
  CHECK_EQ(gex_AM_RequestLong0(tm, peer, LONG, source, LONGEST, dest, &event, 0), 0);
  gex_Event_Wait(event);
  GASNET_BLOCKUNTIL(done == 2);
  CHECK_EQ(gex_AM_RequestLong0(tm, peer, LONG, source, LONGEST, dest, GEX_EVENT_GROUP, 0), 0);
  gex_NBI_Wait(GEX_EC_AM, 0);
  GASNET_BLOCKUNTIL(done == 3);
  CHECK_EQ(gex_AM_RequestLong0(tm, peer, LONG, source, LONGEST, dest, GEX_EVENT_NOW, 0), 0);
  CHECK_EQ(gex_AM_RequestLong0(tm, peer, LONG, NULL, 0, dest, GEX_EVENT_NOW, 0), 0);
  GASNET_BLOCKUNTIL(done == 5 && arrived >= 5);
  for (int value = 5, steps = 0; value < 500; steps++) {
    int rc = gex_AM_RequestShort1(tm, peer, SHORT, GEX_FLAG_IMMEDIATE, value);
    if (rc == 0) value++;
    if (rc || steps % 7 == 0) gasnet_AMPoll();
  }
  GASNET_BLOCKUNTIL(arrived == 500);
  gasnet_exit(0);
}
