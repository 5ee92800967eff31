/* GASNET_PAR: each thread has teams of its own and uses them at the same time as the others; events
 * are synced by another thread than the one that began. */
#define GASNET_PAR
#include <gasnetex.h>
#include <gasnet_coll.h>
#include <pthread.h>

#include "team.h"

enum { THREADS = 3, ROUNDS = 150 };
static gex_TM_t teams[THREADS];

static void *work(void *arg) {
  const unsigned mine = (unsigned)(uintptr_t)arg;
  gex_TM_t tm = teams[mine];
  const gex_Rank_t n = gex_TM_QuerySize(tm), rank = gex_TM_QueryRank(tm);
  static _Thread_local uint64_t in[3000], out[3000], copy[3000];
  for (unsigned round = 0; round < ROUNDS; round++) {
    const size_t count = round % 10 ? round % 50 + 1 : 3000;
    for (size_t i = 0; i < count; i++) in[i] = rank + i * mine + round;
    gex_Event_t events[3];
    events[0] =
        gex_Coll_ReduceToAllNB(tm, out, in, GEX_DT_U64, 8, count, GEX_OP_ADD, NULL, NULL, 0);
    events[1] = gex_Coll_BroadcastNB(tm, round % n, copy, in, count * 8, 0);
    events[2] = gex_Coll_BarrierNB(tm, 0);
    gex_Event_WaitAll(events, 3, 0);
    for (size_t i = 0; i < count; i++) {
      CHECK_EQ(out[i], (uint64_t)n * (n - 1) / 2 + n * (i * mine + round));
      CHECK_EQ(copy[i], round % n + i * mine + round);
    }
    if (round % 50 == 49) { /* teams come and go meanwhile */
      gex_TM_t part = split(tm, (int)(rank % 2), 0);
      gex_Coll_BarrierBlocking(part, 0);
      gex_TM_Destroy(part, NULL, 0);
    }
  }
  return NULL;
}

static gex_Event_t handed;
static void *sync_it(void *arg) {
  (void)arg;
  gex_Event_Wait(handed);
  return NULL;
}

int main(int argc, char **argv) {
  pthread_t thread[THREADS];
  start(&argc, &argv);
  for (unsigned i = 0; i < THREADS; i++) teams[i] = split(all, 0, i % 2 ? -(int)me : (int)me);
  for (uintptr_t i = 0; i < THREADS; i++) pthread_create(&thread[i], NULL, work, (void *)i);
  for (int i = 0; i < THREADS; i++) pthread_join(thread[i], NULL);
  uint32_t in = 1, out = 0;
  handed = gex_Coll_ReduceToAllNB(all, &out, &in, GEX_DT_U32, 4, 1, GEX_OP_ADD, NULL, NULL, 0);
  pthread_create(&thread[0], NULL, sync_it, NULL);
  pthread_join(thread[0], NULL);
  CHECK_EQ(out, size);
  gex_Coll_BarrierBlocking(all, 0);
  gasnet_exit(0);
}
