/* Handler-safe locks: threads of a PAR client count together under one, with handlers among them;
 * trylock says when it is taken. Both specifications' names. */
#define GASNET_PAR
#include <gasnet.h>

#include <pthread.h>

#include "check.h"

enum { THREADS = 3, TIMES = 2000, COUNT = 128 };

static gex_HSL_t lock = GEX_HSL_INITIALIZER;
static gasnet_hsl_t other = GASNET_HSL_INITIALIZER;
static long count, handled;
static gex_TM_t tm;

static void handler(gex_Token_t token) {
  (void)token;
  gex_HSL_Lock(&lock);
  count++;
  handled++;
  gex_HSL_Unlock(&lock);
}

static void *add(void *arg) {
  const gex_Rank_t peer = (gex_System_QueryJobRank() + 1) % gex_System_QueryJobSize();
  for (int i = 0; i < TIMES; i++) {
    gex_HSL_Lock(&lock);
    count++;
    gex_HSL_Unlock(&lock);
    if (i % 4 == 0) gex_AM_RequestShort0(tm, peer, COUNT, 0);
    if (i % 16 == 0) gasnet_AMPoll();
  }
  return arg;
}

int main(int argc, char **argv) {
  pthread_t threads[THREADS];
  gex_EP_t ep;
  gex_HSL_t mine;
  gex_AM_Entry_t entry = {
      COUNT, (gex_AM_Fn_t)handler, GEX_FLAG_AM_SHORT | GEX_FLAG_AM_REQUEST, 0, NULL, NULL};
  CHECK_EQ(gex_Client_Init(NULL, &ep, &tm, "TEST", &argc, &argv, 0), GASNET_OK);
  CHECK_EQ(gex_EP_RegisterHandlers(ep, &entry, 1), GASNET_OK);
  CHECK(gex_System_QueryMaxThreads() >= THREADS);
  gex_HSL_Init(&mine);
  CHECK_EQ(gex_HSL_Trylock(&mine), GASNET_OK);
  CHECK_EQ(gex_HSL_Trylock(&mine), GASNET_ERR_NOT_READY);
  gex_HSL_Unlock(&mine);
  gex_HSL_Lock(&mine);
  gex_HSL_Unlock(&mine);
  gex_HSL_Destroy(&mine);
  gasnet_hsl_lock(&other);
  CHECK_EQ(gasnet_hsl_trylock(&other), GASNET_ERR_NOT_READY);
  gasnet_hsl_unlock(&other);
  gasnet_hsl_destroy(&other);
  gasnet_hsl_init(&other);
  gasnet_hold_interrupts();
  gasnet_resume_interrupts();
  gex_Event_Wait(gex_Coll_BarrierNB(tm, 0));
  for (int i = 0; i < THREADS; i++) CHECK_EQ(pthread_create(&threads[i], NULL, add, NULL), 0);
  for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
  GASNET_BLOCKUNTIL(handled == THREADS * TIMES / 4);
  CHECK_EQ(count, THREADS * TIMES + handled);
  gex_Event_Wait(gex_Coll_BarrierNB(tm, 0));
  gasnet_exit(0);
}
