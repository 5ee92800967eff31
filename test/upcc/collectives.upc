/* Every collective of 7.4 in all nine modes of synchronisation, and Berkeley's on values. */
#include <bupc_collectivev.h>
#include <upc_collective.h>
#include "expect.h"

#define B 3
shared [] int one[B * 8];
shared [B] int block[B * THREADS], result[B * THREADS];
shared [8 * B] int square[THREADS][8 * B], turned[THREADS][8 * B];
shared int perm[THREADS];
shared [2] double values[2 * THREADS], sums[2 * THREADS];

static const upc_flag_t in[] = {UPC_IN_ALLSYNC, UPC_IN_MYSYNC, UPC_IN_NOSYNC};
static const upc_flag_t out[] = {UPC_OUT_ALLSYNC, UPC_OUT_MYSYNC, UPC_OUT_NOSYNC};

static double larger(double a, double b) { return a > b ? a : b; }

/* What the mode leaves to the caller: all data are ready before NOSYNC, and nobody is inside after it. */
static void ready(int mode) { if (mode % 3) upc_barrier; }

static void moves(int mode) {
  upc_flag_t flags = in[mode % 3] | out[mode / 3];
  int me = MYTHREAD, i, j;
  for (i = 0; i < B; i++) {
    block[B * me + i] = 100 * mode + 10 * me + i;
    for (j = 0; j < THREADS; j++) square[me][B * j + i] = 1000 * me + 10 * j + i + mode;
  }
  perm[me] = (me + 1 + mode) % THREADS;
  if (me == 0)
    for (i = 0; i < B * THREADS; i++) one[i] = 7 * mode + i;
  ready(mode);
  upc_all_broadcast(result, one, B * sizeof(int), flags);
  ready(mode / 3);
  for (i = 0; i < B; i++) CHECK(result[B * me + i] == 7 * mode + i);
  upc_barrier;
  upc_all_scatter(result, one, B * sizeof(int), flags);
  ready(mode / 3);
  for (i = 0; i < B; i++) CHECK(result[B * me + i] == 7 * mode + B * me + i);
  upc_barrier;
  upc_all_gather(one, block, B * sizeof(int), flags);
  upc_barrier;
  for (i = 0; i < B * THREADS; i++) CHECK(one[i] == 100 * mode + 10 * (i / B) + i % B);
  upc_barrier;
  upc_all_gather_all(turned, block, B * sizeof(int), flags);
  ready(mode / 3);
  for (i = 0; i < B * THREADS; i++) CHECK(turned[me][i] == 100 * mode + 10 * (i / B) + i % B);
  upc_barrier;
  upc_all_exchange(turned, square, B * sizeof(int), flags);
  ready(mode / 3);
  for (i = 0; i < B * THREADS; i++) CHECK(turned[me][i] == 1000 * (i / B) + 10 * me + i % B + mode);
  upc_barrier;
  upc_all_permute(result, block, perm, B * sizeof(int), flags);
  upc_barrier;
  for (i = 0; i < B; i++) CHECK(result[B * perm[me] + i] == 100 * mode + 10 * me + i);
  upc_barrier;
}

static void reductions(int mode) {
  upc_flag_t flags = in[mode % 3] | out[mode / 3];
  int me = MYTHREAD, n = 2 * THREADS;
  values[2 * me] = me;
  values[2 * me + 1] = -mode;
  upc_barrier;
  upc_all_reduceD(sums, values, UPC_FUNC, (size_t)n, 2, larger, flags);
  upc_barrier;
  CHECK(sums[0] == THREADS - 1 || (mode == 0 && THREADS == 1));
  upc_barrier;
  upc_all_prefix_reduceD(sums, values, UPC_ADD, (size_t)n, 2, NULL, flags);
  upc_barrier;
  CHECK(sums[2 * me] == me * (me + 1) / 2 - mode * me);
  CHECK(sums[2 * me + 1] == me * (me + 1) / 2 - mode * (me + 1));
  upc_barrier;
}

int main(void) {
  int me = MYTHREAD, all = THREADS * (THREADS - 1) / 2;
  for (int mode = 0; mode < 9; mode++) {
    moves(mode);
    reductions(mode);
  }
  CHECK(bupc_allv_reduce_all(int, me, UPC_ADD) == all && bupc_allv_broadcast(long, me + 5L, THREADS - 1) == THREADS + 4);
  CHECK(bupc_allv_prefix_reduce(int, me, UPC_ADD) == me * (me + 1) / 2);
  return 0;
}
