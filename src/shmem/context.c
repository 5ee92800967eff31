/*
 * context.c: OpenSHMEM 1.6 sections 9.6 (contexts) and 9.9 (sessions). A context is a translation
 * of PE numbers: operations on every context complete together with those of the default one, which
 * is more than the specification asks. Options and sessions are hints without effect yet.
 */
#include <stdlib.h>

#include "shmem/internal.h"

WEFT_API struct weft_shmem_ctx weft_shmem_ctx_default = {.start = 0, .stride = 1};

static weft_lock_t lock; /* of every team's list */

static int create(shmem_team_t team, long options, shmem_ctx_t *ctx, const char *who) {
  weft_shmem_up(who);
  *ctx = SHMEM_CTX_INVALID;
  if (team == SHMEM_TEAM_INVALID) return 1;
  struct weft_shmem_context *c = calloc(1, sizeof *c);
  if (!c) return 1;
  c->public.start = team->set.start;
  c->public.stride = team->set.stride;
  c->team = team;
  c->options = options;
  weft_lock(&lock);
  c->next = team->contexts;
  team->contexts = c;
  weft_unlock(&lock);
  *ctx = &c->public;
  return 0;
}

WEFT_FUNCTION(int, ctx_create, (long options, shmem_ctx_t *ctx)) {
  return create(SHMEM_TEAM_WORLD, options, ctx, "shmem_ctx_create");
}

WEFT_FUNCTION(int, team_create_ctx, (shmem_team_t team, long options, shmem_ctx_t *ctx)) {
  return create(team, options, ctx, "shmem_team_create_ctx");
}

WEFT_FUNCTION(void, ctx_destroy, (shmem_ctx_t ctx)) {
  if (ctx == SHMEM_CTX_INVALID || ctx == SHMEM_CTX_DEFAULT) return;
  weft_shmem_up("shmem_ctx_destroy");
  struct weft_shmem_context *c = (struct weft_shmem_context *)ctx;
  weft_direct_quiet();
  weft_lock(&lock);
  struct weft_shmem_context **p = &c->team->contexts;
  while (*p && *p != c) p = &(*p)->next;
  if (*p) *p = c->next;
  weft_unlock(&lock);
  free(c);
}

void weft_shmem_contexts_free(struct weft_shmem_team *team) {
  weft_lock(&lock);
  while (team->contexts) {
    struct weft_shmem_context *c = team->contexts;
    team->contexts = c->next;
    free(c);
  }
  weft_unlock(&lock);
}

WEFT_FUNCTION(int, ctx_get_team, (shmem_ctx_t ctx, shmem_team_t *team)) {
  weft_shmem_up("shmem_ctx_get_team");
  if (ctx == SHMEM_CTX_INVALID) {
    *team = SHMEM_TEAM_INVALID;
    return 1;
  }
  *team = ctx == SHMEM_CTX_DEFAULT ? SHMEM_TEAM_WORLD : ((struct weft_shmem_context *)ctx)->team;
  return 0;
}

WEFT_FUNCTION(void, ctx_session_start,
              (shmem_ctx_t ctx, long options, const shmem_ctx_session_config_t *config,
               long config_mask)) {
  (void)ctx;
  (void)options;
  (void)config;
  (void)config_mask;
}

WEFT_FUNCTION(void, ctx_session_stop, (shmem_ctx_t ctx)) {
  (void)ctx;
}
