/*
 * Operations by chance, all of OpenSHMEM's, against a model:
 *   shmem.random SEED [SEEDS] [THREADS] [PHASES] [v]
 * Each seed is some phases. In a phase every place has one writer, or operations that commute, or
 * is only read, and after it all memory is compared with the model. What fails is named by seed,
 * phase and item; v shows the items as they are carried out.
 */
#include "shmem/random_coll.h"
#include "shmem/random_wait.h"

#include <pthread.h>

enum { LOCKS = 3, STATIC_BYTES = 48 * 1024, COLL_BYTES = 512 * 1024 };
static char fixed[STATIC_BYTES] __attribute__((aligned(64)));
static char fixed_colls[COLL_BYTES] __attribute__((aligned(64)));
static long locks[LOCKS], counted[LOCKS], counts[LOCKS]; /* counts: how they should be */
static int lock_homes[LOCKS];

static void plan_other(int actor, int pe) {
  static const enum verb any[] = {QUIET, FENCE, PE_QUIET, SESSION, LOCK};
  item_t *i = item_new(any[draw(5)], actor, pe);
  i->ctx = context_for(actor, pe);
  if (i->verb == PE_QUIET) i->mask = draw64() | (uint64_t)1 << pe;
  if (i->verb == LOCK) {
    i->actor = actor / threads * threads; /* a lock is a PE's */
    i->op = (int)draw(LOCKS);
    i->ctx = 0;
    counts[i->op]++;
  }
}

static void plan(size_t most) {
  const int actors = n * threads;
  nitems = ngroups = psyncs_used = 0;
  for (int k = 0; k < REGIONS; k++) region_divide(&regions[k]);
  regions[0].next[0] = 0;
  for (int count = 10 + 25 * actors; count > 0 && nitems < ITEMS - 500; count--) {
    const int actor = (int)draw((size_t)actors), pe = (int)draw((size_t)n),
              ctx = context_for(actor, pe);
    const size_t kind = draw(100);
    if (kind < 50)
      plan_rma(actor, pe, ctx, chance(55));
    else if (kind < 60)
      plan_amo_one(actor, pe, ctx);
    else if (kind < 65)
      plan_amo_many(pe, context_for);
    else if (kind < 75)
      plan_message(pe, context_for);
    else if (kind < 85)
      plan_other(actor, pe);
    else if (count % threads == 0)
      plan_collective(most);
  }
  qsort(items, (size_t)nitems, sizeof *items, item_order);
}

static void lock_run(const item_t *i) {
  const int home = lock_homes[i->op];
  if (i->nbi || i->plain)
    while (shmem_test_lock(&locks[i->op])) continue;
  else
    shmem_set_lock(&locks[i->op]);
  const long before = shmem_long_g(&counted[i->op], home);
  shmem_long_p(&counted[i->op], before + 1, home);
  shmem_quiet();
  shmem_clear_lock(&locks[i->op]);
}

/* A quiet of this context, of these PEs: what the actor has begun there is complete. */
static void look_at_begun(int actor, int ctx, uint64_t pes, int end) {
  for (int k = 0; k < end; k++) {
    if (items[k].actor != actor || items[k].ctx != ctx || !(pes >> items[k].pe & 1)) continue;
    if (items[k].verb == AMO)
      amo_check(&items[k]);
    else if (items[k].verb <= LOAD)
      rma_check(&items[k]);
  }
}

/* The same of some PEs only, in any order. */
static void pe_quiet(const item_t *i, shmem_ctx_t ctx, int end) {
  int pes[PES], count = 0;
  for (int k = 0; k < n; k++) {
    const int pe = (k + i->id) % n, rank = context_rank(i->ctx, pe);
    if ((i->mask >> pe & 1) && rank >= 0) pes[count++] = rank;
  }
  if (i->ctx == 0 && i->plain)
    shmem_pe_quiet(pes, (size_t)count);
  else
    shmem_ctx_pe_quiet(ctx, pes, (size_t)count);
  look_at_begun(i->actor, i->ctx, i->mask, end);
}

/* A barrier: what its members have put by the default context, each by the thread that has called
 * it, is complete everywhere. */
