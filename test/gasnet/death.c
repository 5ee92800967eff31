/* A member of the parent team dies while the others are in a split, for death.sh: death WHICH. The
 * job goes on after deaths, but GASNet has no status for it: the others end with a line. */
#define GASNET_SEQ
#include <gasnet.h>

#include <signal.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv) {
  gex_EP_t ep;
  gex_TM_t tm, made;
  gex_Client_Init(NULL, &ep, &tm, "TEST", &argc, &argv, 0);
  const gex_Rank_t me = gex_TM_QueryRank(tm), n = gex_TM_QuerySize(tm);
  gex_Event_Wait(gex_Coll_BarrierNB(tm, 0));
  if (me == n - 1) {
    usleep(100000); /* most likely the others are in it */
    kill(getpid(), SIGKILL);
  }
  if (!strcmp(argv[1], "split")) {
    gex_TM_Split(&made, tm, (int)me % 2, 0, NULL, 0, GEX_FLAG_TM_NO_SCRATCH);
  } else {
    gex_EP_Location_t all[8];
    for (gex_Rank_t i = 0; i < n; i++) all[i] = (gex_EP_Location_t){.gex_rank = i};
    gex_TM_Create(&made, 1, tm, all, n, NULL, 0, GEX_FLAG_TM_NO_SCRATCH);
  }
  return 0;
}
