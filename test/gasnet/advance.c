/* What was begun advances in every wait, whoever's wait that is: the root begins each kind of work
 * of GASNet and then waits, in each way that OpenSHMEM and GASNet have, for something that the
 * others do only after that work has reached its end at them. A kind that is not advanced hangs. */
#define GASNET_SEQ
#include <gasnetex.h>
#include <gasnet_coll.h>
#include <gasnet_vis.h>
#include <shmem.h>

#include "check.h"

enum { BROADCAST, REDUCE, REDUCE_ALL, BARRIERS, PEER, KINDS };
enum { SHMEM_BARRIER, SHMEM_UNTIL, SHMEM_LOCK, SHMEM_REDUCE, GASNET_MESSAGE, GASNET_EVENT, WAITS };
enum {
  BYTES = 8 << 20,
  WORDS = BYTES / 8,
  PIECES = 1000,
  PIECE = 512,
  PLAIN = 200,
  PEERS = 201,
  MANY = 40
};

static int me, n, messages, told;
static gex_TM_t tm, other;
static gex_Event_t many[MANY];
static long flag, lock, one, all;
static char *here, *there; /* BYTES of private memory, and of symmetric */

static void on_message(gex_Token_t token) {
  (void)token;
  messages++;
}

static void on_peer(gex_Token_t token, void *data, size_t size) {
  (void)token, (void)data, (void)size;
  told++;
}

/* The event of the last of them. */
static gex_Event_t begin(int kind, int salt) {
  if (me == 0)
    for (size_t i = 0; i < BYTES; i += 512) here[i] = (char)(salt + (int)(i >> 9));
  switch (kind) {
  case BROADCAST: return gex_Coll_BroadcastNB(tm, 0, here, here, BYTES, 0);
  case REDUCE:
    return gex_Coll_ReduceToOneNB(tm, (gex_Rank_t)n - 1, there, here, GEX_DT_U64, 8, WORDS,
                                  GEX_OP_OR, NULL, NULL, 0);
  case REDUCE_ALL:
    return gex_Coll_ReduceToAllNB(tm, there, here, GEX_DT_U64, 8, WORDS, GEX_OP_OR, NULL, NULL, 0);
  case BARRIERS:
    for (int i = 0; i < MANY; i++) many[i] = gex_Coll_BarrierNB(tm, 0);
    return gex_Coll_BarrierNB(tm, 0);
  }
  gex_Event_t last = GEX_EVENT_INVALID;
  if (me != 0) return last;
  for (int pe = 1; pe < n; pe++) {
    gex_VIS_SetPeerCompletionHandler(PEERS, "done", 4, 0);
    gex_Event_t event =
        gex_VIS_StridedPutNB(tm, (gex_Rank_t)pe, there, (ptrdiff_t[]){2 * PIECE}, here,
                             (ptrdiff_t[]){PIECE}, PIECE, (size_t[]){PIECES}, 1, 0);
    if (last != GEX_EVENT_INVALID) gex_Event_Wait(last);
    last = event;
  }
  return last;
}

static void check(int kind, int salt) {
  const size_t step = kind == PEER ? 2 * PIECE : 512, end = kind == PEER ? PIECES * step : BYTES;
  const char *at = kind == BROADCAST ? here : there;
  if (kind == BARRIERS || (kind == REDUCE && me != n - 1) || (kind == PEER && me == 0)) return;
  for (size_t i = 0, k = 0; i < end; i += step, k++)
    CHECK_EQ((unsigned char)at[i], (unsigned char)(salt + (int)k));
}

/* What the others do when they have come to the end. */
static void release(int wait) {
  if (wait == SHMEM_BARRIER) shmem_barrier_all();
  if (wait == SHMEM_UNTIL) shmem_long_atomic_inc(&flag, 0);
  if (wait == SHMEM_LOCK && me == n - 1) shmem_clear_lock(&lock);
  if (wait == SHMEM_REDUCE) shmem_long_sum_reduce(SHMEM_TEAM_WORLD, &all, &one, 1);
  if (wait == GASNET_MESSAGE) gex_AM_RequestShort0(tm, 0, PLAIN, 0);
  if (wait == GASNET_EVENT) gex_Event_Wait(gex_Coll_BarrierNB(other, 0));
}

static void wait_for(int wait) {
  if (wait == SHMEM_BARRIER) shmem_barrier_all();
  if (wait == SHMEM_UNTIL) shmem_long_wait_until(&flag, SHMEM_CMP_EQ, n - 1);
  if (wait == SHMEM_LOCK) shmem_set_lock(&lock), shmem_clear_lock(&lock);
  if (wait == SHMEM_REDUCE) shmem_long_sum_reduce(SHMEM_TEAM_WORLD, &all, &one, 1);
  if (wait == GASNET_MESSAGE) GASNET_BLOCKUNTIL(messages == n - 1);
  if (wait == GASNET_EVENT) gex_Event_Wait(gex_Coll_BarrierNB(other, 0));
}

static void pair(int kind, int wait) {
  const int salt = kind * 16 + wait;
  flag = messages = told = 0;
  if (me != 0 && kind != PEER) memset(here, 0, BYTES);
  if (wait == SHMEM_LOCK && me == n - 1) shmem_set_lock(&lock);
  shmem_barrier_all();
  gex_Event_t event = begin(kind, salt);
  if (me == 0) {
    wait_for(wait);
    gex_Event_Wait(event);
  } else {
    gex_Event_Wait(event);
    if (kind == PEER) GASNET_BLOCKUNTIL(told == 1);
    check(kind, salt);
    release(wait);
  }
  gex_Event_WaitAll(many, MANY, 0);
  shmem_barrier_all();
}

int main(int argc, char **argv) {
  gex_EP_t ep;
  gex_Segment_t segment;
  gex_AM_Entry_t entries[] = {
      {PLAIN, (gex_AM_Fn_t)on_message, GEX_FLAG_AM_SHORT | GEX_FLAG_AM_REQUEST, 0, NULL, NULL},
      {PEERS, (gex_AM_Fn_t)on_peer, GEX_FLAG_AM_MEDIUM | GEX_FLAG_AM_REPLY, 0, NULL, NULL}};
  shmem_init();
  CHECK_EQ(gex_Client_Init(NULL, &ep, &tm, "TEST", &argc, &argv, 0), GASNET_OK);
  CHECK_EQ(gex_EP_RegisterHandlers(ep, entries, 2), GASNET_OK);
  CHECK_EQ(gex_Segment_Attach(&segment, tm, GASNET_PAGESIZE), GASNET_OK);
  me = shmem_my_pe();
  n = shmem_n_pes();
  gex_TM_Split(&other, tm, 0, -me, NULL, 0, GEX_FLAG_TM_NO_SCRATCH);
  here = calloc(BYTES, 1);
  there = shmem_calloc(BYTES, 1);
  for (int kind = 0; kind < KINDS; kind++)
    for (int wait = 0; wait < WAITS; wait++) pair(kind, wait);
  gex_TM_Destroy(other, NULL, 0);
  shmem_finalize();
  gasnet_exit(0);
}
