/* Teams: who is in them, in which order, translation both ways, and their end. */
#define GASNET_SEQ
#include <gasnetex.h>
#include <gasnet_coll.h>

#include "team.h"

/* Members of `tm` must be these PEs. */
static void check_members(gex_TM_t tm, const gex_Rank_t *pes, gex_Rank_t n) {
  CHECK_EQ(gex_TM_QuerySize(tm), n);
  CHECK((uintptr_t)tm % 128 == 64);
  for (gex_Rank_t jobrank = 0; jobrank < size; jobrank++) {
    gex_Rank_t rank = 0;
    while (rank < n && pes[rank] != jobrank) rank++;
    CHECK_EQ(gex_TM_TranslateJobrankToRank(tm, jobrank), rank < n ? rank : GEX_RANK_INVALID);
  }
  for (gex_Rank_t rank = 0; rank < n; rank++) {
    CHECK_EQ(gex_TM_TranslateRankToJobrank(tm, rank), pes[rank]);
    const gex_EP_Location_t at = gex_TM_TranslateRankToEP(tm, rank, 0);
    CHECK(at.gex_rank == pes[rank] && at.gex_ep_index == 0);
  }
  CHECK_EQ(pes[gex_TM_QueryRank(tm)], me);
  CHECK(gex_TM_QueryEP(tm) == gex_TM_QueryEP(all));
  CHECK(gex_TM_QueryClient(tm) == gex_TM_QueryClient(all));
  gex_Coll_BarrierBlocking(tm, 0);
}

/* Colours and keys that look like chance; the model is a sort. */
static void random_split(unsigned round) {
  int color[64], key[64];
  gex_Rank_t pes[64], n = 0;
  unsigned state = round;
  for (gex_Rank_t i = 0; i < size; i++) {
    color[i] = (int)(draw(&state) % 3) - (round % 2 ? 1 : 0);
    key[i] = (int)(draw(&state) % 4) - 2;
  }
  for (int k = -2; k < 2; k++)
    for (gex_Rank_t i = 0; i < size; i++)
      if (color[i] == color[me] && key[i] == k) pes[n++] = i;
  gex_TM_t tm = split(all, color[me], key[me]);
  CHECK((tm == GEX_TM_INVALID) == (color[me] < 0));
  if (tm == GEX_TM_INVALID) return;
  check_members(tm, pes, n);
  CHECK(gex_TM_QueryFlags(tm) == GEX_FLAG_TM_NO_SCRATCH);
  CHECK(gex_TM_QueryCData(tm) == NULL);
  gex_TM_SetCData(tm, &round);
  CHECK(gex_TM_QueryCData(tm) == &round);
  gex_Memvec_t scratch = {&round, 7};
  CHECK_EQ(gex_TM_Destroy(tm, round % 3 ? &scratch : NULL, 0), 0);
  CHECK(scratch.gex_addr == &round);
}

/* A team of a team of a team, and its copy. */
static void nested(void) {
  gex_TM_t reversed = split(all, 0, -(int)me), odd = split(reversed, (int)me % 2, 0), copy;
  gex_Rank_t pes[64], n = 0;
  for (gex_Rank_t i = size; i-- > 0;)
    if (i % 2 == me % 2) pes[n++] = i;
  check_members(odd, pes, n);
  gex_TM_Dup(&copy, odd, NULL, 0, GEX_FLAG_TM_NO_SCRATCH);
  CHECK(copy != odd);
  check_members(copy, pes, n);
  gex_Coll_BarrierBlocking(all, 0);
  gex_TM_Destroy(odd, NULL, GEX_FLAG_GLOBALLY_QUIESCED);
  gex_TM_Destroy(reversed, NULL, GEX_FLAG_GLOBALLY_QUIESCED);
  check_members(copy, pes, n); /* outlives its parents */
  gex_TM_Destroy(copy, NULL, 0);
}

int main(int argc, char **argv) {
  start(&argc, &argv);
  CHECK_EQ(gex_TM_QueryRank(all), gex_System_QueryJobRank());
  CHECK_EQ(gex_TM_TranslateRankToJobrank(all, size - 1), size - 1);
  CHECK_EQ(gex_TM_TranslateJobrankToRank(all, size - 1), size - 1);
  CHECK_EQ(gex_TM_TranslateRankToEP(all, me, 0).gex_rank, me);
  for (unsigned round = 0; round < 40; round++) random_split(round);
  nested();
  gex_TM_t pair = gex_TM_Pair(gex_TM_QueryEP(all), 3);
  CHECK((uintptr_t)pair & 1);
  CHECK(pair == gex_TM_Pair(gex_TM_QueryEP(all), 3) && pair != gex_TM_Pair(gex_TM_QueryEP(all), 2));
  gasnet_exit(0);
}
