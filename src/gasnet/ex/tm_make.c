/*
 * tm_make.c: new teams: what the client says becomes a split of coll's, or a set.
 */
#include <errno.h>
#include <stdlib.h>

#include "gasnet/ex/team.h"
#include "trace/trace.h"

/* ---- scratch --------------------------------------------------------------------------------- */

static bool asks_for_size(gex_Flags_t flags) {
  return flags & (GEX_FLAG_TM_SCRATCH_SIZE_MIN | GEX_FLAG_TM_SCRATCH_SIZE_RECOMMENDED);
}

/* With WEFT_CHECK=1 it must be in the segment. */
static void take_scratch(gex_TM_t tm, void *address, size_t n, gex_Flags_t flags, const char *who) {
  const gex_Segment_t segment = gex_EP_QuerySegment(tm->ep);
  if (flags & GEX_FLAG_TM_NO_SCRATCH) return;
  char *begin = segment ? gex_Segment_QueryAddr(segment) : NULL;
  if (flags & GEX_FLAG_SCRATCH_SEG_OFFSET) address = begin + (uintptr_t)address;
  tm->team->scratch = (gex_Memvec_t){.gex_addr = address, .gex_len = n};
  weft_team_lend(weft_gex_team(tm), address, n);
  if (weft_likely(!weft_options.check)) return;
  const char *end = begin ? begin + gex_Segment_QuerySize(segment) : NULL;
  if (n == 0 || (char *)address < begin || (char *)address + n > end)
    weft_fatal("%s: scratch %p of %zu bytes is not in the bound segment", who, address, n);
}

/* GASNet has no status for it. */
static WEFT_COLD void member_gone(const char *who) {
  weft_fatal("%s: a member of the parent team is gone", who);
}

/* ---- split ----------------------------------------------------------------------------------- */

WEFT_API size_t gex_TM_Split(gex_TM_t *new_tm_p, gex_TM_t parent, int color, int key,
                             void *scratch_addr, size_t scratch, gex_Flags_t flags) {
  weft_gex_up("gex_TM_Split");
  weft_gex_given_team(parent, "gex_TM_Split");
  if (asks_for_size(flags)) return new_tm_p ? WEFT_TEAM_SCRATCH : 0;
  WEFT_SPAN(WEFT_TRACE_COLLECTIVE, "gex_TM_Split", 0);
  weft_team_name(weft_gex_team(parent), "gex_TM_Split");
  weft_team_t *team;
  if (weft_team_split(weft_gex_team(parent), new_tm_p, color, key, &team) < 0)
    member_gone("gex_TM_Split");
  if (!new_tm_p) return 0;
  *new_tm_p = weft_gex_tm_new(team, flags);
  take_scratch(*new_tm_p, scratch_addr, scratch, flags, "gex_TM_Split");
  return 0;
}

WEFT_API size_t gex_TM_Dup(gex_TM_t *new_tm_p, gex_TM_t orig, gex_Addr_t scratch_addr,
                           size_t scratch, gex_Flags_t flags) {
  return gex_TM_Split(new_tm_p, orig, 0, 0, scratch_addr, scratch, flags);
}

/* ---- create ---------------------------------------------------------------------------------- */

/* The PE of an argument. */
static gex_Rank_t pe_of(gex_TM_t parent, const gex_EP_Location_t *arg, gex_Flags_t flags) {
  return flags & GEX_FLAG_RANK_IS_JOBRANK ? arg->gex_rank
                                          : (gex_Rank_t)weft_gex_to(parent, arg->gex_rank);
}

/* The PEs that args name. */
static weft_set_t set_of_args(gex_TM_t parent, const gex_EP_Location_t *args, size_t n,
                              gex_Flags_t flags) {
  weft_set_t set;
  int *pes = malloc(n * sizeof *pes + 1);
  for (size_t i = 0; pes && i < n; i++) pes[i] = (int)pe_of(parent, &args[i], flags);
  const int rc = pes ? weft_set_from_list(&set, pes, (int)n) : -ENOMEM;
  if (rc < 0)
    weft_fatal("gex_TM_Create: %s", rc == -ENOMEM ? "no memory" : "args name an endpoint twice");
  free(pes);
  return set;
}

/* My rank in it, or the number of members: none. */
static size_t own_rank(gex_TM_t parent, const gex_EP_Location_t *args, size_t n,
                       gex_Flags_t flags) {
  size_t rank = n;
  for (size_t i = 0; i < n; i++) {
    if (args[i].gex_ep_index != 0)
      weft_fatal(
          "gex_TM_Create: only primordial endpoints can be members (GEX_EP_CAPABILITY_COLL)");
    if (pe_of(parent, &args[i], flags) == (gex_Rank_t)weft_job.pe) rank = i;
  }
  return rank;
}

static gex_Addr_t scratch_of(const gex_Addr_t *addrs, size_t rank, gex_Flags_t flags) {
  if (flags & GEX_FLAG_TM_NO_SCRATCH) return NULL;
  return addrs[flags & GEX_FLAG_TM_GLOBAL_SCRATCH ? rank : 0];
}

WEFT_API size_t gex_TM_Create(gex_TM_t *new_tms, size_t num_new_tms, gex_TM_t parent,
                              gex_EP_Location_t *args, size_t numargs, gex_Addr_t *scratch_addrs,
                              size_t scratch, gex_Flags_t flags) {
  weft_gex_up("gex_TM_Create");
  weft_gex_given_team(parent, "gex_TM_Create");
  if (asks_for_size(flags)) return numargs ? WEFT_TEAM_SCRATCH : 0;
  WEFT_SPAN(WEFT_TRACE_COLLECTIVE, "gex_TM_Create", 0);
  const size_t rank = own_rank(parent, args, numargs, flags);
  const bool member = rank < numargs;
  if (numargs && num_new_tms != member)
    weft_fatal("gex_TM_Create: num_new_tms is %zu, but args name %d endpoints of this process",
               num_new_tms, member);
  weft_set_t set = member ? set_of_args(parent, args, numargs, flags) : (weft_set_t){0};
  weft_team_t *team;
  weft_team_name(weft_gex_team(parent), "gex_TM_Create");
  const int rc = weft_team_create(weft_gex_team(parent), member ? &set : NULL, true, &team);
  if (rc == -EHOSTDOWN) member_gone("gex_TM_Create");
  if (rc < 0)
    weft_fatal("gex_TM_Create: %s",
               rc == -ENOMEM ? "no memory"
                             : "args name an endpoint whose process does not create this team");
  weft_set_free(&set);
  if (!member) return 0;
  new_tms[0] = weft_gex_tm_new(team, flags);
  take_scratch(new_tms[0], scratch_of(scratch_addrs, rank, flags), scratch, flags, "gex_TM_Create");
  return 0;
}