static void look_behind_barrier(const item_t *barrier, int end) {
  look_at_begun(me * threads + barrier->actor, 0, UINT64_MAX, end);
  for (int k = 0; k < end; k++) {
    const item_t *i = &items[k];
    if (!is_put(i) || i->ctx != 0 || i->pe != me || i->actor % threads != barrier->actor ||
        coll_rank(barrier, i->actor / threads) < 0)
      continue;
    const char *got = regions[i->region].base + i->at, *want = model_of(i->region, me) + i->at;
    const size_t bytes = span(i, i->far), at = differs(got, want, bytes);
    if (at != SIZE_MAX)
      fail(i, "behind a barrier (item %d) byte %zu of %zu is %#x, should be %#x", barrier->id, at,
           bytes, (unsigned char)got[at], (unsigned char)want[at]);
  }
}

static void session(const item_t *i, shmem_ctx_t ctx) {
  struct context *c = &contexts[me][i->ctx];
  const shmem_ctx_session_config_t config = {.total_ops = 100};
  if (c->in_session)
    shmem_ctx_session_stop(ctx);
  else if (i->plain)
    shmem_ctx_session_start(ctx, SHMEM_CTX_SESSION_BATCH, &config, SHMEM_CTX_SESSION_TOTAL_OPS);
  else
    shmem_ctx_session_start(ctx, 0, NULL, 0);
  c->in_session = !c->in_session;
}

static void run(int k) {
  item_t *i = &items[k];
  const shmem_ctx_t ctx = i->verb == COLLECTIVE ? SHMEM_CTX_INVALID : context_handle(i->ctx);
  const int pe = i->verb == COLLECTIVE ? coll_rank(i, me) : context_rank(i->ctx, i->pe);
  if (loud) {
    fprintf(stderr, "[pe %d] phase %d: ", me, phase);
    item_tell(stderr, i);
  }
  WEFT_CHECK_NOTE();
  switch (i->verb) {
  case AMO: amo_run(i, ctx, pe); break;
  case SIGNAL: flag_run(i, ctx, pe); break;
  case QUIET:
    if (i->ctx == 0 && i->plain)
      shmem_quiet();
    else
      shmem_ctx_quiet(ctx);
    look_at_begun(i->actor, i->ctx, UINT64_MAX, k);
    break;
  case FENCE:
    if (i->ctx == 0 && i->plain)
      shmem_fence();
    else
      shmem_ctx_fence(ctx);
    break;
  case PE_QUIET: pe_quiet(i, ctx, k); break;
  case SESSION:
    if (i->ctx > COMMON) session(i, ctx);
    break;
  case WAIT: wait_run(i); break;
  case LOCK: lock_run(i); break;
  case COLLECTIVE:
    coll_run(i, pe);
    if (coll_is_barrier(i)) look_behind_barrier(i, k);
    break;
  default: rma_run(i, ctx, pe);
  }
}

static bool is_mine(const item_t *i, int thread) {
  if (i->verb == COLLECTIVE) return i->actor == thread && coll_rank(i, me) >= 0;
  return i->actor == me * threads + thread;
}

static void *act(void *number) {
  const int thread = (int)(intptr_t)number;
  for (int k = 0; k < nitems; k++)
    if (is_mine(&items[k], thread)) run(k);
  for (int k = 0; k < CONTEXTS; k++) { /* a PRIVATE one by its own thread */
    const bool own = k > COMMON && (k - COMMON - 1) / OWN == thread;
    if (!own || contexts[me][k].team < 0) continue;
    if (contexts[me][k].in_session) session(&(item_t){.ctx = k}, contexts[me][k].handle);
    shmem_ctx_quiet(contexts[me][k].handle);
  }
  return NULL;
}

static void meet(bool plain) {
  for (int k = 1; k <= COMMON; k++)
    if (contexts[me][k].team >= 0) shmem_ctx_quiet(contexts[me][k].handle);
  if (!plain)
    shmem_barrier_all();
  else {
    shmem_quiet();
    shmem_sync_all();
  }
}

static void prepare(void) {
  for (int k = 0; k < nitems; k++) {
    item_t *i = &items[k];
    if (i->verb == COLLECTIVE)
      coll_prepare(i, coll_rank(i, me));
    else if (i->actor / threads != me)
      continue;
    else if (i->verb == AMO)
      amo_prepare(i);
    else if (i->verb <= LOAD)
      rma_prepare(i);
  }
  for (int k = 0; k < nitems; k++)
    if (items[k].verb == COLLECTIVE) coll_model(&items[k], coll_rank(&items[k], me));
}

