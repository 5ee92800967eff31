/*
 * tm_make.c: how the members of a parent make new teams. Each shows the others what it wants and
 * what they must know of it (a reduction of records of which everybody else's is zero); the rest is
 * arithmetic, and a barrier of the parent ends it.
 */
#include <stdlib.h>
#include <string.h>

#include "gasnet/ex/team.h"
#include "trace/trace.h"

typedef struct record {
  int32_t color, key;
  uint32_t wants; /* to be a member */
  uint32_t id;    /* the new team's, should this be its rank 0 */
  uint64_t area;  /* slot offset */
} record_t;

static void *room_for(size_t n) {
  void *p = calloc(n ? n : 1, 1);
  if (!p) weft_fatal("GASNet: no memory to make a team");
  return p;
}

/* What a new member brings along. */
static record_t apply(gex_TM_t parent) {
  return (record_t){.wants = 1,
                    .id = weft_gex_team_id(),
                    .area = weft_job_offset(weft_gex_area_new(parent->size))};
}

/* Everybody's record, by rank of the parent. */
static record_t *exchange(weft_gex_team_t *parent, const record_t *mine) {
  record_t *all = room_for(parent->size * sizeof *all);
  all[parent->rank] = *mine;
  weft_gex_op_t *op = weft_gex_op_new(parent);
  op->kind = WEFT_GEX_REDUCE_ALL;
  op->cut = weft_gex_cut_parts;
  op->dst = (char *)all;
  op->src = (const char *)all;
  op->bytes = parent->size * sizeof *all;
  op->width = 8;
  op->most = weft_gex_cut_size(parent, op->bytes, 8);
  op->combine = weft_gex_arithmetic(GEX_DT_U64, GEX_OP_OR);
  weft_gex_op_run(op);
  return all;
}

/* ---- scratch --------------------------------------------------------------------------------- */

/* What a team's large collectives use (coll_node.c), and a cache line to align it. */
static size_t scratch_size(void) {
  return (size_t)WEFT_GEX_WINDOW * WEFT_GEX_PART + WEFT_CACHELINE;
}

static bool asks_for_size(gex_Flags_t flags) {
  return flags & (GEX_FLAG_TM_SCRATCH_SIZE_MIN | GEX_FLAG_TM_SCRATCH_SIZE_RECOMMENDED);
}

/* With WEFT_CHECK=1 it must be in the segment. */
static void take_scratch(weft_gex_team_t *team, void *address, size_t n, gex_Flags_t flags,
                         const char *who) {
  const gex_Segment_t segment = gex_EP_QuerySegment(team->tm->ep);
  if (flags & GEX_FLAG_TM_NO_SCRATCH) return;
  char *begin = segment ? gex_Segment_QueryAddr(segment) : NULL;
  if (flags & GEX_FLAG_SCRATCH_SEG_OFFSET) address = begin + (uintptr_t)address;
  team->scratch = (gex_Memvec_t){.gex_addr = address, .gex_len = n};
  if (weft_likely(!weft_options.check)) return;
  const char *end = begin ? begin + gex_Segment_QuerySize(segment) : NULL;
  if (n == 0 || (char *)address < begin || (char *)address + n > end)
    weft_fatal("%s: scratch %p of %zu bytes is not in the bound segment", who, address, n);
}

/* ---- split ----------------------------------------------------------------------------------- */

typedef struct candidate {
  int key;
  gex_Rank_t parent;
} candidate_t;

static int by_key(const void *a, const void *b) {
  const candidate_t *x = a, *y = b;
  if (x->key != y->key) return x->key < y->key ? -1 : 1;
  return x->parent < y->parent ? -1 : 1;
}

