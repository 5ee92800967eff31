/* With WEFT_CHECK=1 a job whose members disagree about a collective ends with one line; the
 * argument says how they do. coll_differ.sh looks at the line. */
#define GASNET_SEQ
#include <gasnet.h>
#include <gasnet_coll.h>

#include "team.h"

int main(int argc, char **argv) {
  static long in[4], out[4];
  start(&argc, &argv);
  const int how = argc > 1 ? atoi(argv[1]) : 0;
  const bool I = me == 1;
  gex_Event_t e = GEX_EVENT_INVALID;
  gex_TM_t tm = split(all, 0, 0);
  if (how == 0) e = gex_Coll_BroadcastNB(tm, 0, out, in, I ? 16 : 24, 0);
  if (how == 1) e = gex_Coll_BroadcastNB(tm, I, out, in, 16, 0);
  if (how == 2)
    e = gex_Coll_ReduceToAllNB(tm, out, in, GEX_DT_I64, 8, 4, I ? GEX_OP_ADD : GEX_OP_MAX, NULL,
                               NULL, 0);
  if (how == 3) e = I ? gex_Coll_BarrierNB(tm, 0) : gex_Coll_BroadcastNB(tm, 0, out, in, 16, 0);
  if (how == 4) gex_Coll_BroadcastNB(tm, 2, out, in, 16, 0);
  if (how == 5) gex_Coll_ReduceToOneNB(tm, 0, out, in, GEX_DT_DBL, 8, 4, GEX_OP_XOR, NULL, NULL, 0);
  if (how == 6) gex_TM_Destroy(all, NULL, 0);
  if (how == 7) gasnet_barrier_wait(0, 0);
  if (how == 8) gasnet_barrier_notify(0, 0), gasnet_barrier_notify(0, 0);
  gex_Event_Wait(e);
  gasnet_exit(0);
}
