/*
 * Atomics of several threads of every PE (PAR), each with events and implicit operations of its
 * own, on one word per type of every PE.
 */
#define GASNET_PAR 1
#include <pthread.h>

#include "gasnet/world.h"

enum { THREADS = 3, OPS = 60 };

static gex_AD_t i64, dbl;
static int64_t fetched[THREADS];

static void *work(void *arg) {
  const int me = (int)(intptr_t)arg;
  int64_t old[4];
  gex_Event_t events[4];
  for (int i = 0; i < OPS; i++) {
    const gex_Rank_t on = (world.me + (gex_Rank_t)(i + me)) % world.n;
    int64_t *words = (int64_t *)(void *)world_of(on);
    events[i % 4] = gex_AD_OpNB_I64(i64, &old[i % 4], on, words, GEX_OP_FADD, 1, 0, 0);
    gex_AD_OpNBI_DBL(dbl, NULL, on, words + 1, GEX_OP_ADD, 1, 0, 0);
    gex_AD_OpNBI_I64(i64, NULL, on, words + 2, GEX_OP_CAS, i, 1, 0); /* no result is wanted */
    if (i % 4 < 3) continue;
    for (int j = 0; j < 4; j++) /* by tests alone, too */
      while (events[j] && i % 8 == 3 && gex_Event_Test(events[j]) == GASNET_ERR_NOT_READY)
        sched_yield();
    if (i % 8 == 7) gex_Event_WaitAll(events, 4, 0);
    for (int j = 0; j < 4; j++) fetched[me] += old[j];
    while (i % 8 == 7 && gex_NBI_Test(GEX_EC_RMW, 0) == GASNET_ERR_NOT_READY) sched_yield();
  }
  gex_NBI_Wait(GEX_EC_ALL, 0);
  return NULL;
}

int main(void) {
  pthread_t threads[THREADS];
  world_open();
  gex_AD_Create(&i64, world.tm, GEX_DT_I64, GEX_OP_FADD | GEX_OP_CAS | GEX_OP_ADD, 0);
  gex_AD_Create(&dbl, world.tm, GEX_DT_DBL, GEX_OP_ADD, 0);
  memset(world_of(world.me), 0, 64);
  world_barrier();
  for (int i = 0; i < THREADS; i++)
    CHECK(pthread_create(&threads[i], NULL, work, (void *)(intptr_t)i) == 0);
  for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
  world_barrier();
  int64_t *words = (int64_t *)(void *)world_of(world.me);
  /* Every PE's thread t does as many to every PE, if OPS is a multiple of their number. */
  if (OPS % world.n == 0) {
    CHECK_EQ(words[0], THREADS * OPS);
    CHECK(words[1] && *(double *)(void *)(words + 1) == THREADS * OPS);
  }
  /* What was fetched from a word are the numbers below its value, each once. */
  int64_t sum = 0;
  for (int i = 0; i < THREADS; i++) sum += fetched[i];
  gex_Event_Wait(
      gex_AD_OpNB_I64(i64, NULL, 0, (int64_t *)(void *)world_of(0) + 3, GEX_OP_ADD, sum, 0, 0));
  world_barrier();
  if (world.me == 0 && OPS % world.n == 0)
    CHECK_EQ(words[3], (int64_t)world.n * THREADS * OPS * (THREADS * OPS - 1) / 2);
  world_close();
  return 0;
}
