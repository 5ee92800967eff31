/*
 * Everybody hammers the words of the first and of the last PE at a time, some from the node, some
 * from elsewhere, with many operations under way: nothing is lost, whatever the operation needs
 * (one instruction, a loop, a message) and whoever makes it (OpenSHMEM's atomics too).
 */
#include <shmem.h>

#include "gasnet/world.h"

enum { OPS = 40, WINDOW = 8 };

static struct words {
  int64_t counter, mixed, looped, odd;
  int32_t least, most, ups;
  uint32_t bits;
  float sum;
  double twice;
  int64_t seen[16 * OPS];
} * words;

static gex_AD_t i64, i32, u32, flt, dbl;

static void make(void) {
  const gex_OP_t ops = GEX_OP_ADD | GEX_OP_SUB | GEX_OP_MULT | GEX_OP_MIN | GEX_OP_MAX | GEX_OP_INC;
  const gex_OP_t all = ops | GEX_OP_FADD | GEX_OP_FCAS;
  gex_AD_Create(&i64, world.tm, GEX_DT_I64, all, 0);
  gex_AD_Create(&i32, world.tm, GEX_DT_I32, all, GEX_FLAG_AD_FAVOR_REMOTE);
  gex_AD_Create(&u32, world.tm, GEX_DT_U32, all | GEX_OP_XOR, 0);
  gex_AD_Create(&flt, world.tm, GEX_DT_FLT, all, 0);
  gex_AD_Create(&dbl, world.tm, GEX_DT_DBL, all, 0);
}

static void loop_on(gex_Rank_t on, struct words *w) {
  for (int64_t expect = 0, found;; expect = found) {
    gex_Event_Wait(
        gex_AD_OpNB_I64(i64, &found, on, &w->looped, GEX_OP_FCAS, expect, expect + 3, 0));
    if (found == expect) return;
  }
}

static void hammer(gex_Rank_t on) {
  struct words *w = (struct words *)(void *)world_of(on);
  const int me = (int)world.me;
  int64_t old[WINDOW];
  gex_Event_t events[WINDOW];
  for (int i = 0; i < OPS; i++) {
    const int k = i % WINDOW;
    events[k] = gex_AD_OpNB_I64(i64, &old[k], on, &w->counter, GEX_OP_FADD, 1, 0, 0);
    gex_AD_OpNBI_I64(i64, NULL, on, &w->odd, GEX_OP_MULT, 3, 0, 0);
    gex_AD_OpNBI_I32(i32, NULL, on, &w->least, GEX_OP_MIN, -me * OPS - i, 0, 0);
    gex_AD_OpNBI_I32(i32, NULL, on, &w->most, GEX_OP_MAX, me * OPS + i, 0, 0);
    gex_AD_OpNBI_I32(i32, NULL, on, &w->ups, GEX_OP_INC, 0, 0, 0);
    gex_AD_OpNBI_U32(u32, NULL, on, &w->bits, GEX_OP_XOR, 1u << me, 0, 0);
    gex_AD_OpNBI_FLT(flt, NULL, on, &w->sum, GEX_OP_ADD, 0.5f, 0, 0);
    gex_AD_OpNBI_DBL(dbl, NULL, on, &w->twice, GEX_OP_SUB, -0.25, 0, 0);
    gex_AD_OpNBI_I64(i64, NULL, on, &w->mixed, GEX_OP_ADD, 1, 0, 0);
    shmem_int64_atomic_add(&((struct words *)(void *)world_of(on))->mixed, 2, (int)on);
    if (i % 4 == 0) loop_on(on, w);
    if (k < WINDOW - 1 && i < OPS - 1) continue;
    gex_Event_WaitAll(events, (size_t)k + 1, 0);
    for (int j = 0; j <= k; j++) {
      int64_t first;
      CHECK(old[j] >= 0 && old[j] < (int64_t)world.n * OPS);
      gex_Event_Wait(
          gex_AD_OpNB_I64(i64, &first, on, &w->seen[old[j]], GEX_OP_FADD, 1, 0, GEX_FLAG_AD_ACQ));
      CHECK_EQ(first, 0);
    }
  }
  gex_NBI_Wait(GEX_EC_RMW, 0);
  shmem_quiet();
}

static void check(void) {
  const int64_t n = (int64_t)world.n * OPS;
  int64_t odd = 1;
  for (int i = 0; i < n; i++) odd = (int64_t)((uint64_t)odd * 3);
  CHECK_EQ(words->counter, n);
  CHECK_EQ(words->mixed, 3 * n);
  CHECK_EQ(words->looped, 3 * (int64_t)world.n * (OPS / 4));
  CHECK_EQ(words->odd, odd);
  CHECK_EQ(words->least, -(n - 1));
  CHECK_EQ(words->most, n - 1);
  CHECK_EQ(words->ups, n);
  CHECK_EQ(words->bits, OPS % 2 ? (1u << world.n) - 1 : 0);
  CHECK(words->sum == (float)n / 2 && words->twice == (double)n / 4);
  for (int i = 0; i < n; i++) CHECK_EQ(words->seen[i], 1);
}

int main(void) {
  shmem_init();
  world_open();
  make();
  for (gex_Rank_t on = 0; on<world.n; on += world.n> 1 ? world.n - 1 : 1) {
    words = (struct words *)(void *)world_of(world.me);
    *words = (struct words){.odd = 1};
    world_barrier();
    hammer(on);
    world_barrier();
    if (world.me == on) check();
    world_barrier();
  }
  world_close();
  shmem_finalize();
  return 0;
}