static void one_phase(size_t most) {
  pthread_t others[THREADS];
  plan(most);
  const bool before = chance(50), after = chance(50);
  prepare();
  meet(before);
  for (int t = 1; t < threads; t++)
    CHECK(!pthread_create(&others[t], NULL, act, (void *)(intptr_t)t));
  act(NULL);
  for (int t = 1; t < threads; t++) pthread_join(others[t], NULL);
  meet(after);
  for (int k = 0; k < nitems; k++) {
    if (items[k].verb == COLLECTIVE || items[k].actor / threads != me) continue;
    if (items[k].verb == AMO)
      amo_check(&items[k]);
    else if (items[k].verb <= LOAD)
      rma_check(&items[k]);
    free(items[k].buffer);
  }
  for (int k = 0; k < REGIONS; k++) region_verify(k, regions[k].size, "after the phase");
  for (int k = 0; k < LOCKS; k++)
    if (lock_homes[k] == me && counted[k] != counts[k])
      fail(NULL, "lock %d: %ld instead of %ld", k, counted[k], counts[k]);
  for (int i = 0; i < PSYNCS; i++)
    for (int k = 0; k < SHMEM_SYNC_SIZE; k++)
      if (psyncs[i][k] != SHMEM_SYNC_VALUE)
        fail(NULL, "pSync %d: word %d is %#lx", i, k, psyncs[i][k]);
}

/* A region of static memory. */
static void region_fix(int k, char *base, size_t size) {
  regions[k] = (struct region){.base = base, .size = size};
  region_renew(k, 0);
  memcpy(base, model_of(k, me), size);
}

static void one_seed(int phases) {
  drawn = mix(seed);
  const size_t most = chance(80) ? 60000 : (size_t)8 << (20 - (n > 4) - (n > 8));
  most_bytes = most / 4;
  memset(contexts, 0, sizeof contexts);
  for (int pe = 0; pe < n; pe++)
    for (int k = 0; k < CONTEXTS; k++) contexts[pe][k].team = -1;
  phase = 0;
  teams_begin();
  const bool colls_fixed = chance(30);
  region_fix(1, fixed, STATIC_BYTES);
  if (colls_fixed)
    region_fix(0, fixed_colls, COLL_BYTES);
  else
    region_allocate(0, 4 * most);
  for (int k = 2; k < REGIONS; k++) region_allocate(k, most);
  for (int k = 0; k < LOCKS; k++) lock_homes[k] = (int)draw((size_t)n), counts[k] = counted[k] = 0;
  for (phase = 1; phase <= phases; phase++) {
    one_phase(most);
    teams_change();
    contexts_change(50);
    shmem_sync_all();
    memory_change(most);
  }
  nitems = 0;
  for (int k = nteams - 1; k > 0; k--) {
    contexts_leave(k);
    if (k >= first_split && teams[k].is_live && team_rank(&teams[k], me) >= 0)
      shmem_team_destroy(teams[k].handle);
  }
  contexts_leave(0);
  spares_free();
  for (int k = 0; k < REGIONS; k++) {
    if (k > 1 || (k == 0 && !colls_fixed)) shmem_free(regions[k].base);
    free(regions[k].model);
  }
}

int main(int argc, char **argv) {
  int provided;
  seed = argc > 1 ? strtoull(argv[1], NULL, 0) : 1;
  const int seeds = argc > 2 ? atoi(argv[2]) : 1, phases = argc > 4 ? atoi(argv[4]) : 4;
  threads = argc > 3 ? atoi(argv[3]) : 1;
  loud = argc > 5;
  CHECK(threads >= 1 && threads <= THREADS);
  shmem_init_thread(threads > 1 ? SHMEM_THREAD_MULTIPLE : SHMEM_THREAD_SINGLE, &provided);
  me = shmem_my_pe();
  n = shmem_n_pes();
  CHECK(n <= PES);
  for (const uint64_t end = seed + (uint64_t)seeds; seed < end; seed++) {
    alarm(weft_check_patience);
    one_seed(phases);
  }
  shmem_finalize();
  return 0;
}
