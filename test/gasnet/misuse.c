/* What a client must not do, for misuse.sh: misuse WHICH. */
#define GASNET_SEQ
#include <gasnet.h>
#include <gasnet_vis.h>

#include <stdlib.h>
#include <string.h>

static const char *which;
static gex_TM_t tm;
static char bytes[64];

static int is(const char *name) {
  return !strcmp(which, name);
}

static void handler(gex_Token_t token, gex_AM_Arg_t a) {
  (void)a;
  if (is("request-in-handler")) gex_AM_RequestMedium0(tm, 0, 201, bytes, 1, GEX_EVENT_NOW, 0);
  gex_AM_ReplyShort0(token, 202, 0);
  if (is("two-replies")) gex_AM_ReplyShort0(token, 202, 0);
}

static void medium(gex_Token_t token, void *p, size_t n) {
  (void)token, (void)p, (void)n;
}

static void reply(gex_Token_t token) {
  if (is("reply-to-reply")) gex_AM_ReplyShort0(token, 202, 0);
}

int main(int argc, char **argv) {
  gex_Client_t client;
  gex_EP_t ep, other;
  gex_HSL_t lock = GEX_HSL_INITIALIZER;
  gex_AM_Entry_t table[] = {
      {200, (gex_AM_Fn_t)handler, GEX_FLAG_AM_SHORT | GEX_FLAG_AM_REQUEST, 1, NULL, "one"},
      {201, (gex_AM_Fn_t)medium, GEX_FLAG_AM_MEDIUM | GEX_FLAG_AM_REQUEST, 0, NULL, NULL},
      {203, (gex_AM_Fn_t)medium, GEX_FLAG_AM_LONG | GEX_FLAG_AM_REQUEST, 0, NULL, NULL},
      {202, (gex_AM_Fn_t)reply, GEX_FLAG_AM_SHORT | GEX_FLAG_AM_REPLY, 0, NULL, NULL}};
  which = argv[1];
  if (is("poll-before-init")) gasnet_AMPoll();
  if (is("nodes-before-init")) gasnet_nodes();
  gex_Client_Init(&client, &ep, &tm, "TEST", &argc, &argv, 0);
  gex_EP_RegisterHandlers(ep, table, 4);
  gex_Event_Wait(gex_Coll_BarrierNB(tm, 0));
  if (is("arguments")) gex_AM_RequestShort2(tm, 0, 200, 0, 1, 2);
  if (is("other-arguments")) {
    gex_EP_Create(&other, client, GEX_EP_CAPABILITY_AM, 0);
    gex_EP_RegisterHandlers(other, table, 4);
    gex_AM_RequestShort2(gex_TM_Pair(ep, 1), 0, 200, 0, 1, 2);
  }
  if (is("peer")) {
    gex_VIS_SetPeerCompletionHandler(201, NULL, 0, 0);
    gex_VIS_StridedPutBlocking(tm, 0, NULL, NULL, NULL, NULL, 0, NULL, 0, 0);
  }
  if (is("category")) gex_AM_RequestMedium0(tm, 0, 200, bytes, 1, GEX_EVENT_NOW, 0);
  if (is("kind")) gex_AM_RequestShort0(tm, 0, 202, 0);
  if (is("unregistered")) gex_AM_RequestShort0(tm, 0, 222, 0);
  if (is("too-long")) gex_AM_RequestMedium0(tm, 0, 201, bytes, (size_t)1 << 30, GEX_EVENT_NOW, 0);
  if (is("rank-short")) gex_AM_RequestShort1(tm, 1, 200, 0, 1);
  if (is("rank-far")) gex_AM_RequestShort1(tm, 1000000, 200, 0, 1);
  if (is("rank-negative")) gasnet_AMRequestShort1((gasnet_node_t)-1, 200, 1);
  if (is("rank-prepare")) gex_AM_PrepareRequestMedium(tm, 9, bytes, 8, 8, GEX_EVENT_NOW, 0, 0);
  if (is("no-segment")) gex_AM_RequestLong0(tm, 0, 203, bytes, 8, bytes, GEX_EVENT_NOW, 0);
  if (is("rank")) gex_AM_RequestMedium0(gex_TM_Pair(ep, 0), 7, 201, bytes, 1, GEX_EVENT_NOW, 0);
  if (is("commit-more")) {
    gex_AM_SrcDesc_t sd = gex_AM_PrepareRequestMedium(tm, 0, bytes, 8, 8, GEX_EVENT_NOW, 0, 0);
    gex_AM_CommitRequestMedium0(sd, 201, 9);
  }
  if (is("two-prepares")) {
    gex_AM_PrepareRequestMedium(tm, 0, bytes, 8, 8, GEX_EVENT_NOW, 0, 0);
    gex_AM_PrepareRequestMedium(tm, 0, bytes, 8, 8, GEX_EVENT_NOW, 0, 0);
  }
  if (is("lock-twice")) gex_HSL_Lock(&lock), gex_HSL_Lock(&lock);
  if (is("unlock")) gex_HSL_Unlock(&lock);
  gex_Segment_t s;
  const uintptr_t most = gasnet_getMaxLocalSegmentSize();
  if (is("not-pages")) gasnet_exit(gasnet_attach(NULL, 0, most + 1, 0) == GASNET_ERR_BAD_ARG);
  if (is("large")) gasnet_exit(gasnet_attach(NULL, 0, 2 * most, 0) == GASNET_ERR_BAD_ARG);
  gex_Segment_Attach(&s, tm, GASNET_PAGESIZE);
  char *end = (char *)gex_Segment_QueryAddr(s) + GASNET_PAGESIZE;
  if (is("long-outside")) gex_AM_RequestLong0(tm, 0, 203, bytes, 9, end - 8, GEX_EVENT_NOW, 0);
  if (is("long-null")) gex_AM_RequestLong0(tm, 0, 203, bytes, 8, NULL, GEX_EVENT_NOW, 0);
  if (is("long-most"))
    gasnet_AMRequestLong0(0, 203, bytes, gasnet_AMMaxLongRequest() + 1, end - GASNET_PAGESIZE);
  if (is("destroy")) gex_Segment_Destroy(s, 0);
  gex_AM_RequestShort1(tm, 0, 200, 0, 1);
  GASNET_BLOCKUNTIL(0);
}
