/* Rank 0 calls a collective that the others do not, by its name: lonely.sh looks at what it says.
 * "away": all call it, and compute for long before they wait for it. */
#define GASNET_SEQ
#include <gasnet.h>
#include <gasnet_coll.h>

#include <unistd.h>

#include "team.h"

int main(int argc, char **argv) {
  const char *which = argc > 1 ? argv[1] : "";
  static long in, out;
  start(&argc, &argv);
#define IS(name) if (!strcmp(which, name))
  IS("away") {
    gex_Event_t e = gex_Coll_BarrierNB(all, 0);
    gasnet_AMPoll();
    sleep(5); /* longer than their patience (../lonely.sh) */
    gex_Event_Wait(e);
    gasnet_exit(0);
  }
  if (me) GASNET_BLOCKUNTIL(0);
  IS("barrier") gex_Event_Wait(gex_Coll_BarrierNB(all, 0));
  IS("test") {
    gex_Event_t e = gex_Coll_BarrierNB(all, 0);
    while (gex_Event_Test(e)) gasnet_AMPoll();
  }
  IS("gasnet1") gasnet_barrier(0, 0);
  IS("split") split(all, 0, 0);
  IS("broadcast") gex_Event_Wait(gex_Coll_BroadcastNB(all, 1, &out, &in, sizeof in, 0));
  IS("attach") gasnet_attach(NULL, 0, GASNET_PAGESIZE, 0);
  IS("exchange")
    gasnet_coll_exchange(GASNET_TEAM_ALL, &out, &in, 0, GASNET_COLL_LOCAL | GASNET_COLL_IN_ALLSYNC);
  IS("coll_init") gasnet_coll_init(NULL, 0, NULL, 0, 0);
  return 0;
}
