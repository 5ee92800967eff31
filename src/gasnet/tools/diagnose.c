/*
 * diagnose.c: gasnett_run_diagnostics, a self-test that a client may run on its machine: the
 * tools between threads, then messages and memory between this process and a peer. A letter per
 * section, as in its arguments. It knows the public interface only.
 */
#include "gasnet/ex/internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- sections A to D: threads of this process ------------------------------------------------ */

typedef struct bench {
  int iters, threads;
  gasnett_mutex_t mutex;
  gasnett_cond_t cond;
  gasnett_rwlock_t rwlock;
  gasnett_atomic32_t narrow;
  gasnett_atomic64_t wide, swapped;
  long counted, written; /* under mutex; under rwlock */
  int turn;              /* under mutex */
  int odd;               /* readers that saw a half-written value; under mutex */
} bench_t;

typedef struct worker {
  bench_t *bench;
  int number;
} worker_t;

static void *work(void *argument) {
  const worker_t *me = argument;
  bench_t *b = me->bench;
  for (int i = 0; i < b->iters; i++) {
    gasnett_mutex_lock(&b->mutex);
    b->counted++;
    gasnett_mutex_unlock(&b->mutex);
    gasnett_rwlock_wrlock(&b->rwlock);
    b->written += 2;
    gasnett_rwlock_unlock(&b->rwlock);
    gasnett_rwlock_rdlock(&b->rwlock);
    const bool odd = b->written % 2;
    gasnett_rwlock_unlock(&b->rwlock);
    if (odd) {
      gasnett_mutex_lock(&b->mutex);
      b->odd++;
      gasnett_mutex_unlock(&b->mutex);
    }
    gasnett_atomic32_increment(&b->narrow, 0);
    gasnett_atomic64_add(&b->wide, UINT64_C(1) << 32, 0);
    uint64_t old;
    do old = gasnett_atomic64_read(&b->swapped, 0);
    while (!gasnett_atomic64_compare_and_swap(&b->swapped, old, old + 3, 0));
  }
  gasnett_mutex_lock(&b->mutex);
  while (b->turn != me->number) gasnett_cond_wait(&b->cond, &b->mutex);
  b->turn++;
  gasnett_cond_broadcast(&b->cond);
  gasnett_mutex_unlock(&b->mutex);
  return NULL;
}

static int report(bool good, char section, const char *what) {
  if (good) return 0;
  fprintf(stderr, "gasnett_run_diagnostics: process %d: %c: %s\n", weft_job.pe, section, what);
  return 1;
}

static int try_threads(int iters, int threads) {
  bench_t b = {.iters = iters, .threads = threads};
  pthread_t *ids = calloc((size_t)threads, sizeof *ids);
  worker_t *workers = calloc((size_t)threads, sizeof *workers);
  int failed = 0, started = 0;
  if (!ids || !workers) gasnett_fatalerror_nopos("gasnett_run_diagnostics: no memory");
  gasnett_mutex_init(&b.mutex);
  gasnett_cond_init(&b.cond);
  gasnett_rwlock_init(&b.rwlock);
  for (; started < threads; started++) {
    workers[started] = (worker_t){.bench = &b, .number = started};
    if (pthread_create(&ids[started], NULL, work, &workers[started])) break;
  }
  if (started < threads) gasnett_fatalerror_nopos("gasnett_run_diagnostics: no more threads");
  for (int i = 0; i < threads; i++) pthread_join(ids[i], NULL);
  const long all = (long)iters * threads;
  failed += report(b.counted == all, 'A', "a mutex let two threads in");
  failed += report(b.turn == threads, 'A', "a condition variable woke nobody");
  failed += report(b.written == 2 * all && !b.odd, 'B', "a reader/writer lock let a writer in");
  failed += report(gasnett_atomic32_read(&b.narrow, 0) == (uint32_t)all, 'C', "32-bit atomics");
  failed += report(gasnett_atomic64_read(&b.wide, 0) == (uint64_t)all << 32 &&
                       gasnett_atomic64_read(&b.swapped, 0) == (uint64_t)all * 3,
                   'C', "64-bit atomics");
  gasnett_mutex_destroy(&b.mutex);
  gasnett_cond_destroy(&b.cond);
  gasnett_rwlock_destroy(&b.rwlock);
  free(workers);
  free(ids);
  return failed;
}

