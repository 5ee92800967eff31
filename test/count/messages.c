// The active messages that test/count/messages.sh counts: each count_ function is nothing but one
// call of GASNet-EX.

#define GASNET_SEQ
#include <gasnetex.h>
#include <stdio.h>

#if defined(__clang__)
#define PATH __attribute__((noinline, used))
#else
#define PATH __attribute__((noipa, used))
#endif
enum { ROUNDS = 24, REQUEST = GEX_AM_INDEX_BASE, ANSWER, MEDIUM, REPLY };

static long requests, replies, mediums;
static char payload[64];

PATH int count_short0(gex_TM_t tm, gex_Rank_t rank, gex_AM_Index_t handler) {
  return gex_AM_RequestShort0(tm, rank, handler, 0);
}
PATH int count_short2(gex_TM_t tm, gex_Rank_t rank, gex_AM_Index_t handler, gex_Flags_t flags,
                      gex_AM_Arg_t a, gex_AM_Arg_t b) {
  return gex_AM_RequestShort2(tm, rank, handler, flags, a, b);
}
PATH int count_medium(gex_TM_t tm, gex_Rank_t rank, gex_AM_Index_t handler, const void *source) {
  return gex_AM_RequestMedium0(tm, rank, handler, source, sizeof payload, GEX_EVENT_NOW, 0);
}
PATH int count_reply(gex_Token_t token, gex_AM_Index_t handler, gex_AM_Arg_t a, gex_AM_Arg_t b) {
  return gex_AM_ReplyShort2(token, handler, 0, a, b);
}
PATH int count_poll_idle(void) {
  return gasnet_AMPoll();
}

static void on_none(gex_Token_t token) {
  (void)token;
  requests++;
}
static void on_request(gex_Token_t token, gex_AM_Arg_t a, gex_AM_Arg_t b) {
  requests++;
  count_reply(token, ANSWER, a, b);
}
static void on_reply(gex_Token_t token, gex_AM_Arg_t a, gex_AM_Arg_t b) {
  (void)token;
  replies += a == 2 * b;
}
static void on_medium(gex_Token_t token, void *p, size_t n) {
  (void)token;
  mediums += n == sizeof payload && ((char *)p)[1] == 1;
}

static gex_AM_Entry_t table[] = {
    {REQUEST, (gex_AM_Fn_t)on_request, GEX_FLAG_AM_REQUEST | GEX_FLAG_AM_SHORT, 2, NULL, "request"},
    {ANSWER, (gex_AM_Fn_t)on_reply, GEX_FLAG_AM_REPLY | GEX_FLAG_AM_SHORT, 2, NULL, "reply"},
    {MEDIUM, (gex_AM_Fn_t)on_medium, GEX_FLAG_AM_REQUEST | GEX_FLAG_AM_MEDIUM, 0, NULL, "medium"},
    {REPLY, (gex_AM_Fn_t)on_none, GEX_FLAG_AM_REQUEST | GEX_FLAG_AM_SHORT, 0, NULL, "none"}};

int main(int argc, char **argv) {
  gex_Client_t client;
  gex_EP_t ep;
  gex_TM_t tm;
  gex_Client_Init(&client, &ep, &tm, "count", &argc, &argv, 0);
  gex_EP_RegisterHandlers(ep, table, sizeof table / sizeof *table);
  const gex_Rank_t me = gex_TM_QueryRank(tm), last = gex_TM_QuerySize(tm) - 1;
  payload[1] = 1;
  gex_Event_Wait(gex_Coll_BarrierNB(tm, 0));
  // One at a time, and a barrier behind each, so that nothing gathers.
  for (int i = 1; i <= ROUNDS; i++) {
    if (me == 0) {
      count_short2(tm, last, REQUEST, 0, 2 * i, i);
      GASNET_BLOCKUNTIL(replies == i);
      count_short0(tm, last, REPLY);
    }
    gex_Event_Wait(gex_Coll_BarrierNB(tm, 0));
    if (me == 0) {
      count_medium(tm, last, MEDIUM, payload);
      for (int k = 0; k < 3; k++) gasnet_AMPoll();
      count_poll_idle();
    }
    if (me == last) GASNET_BLOCKUNTIL(requests == 2 * i && mediums == i);
    gex_Event_Wait(gex_Coll_BarrierNB(tm, 0));
  }
  if (me == 0 && replies != ROUNDS) {
    fprintf(stderr, "%ld replies\n", replies);
    gasnet_exit(1);
  }
  gasnet_exit(0);
}
