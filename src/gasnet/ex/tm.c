/*
 * tm.c: teams as objects: what they are made of, translation of ranks, queries, the end of a team.
 * How members agree on a new one is in tm_make.c, what they do together in coll_*.c.
 */
#include <stdlib.h>
#include <string.h>

#include "coll/coll.h"
#include "gasnet/ex/team.h"
#include "runtime/runtime.h"

enum { CHAINS = 256 };

/* An area that its owner has left. Members of the node may still look at its flags; the last of
 * them gone, it is freed. */
typedef struct area_left {
  weft_gex_area_t *area;
  uint64_t others;
  struct area_left *next;
} area_left_t;

static struct {
  weft_lock_t lock;
  weft_gex_team_t *chain[CHAINS];
  area_left_t *left;
  uint32_t ids;
} teams;

void weft_gex_teams_lock(void) {
  weft_lock(&teams.lock);
}

void weft_gex_teams_unlock(void) {
  weft_unlock(&teams.lock);
}

uint32_t weft_gex_team_id(void) {
  return __atomic_add_fetch(&teams.ids, 1, __ATOMIC_RELAXED);
}

static weft_gex_team_t **chain_of(uint32_t id, gex_Rank_t maker) {
  return &teams.chain[(id * 31 + maker) % CHAINS];
}

weft_gex_team_t *weft_gex_team_find(uint32_t id, gex_Rank_t maker, gex_Rank_t rank) {
  weft_gex_team_t *team = *chain_of(id, maker);
  while (team && (team->id != id || team->maker != maker || team->rank != rank)) team = team->chain;
  return team;
}

/* ---- translation ----------------------------------------------------------------------------- */

static WEFT_COLD void no_rank(gex_TM_t tm, gex_Rank_t rank, gex_Rank_t size) {
  weft_fatal("GASNet: rank %u does not exist: team %p has %u members", rank, (void *)tm, size);
}

WEFT_API long weft_gex_pe(gex_TM_t tm, gex_Rank_t rank) {
  const bool pair = WEFT_GEX_IS_PAIR(tm);
  if (weft_unlikely(weft_options.check)) {
    const gex_Rank_t size = pair ? (gex_Rank_t)weft_job.npes : tm->size;
    if (rank >= size) no_rank(tm, rank, size);
  }
  if (pair || WEFT_GEX_IS_WORLD(tm)) return rank;
  return tm->pes ? (long)tm->pes[rank] : (long)tm->start + (long)rank * tm->stride;
}

WEFT_API gex_Rank_t gex_TM_TranslateRankToJobrank(gex_TM_t tm, gex_Rank_t rank) {
  return (gex_Rank_t)weft_gex_pe(tm, rank);
}

WEFT_API gex_Rank_t gex_TM_TranslateJobrankToRank(gex_TM_t tm, gex_Rank_t jobrank) {
  if (jobrank >= (gex_Rank_t)weft_job.npes) return GEX_RANK_INVALID;
  if (WEFT_GEX_IS_WORLD(tm)) return jobrank;
  if (!tm->pes) {
    const int64_t distance = (int64_t)jobrank - tm->start;
    if (tm->stride == 0 || distance % tm->stride) return distance == 0 ? 0 : GEX_RANK_INVALID;
    const int64_t rank = distance / tm->stride;
    return rank >= 0 && rank < tm->size ? (gex_Rank_t)rank : GEX_RANK_INVALID;
  }
  int64_t low = 0, high = (int64_t)tm->size - 1;
  while (low <= high) {
    const int64_t middle = (low + high) / 2;
    const gex_Rank_t rank = tm->team->by_pe[middle];
    if (tm->pes[rank] == jobrank) return rank;
    if (tm->pes[rank] < jobrank)
      low = middle + 1;
    else
      high = middle - 1;
  }
  return GEX_RANK_INVALID;
}

WEFT_API gex_EP_Location_t gex_TM_TranslateRankToEP(gex_TM_t tm, gex_Rank_t rank,
                                                    gex_Flags_t flags) {
  (void)flags; /* members are primordial endpoints */
  return (gex_EP_Location_t){.gex_rank = (gex_Rank_t)weft_gex_pe(tm, rank), .gex_ep_index = 0};
}

WEFT_API gex_Client_t gex_TM_QueryClient(gex_TM_t tm) {
  return gex_EP_QueryClient(tm->ep);
}

/* ---- making --------------------------------------------------------------------------------- */

static WEFT_COLD void no_memory(void) {
  weft_fatal("GASNet: no memory for a team");
}

