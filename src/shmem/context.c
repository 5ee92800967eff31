/*
 * context.c: OpenSHMEM 1.6 sections 9.6 (contexts) and 9.9 (sessions). A context is a translation
 * of PE numbers and a tag, by which the layers below know its channel to other nodes: an endpoint
 * of its own, as long as there are any. On a node nothing is ever under way, so there is nothing to
 * keep apart.
 */

#include "job/job.h"
#include "rma/rma.h"
#include "shmem/internal.h"

WEFT_API struct weft_shmem_ctx weft_shmem_ctx_default = {.start = 0, .stride = 1};

static weft_lock_t lock; /* of every team's list, and of the numbers */

/* Numbers of contexts, so that WEFT_CHECK=1 can tell them apart; 0 is the default one's. */
enum { NUMBERS = 4096 };
static uint64_t used[NUMBERS / 64] = {1};

static bool default_session; /* is there one on the default context? */

static int take_number(void) {
  int number = NUMBERS; /* one that is not checked */
  weft_lock(&lock);
  for (int w = 0; w < NUMBERS / 64 && number == NUMBERS; w++)
    if (~used[w]) {
      number = w * 64 + __builtin_ctzll(~used[w]);
      used[w] |= UINT64_C(1) << number % 64;
    }
  weft_unlock(&lock);
  return number;
}

static void give_number(int number) {
  if (number == NUMBERS) return;
  weft_lock(&lock);
  used[number / 64] &= ~(UINT64_C(1) << number % 64);
  weft_unlock(&lock);
}

/* Inline functions translate by a start and a stride. */
static WEFT_COLD void say_uneven(const char *who) {
  static bool said;
  if (__atomic_exchange_n(&said, true, __ATOMIC_RELAXED)) return;
  weft_warn("%s: no context for this team: its PEs are not evenly spaced in the world; use "
            "SHMEM_CTX_DEFAULT",
            who);
}

static int create(shmem_team_t team, long options, shmem_ctx_t *ctx, const char *who) {
  weft_shmem_up(who);
  *ctx = SHMEM_CTX_INVALID;
  if (team == SHMEM_TEAM_INVALID) return 1;
  if (team->coll->set.list) {
    say_uneven(who);
    return 1;
  }
  if (options & ~(SHMEM_CTX_PRIVATE | SHMEM_CTX_SERIALIZED | SHMEM_CTX_NOSTORE)) return 1;
  const weft_set_t *set = &team->coll->set;
  struct weft_shmem_context *c = weft_handle_new(sizeof *c, "a context");
  if (!c) return 1;
  c->number = take_number();
  c->public.start = set->start;
  c->public.stride = set->size > 1 ? set->stride : 1; /* so that each number is another PE */
  c->public.on = weft_rma_context_open((uint32_t)c->number);
  c->team = team;
  weft_rma_promise(c->public.on, options & SHMEM_CTX_PRIVATE      ? WEFT_PROMISE_PRIVATE
                                 : options & SHMEM_CTX_SERIALIZED ? WEFT_PROMISE_SERIALIZED
                                                                  : WEFT_PROMISE_NONE);
  weft_rma_members(c->public.on, set->start, c->public.stride, set->size);
  weft_lock(&lock);
  c->next = team->contexts;
  team->contexts = c;
  weft_unlock(&lock);
  *ctx = &c->public;
  return 0;
}

/* Complete what is under way on it, and give back what it has. */
static void destroy(struct weft_shmem_context *c) {
  if (c->session) weft_rma_session(c->public.on, false);
  weft_rma_quiet_on(c->public.on);
  weft_rma_promise(c->public.on, WEFT_PROMISE_NONE);
  weft_rma_members(c->public.on, 0, 1, 0);
  weft_rma_context_close(c->public.on);
  give_number(c->number);
  weft_handle_free(c);
}

WEFT_FUNCTION(int, ctx_create, (long options, shmem_ctx_t *ctx)) {
  return create(SHMEM_TEAM_WORLD, options, ctx, "shmem_ctx_create");
}

WEFT_FUNCTION(int, team_create_ctx, (shmem_team_t team, long options, shmem_ctx_t *ctx)) {
  return create(team, options, ctx, "shmem_team_create_ctx");
}

WEFT_FUNCTION(void, ctx_destroy, (shmem_ctx_t ctx)) {
  if (ctx == SHMEM_CTX_INVALID) return;
  if (ctx == SHMEM_CTX_DEFAULT) {
    if (weft_options.check) weft_fatal("shmem_ctx_destroy: SHMEM_CTX_DEFAULT stays");
    return;
  }
  weft_shmem_up("shmem_ctx_destroy");
  struct weft_shmem_context *c = (struct weft_shmem_context *)ctx;
  weft_lock(&lock);
  struct weft_shmem_context **p = &c->team->contexts;
  while (*p && *p != c) p = &(*p)->next;
  if (*p) *p = c->next;
  weft_unlock(&lock);
  destroy(c);
}

void weft_shmem_contexts_free(struct weft_shmem_team *team) {
  if (team == SHMEM_TEAM_WORLD && default_session) {
    default_session = false;
    weft_rma_session(0, false);
  }
  while (team->contexts) {
    weft_lock(&lock);
    struct weft_shmem_context *c = team->contexts;
    if (c) team->contexts = c->next;
    weft_unlock(&lock);
    if (c) destroy(c);
  }
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

/* ---- sessions -------------------------------------------------------------------------------- */

static bool *session_of(shmem_ctx_t ctx) {
  return ctx == SHMEM_CTX_DEFAULT ? &default_session : &((struct weft_shmem_context *)ctx)->session;
}

/* A batch of fewer operations gains nothing from being gathered. */
enum { WORTH_IT = 2 };

/* SHMEM_CTX_SESSION_BATCH: puts and atomics to other nodes are gathered into large packets until
 * the session stops, or a fence, quiet or wait asks for them. A session on a context that has one
 * does nothing (two threads may start one on the same context). */
WEFT_FUNCTION(void, ctx_session_start,
              (shmem_ctx_t ctx, long options, const shmem_ctx_session_config_t *config,
               long config_mask)) {
  weft_shmem_up("shmem_ctx_session_start");
  if (ctx == SHMEM_CTX_INVALID || !(options & SHMEM_CTX_SESSION_BATCH)) return;
  if (config && config_mask & SHMEM_CTX_SESSION_TOTAL_OPS && config->total_ops < WORTH_IT) return;
  if (!__atomic_exchange_n(session_of(ctx), true, __ATOMIC_ACQ_REL))
    weft_rma_session(ctx->on, true);
}

WEFT_FUNCTION(void, ctx_session_stop, (shmem_ctx_t ctx)) {
  weft_shmem_up("shmem_ctx_session_stop");
  if (ctx == SHMEM_CTX_INVALID) return;
  if (__atomic_exchange_n(session_of(ctx), false, __ATOMIC_ACQ_REL))
    weft_rma_session(ctx->on, false);
}
