/*
 * team.c: OpenSHMEM 1.6 section 9.4. A team is a strided set of world PEs and one slot of
 * synchronisation words, taken from a pool that the world allocates at start: a split cannot
 * allocate, because only the parent's members call it.
 *
 * The members of the parent agree on a slot that is free on all of them; disjoint children may
 * share its number.
 */
#include <stdlib.h>

#include "job/job.h"
#include "runtime/runtime.h"
#include "shmem/internal.h"

enum {
  SLOTS = 64,
  SLOT_WORDS = WEFT_COLL_SYNC_WORDS + 16, /* and room for an agreement among the slot's team */
  WORLD_SLOT = SLOTS,                     /* the world's room for agreements */
  SHARED_SLOT = 0
};

WEFT_API struct weft_shmem_team weft_shmem_team_world;
WEFT_API struct weft_shmem_team weft_shmem_team_shared;

static uint64_t *pool;      /* (SLOTS + 1) * SLOT_WORDS symmetric words, or NULL */
static uint64_t free_slots; /* bit i: slot i is free on this PE */
static struct weft_shmem_team *teams;
static weft_lock_t lock; /* of the two above */

static uint64_t *slot_words(int slot) {
  return pool + (size_t)slot * SLOT_WORDS;
}

static void take_slot(struct weft_shmem_team *team, int slot) {
  memset(slot_words(slot), 0, SLOT_WORDS * sizeof(uint64_t));
  team->slot = slot;
  team->own.set = team->set;
  team->own.me = team->me;
  team->own.sync = weft_job_offset(slot_words(slot));
  team->coll = &team->own;
}

/* The PEs of this node, if they are evenly spaced; else this PE alone. */
static weft_set_t shared_set(void) {
  const int me = weft_job_pe(), n = weft_job_npes();
  weft_set_t set = {.start = me, .stride = 0, .size = 1};
  int first = -1, last = -1, count = 0, stride = 0;
  bool even = true;
  for (int pe = 0; pe < n; pe++) {
    if (weft_job_node_of(pe) != weft_job_node_of(me)) continue;
    if (count == 0) first = pe;
    if (count == 1) stride = pe - last;
    if (count > 1 && pe - last != stride) even = false;
    last = pe;
    count++;
  }
  if (even) set = (weft_set_t){.start = first, .stride = stride, .size = count};
  return set;
}

void weft_shmem_teams_start(void) {
  struct weft_shmem_team *world = SHMEM_TEAM_WORLD, *shared = SHMEM_TEAM_SHARED;
  *world = (struct weft_shmem_team){.slot = -1, .me = weft_job_pe(), .coll = weft_coll_world()};
  world->set = (weft_set_t){.start = 0, .stride = 1, .size = weft_job_npes()};
  *shared = (struct weft_shmem_team){.slot = -1, .set = shared_set()};
  shared->me = weft_set_index(&shared->set, weft_job_pe());
  pool = weft_symmetric_alloc(WEFT_CACHELINE, (SLOTS + 1) * SLOT_WORDS * sizeof(uint64_t),
                              "shmem_init");
  free_slots = pool ? ~UINT64_C(1) << SHARED_SLOT : 0;
  if (!pool) return;
  take_slot(shared, SHARED_SLOT);
  weft_coll_sync(weft_coll_world());
}

static void forget(struct weft_shmem_team *team) {
  weft_shmem_contexts_free(team);
  weft_lock(&lock);
  struct weft_shmem_team **p = &teams;
  while (*p && *p != team) p = &(*p)->next;
  if (*p) *p = team->next;
  free_slots |= UINT64_C(1) << team->slot;
  weft_unlock(&lock);
  free(team);
}

void weft_shmem_teams_stop(void) {
  while (teams) forget(teams);
  weft_shmem_contexts_free(SHMEM_TEAM_WORLD);
  weft_shmem_contexts_free(SHMEM_TEAM_SHARED);
  if (pool) weft_symmetric_free(pool, "shmem_finalize");
  pool = NULL;
}

/* ---- queries --------------------------------------------------------------------------------- */

WEFT_FUNCTION(int, team_my_pe, (shmem_team_t team)) {
  weft_shmem_up("shmem_team_my_pe");
  return team == SHMEM_TEAM_INVALID ? -1 : team->me;
}

WEFT_FUNCTION(int, team_n_pes, (shmem_team_t team)) {
  weft_shmem_up("shmem_team_n_pes");
  return team == SHMEM_TEAM_INVALID ? -1 : team->set.size;
}

WEFT_FUNCTION(int, team_get_config,
              (shmem_team_t team, long config_mask, shmem_team_config_t *config)) {
  weft_shmem_up("shmem_team_get_config");
  if (team == SHMEM_TEAM_INVALID) return 1;
  if (config_mask & ~SHMEM_TEAM_NUM_CONTEXTS) return 1;
  if (config_mask && !config) return 1;
  if (config_mask & SHMEM_TEAM_NUM_CONTEXTS) config->num_contexts = team->config.num_contexts;
  return 0;
}

