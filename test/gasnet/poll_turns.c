/*
 * More PEs than processors, and each polls in a loop of its own until a message says that it is its
 * turn: a PE that polls must give way to the one that is to send, or every turn takes a slice of the
 * scheduler's. The number of turns is such that this would take minutes.
 */
#define GASNET_SEQ
#include <gasnet.h>

#include "check.h"

enum { TURNS = 20000, HANDLER = 200 };

static volatile int turn = -1;

static void pass(gex_Token_t token, gex_AM_Arg_t now) {
  (void)token;
  turn = now;
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
  for (int i = me; i < TURNS; i += n) { /* turn i is PE (i mod n)'s */
    while (turn != i) gasnet_AMPoll();
    gex_AM_RequestShort1(tm, (gex_Rank_t)((i + 1) % n), HANDLER, 0, i + 1);
  }
  gex_Event_Wait(gex_Coll_BarrierNB(tm, 0));
  gasnet_exit(0);
}
