/*
 * Non-contiguous transfers of several threads of every PE (PAR), to all PEs, each thread with
 * events and implicit operations of its own and memory of its own.
 */
#define GASNET_PAR 1
#include <pthread.h>

#include "gasnet/world.h"

enum { THREADS = 3, ROUNDS = 15, ROWS = 24, ROW = 16, PITCH = 40, BYTES = ROWS * PITCH };

typedef struct pad {
  char out[ROWS * ROW], back[ROWS * ROW];
} pad_t;

static void go(pad_t *pad, gex_Rank_t to, char *at, int round) {
  const size_t count[] = {ROWS};
  const ptrdiff_t near_stride[] = {ROW}, far_stride[] = {PITCH};
  gex_Event_t put;
  memset(pad->back, 0, sizeof pad->back);
  for (int i = 0; i < ROWS * ROW; i++) pad->out[i] = (char)(i * round + 1);
  if (round % 2) {
    put = gex_VIS_StridedPutNB(world.tm, to, at, far_stride, pad->out, near_stride, ROW, count, 1,
                               GEX_FLAG_ENABLE_LEAF_LC);
    gex_Event_Wait(put);
  } else {
    gex_VIS_StridedPutNBI(world.tm, to, at, far_stride, pad->out, near_stride, ROW, count, 1, 0);
    gex_NBI_Wait(GEX_EC_PUT, 0);
  }
  void *rows[ROWS], *whole[] = {pad->back};
  for (int i = 0; i < ROWS; i++) rows[i] = at + i * PITCH;
  gex_Event_t got = gex_VIS_IndexedGetNB(world.tm, 1, whole, ROWS * ROW, to, ROWS, rows, ROW, 0);
  while (got && gex_Event_Test(got) != GASNET_OK) sched_yield();
  CHECK(!memcmp(pad->out, pad->back, sizeof pad->out));
}

static void *work(void *arg) {
  const size_t me = (size_t)(intptr_t)arg;
  pad_t *pad = malloc(sizeof *pad);
  for (int i = 0; i < ROUNDS; i++) {
    const gex_Rank_t to = (world.me + (gex_Rank_t)i) % world.n;
    go(pad, to, world_of(to) + (world.me * THREADS + me) * BYTES, i + 1);
  }
  free(pad);
  return NULL;
}

int main(void) {
  pthread_t threads[THREADS];
  world_open();
  for (int i = 0; i < THREADS; i++)
    CHECK(pthread_create(&threads[i], NULL, work, (void *)(intptr_t)i) == 0);
  for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
  world_close();
  return 0;
}
