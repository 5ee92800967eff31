/* gex_TM_Create: members by jobrank or by rank of the parent, any order, several teams in a call,
 * scratch of every kind, and what gex_TM_Destroy gives back. */
#define GASNET_SEQ
#include <gasnetex.h>
#include <gasnet_coll.h>

#include "team.h"

static char *segment;
static size_t wanted;

static void sum_of(gex_TM_t tm, gex_Rank_t n) {
  static long in[3000], out[3000];
  for (int i = 0; i < 3000; i++) in[i] = (long)gex_TM_QueryRank(tm) + i;
  gex_Event_Wait(
      gex_Coll_ReduceToAllNB(tm, out, in, GEX_DT_I64, 8, 3000, GEX_OP_ADD, NULL, NULL, 0));
  for (int i = 0; i < 3000; i++) CHECK_EQ(out[i], (long)n * (n - 1) / 2 + (long)n * i);
}

/* My team: the PEs of my half, the last first. */
static gex_Rank_t half(gex_EP_Location_t *args) {
  gex_Rank_t n = 0;
  for (gex_Rank_t i = size; i-- > 0;)
    if ((i < size / 2) == (me < size / 2)) args[n++] = (gex_EP_Location_t){.gex_rank = i};
  return n;
}

static void create(gex_TM_t parent, gex_Flags_t flags) {
  gex_EP_Location_t args[64];
  gex_Addr_t addrs[64];
  gex_TM_t tm = GEX_TM_INVALID;
  const gex_Rank_t n = half(args);
  for (gex_Rank_t i = 0; i < n; i++) {
    addrs[i] = flags & GEX_FLAG_TM_GLOBAL_SCRATCH && args[i].gex_rank != me ? NULL : segment;
    if (!(flags & GEX_FLAG_RANK_IS_JOBRANK))
      args[i].gex_rank = gex_TM_TranslateJobrankToRank(parent, args[i].gex_rank);
  }
  CHECK_EQ(gex_TM_Create(NULL, 0, parent, args, n, NULL, 0,
                         flags | GEX_FLAG_TM_SCRATCH_SIZE_RECOMMENDED),
           wanted);
  gex_TM_Create(&tm, 1, parent, args, n, addrs, wanted, flags);
  CHECK_EQ(gex_TM_QuerySize(tm), n);
  for (gex_Rank_t i = 0; i < n; i++)
    CHECK_EQ(gex_TM_TranslateRankToJobrank(tm, i),
             flags & GEX_FLAG_RANK_IS_JOBRANK
                 ? args[i].gex_rank
                 : gex_TM_TranslateRankToJobrank(parent, args[i].gex_rank));
  sum_of(tm, n);
  gex_Memvec_t scratch = {NULL, 0};
  const int given = gex_TM_Destroy(tm, &scratch, 0);
  CHECK_EQ(given, !(flags & GEX_FLAG_TM_NO_SCRATCH));
  if (given) CHECK(scratch.gex_addr == segment && scratch.gex_len == wanted);
}

/* Only PE 0 creates; the others have no team. */
static void alone(void) {
  gex_EP_Location_t self = {.gex_rank = 0};
  gex_TM_t tm = GEX_TM_INVALID;
  gex_TM_Create(&tm, me == 0, all, &self, me == 0, NULL, 0, GEX_FLAG_TM_NO_SCRATCH);
  CHECK((tm != GEX_TM_INVALID) == (me == 0));
  if (me != 0) return;
  sum_of(tm, 1);
  gex_TM_Destroy(tm, NULL, 0);
}

/* In all turns of a team with scratch: nothing is written behind it. */
static void stay_in(gex_TM_t tm, char *behind) {
  enum { BEHIND = 4000, SUMS = 20, MARK = 0x5a };
  memset(behind, MARK, BEHIND);
  for (int i = 0; i < SUMS; i++) sum_of(tm, size);
  for (int i = 0; i < BEHIND; i++) CHECK_EQ(behind[i], MARK);
}

int main(int argc, char **argv) {
  start(&argc, &argv);
  gex_Segment_t s;
  wanted = gex_TM_Split(&all, all, 0, 0, NULL, 0, GEX_FLAG_TM_SCRATCH_SIZE_RECOMMENDED);
  CHECK(wanted > 0 &&
        gex_TM_Split(NULL, all, 0, 0, NULL, 0, GEX_FLAG_TM_SCRATCH_SIZE_RECOMMENDED) == 0);
  CHECK_EQ(gex_Segment_Attach(&s, all, (wanted / GASNET_PAGESIZE + 2) * GASNET_PAGESIZE),
           GASNET_OK);
  segment = (char *)gex_Segment_QueryAddr(s) + 24; /* not even aligned */
  gex_TM_t reversed = split(all, 0, -(int)me);
  const gex_Flags_t how[] = {GEX_FLAG_TM_LOCAL_SCRATCH, GEX_FLAG_TM_GLOBAL_SCRATCH,
                             GEX_FLAG_TM_SYMMETRIC_SCRATCH, GEX_FLAG_TM_NO_SCRATCH};
  for (int i = 0; i < 8; i++) {
    create(all, how[i % 4] | (i < 4 ? GEX_FLAG_RANK_IS_JOBRANK : 0));
    create(reversed, how[i % 4] | (i < 4 ? GEX_FLAG_RANK_IS_JOBRANK : 0));
  }
  alone();
  gex_TM_t tm; /* split with scratch */
  gex_Memvec_t scratch;
  gex_TM_Split(&tm, all, 0, 0, segment, wanted, 0);
  stay_in(tm, segment + wanted);
  CHECK(gex_TM_Destroy(tm, &scratch, 0) && scratch.gex_addr == segment);
  gasnet_exit(0);
}
