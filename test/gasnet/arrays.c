/*
 * Events of operations that gather, as those of a PE do that has gathered many before: a wait or a
 * test of an array of them sends what is staged. Here nothing else does: the helper is told to
 * leave it (WEFT_DEBUG=stage_age_us).
 */
#include "gasnet/world.h"

enum { MANY = 100, STREAMS = 30, ROUNDS = 10, FEW = 2 };
enum { WAIT_ALL, WAIT_SOME, TEST_ALL, TEST_SOME, WAYS };

static gex_AD_t ad;
static int64_t old[MANY];
static gex_Event_t events[MANY];

static void begin(int n) {
  for (int i = 0; i < n; i++)
    events[i] = gex_AD_OpNB_I64(ad, &old[i], 1, world_of(1) + 8 * i, GEX_OP_FADD, 1, 0, 0);
}

static void sync_few(int way) {
  if (way == WAIT_ALL) gex_Event_WaitAll(events, FEW, 0);
  if (way == TEST_ALL)
    while (gex_Event_TestAll(events, FEW, 0)) continue;
  for (int i = 0; i < FEW && way == WAIT_SOME; i++) gex_Event_WaitSome(events, FEW, 0);
  for (int i = 0; i < FEW && way == TEST_SOME; i++)
    while (gex_Event_TestSome(events, FEW, 0)) continue;
  for (int i = 0; i < FEW; i++) gex_Event_Wait(events[i]);
}

int main(void) {
  world_open();
  gex_AD_Create(&ad, world.tm, GEX_DT_I64, GEX_OP_FADD, 0);
  for (int k = 0; k < ROUNDS * WAYS && world.me == 0; k++) {
    for (int s = 0; s < STREAMS; s++) {
      begin(MANY);
      for (int i = 0; i < MANY; i++) gex_Event_Wait(events[i]);
    }
    begin(FEW);
    sync_few(k % WAYS);
    CHECK_EQ(old[0], (k + 1) * STREAMS + k);
  }
  gex_AD_Destroy(ad);
  world_close();
  gasnet_exit(0);
}