static weft_gex_seat_t *seats_of_color(gex_TM_t parent, const record_t *all, int color,
                                       gex_Rank_t *size, gex_Rank_t *rank, uint32_t *id) {
  candidate_t *list = room_for(parent->size * sizeof *list);
  gex_Rank_t n = 0;
  for (gex_Rank_t i = 0; i < parent->size; i++)
    if (all[i].wants && all[i].color == color) list[n++] = (candidate_t){all[i].key, i};
  qsort(list, n, sizeof *list, by_key);
  weft_gex_seat_t *seats = room_for(n * sizeof *seats);
  for (gex_Rank_t i = 0; i < n; i++) {
    const gex_Rank_t pe = (gex_Rank_t)weft_gex_to(parent, list[i].parent);
    seats[i] = (weft_gex_seat_t){pe, all[list[i].parent].area};
    if (list[i].parent == parent->rank) *rank = i;
  }
  *id = all[list[0].parent].id;
  *size = n;
  free(list);
  return seats;
}

WEFT_API size_t gex_TM_Split(gex_TM_t *new_tm_p, gex_TM_t parent, int color, int key,
                             void *scratch_addr, size_t scratch, gex_Flags_t flags) {
  weft_gex_up("gex_TM_Split");
  if (asks_for_size(flags)) return new_tm_p ? scratch_size() : 0;
  WEFT_SPAN(WEFT_TRACE_COLLECTIVE, "gex_TM_Split", 0);
  record_t mine = new_tm_p ? apply(parent) : (record_t){0};
  mine.color = color;
  mine.key = key;
  record_t *all = exchange(parent->team, &mine);
  if (new_tm_p) {
    gex_Rank_t size = 0, rank = 0;
    uint32_t id = 0;
    weft_gex_seat_t *seats = seats_of_color(parent, all, color, &size, &rank, &id);
    weft_gex_team_t *team = weft_gex_team_make(id, seats, size, rank, flags);
    take_scratch(team, scratch_addr, scratch, flags, "gex_TM_Split");
    *new_tm_p = team->tm;
    free(seats);
  }
  free(all);
  weft_gex_team_barrier(parent->team);
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

static weft_gex_seat_t *seats_of_args(gex_TM_t parent, const record_t *all,
                                      const gex_EP_Location_t *args, size_t n, gex_Flags_t flags,
                                      uint32_t *id) {
  const record_t **of = room_for((size_t)weft_job.npes * sizeof *of); /* by PE */
  weft_gex_seat_t *seats = room_for(n * sizeof *seats);
  for (gex_Rank_t i = 0; i < parent->size; i++) of[weft_gex_to(parent, i)] = &all[i];
  for (size_t i = 0; i < n; i++) {
    const gex_Rank_t pe = pe_of(parent, &args[i], flags);
    if (!of[pe] || !of[pe]->wants)
      weft_fatal("gex_TM_Create: PE %u is named in args, but does not create this team", pe);
    seats[i] = (weft_gex_seat_t){pe, of[pe]->area};
  }
  *id = of[seats[0].pe]->id;
  free(of);
  return seats;
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
  if (asks_for_size(flags)) return numargs ? scratch_size() : 0;
  WEFT_SPAN(WEFT_TRACE_COLLECTIVE, "gex_TM_Create", 0);
  const size_t rank = own_rank(parent, args, numargs, flags);
  const bool member = rank < numargs;
  if (numargs && num_new_tms != member)
    weft_fatal("gex_TM_Create: num_new_tms is %zu, but args name %d endpoints of this process",
               num_new_tms, member);
  record_t mine = member ? apply(parent) : (record_t){0};
  record_t *all = exchange(parent->team, &mine);
  if (member) {
    uint32_t id = 0;
    weft_gex_seat_t *seats = seats_of_args(parent, all, args, numargs, flags, &id);
    weft_gex_team_t *team =
        weft_gex_team_make(id, seats, (gex_Rank_t)numargs, (gex_Rank_t)rank, flags);
    take_scratch(team, scratch_of(scratch_addrs, rank, flags), scratch, flags, "gex_TM_Create");
    new_tms[0] = team->tm;
    free(seats);
  }
  free(all);
  weft_gex_team_barrier(parent->team);
  return 0;
}