static void *room_for(size_t n) {
  void *p = calloc(n ? n : 1, 1);
  if (!p) no_memory();
  return p;
}

/* Others look at the flags, which must not be those of somebody before. */
weft_gex_area_t *weft_gex_area_new(gex_Rank_t size) {
  const size_t words = (size_t)(WEFT_GEX_WINDOW * weft_gex_boxes(size)) * 8;
  weft_gex_area_t *area = weft_private_alloc(WEFT_CACHELINE, weft_gex_area_bytes(size));
  if (!area) no_memory();
  memset(area, 0, sizeof *area + (weft_job.nnodes > 1 ? words : 0));
  return area;
}

/* Who lives on my node, and which nodes there are. */
static void find_places(weft_gex_team_t *team, const weft_gex_seat_t *seats) {
  int *seen = room_for((size_t)weft_job.nnodes * sizeof *seen); /* its number + 1 */
  int before = -1;
  team->member = room_for(team->size * sizeof *team->member);
  team->leader = room_for((size_t)weft_job.nnodes * sizeof *team->leader);
  team->runs = true;
  for (gex_Rank_t rank = 0; rank < team->size; rank++) {
    const int pe = (int)seats[rank].pe, node = weft_job_node_of(pe);
    if (!seen[node]) {
      team->leader[team->nodes] = rank;
      seen[node] = ++team->nodes;
    } else if (node != before) {
      team->runs = false;
    }
    before = node;
    if (node != weft_job.node) continue;
    if (rank == team->rank) team->local = team->locals;
    char *slot = weft_job_slot(pe);
    team->member[team->locals++] = (weft_gex_local_t){
        .area = (weft_gex_area_t *)(void *)(slot + seats[rank].area), .slot = slot, .rank = rank};
  }
  team->node = seen[weft_job.node] - 1;
  free(seen);
  team->member = realloc(team->member, (size_t)team->locals * sizeof *team->member);
  team->leader = realloc(team->leader, (size_t)team->nodes * sizeof *team->leader);
  if (!team->member || !team->leader) no_memory();
}

static int by_pe(const void *a, const void *b, void *pes) {
  const gex_Rank_t x = ((const gex_Rank_t *)pes)[*(const gex_Rank_t *)a];
  const gex_Rank_t y = ((const gex_Rank_t *)pes)[*(const gex_Rank_t *)b];
  return (x > y) - (x < y);
}

/* Three numbers if they can say it, else a list and the way back. */
static void find_translation(weft_gex_team_t *team, const weft_gex_seat_t *seats) {
  const gex_Rank_t n = team->size;
  struct weft_gex_tm *tm = team->tm;
  bool affine = true;
  tm->start = seats[0].pe;
  tm->stride = n > 1 ? (int)seats[1].pe - (int)seats[0].pe : 1;
  for (gex_Rank_t i = 0; i < n; i++)
    affine = affine && (int64_t)tm->start + (int64_t)i * tm->stride == seats[i].pe;
  if (affine) return;
  tm->pes = team->pes = room_for(n * sizeof *team->pes);
  team->by_pe = room_for(n * sizeof *team->by_pe);
  for (gex_Rank_t i = 0; i < n; i++) team->pes[i] = seats[i].pe, team->by_pe[i] = i;
  qsort_r(team->by_pe, n, sizeof *team->by_pe, by_pe, team->pes);
}

/* Where other nodes put what is for a member. */
static void find_boxes(weft_gex_team_t *team, const weft_gex_seat_t *seats) {
  bool same = true;
  if (team->nodes == 1) return;
  for (gex_Rank_t i = 0; i < team->size; i++) same = same && seats[i].area == team->area_place;
  if (!same) {
    team->place = room_for(team->size * sizeof *team->place);
    for (gex_Rank_t i = 0; i < team->size; i++) team->place[i] = seats[i].area;
  }
  weft_gex_boxes_make(team);
}

/* A team's object begins in the middle of 128 bytes (weft/gex_types.h). */
static struct weft_gex_tm *make_object(void) {
  _Static_assert(sizeof(struct weft_gex_tm) <= 64, "fits");
  char *block = aligned_alloc(128, 128);
  if (!block) no_memory();
  memset(block, 0, 128);
  return (struct weft_gex_tm *)(void *)(block + 64);
}

