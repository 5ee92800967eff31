/*
 * team.c: OpenSHMEM 1.6 section 9.4. A team is a set of world PEs, and what its collectives need
 * (src/coll). A strided set is three integers; only the PEs of a node that are not evenly spaced,
 * and teams split from these, have a list.
 */
#include <stdlib.h>

#include "job/job.h"
#include "runtime/runtime.h"
#include "shmem/internal.h"
#include "trace/trace.h"

WEFT_API struct weft_shmem_team weft_shmem_team_world;
WEFT_API struct weft_shmem_team weft_shmem_team_shared;

static struct weft_shmem_team *teams;
static weft_lock_t lock; /* of the above */

/* The PEs of this node. */
static void find_shared(struct weft_shmem_team *shared) {
  if (weft_set_from_list(&shared->set, weft_job.local, weft_job.nslots) < 0)
    weft_fatal("shmem_init: no memory for a team of %d PEs", weft_job.nslots);
}

void weft_shmem_teams_start(void) {
  struct weft_shmem_team *world = SHMEM_TEAM_WORLD, *shared = SHMEM_TEAM_SHARED;
  *world = (struct weft_shmem_team){.me = weft_job_pe(), .coll = weft_coll_world()};
  world->set = world->coll->set;
  *shared = (struct weft_shmem_team){.coll = &shared->own};
  find_shared(shared);
  shared->me = weft_set_index(&shared->set, weft_job_pe());
  if (weft_coll_open(&shared->own, &shared->set, shared->me, WEFT_COLL_AREA_NODE) < 0)
    weft_fatal("shmem_init: no memory for the teams");
  weft_coll_sync(weft_coll_world());
}

static void forget(struct weft_shmem_team *team) {
  weft_shmem_contexts_free(team);
  weft_lock(&lock);
  struct weft_shmem_team **p = &teams;
  while (*p && *p != team) p = &(*p)->next;
  if (*p) *p = team->next;
  weft_unlock(&lock);
  weft_coll_close(&team->own);
  weft_set_free(&team->set);
  free(team);
}

void weft_shmem_teams_stop(void) {
  while (teams) forget(teams);
  weft_shmem_contexts_free(SHMEM_TEAM_WORLD);
  weft_shmem_contexts_free(SHMEM_TEAM_SHARED);
  weft_coll_active_forget();
  weft_coll_close(&SHMEM_TEAM_SHARED->own);
  weft_set_free(&SHMEM_TEAM_SHARED->set);
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

/* All members of the parent call. *made is set on success, to SHMEM_TEAM_INVALID on those that are
 * no members; the return code is the same on all. */
static int make(shmem_team_t parent, bool fits, int start, int stride, int size,
                const shmem_team_config_t *config, long mask, shmem_team_t *made) {
  struct weft_shmem_team *team = fits ? calloc(1, sizeof *team) : NULL;
  weft_set_t none = {0};
  const bool willing =
      team && weft_set_from_stride(&team->set, &parent->set, start, stride, size) == 0;
  int rc = 1;
  if (willing) team->me = weft_set_index(&team->set, weft_job_pe());
  const bool member = willing && team->me >= 0;
  if (weft_coll_split(parent->coll, member ? &team->set : &none, willing,
                      member ? &team->own : NULL) == 0)
    rc = 0;
  if (rc != 0 || !member) {
    if (team) weft_set_free(&team->set);
    free(team);
    return rc;
  }
  team->coll = &team->own;
  if (mask & SHMEM_TEAM_NUM_CONTEXTS && config) team->config = *config;
  weft_lock(&lock);
  team->next = teams;
  teams = team;
  weft_unlock(&lock);
  *made = team;
  return 0;
}

WEFT_FUNCTION(int, team_split_strided,
              (shmem_team_t parent_team, int start, int stride, int size,
               const shmem_team_config_t *config, long config_mask, shmem_team_t *new_team)) {
  weft_shmem_up("shmem_team_split_strided");
  WEFT_SPAN(WEFT_TRACE_COLLECTIVE, "shmem_team_split_strided", 0);
  *new_team = SHMEM_TEAM_INVALID;
  if (parent_team == SHMEM_TEAM_INVALID) return 1;
  const long n = parent_team->set.size, last = start + (size - 1L) * stride;
  const bool fits =
      size >= 1 && start >= 0 && start < n && last >= 0 && last < n && (stride != 0 || size == 1);
  return make(parent_team, fits, start, stride, size, config, config_mask, new_team);
}

WEFT_FUNCTION(int, team_split_2d,
              (shmem_team_t parent_team, int xrange, const shmem_team_config_t *xaxis_config,
               long xaxis_mask, shmem_team_t *xaxis_team, const shmem_team_config_t *yaxis_config,
               long yaxis_mask, shmem_team_t *yaxis_team)) {
  weft_shmem_up("shmem_team_split_2d");
  WEFT_SPAN(WEFT_TRACE_COLLECTIVE, "shmem_team_split_2d", 0);
  *xaxis_team = *yaxis_team = SHMEM_TEAM_INVALID;
  if (parent_team == SHMEM_TEAM_INVALID) return 1;
  const int n = parent_team->set.size, me = parent_team->me;
  const bool fits = xrange >= 1;
  const int width = fits && xrange < n ? xrange : n;
  const int x = me % width, row = me - x;
  const int in_row = n - row < width ? n - row : width, in_column = (n - x + width - 1) / width;
  if (make(parent_team, fits, row, 1, in_row, xaxis_config, xaxis_mask, xaxis_team)) return 1;
  if (make(parent_team, fits, x, width, in_column, yaxis_config, yaxis_mask, yaxis_team) == 0)
    return 0;
  forget(*xaxis_team);
  *xaxis_team = SHMEM_TEAM_INVALID;
  return 1;
}

WEFT_FUNCTION(void, team_destroy, (shmem_team_t team)) {
  if (team == SHMEM_TEAM_INVALID || team == SHMEM_TEAM_WORLD || team == SHMEM_TEAM_SHARED) return;
  weft_shmem_up("shmem_team_destroy");
  WEFT_SPAN(WEFT_TRACE_COLLECTIVE, "shmem_team_destroy", 0);
  weft_direct_quiet();
  weft_coll_sync(team->coll);
  forget(team);
}
