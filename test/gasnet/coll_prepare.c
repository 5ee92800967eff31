/* Collectives go on while a thread is between Prepare and Commit: neither disturbs the other (bug
 * 4764 of GASNet). Handlers run from the same polls, too. */
#define GASNET_SEQ
#include <gasnetex.h>
#include <gasnet_coll.h>

#include "team.h"

enum { ROUNDS = 60, BYTES = 600, PENDING = 6 };
static int arrived;
static uint32_t given[PENDING][3000], got[PENDING][3000];

static void handler(gex_Token_t token, void *buf, size_t n, gex_AM_Arg_t from, gex_AM_Arg_t round) {
  (void)token;
  CHECK_EQ(n, BYTES);
  for (size_t i = 0; i < n; i++)
    CHECK_EQ(((unsigned char *)buf)[i], byte_of((unsigned)from, i, (unsigned)round));
  arrived++;
}

static gex_AM_Entry_t table[] = {
    {200, (gex_AM_Fn_t)handler, GEX_FLAG_AM_REQUEST | GEX_FLAG_AM_MEDIUM, 2, NULL, "prepared"}};

static gex_Event_t begin(int k, unsigned round) {
  const size_t count = k % 2 ? 3000 : 20;
  for (size_t i = 0; i < count; i++) given[k][i] = me + round + (uint32_t)i;
  if (k % 3 == 0)
    return gex_Coll_ReduceToAllNB(all, got[k], given[k], GEX_DT_U32, 4, count, GEX_OP_MAX, NULL,
                                  NULL, 0);
  return k % 3 == 1 ? gex_Coll_BroadcastNB(all, round % size, got[k], given[k], count * 4, 0)
                    : gex_Coll_BarrierNB(all, 0);
}

static void check(int k, unsigned round) {
  const gex_Rank_t whose = k % 3 == 0 ? size - 1 : round % size;
  for (uint32_t i = 0; k % 3 < 2 && i < (k % 2 ? 3000 : 20); i++)
    CHECK_EQ(got[k][i], whose + round + i);
}

int main(int argc, char **argv) {
  start(&argc, &argv);
  CHECK_EQ(gex_EP_RegisterHandlers(gex_TM_QueryEP(all), table, 1), GASNET_OK);
  gex_Coll_BarrierBlocking(all, 0);
  for (unsigned round = 0; round < ROUNDS; round++) {
    gex_Event_t events[PENDING];
    for (int k = 0; k < PENDING; k++) events[k] = begin(k, round);
    for (gex_Rank_t to = 0; to < size; to++) {
      gex_AM_SrcDesc_t d = gex_AM_PrepareRequestMedium(all, to, NULL, BYTES, BYTES, NULL, 0, 2);
      unsigned char *p = gex_AM_SrcDescAddr(d);
      for (size_t i = 0; i < BYTES; i++) p[i] = byte_of(me, i, round);
      gex_AM_CommitRequestMedium2(d, 200, BYTES, (gex_AM_Arg_t)me, (gex_AM_Arg_t)round);
    }
    gex_Event_WaitAll(events, PENDING, 0);
    for (int k = 0; k < PENDING; k++) check(k, round);
  }
  for (unsigned polls = 0; arrived < (int)(ROUNDS * size); polls++) {
    gasnet_AMPoll();
    if (polls > 100) sched_yield();
  }
  gex_Coll_BarrierBlocking(all, 0);
  gasnet_exit(0);
}
