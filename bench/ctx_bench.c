/* ctx_bench.c: what contexts are good for: the message rate of one and of two threads, with a
 * context each, with one for both, on the default context; sessions; and whether quiet on one
 * context waits for another's transfer. PE 0 measures; PE 1 is the target and waits in the barrier.
 * One source for Weft and for Open MPI's OSHMEM, which has no sessions. */
#include <pthread.h>
#include <shmem.h>

#include "bench.h"
#include "shmem_frame.h"

enum {
  THREADS = 2,
  LARGEST = 4096,
  LONG_TRANSFER = 16 << 20, /* more than the sockets of both sides hold */
  REPEATS = 15,
};

/* Figures are named KIND_MODE. */
typedef enum {
  P8,
  P8_STREAM,
  P8_SESSION,
  NBI8,
  NBI2K,
  NBI2K_SESSION,
  NBI4K,
  GET8,
  KINDS
} ctx_kind_t;
typedef enum { ONE, ONE_DEFAULT, TWO_PRIVATE, TWO_SHARED, TWO_DEFAULT, MODES } ctx_mode_t;

static int level;
static char *src, *dst; /* THREADS * WINDOW * LARGEST bytes, then what the long transfer takes */
static long sequence;   /* what the last windows wrote */
static ctx_kind_t kind;
static ctx_mode_t mode;
static shmem_ctx_t own[THREADS], shared; /* own[i] is made and used by thread i alone */

static void fail(const char *what, long got, long wanted) {
  fprintf(stderr, "ctx_bench: pe %d: %s is %ld, not %ld\n", me, what, got, wanted);
  shmem_global_exit(1);
}

static size_t size_of(ctx_kind_t k) {
  return k == NBI4K ? 4096 : k == NBI2K || k == NBI2K_SESSION ? 2048 : 8;
}

static long window(void) {
  return kind == P8_STREAM ? STREAM : WINDOW;
}

static int threads(void) {
  return mode >= TWO_PRIVATE ? 2 : 1;
}

static shmem_ctx_t context_of(int thread) {
  return mode == ONE || mode == TWO_PRIVATE ? own[thread]
         : mode == TWO_SHARED               ? shared
                                            : SHMEM_CTX_DEFAULT;
}

static void session(shmem_ctx_t ctx, bool begins, long ops) {
#ifdef SHMEM_CTX_SESSION_BATCH
  shmem_ctx_session_config_t config = {.total_ops = (size_t)ops};
  if (begins)
    shmem_ctx_session_start(ctx, SHMEM_CTX_SESSION_BATCH, &config, SHMEM_CTX_SESSION_TOTAL_OPS);
  else
    shmem_ctx_session_stop(ctx);
#else
  (void)ctx, (void)begins, (void)ops;
#endif
}

static void one_window(int thread, shmem_ctx_t ctx, long value) {
  size_t size = size_of(kind);
  char *from = src + (size_t)thread * WINDOW * LARGEST, *to = dst + (from - src);
  for (long k = 0; k < window(); k++) {
    if (kind <= P8_SESSION)
      shmem_ctx_long_p(ctx, (long *)to + k, value, 1);
    else if (kind == GET8)
      shmem_ctx_getmem(ctx, to + (size_t)k * 8, from + (size_t)k * 8, 8, 1);
    else
      shmem_ctx_putmem_nbi(ctx, to + (size_t)k * size, from + (size_t)k * size, size, 1);
    BENCH_KEEP();
  }
  if (kind != GET8) shmem_ctx_quiet(ctx);
}

static void work(int thread, long n, long value) {
  shmem_ctx_t ctx = context_of(thread);
  bool in_session = kind == P8_SESSION || kind == NBI2K_SESSION;
  char *from = src + (size_t)thread * WINDOW * LARGEST;
  if (kind != GET8) /* the same in every window of a call, so that nothing of it is timed twice */
    for (size_t at = 0; at < WINDOW * size_of(kind); at += sizeof value)
      memcpy(from + at, &value, sizeof value);
  if (in_session) session(ctx, true, n * window());
  for (long i = 0; i < n; i++) one_window(thread, ctx, value);
  if (in_session) session(ctx, false, 0);
}

/* ---- the second thread: sleeps unless a figure wants it ---- */

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static long asked, answered, asked_rounds, asked_value; /* under the mutex */
static bool over;