weft_gex_team_t *weft_gex_team_make(uint32_t id, const weft_gex_seat_t *seats, gex_Rank_t size,
                                    gex_Rank_t rank, gex_Flags_t flags) {
  weft_gex_team_t *team = room_for(sizeof *team);
  team->tm = id ? make_object() : weft_gex.tm0;
  team->id = id;
  team->maker = seats[0].pe;
  team->size = team->tm->size = size;
  team->rank = team->tm->rank = rank;
  team->tm->ep = &weft_gex_ep0;
  team->tm->flags = flags;
  team->tm->team = team;
  team->area_place = seats[rank].area;
  team->area = (weft_gex_area_t *)(void *)(weft_job.window.base + seats[rank].area);
  team->tail = &team->head;
  find_translation(team, seats);
  find_places(team, seats);
  find_boxes(team, seats);
  weft_gex_teams_lock();
  weft_gex_team_t **chain = chain_of(id, team->maker);
  team->chain = *chain;
  *chain = team;
  weft_gex_teams_unlock();
  return team;
}

/* Every PE's area may lie somewhere else: they tell one another. */
void weft_gex_teams_start(void) {
  const size_t n = (size_t)weft_job.npes;
  const uint64_t mine = weft_job_offset(weft_gex_area_new((gex_Rank_t)n));
  uint64_t *places = weft_symmetric_alloc(16, n * sizeof *places, "gex_Client_Init");
  weft_gex_seat_t *seats = room_for(n * sizeof *seats);
  if (!places) no_memory();
  weft_coll_fcollect(weft_coll_world(), places, &mine, sizeof mine);
  for (size_t i = 0; i < n; i++)
    seats[i] = (weft_gex_seat_t){.pe = (gex_Rank_t)i, .area = places[i]};
  weft_gex_team_make(0, seats, (gex_Rank_t)n, (gex_Rank_t)weft_job.pe, 0);
  weft_symmetric_free(places, "gex_Client_Init");
  free(seats);
  weft_gex_net_start();
}

/* ---- the end --------------------------------------------------------------------------------- */

void weft_gex_team_free(weft_gex_team_t *team) {
  for (int i = 0; i < WEFT_GEX_WINDOW * team->boxes; i++) free(team->box[i].data);
  free(team->place);
  for (weft_gex_op_t *op; (op = team->free);) {
    team->free = op->next;
    free(op);
  }
  if (team->bulk_mine) weft_private_free(team->bulk);
  free(team->box);
  free(team->sums);
  free(team->leader);
  free(team->member);
  free(team->pes);
  free(team->by_pe);
  free((char *)team->tm - 64);
  free(team);
}

/* Areas that nobody looks at any more. */
static void sweep(void) {
  for (area_left_t **p = &teams.left, *left; (left = *p);) {
    if (weft_observe(&left->area->left) < left->others) {
      p = &left->next;
      continue;
    }
    *p = left->next;
    weft_private_free(left->area);
    free(left);
  }
}

/* Tell the others of the node that I look at their areas no more, and leave mine. */
static void leave(weft_gex_team_t *team) {
  area_left_t *left = room_for(sizeof *left);
  *left = (area_left_t){.area = team->area, .others = (uint64_t)team->locals - 1};
  weft_gex_teams_lock();
  weft_gex_team_t **p = chain_of(team->id, team->maker);
  while (*p != team) p = &(*p)->chain;
  *p = team->chain;
  left->next = teams.left;
  teams.left = left;
  for (int k = 0; k < team->locals; k++)
    if (k != team->local) __atomic_fetch_add(&team->member[k].area->left, 1, __ATOMIC_RELEASE);
  sweep();
  weft_gex_teams_unlock();
}

WEFT_API int gex_TM_Destroy(gex_TM_t tm, gex_Memvec_t *scratch_p, gex_Flags_t flags) {
  if (WEFT_GEX_IS_WORLD(tm)) weft_fatal("gex_TM_Destroy: the primordial team stays");
  weft_gex_team_t *team = tm->team;
  if (!(flags & GEX_FLAG_GLOBALLY_QUIESCED)) weft_gex_team_barrier(team);
  for (unsigned steps = 0; team->nodes > 1 && !weft_gex_team_idle(team);) /* no put is to come */
    weft_gex_wait_step(&steps);
  const gex_Memvec_t scratch = team->scratch;
  leave(team);
  weft_lock(&team->lock);
  if (team->polled) {
    team->dead = true; /* freed by the next poll */
    weft_unlock(&team->lock);
  } else {
    weft_gex_team_free(team);
  }
  if (scratch.gex_addr && scratch_p) *scratch_p = scratch;
  return scratch.gex_addr && scratch_p;
}
