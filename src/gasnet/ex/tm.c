/*
 * tm.c: teams as objects: translation of ranks, queries, the end of a team. How a new one is made
 * is in tm_make.c, what members do together in coll.c; the team itself is coll's.
 */
#include <stdlib.h>

#include "gasnet/ex/team.h"

/* ---- translation ----------------------------------------------------------------------------- */

void weft_gex_check_rank(gex_TM_t tm, gex_Rank_t rank, const char *who) {
  const bool all = WEFT_GEX_IS_WORLD(tm) || WEFT_GEX_IS_PAIR(tm) || tm == weft_gex.tm0;
  const gex_Rank_t size = all ? (gex_Rank_t)weft_job.npes : tm->size;
  if (rank < size) return;
  if (all) weft_fatal("%s: rank %d does not exist (%u processes)", who, (int)rank, size);
  weft_fatal("%s: rank %d does not exist: team %p has %u members", who, (int)rank, (void *)tm,
             size);
}

WEFT_API long weft_gex_pe(gex_TM_t tm, gex_Rank_t rank) {
  if (weft_unlikely(weft_options.check)) weft_gex_check_rank(tm, rank, "GASNet");
  if (WEFT_GEX_IS_PAIR(tm) || WEFT_GEX_IS_WORLD(tm)) return rank;
  return tm->pes ? (long)tm->pes[rank] : (long)tm->start + (long)rank * tm->stride;
}

WEFT_API gex_Rank_t gex_TM_TranslateRankToJobrank(gex_TM_t tm, gex_Rank_t rank) {
  return (gex_Rank_t)weft_gex_pe(tm, rank);
}

WEFT_API gex_Rank_t gex_TM_TranslateJobrankToRank(gex_TM_t tm, gex_Rank_t jobrank) {
  if (jobrank >= (gex_Rank_t)weft_job.npes) return GEX_RANK_INVALID;
  if (WEFT_GEX_IS_WORLD(tm)) return jobrank;
  const int rank = weft_set_index(&weft_gex_team(tm)->set, (int)jobrank);
  return rank < 0 ? GEX_RANK_INVALID : (gex_Rank_t)rank;
}

WEFT_API gex_EP_Location_t gex_TM_TranslateRankToEP(gex_TM_t tm, gex_Rank_t rank,
                                                    gex_Flags_t flags) {
  (void)flags; /* members are primordial endpoints */
  return (gex_EP_Location_t){.gex_rank = (gex_Rank_t)weft_gex_pe(tm, rank), .gex_ep_index = 0};
}

WEFT_API gex_Client_t gex_TM_QueryClient(gex_TM_t tm) {
  weft_gex_given_team(tm, "gex_TM_QueryClient");
  return gex_EP_QueryClient(tm->ep);
}

/* ---- the object ------------------------------------------------------------------------------ */

static WEFT_COLD void no_memory(void) {
  weft_fatal("GASNet: no memory for a team");
}

/* The primordial team's is there; another one begins in the middle of 128 bytes (weft/gex_types.h).
 */
static gex_TM_t make_object(void) {
  _Static_assert(sizeof(struct weft_gex_tm) <= 64, "fits");
  char *block = weft_handle_new(128, "a team");
  if (!block) no_memory();
  return (gex_TM_t)(void *)(block + 64);
}

static void fill(gex_TM_t tm, weft_team_t *team) {
  const weft_set_t *set = &team->set;
  tm->rank = (gex_Rank_t)team->me;
  tm->size = (gex_Rank_t)set->size;
  tm->pes = (const gex_Rank_t *)set->list;
  tm->start = (gex_Rank_t)set->start;
  tm->stride = set->size > 1 ? set->stride : 1;
  tm->ep = &weft_gex_ep0;
  tm->team = calloc(1, sizeof *tm->team);
  if (!tm->team) no_memory();
  tm->team->team = team;
}

gex_TM_t weft_gex_tm_new(weft_team_t *team, gex_Flags_t flags) {
  gex_TM_t tm = make_object();
  fill(tm, team);
  tm->flags = flags;
  return tm;
}

void weft_gex_teams_start(void) {
  weft_teams_start();
  fill(weft_gex.tm0, weft_team_world());
}

WEFT_API int gex_TM_Destroy(gex_TM_t tm, gex_Memvec_t *scratch_p, gex_Flags_t flags) {
  weft_gex_given_team(tm, "gex_TM_Destroy");
  if (tm == weft_gex.tm0) weft_fatal("gex_TM_Destroy: the primordial team stays");
  if (!(flags & GEX_FLAG_GLOBALLY_QUIESCED)) weft_gex_team_sync(tm, "gex_TM_Destroy");
  weft_team_free(weft_gex_team(tm));
  const gex_Memvec_t scratch = tm->team->scratch;
  free(tm->team);
  weft_handle_free((char *)tm - 64);
  if (scratch.gex_addr && scratch_p) *scratch_p = scratch;
  return scratch.gex_addr && scratch_p;
}
