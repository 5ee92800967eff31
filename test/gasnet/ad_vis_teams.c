/*
 * Atomics and non-contiguous transfers by other teams than the primordial one: everybody in reverse
 * order, everybody once more, the even and the odd; by job ranks; and over a TM-pair.
 */
#include "gasnet/world.h"

static int64_t *words(gex_Rank_t pe) {
  return (int64_t *)(void *)world_of(pe);
}

/* One is added to a word of each member, by each member and in two ways. */
static void add(gex_TM_t tm, gex_AD_t ad, const gex_Rank_t *pes) {
  const gex_Rank_t n = gex_TM_QuerySize(tm);
  int64_t before = -1;
  for (gex_Rank_t r = 0; r < n; r++) {
    const gex_Rank_t pe = gex_TM_TranslateRankToJobrank(tm, r);
    CHECK_EQ(pe, pes[r]);
    gex_Event_Wait(gex_AD_OpNB_I64(ad, &before, r, words(pe), GEX_OP_FADD, 1, 0, 0));
    CHECK(before >= 0 && before < 2 * (int64_t)n);
    gex_AD_OpNBI_I64(ad, NULL, pe, words(pe), GEX_OP_INC, 0, 0, GEX_FLAG_RANK_IS_JOBRANK);
  }
  gex_NBI_Wait(GEX_EC_RMW, 0);
}

/* My words go to every member, each to a place of mine. */
static void put(gex_TM_t tm, const gex_Rank_t *pes, gex_Rank_t n, gex_Rank_t r0) {
  const int64_t two[2] = {world.me + 1, r0 + 1};
  const gex_Memvec_t from = {(void *)(uintptr_t)two, sizeof two};
  for (gex_Rank_t r = 0; r < n; r++) {
    int64_t *at = words(pes[r]) + 1 + 3 * world.me;
    const gex_Memvec_t to[] = {{at, 8}, {at + 2, 8}};
    gex_Event_Wait(gex_VIS_VectorPutNB(tm, r, 2, to, 1, &from, 0));
  }
}

static void check(gex_TM_t tm, const gex_Rank_t *pes, gex_Rank_t n) {
  gex_Coll_BarrierBlocking(tm, 0);
  CHECK_EQ(words(world.me)[0], 2 * (int64_t)n);
  for (gex_Rank_t r = 0; r < n; r++) {
    const int64_t *at = words(world.me) + 1 + 3 * pes[r];
    CHECK(at[0] == pes[r] + 1 && at[1] == 0 && at[2] == r + 1);
  }
  gex_Coll_BarrierBlocking(tm, 0);
  memset(world_of(world.me), 0, 4096);
  gex_Coll_BarrierBlocking(world.tm, 0);
}

static void team(int color, int key, const gex_Rank_t *pes, gex_Rank_t n) {
  gex_TM_t tm;
  gex_AD_t ad;
  gex_TM_Split(&tm, world.tm, color, key, NULL, 0, GEX_FLAG_TM_NO_SCRATCH);
  CHECK_EQ(gex_TM_QuerySize(tm), n);
  gex_AD_Create(&ad, tm, GEX_DT_I64, GEX_OP_FADD | GEX_OP_INC, 0);
  CHECK(gex_AD_QueryTM(ad) == tm);
  add(tm, ad, pes);
  put(tm, pes, n, gex_TM_QueryRank(tm));
  check(tm, pes, n);
  gex_AD_Destroy(ad);
}

int main(void) {
  gex_Rank_t up[WORLD_PES], down[WORLD_PES], mine[WORLD_PES], n = 0;
  world_open();
  for (gex_Rank_t i = 0; i < world.n; i++) {
    up[i] = i;
    down[i] = world.n - 1 - i;
    if (i % 2 == world.me % 2) mine[n++] = i;
  }
  team(0, (int)world.me, up, world.n);
  team(0, -(int)world.me, down, world.n);
  team((int)world.me % 2, (int)world.me, mine, n);
  gex_TM_t pair = gex_TM_Pair(world.ep, 0);
  put(pair, up, world.n, world.me);
  for (gex_Rank_t i = 0; i < 2 * world.n; i++) {
    int64_t *at = words(i % world.n);
    gex_AD_t ad;
    gex_AD_Create(&ad, world.tm, GEX_DT_I64, GEX_OP_INC, 0);
    gex_Event_Wait(gex_AD_OpNB_I64(ad, NULL, i % world.n, at, GEX_OP_INC, 0, 0, 0));
    gex_AD_Destroy(ad);
  }
  check(world.tm, up, world.n);
  world_close();
  return 0;
}
