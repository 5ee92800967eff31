/* Negotiated payloads: room of GASNet's and the client's own buffer, requests and replies, medium
 * and long, both forms of Commit, Cancel; and that Commit may send less than Prepare gave. */
#define GASNET_SEQ
#include <gasnetex.h>

#include "check.h"

enum { MEDIUM_REQUEST = 200, MEDIUM_REPLY, LONG_REQUEST, LONG_REPLY, SHARE = 32768 };

static int requests, replies;
static char *segment, *peer_base, *from_base, own[4096];

static void fill(char *p, size_t n, int seed) {
  for (size_t i = 0; i < n; i++) p[i] = (char)(seed + (int)i);
}

static void verify(const char *p, size_t n, int seed) {
  for (size_t i = 0; i < n; i++) CHECK_EQ(p[i], (char)(seed + (int)i));
}

static void medium_request(gex_Token_t token, void *p, size_t n, gex_AM_Arg_t seed,
                           gex_AM_Arg_t ours) {
  verify(p, n, seed);
  CHECK_EQ((uintptr_t)p % _Alignof(max_align_t), 0);
  size_t most = gex_Token_MaxReplyMedium(token, NULL, 0, 1);
  CHECK(most >= 512);
  gex_AM_SrcDesc_t sd = gex_AM_PrepareReplyMedium(token, ours ? NULL : own, 1, n, NULL, 0, 1);
  CHECK_EQ(gex_AM_CancelReplyMedium(sd, 0), GASNET_OK);
  sd = gex_AM_PrepareReplyMedium(token, ours ? NULL : own, n, 2 * n, ours ? NULL : GEX_EVENT_NOW, 0,
                                 1);
  CHECK(gex_AM_SrcDescSize(sd) >= n && gex_AM_SrcDescSize(sd) <= 2 * n);
  CHECK(ours || gex_AM_SrcDescAddr(sd) == own);
  fill(gex_AM_SrcDescAddr(sd), n, seed + 1);
  if (ours)
    gex_AM_CommitReplyMedium1(sd, MEDIUM_REPLY, n, seed + 1);
  else
    CHECK_EQ(gex_AM_CommitReplyMedium1_v2(sd, MEDIUM_REPLY, n, 0, seed + 1), 0);
  requests++;
}

static void long_request(gex_Token_t token, void *p, size_t n, gex_AM_Arg_t seed,
                         gex_AM_Arg_t ours) {
  verify(p, n, seed);
  CHECK(p == segment);
  CHECK(gex_Token_MaxReplyLong(token, NULL, 0, 1) >= 512);
  char *dest = from_base + SHARE;
  gex_AM_SrcDesc_t sd = gex_AM_PrepareReplyLong(token, ours ? NULL : own, 1, n, dest,
                                                ours ? NULL : GEX_EVENT_NOW, 0, 1);
  CHECK_EQ(gex_AM_CancelReplyLong(sd, 0), GASNET_OK);
  sd = gex_AM_PrepareReplyLong(token, ours ? NULL : own, n, n, NULL, ours ? NULL : GEX_EVENT_NOW, 0,
                               1);
  CHECK_EQ(gex_AM_SrcDescSize(sd), n);
  fill(gex_AM_SrcDescAddr(sd), n, seed + 1);
  if (ours)
    gex_AM_CommitReplyLong(sd, LONG_REPLY, n, dest, seed + 1);
  else
    CHECK_EQ(gex_AM_CommitReplyLong_v2(sd, LONG_REPLY, n, dest, 0, seed + 1), 0);
  requests++;
}

static void medium_reply(gex_Token_t token, void *p, size_t n, gex_AM_Arg_t seed) {
  (void)token;
  verify(p, n, seed);
  replies++;
}

static void long_reply(gex_Token_t token, void *p, size_t n, gex_AM_Arg_t seed) {
  CHECK(p == segment + SHARE);
  medium_reply(token, p, n, seed);
}

