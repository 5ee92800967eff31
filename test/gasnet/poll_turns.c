/*
 * More PEs than processors, and each polls in a loop of its own until a message says that it is its
 * turn: a PE that polls in vain gives the processor to the one that is to send. Counted: polls for
 * each call of sched_yield. Without these calls every turn takes a slice of the scheduler's, which
 * is tens of thousands of polls.
 */
#define GASNET_SEQ
#include <gasnet.h>

#include "check.h"
#include "yields.h"

enum { TURNS = 600, HANDLER = 200, IN_VAIN_MOST = 64 }; /* every 32nd poll in vain is to yield */

static volatile int turn = -1;
static volatile long messages;

static void pass(gex_Token_t token, gex_AM_Arg_t now) {
  (void)token;
  turn = now;
  messages++;
}

int main(int argc, char **argv) {
  gex_Client_t client;
  gex_EP_t ep;
  gex_TM_t tm;
  gex_AM_Entry_t table[] = {
      {HANDLER, (gex_AM_Fn_t)pass, GEX_FLAG_AM_SHORT | GEX_FLAG_AM_REQUEST, 1, NULL, "pass"}};
  CHECK_EQ(gex_Client_Init(&client, &ep, &tm, "turns", &argc, &argv, 0), GASNET_OK);
  CHECK_EQ(gex_EP_RegisterHandlers(ep, table, 1), GASNET_OK);
  const int me = (int)gex_TM_QueryRank(tm), n = (int)gex_TM_QuerySize(tm);
  gex_Event_Wait(gex_Coll_BarrierNB(tm, 0));
  if (me == 0) turn = 0;
  const long before = yields;
  long polls = 0;
  for (int i = me; i < TURNS; i += n) { /* turn i is that of PE i mod n */
    for (; turn != i; polls++) gasnet_AMPoll();
    gex_AM_RequestShort1(tm, (gex_Rank_t)((i + 1) % n), HANDLER, 0, i + 1);
  }
  const long gave = yields - before;
  gex_Event_Wait(gex_Coll_BarrierNB(tm, 0));
  CHECK(polls <= messages + IN_VAIN_MOST * (gave + 1));
  gasnet_exit(0);
}
