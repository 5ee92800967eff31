/*
 * Atomic domains as objects: what was asked for comes back, client data is kept, the best place is
 * taken for every hint, several exist at a time, and creation and destruction go on many times.
 */
#include "gasnet/world.h"

static void queries(gex_Flags_t flags) {
  const gex_OP_t ops = GEX_OP_FADD | GEX_OP_GET;
  gex_AD_t ad = GEX_AD_INVALID, other;
  int tag = 0;
  gex_AD_Create(&ad, world.tm, GEX_DT_U32, ops, flags);
  gex_AD_Create(&other, world.tm, GEX_DT_DBL, GEX_OP_SET, 0);
  CHECK(ad != GEX_AD_INVALID && ad != other);
  CHECK_EQ(gex_AD_QueryFlags(ad), flags);
  CHECK(gex_AD_QueryTM(ad) == world.tm);
  CHECK_EQ(gex_AD_QueryDT(ad), GEX_DT_U32);
  CHECK_EQ(gex_AD_QueryOps(ad), ops);
  CHECK_EQ(gex_AD_QueryOps(other), GEX_OP_SET);
  CHECK(gex_AD_QueryCData(ad) == NULL);
  gex_AD_SetCData(ad, &tag);
  gex_AD_SetCData(other, &world);
  CHECK(gex_AD_QueryCData(ad) == &tag && gex_AD_QueryCData(other) == &world);
  uint32_t old = 1, *mine = (uint32_t *)(void *)world_of(world.me) + 100;
  *mine = 17;
  gex_Event_Wait(gex_AD_OpNB_U32(ad, &old, world.me, mine, GEX_OP_FADD, 3, 0, GEX_FLAG_AD_MY_RANK));
  CHECK(old == 17 && *mine == 20);
  gex_AD_Destroy(other);
  gex_AD_Destroy(ad);
}

int main(void) {
  world_open();
  const gex_Flags_t hints[] = {0, GEX_FLAG_AD_FAVOR_MY_RANK, GEX_FLAG_AD_FAVOR_MY_NBRHD,
                               GEX_FLAG_AD_FAVOR_REMOTE};
  for (int i = 0; i < 40; i++) queries(hints[i % 4]);
  CHECK_EQ(GEX_OP_TO_FETCHING(GEX_OP_SET), GEX_OP_SWAP);
  CHECK_EQ(GEX_OP_TO_FETCHING(GEX_OP_CAS), GEX_OP_FCAS);
  CHECK_EQ(GEX_OP_TO_NONFETCHING(GEX_OP_FADD), GEX_OP_ADD);
  world_close();
  return 0;
}
