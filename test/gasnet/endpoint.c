/* Endpoints: capabilities, indices, client data; handlers' registration in all its forms; active
 * messages and segments of endpoints that are not primordial, named by TM-pairs. */
#define GASNET_SEQ
#include <gasnetex.h>

#include "check.h"

enum { PING = 130, PONG, BYTES = 5000 };

static gex_Client_t client;
static gex_EP_t ep0, ep[4];
static int pings, pongs;
static char *home; /* where the next pong's payload goes, at the PE that pinged */

static void ping(gex_Token_t token, void *p, size_t n, gex_AM_Arg_t index, gex_AM_Arg_t back) {
  gex_Token_Info_t info;
  gex_Token_Info(token, &info, GEX_TI_ALL);
  CHECK(info.gex_ep == ep[index]);
  CHECK_EQ(info.gex_entry->gex_index, PING);
  CHECK_STR(info.gex_entry->gex_name, "ping");
  CHECK_EQ(n, BYTES);
  CHECK_EQ(((char *)p)[BYTES - 1], (char)index);
  pings++;
  if (back)
    gex_AM_ReplyMedium1(token, PONG, p, gex_Token_MaxReplyMedium(token, NULL, 0, 1) < n ? 0 : n,
                        GEX_EVENT_NOW, 0, index);
}

static void pong(gex_Token_t token, void *p, size_t n, gex_AM_Arg_t index) {
  gex_Token_Info_t info;
  gex_Token_Info(token, &info, GEX_TI_ALL);
  CHECK(info.gex_ep == ep[3 - index]);
  if (n) CHECK_EQ(((char *)p)[BYTES - 1], (char)index);
  pongs++;
}

static void nothing_happens(gex_Token_t token) {
  (void)token;
}

/* Each of these is refused with the documented error. */
static void refused(void) {
  gex_EP_t none;
  gex_AM_Entry_t e = {
      PING, (gex_AM_Fn_t)nothing_happens, GEX_FLAG_AM_SHORT | GEX_FLAG_AM_REQREP, 0, NULL, NULL};
  gex_System_SetVerboseErrors(0);
  CHECK_EQ(gex_EP_Create(&none, client, 0, 0), GASNET_ERR_BAD_ARG);
  CHECK_EQ(gex_EP_Create(&none, client, GEX_EP_CAPABILITY_COLL, 0), GASNET_ERR_BAD_ARG);
  CHECK_EQ(gex_EP_RegisterHandlers(ep[1], &e, 1), GASNET_ERR_BAD_ARG); /* there already */
  e.gex_index = 1;
  CHECK_EQ(gex_EP_RegisterHandlers(ep[1], &e, 1), GASNET_ERR_BAD_ARG);
  e.gex_index = 0, e.gex_flags = GEX_FLAG_AM_SHORT;
  CHECK_EQ(gex_EP_RegisterHandlers(ep[1], &e, 1), GASNET_ERR_BAD_ARG);
  e.gex_flags = GEX_FLAG_AM_REQUEST;
  CHECK_EQ(gex_EP_RegisterHandlers(ep[1], &e, 1), GASNET_ERR_BAD_ARG);
  e.gex_flags = GEX_FLAG_AM_SHORT | GEX_FLAG_AM_REQREP, e.gex_nargs = 17;
  CHECK_EQ(gex_EP_RegisterHandlers(ep[1], &e, 1), GASNET_ERR_BAD_ARG);
  e.gex_nargs = 0, e.gex_fnptr = NULL;
  CHECK_EQ(gex_EP_RegisterHandlers(ep[1], &e, 1), GASNET_ERR_BAD_ARG);
  gex_System_SetVerboseErrors(1);
  CHECK_EQ(gex_System_GetVerboseErrors(), 1);
}

/* Indices that are left to GASNet go from 255 down, past those that are taken. */
static void any_index(void) {
  gex_AM_Entry_t t[4];
  for (int i = 0; i < 4; i++)
    t[i] = (gex_AM_Entry_t){i == 2 ? 254 : 0,
                            (gex_AM_Fn_t)nothing_happens,
                            GEX_FLAG_AM_SHORT | GEX_FLAG_AM_REQREP,
                            0,
                            NULL,
                            NULL};
  CHECK_EQ(gex_EP_RegisterHandlers(ep[1], t, 4), GASNET_OK);
  CHECK_EQ(t[0].gex_index, 255);
  CHECK_EQ(t[1].gex_index, 253);
  CHECK_EQ(t[3].gex_index, 252);
}

