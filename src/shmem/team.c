/*
 * team.c: OpenSHMEM 1.6 section 9.4. A team is one of src/coll, and what its contexts may be. Its
 * set is three integers; only the PEs of a node that are not evenly spaced, and teams split from
 * these, have a list.
 */

#include "job/job.h"
#include "runtime/runtime.h"
#include "shmem/internal.h"
#include "trace/trace.h"

WEFT_API struct weft_shmem_team weft_shmem_team_world;
WEFT_API struct weft_shmem_team weft_shmem_team_shared;

static struct weft_shmem_team *teams;
static weft_lock_t lock; /* of the above */

void weft_shmem_teams_start(void) {
  *SHMEM_TEAM_WORLD = (struct weft_shmem_team){.coll = weft_team_world()};
  *SHMEM_TEAM_SHARED = (struct weft_shmem_team){.coll = weft_team_node()};
  if (!SHMEM_TEAM_SHARED->coll)
    weft_fatal("shmem_init: no team of the %d PEs of this node: %s", weft_job.nslots,
               weft_job_goes_on() ? "one of them is gone" : "no memory");
  weft_coll_sync(weft_team_world());
}

static void forget(struct weft_shmem_team *team) {
  weft_shmem_contexts_free(team);
  weft_lock(&lock);
  struct weft_shmem_team **p = &teams;
  while (*p && *p != team) p = &(*p)->next;
  if (*p) *p = team->next;
  weft_unlock(&lock);
  weft_team_free(team->coll);
  weft_handle_free(team);
}

void weft_shmem_teams_stop(void) {
  while (teams) forget(teams);
  weft_shmem_contexts_free(SHMEM_TEAM_WORLD);
  weft_shmem_contexts_free(SHMEM_TEAM_SHARED);
  weft_coll_active_forget();
  weft_team_free(SHMEM_TEAM_SHARED->coll);
}

/* ---- queries --------------------------------------------------------------------------------- */

WEFT_FUNCTION(int, team_my_pe, (shmem_team_t team)) {
  weft_shmem_up("shmem_team_my_pe");
  return team == SHMEM_TEAM_INVALID ? -1 : team->coll->me;
}

WEFT_FUNCTION(int, team_n_pes, (shmem_team_t team)) {
  weft_shmem_up("shmem_team_n_pes");
  return team == SHMEM_TEAM_INVALID ? -1 : team->coll->set.size;
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
      src_pe >= src_team->coll->set.size)
    return -1;
  return weft_set_index(&dest_team->coll->set, weft_set_world(&src_team->coll->set, src_pe));
}

/* ---- splits ---------------------------------------------------------------------------------- */

/* All members of the parent call. *made is set on success, to SHMEM_TEAM_INVALID on those that are
 * no members; the return code is the same on all. */
static int make(shmem_team_t parent, bool fits, int start, int stride, int size,
                const shmem_team_config_t *config, long mask, shmem_team_t *made, const char *who) {
  struct weft_shmem_team *team = fits ? weft_handle_new(sizeof *team, "a team") : NULL;
  weft_set_t set = {0};
  const bool willing =
      team && weft_set_from_stride(&set, &parent->coll->set, start, stride, size) == 0;
  const bool member = willing && weft_set_index(&set, weft_job_pe()) >= 0;
  weft_team_t *coll;
  weft_patience_begin(who, weft_options.patience_s);
  const int rc = weft_team_create(parent->coll, member ? &set : NULL, willing, &coll);
  weft_patience_end();
  weft_set_free(&set);
  if (rc != 0 || !member) {
    weft_handle_free(team);
    return rc != 0;
  }
  team->coll = coll;
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
  const long n = parent_team->coll->set.size, last = start + (size - 1L) * stride;
  const bool fits =
      size >= 1 && start >= 0 && start < n && last >= 0 && last < n && (stride != 0 || size == 1);
  return make(parent_team, fits, start, stride, size, config, config_mask, new_team,
              "shmem_team_split_strided");
}

WEFT_FUNCTION(int, team_split_2d,
              (shmem_team_t parent_team, int xrange, const shmem_team_config_t *xaxis_config,
               long xaxis_mask, shmem_team_t *xaxis_team, const shmem_team_config_t *yaxis_config,
               long yaxis_mask, shmem_team_t *yaxis_team)) {
  weft_shmem_up("shmem_team_split_2d");
  WEFT_SPAN(WEFT_TRACE_COLLECTIVE, "shmem_team_split_2d", 0);
  *xaxis_team = *yaxis_team = SHMEM_TEAM_INVALID;
  if (parent_team == SHMEM_TEAM_INVALID) return 1;
  const int n = parent_team->coll->set.size, me = parent_team->coll->me;
  const bool fits = xrange >= 1;
  const int width = fits && xrange < n ? xrange : n;
  const int x = me % width, row = me - x;
  const int in_row = n - row < width ? n - row : width, in_column = (n - x + width - 1) / width;
  const char *who = "shmem_team_split_2d";
  if (make(parent_team, fits, row, 1, in_row, xaxis_config, xaxis_mask, xaxis_team, who)) return 1;
  if (make(parent_team, fits, x, width, in_column, yaxis_config, yaxis_mask, yaxis_team, who) == 0)
    return 0;
  forget(*xaxis_team);
  *xaxis_team = SHMEM_TEAM_INVALID;
  return 1;
}

WEFT_FUNCTION(void, team_destroy, (shmem_team_t team)) {
  if (team == SHMEM_TEAM_INVALID) return;
  if (team == SHMEM_TEAM_WORLD || team == SHMEM_TEAM_SHARED) {
    if (weft_options.check) weft_fatal("shmem_team_destroy: a predefined team stays");
    return;
  }
  weft_shmem_up("shmem_team_destroy");
  WEFT_SPAN(WEFT_TRACE_COLLECTIVE, "shmem_team_destroy", 0);
  weft_direct_quiet();
  weft_coll_sync(team->coll);
  forget(team);
}