static void tell(long *what, long value) {
  pthread_mutex_lock(&mutex);
  *what = value;
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&mutex);
}

static void await(const long *what, long value) {
  pthread_mutex_lock(&mutex);
  while (*what < value) pthread_cond_wait(&changed, &mutex);
  pthread_mutex_unlock(&mutex);
}

static void *second_thread(void *unused) {
  if (shmem_ctx_create(SHMEM_CTX_PRIVATE, &own[1])) fail("the second context", 1, 0);
  tell(&answered, 1);
  for (long turn = 1;; turn++) {
    await(&asked, turn);
    if (over) break;
    work(1, asked_rounds, asked_value);
    tell(&answered, turn + 1);
  }
  shmem_ctx_destroy(own[1]);
  return unused;
}

static void run(long n, size_t size) {
  static long turn;
  (void)size;
  sequence++;
  if (me != 0) return;
  if (threads() == 2) {
    asked_rounds = n;
    asked_value = sequence;
    tell(&asked, ++turn);
  }
  work(0, n, sequence);
  if (threads() == 2) await(&answered, turn + 1);
}

static void second_thread_end(pthread_t thread) {
  over = true;
  tell(&asked, asked + 1);
  pthread_join(thread, NULL);
}

/* ---- figures ---- */

static void check(void) {
  sequence = bench_agree(sequence);
  shmem_barrier_all();
  if (me != (kind == GET8 ? 0 : 1)) return;
  for (int t = 0; t < threads(); t++)
    for (size_t at = 0; at < (size_t)window() * size_of(kind); at += sizeof(long)) {
      long got, wanted = sequence;
      memcpy(&got, dst + (size_t)t * WINDOW * LARGEST + at, sizeof got);
      if (kind == GET8) memcpy(&wanted, src, sizeof wanted);
      if (got != wanted) fail("a word", got, wanted);
    }
}

static void prepare(const bench_test_t *t, size_t size);
static const size_t size_2k[] = {2048, 0}, size_4k[] = {4096, 0}; /* of size_of */

#define FIGURE(name, sizes, ops)                                                                   \
  { name, run, check, UNIT_MOPS, false, ops, sizes, prepare }
#define ROW(name, sizes, ops)                                                                      \
  FIGURE(name "_1x1", sizes, ops), FIGURE(name "_1xdefault", sizes, ops),                          \
      FIGURE(name "_2x2", sizes, 2 * (ops)), FIGURE(name "_2xshared", sizes, 2 * (ops)),           \
      FIGURE(name "_2xdefault", sizes, 2 * (ops))
/* In the order of ctx_kind_t, then of ctx_mode_t. */
static const bench_test_t tests[] = {
    ROW("p8", bench_size_8, WINDOW),         ROW("p8_stream", bench_size_8, STREAM),
    ROW("p8_session", bench_size_8, WINDOW), ROW("nbi8", bench_size_8, WINDOW),
    ROW("nbi2k", size_2k, WINDOW),           ROW("nbi2k_session", size_2k, WINDOW),
    ROW("nbi4k", size_4k, WINDOW),           ROW("get8", bench_size_8, WINDOW),
};

/* Once untimed, with values that nothing wrote before, looked at. */
static void prepare(const bench_test_t *t, size_t size) {
  kind = (ctx_kind_t)((t - tests) / MODES);
  mode = (ctx_mode_t)((t - tests) % MODES);
  memset(dst, 0, THREADS * WINDOW * LARGEST);
  for (size_t k = 0; k < THREADS * WINDOW * LARGEST / sizeof(long) && kind == GET8; k++)
    ((long *)src)[k] = 77; /* at the target what is fetched, and here what is expected */
  shmem_barrier_all();
  run(3, size);
  check();
  shmem_barrier_all();
}

static double median_of(double *t) {
  qsort(t, REPEATS, sizeof *t, bench_compare);
  return 1e6 * t[REPEATS / 2];
}

/* 8 bytes and a quiet on `quick` while LONG_TRANSFER bytes are under way on `busy` (NULL: nothing
 * is): the time in which the long one was asked for, of the word and its quiet, of both. */