static int try_clocks(int iters) {
  gasnett_tick_t last = gasnett_ticks_now();
  bool back = false;
  for (int i = 0; i < iters; i++) {
    gasnett_tick_t now = gasnett_ticks_now();
    back |= now < last;
    last = now;
  }
  return report(!back, 'D', "the clock went back");
}

/* ---- sections E and F: the peer -------------------------------------------------------------- */

enum { PING = 200, PONG };
static gasnett_atomic32_t answers = gasnett_atomic32_init(0);
static gasnett_atomic64_t sum = gasnett_atomic64_init(0);

static void ping(gex_Token_t token, gex_AM_Arg_t number) {
  gex_AM_ReplyShort1(token, PONG, 0, number);
}

static void pong(gex_Token_t token, gex_AM_Arg_t number) {
  (void)token;
  gasnett_atomic64_add(&sum, (uint64_t)number, 0);
  gasnett_atomic32_increment(&answers, GASNETT_ATOMIC_REL);
}

void gasnett_diagnostic_gethandlers(gex_AM_Entry_t **table, int *count) {
  static gex_AM_Entry_t entries[] = {
      {PING, (gex_AM_Fn_t)ping, GEX_FLAG_AM_REQUEST | GEX_FLAG_AM_SHORT, 1, NULL, "ping"},
      {PONG, (gex_AM_Fn_t)pong, GEX_FLAG_AM_REPLY | GEX_FLAG_AM_SHORT, 1, NULL, "pong"}};
  *table = entries;
  *count = (int)WEFT_ARRAY_LEN(entries);
}

static int try_messages(int iters, gex_TM_t tm, gex_Rank_t peer) {
  uint64_t want = 0;
  gasnett_atomic64_set(&sum, 0, 0);
  gasnett_atomic32_set(&answers, 0, 0);
  for (int i = 1; i <= iters; i++) {
    want += (uint64_t)i;
    gex_AM_RequestShort1(tm, peer, PING, 0, i);
  }
  WEFT_WAIT_UNTIL(gasnett_atomic32_read(&answers, GASNETT_ATOMIC_ACQ) == (uint32_t)iters);
  return report(gasnett_atomic64_read(&sum, 0) == want, 'E', "active messages got lost");
}

/* Words of a sequence that the seed begins. */
static void fill(uint64_t *words, size_t n, uint64_t seed) {
  for (size_t i = 0; i < n; i++) words[i] = seed = seed * UINT64_C(6364136223846793005) + 1;
}

static int try_memory(int iters, gex_TM_t tm, gex_Rank_t peer, void *peerseg, unsigned seed) {
  enum { WORDS = 512 };
  uint64_t out[WORDS], in[WORDS];
  bool good = true;
  for (int i = 0; i < iters && good; i++) {
    const size_t n = (size_t)i % WORDS + 1;
    fill(out, n, seed + (unsigned)i);
    memset(in, 0, sizeof in);
    if (i % 2) {
      gex_RMA_PutNBI(tm, peer, peerseg, out, n * 8, GEX_EVENT_DEFER, 0);
      gex_NBI_Wait(GEX_EC_PUT, 0);
    } else {
      gex_RMA_PutBlocking(tm, peer, peerseg, out, n * 8, 0);
    }
    gex_RMA_GetBlocking(tm, in, peer, peerseg, n * 8, 0);
    good = !memcmp(in, out, n * 8);
  }
  return report(good, 'F', "what was put is not what a get returned");
}

int gasnett_run_diagnostics(int iters, int threads, const char *testsections, gex_TM_t tm,
                            void *myseg, gex_Rank_t peer, void *peerseg, unsigned int seed) {
  const char *wanted = testsections && *testsections ? testsections : "ABCDEF";
  int failed = 0;
  (void)myseg;
  if (strpbrk(wanted, "ABC")) failed += try_threads(iters, threads);
  if (strchr(wanted, 'D')) failed += try_clocks(iters);
  if (strchr(wanted, 'E')) failed += try_messages(iters, tm, peer);
  if (strchr(wanted, 'F')) failed += try_memory(iters, tm, peer, peerseg, seed);
  return failed;
}