WEFT_FUNCTION(int, team_translate_pe, (shmem_team_t src_team, int src_pe, shmem_team_t dest_team)) {
  weft_shmem_up("shmem_team_translate_pe");
  if (src_team == SHMEM_TEAM_INVALID || dest_team == SHMEM_TEAM_INVALID || src_pe < 0 ||
      src_pe >= src_team->set.size)
    return -1;
  return weft_set_index(&dest_team->set, weft_set_world(&src_team->set, src_pe));
}

/* ---- splits ---------------------------------------------------------------------------------- */

static void and64(void *inout, const void *in, size_t n) {
  uint64_t *a = inout;
  const uint64_t *b = in;
  for (size_t i = 0; i < n; i++) a[i] &= b[i];
}

/* A slot that is free on all members of the parent, or -1 on all of them. */
static int agree_on_slot(shmem_team_t parent, bool willing) {
  uint64_t *room = slot_words(parent->slot < 0 ? WORLD_SLOT : parent->slot) + WEFT_COLL_SYNC_WORDS;
  weft_lock(&lock);
  room[0] = willing ? free_slots : 0;
  weft_unlock(&lock);
  weft_coll_reduce(parent->coll, room + 8, room, 1, sizeof(uint64_t), and64);
  return room[8] ? __builtin_ctzll(room[8]) : -1;
}

/* All members of the parent call; `set` may be empty (size 0) on those that will not be members.
 * *made is set on success. */
static int make(shmem_team_t parent, bool willing, weft_set_t set,
                const shmem_team_config_t *config, long mask, shmem_team_t *made) {
  struct weft_shmem_team *team = willing ? calloc(1, sizeof *team) : NULL;
  if (!pool || !parent->coll) {
    free(team);
    return 1;
  }
  const int slot = agree_on_slot(parent, team != NULL);
  if (slot < 0) {
    free(team);
    return 1;
  }
  team->set = set; /* NOLINT(clang-analyzer-core.NullDereference): no slot where one has no team */
  team->me = set.size ? weft_set_index(&set, weft_job_pe()) : -1;
  if (team->me >= 0) {
    if (mask & SHMEM_TEAM_NUM_CONTEXTS && config) team->config = *config;
    take_slot(team, slot);
    weft_lock(&lock);
    free_slots &= ~(UINT64_C(1) << slot);
    team->next = teams;
    teams = team;
    weft_unlock(&lock);
    *made = team;
  } else {
    free(team);
  }
  weft_coll_sync(parent->coll); /* nobody uses the slot before all have cleared it */
  return 0;
}

/* Members start, start + stride, ... of the parent as a set of the world. */
static weft_set_t subset(shmem_team_t parent, int start, int stride, int size) {
  return (weft_set_t){.start = weft_set_world(&parent->set, start),
                      .stride = size > 1 ? stride * parent->set.stride : 0,
                      .size = size};
}

WEFT_FUNCTION(int, team_split_strided,
              (shmem_team_t parent_team, int start, int stride, int size,
               const shmem_team_config_t *config, long config_mask, shmem_team_t *new_team)) {
  weft_shmem_up("shmem_team_split_strided");
  *new_team = SHMEM_TEAM_INVALID;
  if (parent_team == SHMEM_TEAM_INVALID) return 1;
  const long n = parent_team->set.size, last = start + (size - 1L) * stride;
  const bool fits =
      size >= 1 && start >= 0 && start < n && last >= 0 && last < n && (stride != 0 || size == 1);
  return make(parent_team, fits, subset(parent_team, start, stride, size), config, config_mask,
              new_team);
}

WEFT_FUNCTION(int, team_split_2d,
              (shmem_team_t parent_team, int xrange, const shmem_team_config_t *xaxis_config,
               long xaxis_mask, shmem_team_t *xaxis_team, const shmem_team_config_t *yaxis_config,
               long yaxis_mask, shmem_team_t *yaxis_team)) {
  weft_shmem_up("shmem_team_split_2d");
  *xaxis_team = *yaxis_team = SHMEM_TEAM_INVALID;
  if (parent_team == SHMEM_TEAM_INVALID) return 1;
  const int n = parent_team->set.size, me = parent_team->me;
  const bool fits = xrange >= 1;
  const int width = fits && xrange < n ? xrange : n;
  const int x = me % width, row = me - x;
  const int in_row = n - row < width ? n - row : width, in_column = (n - x + width - 1) / width;
  if (make(parent_team, fits, subset(parent_team, row, 1, in_row), xaxis_config, xaxis_mask,
           xaxis_team))
    return 1;
  if (make(parent_team, fits, subset(parent_team, x, width, in_column), yaxis_config, yaxis_mask,
           yaxis_team) == 0)
    return 0;
  forget(*xaxis_team);
  *xaxis_team = SHMEM_TEAM_INVALID;
  return 1;
}

WEFT_FUNCTION(void, team_destroy, (shmem_team_t team)) {
  if (team == SHMEM_TEAM_INVALID || team == SHMEM_TEAM_WORLD || team == SHMEM_TEAM_SHARED) return;
  weft_shmem_up("shmem_team_destroy");
  weft_direct_quiet();
  weft_coll_sync(team->coll);
  forget(team);
}