static void overlap(const char *name, shmem_ctx_t *busy, shmem_ctx_t quick) {
  double call[REPEATS], first[REPEATS], both[REPEATS];
  char *at = dst + THREADS * WINDOW * LARGEST, *from = src + THREADS * WINDOW * LARGEST;
  char text[64];
  shmem_barrier_all();
  for (int i = 0; i < REPEATS && me == 0; i++) {
    memset(from, ++sequence & 127, LONG_TRANSFER);
    double t0 = bench_now();
    if (busy) shmem_ctx_putmem_nbi(*busy, at, from, LONG_TRANSFER, 1);
    double t1 = bench_now();
    call[i] = t1 - t0;
    shmem_ctx_long_p(quick, (long *)dst, sequence, 1);
    shmem_ctx_quiet(quick);
    first[i] = bench_now() - t1;
    if (busy) shmem_ctx_quiet(*busy);
    both[i] = bench_now() - t0;
  }
  sequence = bench_agree(sequence);
  for (size_t k = 0; k < LONG_TRANSFER && me == 1 && busy; k++)
    if (at[k] != (sequence & 127)) fail("a byte of the long transfer", at[k], sequence & 127);
  if (me == 1 && *(long *)dst != sequence) fail("the quick word", *(long *)dst, sequence);
  if (me == 0) {
    snprintf(text, sizeof text, "overlap_%s", name);
    bench_emit(text, 8, median_of(first), "us");
    if (!busy) return;
    snprintf(text, sizeof text, "overlap_%s_call", name);
    bench_emit(text, LONG_TRANSFER, median_of(call), "us");
    snprintf(text, sizeof text, "overlap_%s_both", name);
    bench_emit(text, LONG_TRANSFER, median_of(both), "us");
  }
}

static void overlaps(void) {
  overlap("alone", NULL, own[0]);
  overlap("other", &shared, own[0]); /* the long one on another context */
  overlap("same", &own[0], own[0]);  /* on the same: it must be waited for */
  overlap("default", &shared, SHMEM_CTX_DEFAULT);
}

static void memory_get(void) {
  size_t bytes = THREADS * WINDOW * LARGEST + LONG_TRANSFER;
  src = shmem_malloc(bytes);
  dst = shmem_malloc(bytes);
  if (!src || !dst) fail("the symmetric heap's answer", 0, 1);
  memset(src, 0, bytes);
  memset(dst, 0, bytes);
  shmem_barrier_all();
}

/* The two threads of PE 0 and the target want three cores: nothing is pinned. */
static void measure(int argc, char **argv) {
  const char *ms = getenv("BENCH_MS");
  for (size_t i = 0; i < sizeof tests / sizeof tests[0]; i++) {
    ctx_kind_t k = (ctx_kind_t)(i / MODES);
    if (!bench_wanted(tests[i].name, argc, argv)) continue;
    if (i % MODES >= TWO_PRIVATE && level < SHMEM_THREAD_MULTIPLE) continue;
#ifndef SHMEM_CTX_SESSION_BATCH
    if (k == P8_SESSION || k == NBI2K_SESSION) continue;
#endif
    bench_measure(&tests[i], size_of(k), 1e-3 * (ms ? atof(ms) : 10));
  }
  if (bench_wanted("overlap", argc, argv)) overlaps();
}

int main(int argc, char **argv) {
  pthread_t thread;
  shmem_init_thread(SHMEM_THREAD_MULTIPLE, &level);
  me = shmem_my_pe();
  npes = shmem_n_pes();
  if (npes != 2) fail("the number of PEs", npes, 2);
  memory_get();
  bool two = me == 0 && level >= SHMEM_THREAD_MULTIPLE;
  if (me == 0 && (shmem_ctx_create(SHMEM_CTX_PRIVATE, &own[0]) || shmem_ctx_create(0, &shared)))
    fail("a context", 1, 0);
  if (two && pthread_create(&thread, NULL, second_thread, NULL)) fail("the second thread", 1, 0);
  if (two) await(&answered, 1);
  measure(argc, argv);
  if (two) second_thread_end(thread);
  shmem_barrier_all();
  bench_emit("done", 0, 1, "");
  if (me == 0) {
    shmem_ctx_destroy(own[0]);
    shmem_ctx_destroy(shared);
  }
  shmem_finalize();
  return 0;
}
