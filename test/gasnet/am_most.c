/* A medium of as many bytes as the limits by rank and by token say: to each rank, of this node and
 * of others, with the primordial endpoints and with others, of a fixed and a negotiated payload. */
#define GASNET_SEQ
#include <gasnetex.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

enum { REQUEST = 200, REPLY };

static int replies;

static void verify(const char *p, size_t n, int seed) {
  for (size_t i = 0; i < n; i++) CHECK_EQ(p[i], (char)(seed + (int)i));
}

static char *filled(size_t n, int seed) {
  char *p = malloc(n);
  CHECK(p);
  for (size_t i = 0; i < n; i++) p[i] = (char)(seed + (int)i);
  return p;
}

static void request(gex_Token_t token, void *p, size_t n, gex_AM_Arg_t seed) {
  verify(p, n, seed);
  const size_t most = gex_Token_MaxReplyMedium(token, GEX_EVENT_NOW, 0, 1);
  char *reply = filled(most, seed + 1);
  CHECK_EQ(gex_AM_ReplyMedium1(token, REPLY, reply, most, GEX_EVENT_NOW, 0, seed + 1), 0);
  free(reply);
}

static void reply(gex_Token_t token, void *p, size_t n, gex_AM_Arg_t seed) {
  (void)token;
  verify(p, n, seed);
  replies++;
}

static void exchange(gex_TM_t tm, gex_Rank_t rank, int seed) {
  const size_t most = gex_AM_MaxRequestMedium(tm, rank, GEX_EVENT_NOW, 0, 1);
  CHECK(most >= gex_AM_LUBRequestMedium());
  char *p = filled(most, seed);
  int before = replies;
  CHECK_EQ(gex_AM_RequestMedium1(tm, rank, REQUEST, p, most, GEX_EVENT_NOW, 0, seed), 0);
  GASNET_BLOCKUNTIL(replies == before + 1);
  for (int ours = 0; ours < 2; ours++) {
    before = replies;
    gex_AM_SrcDesc_t sd = gex_AM_PrepareRequestMedium(
        tm, rank, ours ? NULL : p, most, most, ours ? NULL : GEX_EVENT_NOW, 0, 1);
    CHECK_EQ(gex_AM_SrcDescSize(sd), most);
    if (ours) memcpy(gex_AM_SrcDescAddr(sd), p, most);
    gex_AM_CommitRequestMedium1(sd, REQUEST, most, seed);
    GASNET_BLOCKUNTIL(replies == before + 1);
  }
  free(p);
}

int main(void) {
  gex_AM_Entry_t table[] = {
      {REQUEST, (gex_AM_Fn_t)request, GEX_FLAG_AM_MEDIUM | GEX_FLAG_AM_REQUEST, 1, NULL, NULL},
      {REPLY, (gex_AM_Fn_t)reply, GEX_FLAG_AM_MEDIUM | GEX_FLAG_AM_REPLY, 1, NULL, NULL}};
  gex_Client_t client;
  gex_EP_t ep, second;
  gex_TM_t tm;
  gex_Segment_t segment;
  CHECK_EQ(gex_Client_Init(&client, &ep, &tm, "TEST", NULL, NULL, 0), GASNET_OK);
  CHECK_EQ(gex_EP_RegisterHandlers(ep, table, 2), GASNET_OK);
  CHECK_EQ(gex_Segment_Attach(&segment, tm, GASNET_PAGESIZE), GASNET_OK);
  CHECK_EQ(gex_EP_Create(&second, client, GEX_EP_CAPABILITY_AM, 0), GASNET_OK);
  CHECK_EQ(gex_EP_RegisterHandlers(second, table, 2), GASNET_OK);
  gex_Event_Wait(gex_Coll_BarrierNB(tm, 0));
  for (gex_Rank_t rank = 0; rank < gex_TM_QuerySize(tm); rank++) {
    exchange(tm, rank, 10);
    exchange(gex_TM_Pair(second, 1), rank, 20);
    exchange(gex_TM_Pair(ep, 1), rank, 30);
  }
  gex_Event_Wait(gex_Coll_BarrierNB(tm, 0));
  gasnet_exit(0);
}