/* A request of each kind, by GASNet's room or by `own`. */
static void exchange(gex_TM_t tm, gex_Rank_t peer, int ours, size_t n, int seed) {
  const int before = replies;
  char *mine = ours ? NULL : own;
  gex_Event_t event = GEX_EVENT_INVALID, *lc = ours ? NULL : &event;
  gex_AM_SrcDesc_t sd = gex_AM_PrepareRequestMedium(tm, peer, mine, 1, n, lc, 0, 2);
  CHECK_EQ(gex_AM_CancelRequestMedium(sd, 0), GASNET_OK);
  sd = gex_AM_PrepareRequestMedium(tm, peer, mine, n, 2 * n, lc, 0, 2);
  CHECK(gex_AM_SrcDescSize(sd) >= n);
  CHECK_EQ((uintptr_t)gex_AM_SrcDescAddr(sd) % _Alignof(max_align_t), 0);
  fill(gex_AM_SrcDescAddr(sd), n, seed);
  if (ours)
    gex_AM_CommitRequestMedium(sd, MEDIUM_REQUEST, n, seed, ours);
  else
    while (gex_AM_CommitRequestMedium_v2(sd, MEDIUM_REQUEST, n, GEX_FLAG_IMMEDIATE, seed, ours)) {
    }
  gex_Event_Wait(event);
  GASNET_BLOCKUNTIL(replies == before + 1);

  event = GEX_EVENT_INVALID;
  sd = gex_AM_PrepareRequestLong(tm, peer, mine, 1, n, NULL, lc, 0, 2);
  CHECK_EQ(gex_AM_CancelRequestLong(sd, 0), GASNET_OK);
  sd = gex_AM_PrepareRequestLong(tm, peer, mine, n, n, peer_base, lc, 0, 2);
  fill(gex_AM_SrcDescAddr(sd), n, seed);
  if (ours)
    gex_AM_CommitRequestLong2(sd, LONG_REQUEST, n, peer_base, seed, ours);
  else
    while (gex_AM_CommitRequestLong2_v2(sd, LONG_REQUEST, n, peer_base, GEX_FLAG_IMMEDIATE, seed,
                                        ours))
      gasnet_AMPoll();
  gex_Event_Wait(event);
  GASNET_BLOCKUNTIL(replies == before + 2);
}

static char *base_of(gex_TM_t tm, gex_Rank_t rank) {
  void *base;
  gex_Event_Wait(gex_EP_QueryBoundSegmentNB(tm, rank, &base, NULL, NULL, 0));
  return base;
}

int main(void) {
  gex_AM_Entry_t table[] = {
      {MEDIUM_REQUEST, (gex_AM_Fn_t)medium_request, GEX_FLAG_AM_MEDIUM | GEX_FLAG_AM_REQUEST, 2,
       NULL, NULL},
      {MEDIUM_REPLY, (gex_AM_Fn_t)medium_reply, GEX_FLAG_AM_MEDLONG | GEX_FLAG_AM_REQREP, 1, NULL,
       "medium reply"},
      {LONG_REQUEST, (gex_AM_Fn_t)long_request, GEX_FLAG_AM_LONG | GEX_FLAG_AM_REQUEST, 2, NULL,
       NULL},
      {LONG_REPLY, (gex_AM_Fn_t)long_reply, GEX_FLAG_AM_LONG | GEX_FLAG_AM_REPLY, 1, NULL, NULL}};
  gex_EP_t ep;
  gex_TM_t tm;
  gex_Segment_t attached;
  CHECK_EQ(gex_Client_Init(NULL, &ep, &tm, "TEST", NULL, NULL, 0), GASNET_OK);
  CHECK_EQ(gex_EP_RegisterHandlers(ep, table, sizeof table / sizeof *table), GASNET_OK);
  CHECK_EQ(gex_Segment_Attach(&attached, tm, 2 * (size_t)SHARE), GASNET_OK);
  segment = gex_Segment_QueryAddr(attached);
  const gex_Rank_t me = gex_System_QueryJobRank(), size = gex_System_QueryJobSize();
  from_base = base_of(tm, (me + size - 1) % size);
  peer_base = base_of(tm, (me + 1) % size);
  gex_Event_Wait(gex_Coll_BarrierNB(tm, 0));
  for (int round = 0; round < 20; round++) {
    exchange(tm, (me + 1) % size, 1, (size_t)(1 + 37 * round), round);
    exchange(tm, (me + 1) % size, 0, (size_t)(1 + 200 * round), round);
  }
  GASNET_BLOCKUNTIL(requests == 80);
  gasnet_exit(0);
}