/* There is none of these numbers anywhere: nothing is bound to it. */
static void no_such_endpoint(gex_Rank_t peer) {
  static const gex_EP_Index_t indices[] = {10, GASNET_MAXEPS - 1, GASNET_MAXEPS, 4000, 4096, 65535};
  for (size_t i = 0; i < sizeof indices / sizeof *indices; i++) {
    const gex_TM_t pair = gex_TM_Pair(ep0, indices[i]);
    uintptr_t size = 1;
    gex_Event_Wait(gex_EP_QueryBoundSegmentNB(pair, peer, NULL, NULL, &size, 0));
    CHECK_EQ(size, 0);
    CHECK_EQ(gex_Segment_QueryBound(pair, peer, NULL, NULL, &size), GASNET_ERR_NOT_READY);
  }
}

static void create(gex_TM_t tm) {
  static int cdata;
  gex_AM_Entry_t t[] = {
      {PING, (gex_AM_Fn_t)ping, GEX_FLAG_AM_MEDLONG | GEX_FLAG_AM_REQUEST, 2, NULL, "ping"},
      {PONG, (gex_AM_Fn_t)pong, GEX_FLAG_AM_MEDIUM | GEX_FLAG_AM_REPLY, 1, NULL, NULL}};
  ep[0] = ep0;
  for (int i = 1; i < 4; i++) {
    CHECK_EQ(gex_EP_Create(&ep[i], client, GEX_EP_CAPABILITY_RMA | GEX_EP_CAPABILITY_AM,
                           GEX_FLAG_HINT_ACCEL_AD),
             GASNET_OK);
    CHECK_EQ(gex_EP_QueryIndex(ep[i]), i);
    CHECK_EQ(gex_EP_QueryFlags(ep[i]), GEX_FLAG_HINT_ACCEL_AD);
    CHECK(gex_EP_QueryClient(ep[i]) == client);
    CHECK(gex_EP_QuerySegment(ep[i]) == GEX_SEGMENT_INVALID);
    CHECK(gex_EP_QueryCData(ep[i]) == NULL);
    gex_EP_SetCData(ep[i], &cdata);
    CHECK(gex_EP_QueryCData(ep[i]) == &cdata);
  }
  for (int i = 0; i < 4; i++) {
    gex_Segment_t s;
    CHECK_EQ(gex_EP_RegisterHandlers(ep[i], t, 2), GASNET_OK);
    CHECK_EQ(gex_Segment_Create(&s, client, NULL, 2 * BYTES, GEX_MK_HOST, 0), GASNET_OK);
    CHECK_EQ(gex_EP_BindSegment(ep[i], s, 0), GASNET_OK);
    CHECK(gex_EP_QuerySegment(ep[i]) == s);
  }
  CHECK_EQ(gex_EP_PublishBoundSegment(tm, ep, 4, 0), GASNET_OK);
}

int main(void) {
  static char source[BYTES];
  gex_TM_t tm;
  CHECK_EQ(gex_Client_Init(&client, &ep0, &tm, "TEST", NULL, NULL, 0), GASNET_OK);
  const gex_Rank_t me = gex_System_QueryJobRank(), size = gex_System_QueryJobSize();
  const gex_Rank_t peer = (me + 1) % size;
  create(tm);
  refused();
  any_index();
  no_such_endpoint(peer);
  gex_Event_Wait(gex_Coll_BarrierNB(tm, 0));
  for (int i = 0; i < 4; i++) {
    uintptr_t bytes;
    void *base;
    gex_TM_t pair = gex_TM_Pair(ep[3 - i], (gex_EP_Index_t)i);
    gex_Event_Wait(gex_EP_QueryBoundSegmentNB(pair, peer, &base, NULL, &bytes, 0));
    CHECK(bytes >= 2 * BYTES);
    home = base;
    memset(source, i, sizeof source);
    CHECK(gex_AM_MaxRequestMedium(pair, peer, NULL, 0, 2) >= BYTES);
    CHECK_EQ(gex_AM_RequestMedium2(pair, peer, PING, source, BYTES, GEX_EVENT_NOW, 0, i, 1), 0);
    GASNET_BLOCKUNTIL(pongs == i + 1);
    CHECK_EQ(gex_AM_RequestLong2(pair, peer, PING, source, BYTES, home, GEX_EVENT_NOW, 0, i, 0), 0);
    GASNET_BLOCKUNTIL(pings >= 2 * (i + 1));
  }
  gasnet_exit(0);
}
