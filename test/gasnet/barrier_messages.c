/* Messages that the others of the node sent before a barrier of GASNet-1 have run behind it,
 * although nobody polls for them. */
#define GASNET_SEQ
#include <gasnet.h>

#include "team.h"

enum { ROUNDS = 200, EACH = 40 /* more than one poll runs of a sender */ };

static unsigned came;

static void count(gex_Token_t token) {
  (void)token;
  came++;
}

int main(int argc, char **argv) {
  start(&argc, &argv);
  gex_AM_Entry_t entry = {.gex_index = 128,
                          .gex_fnptr = (gex_AM_Fn_t)count,
                          .gex_flags = GEX_FLAG_AM_REQUEST | GEX_FLAG_AM_SHORT};
  CHECK_EQ(gex_EP_RegisterHandlers(gex_TM_QueryEP(all), &entry, 1), GASNET_OK);
  gasnet_barrier(0, GASNET_BARRIERFLAG_ANONYMOUS);
  for (unsigned round = 1; round <= ROUNDS; round++) {
    for (gex_Rank_t r = 0; r < size; r++)
      for (int i = 0; r != me && i < EACH; i++) gex_AM_RequestShort0(all, r, 128, 0);
    gasnet_barrier_notify(0, GASNET_BARRIERFLAG_ANONYMOUS);
    if (round % 2)
      CHECK_EQ(gasnet_barrier_wait(0, GASNET_BARRIERFLAG_ANONYMOUS), GASNET_OK);
    else
      while (gasnet_barrier_try(0, GASNET_BARRIERFLAG_ANONYMOUS) != GASNET_OK) sched_yield();
    CHECK_EQ(came, round * EACH * (size - 1));
    gasnet_barrier(0, GASNET_BARRIERFLAG_ANONYMOUS);
  }
  gasnet_exit(0);
}
