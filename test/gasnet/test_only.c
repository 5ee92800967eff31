/*
 * Tests of events, explicit and implicit, are no polls: no handler of the client's runs in them,
 * of whatever endpoint. But each makes progress, so a loop of tests alone ends: each that finds
 * something to be waited for looks at the network itself, and does not leave that to the helper.
 */
#define GASNET_SEQ
#include <gasnet.h>

#include "gasnet/world.h"
#include "job/job.h"
#include "port/port_internal.h"

enum { HANDLER = 200, MESSAGES = 3, TESTS = 300, LARGE = 200000 };
enum { TEST, SOME, ALL, NOPOLL, NOPOLL_SOME, NOPOLL_ALL, WAYS };

static int ran;

static void handler(gex_Token_t token) {
  (void)token;
  ran++;
}

static void peer_handler(gex_Token_t token, void *data, size_t n) {
  (void)token, (void)data, (void)n;
  ran++;
}

static int test(int way, gex_Event_t *event) {
  const uint32_t beat = weft_progress_beat();
  const int rc = way == TEST     ? gex_Event_Test(*event)
                 : way == SOME   ? gex_Event_TestSome(event, 1, 0)
                 : way == ALL    ? gex_Event_TestAll(event, 1, 0)
                 : way == NOPOLL ? gasnet_try_syncnb_nopoll(*event)
                 : way == WAYS   ? gex_NBI_Test(GEX_EC_ALL, 0)
                 : way == NOPOLL_SOME ? gasnet_try_syncnb_some_nopoll(event, 1)
                                      : gasnet_try_syncnb_all_nopoll(event, 1);
  if (rc != GASNET_OK && weft_job.nnodes > 1 && weft_job.port) CHECK(weft_progress_beat() != beat);
  return rc;
}

static void raise_flag(gex_Rank_t to, char value) {
  gex_RMA_PutNBI(world.tm, to, world_of(to) + 64, &value, 1, GEX_EVENT_NOW, 0);
}

/* PE 1 sends when PE 0 waits for nothing, and then sets the flag, which PE 0 looks at without a
 * call. */
static void no_handler(int way, gex_TM_t pair) {
  volatile char *flag = world_of(world.me) + 64;
  char one = 1;
  ran = 0;
  *flag = 0;
  world_barrier();
  gex_Event_t barrier = GEX_EVENT_INVALID;
  if (world.me == 0) {
    barrier = gex_Coll_BarrierNB(world.tm, 0);
    raise_flag(1, 1);
    while (!*flag) sched_yield();
    for (int i = 0; i < TESTS; i++) CHECK(test(way, &barrier) != GASNET_OK);
    CHECK_EQ(ran, 0);
    raise_flag(1, 2);
    GASNET_BLOCKUNTIL(ran == MESSAGES);
  } else {
    GASNET_BLOCKUNTIL(*flag);
    gex_AM_RequestShort0(world.tm, 0, HANDLER, 0);
    gex_AM_RequestShort0(pair, 0, HANDLER, 0);
    gex_VIS_SetPeerCompletionHandler(HANDLER + 1, &one, 1, 0);
    gex_VIS_StridedPutBlocking(world.tm, 0, world_of(0), (ptrdiff_t[]){2}, &one, (ptrdiff_t[]){2},
                               1, (size_t[]){1}, 1, 0);
    raise_flag(0, 1);
    GASNET_BLOCKUNTIL(*flag == 2);
    barrier = gex_Coll_BarrierNB(world.tm, 0);
  }
  gex_Event_Wait(barrier);
  gex_NBI_Wait(GEX_EC_ALL, 0);
}

/* By this way alone. */
static void progress(int way, gex_AD_t ad) {
  static char large[LARGE], got[LARGE], bytes[LARGE];
  static int64_t old;
  const gex_Rank_t to = !world.me;
  memset(large, way + 1, sizeof large);
  gex_Event_t events[] = {
      gex_RMA_GetNB(world.tm, bytes, to, world_of(to), 8, 0),
      gex_AD_OpNB_I64(ad, &old, to, world_of(to) + 8, GEX_OP_FADD, 1, 0, 0),
      gex_Coll_BarrierNB(world.tm, 0),
      gex_Coll_BroadcastNB(world.tm, 1, got, world.me ? large : NULL, LARGE, 0),
      gex_RMA_PutNB(world.tm, to, world_of(to) + 4096, large, LARGE, GEX_EVENT_DEFER, 0),
      gex_Coll_BarrierNB(world.tm, 0)};
  for (size_t i = 0; i < sizeof events / sizeof *events; i++)
    while (test(way, &events[i]) != GASNET_OK) continue;
  CHECK(got[0] == way + 1 && got[LARGE - 1] == way + 1);
  for (int i = 0; i < 4; i++) {
    gex_RMA_PutNBI(world.tm, to, world_of(to) + 16, large, 8, GEX_EVENT_NOW, 0);
    gex_RMA_GetNBI(world.tm, bytes, to, world_of(to), LARGE, 0);
    gex_AD_OpNBI_I64(ad, &old, to, world_of(to) + 8, GEX_OP_FADD, 1, 0, 0);
    while (test(WAYS, NULL) != GASNET_OK) continue;
  }
}

int main(void) {
  gex_EP_t other;
  gex_AD_t ad;
  gex_AM_Entry_t table[] = {
      {HANDLER, (gex_AM_Fn_t)handler, GEX_FLAG_AM_SHORT | GEX_FLAG_AM_REQUEST, 0, NULL, NULL},
      {HANDLER + 1, (gex_AM_Fn_t)peer_handler, GEX_FLAG_AM_MEDIUM | GEX_FLAG_AM_REPLY, 0, NULL,
       NULL}};
  world_open();
  CHECK_EQ(gex_EP_RegisterHandlers(world.ep, table, 2), GASNET_OK);
  CHECK_EQ(gex_EP_Create(&other, world.client, GEX_EP_CAPABILITY_AM, 0), GASNET_OK);
  gex_AD_Create(&ad, world.tm, GEX_DT_I64, GEX_OP_FADD, 0);
  for (int way = 0; way < WAYS; way++) {
    no_handler(way, gex_TM_Pair(other, 0));
    progress(way, ad);
    world_barrier();
  }
  gex_AD_Destroy(ad);
  gasnet_exit(0);
}
