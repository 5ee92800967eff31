/* bench.h: the frame that shmem_bench.c and mpi_bench.c share, so that every system is measured by
 * the same loops: calibrate to a batch time, run the batches, print one CSV line per figure.
 * It knows neither OpenSHMEM nor MPI: the program sets `me` and `npes` and supplies bench_barrier
 * and bench_agree. */
#ifndef WEFT_BENCH_H
#define WEFT_BENCH_H

#ifndef _GNU_SOURCE
#error "build with -D_GNU_SOURCE: RUSAGE_THREAD"
#endif

#include <sched.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* After every small operation: the compiler may not merge, vectorise or hoist it. The system that
 * inlines its puts would otherwise be measured on loops that no application has. */
#define BENCH_KEEP() __asm__ volatile("" ::: "memory")

enum {
  WINDOW = 64,           /* small operations per completion, as in the OSU suite */
  STREAM = 4096,         /* the same with rare completion */
  LOOKAHEAD = 1024,      /* random updates per completion, as HPCC RandomAccess allows */
  TABLE_WORDS = 1 << 20, /* random-update table of one PE: 8 MiB */
  BATCHES = 3,           /* the median of them is the figure ... */
  BEST_BATCHES = 16,     /* ... or the best of these, on a machine that others use */
  BENCH_MAX_PES = 64,
};
#define MAX_SIZE ((size_t)4 << 20)
#define MAX_REGION (4 * MAX_SIZE)

/* How many transfers of `size` are under way together; their targets do not overlap. */
static inline long bench_depth(size_t size) {
  if (size <= 65536) return WINDOW;
  long depth = (long)(MAX_SIZE / size);
  return depth < 4 ? 4 : depth;
}

enum bench_unit {
  UNIT_US,   /* microseconds per operation */
  UNIT_MOPS, /* 10^6 operations per second, all PEs that take part together */
  UNIT_MBS,  /* 10^6 bytes per second */
};

typedef struct bench_test bench_test_t;
struct bench_test {
  const char *name;
  void (*run)(long n, size_t size); /* every PE calls it; PE 0's time counts */
  void (*check)(void);              /* after it, may be NULL; ends the job when data is wrong */
  enum bench_unit unit;
  bool all;            /* every PE works, not PE 0 alone */
  double per;          /* operations of one PE in one of the n rounds; 0 means bench_depth(size) */
  const size_t *sizes; /* ends with 0 */
  void (*prepare)(const bench_test_t *t, size_t size); /* before all timing, may be NULL */
};

static const size_t bench_size_8[] = {8, 0};
static const size_t bench_size_lat[] = {8, 64, 512, 4096, 32768, 262144, 0};
static const size_t bench_size_bw[] = {8,      16,     32,     64,      128,     256,     512,
                                       1024,   2048,   4096,   8192,    16384,   32768,   65536,
                                       131072, 262144, 524288, 1048576, 2097152, 4194304, 0};

/* Zeroed memory from the middle of a page on, where large blocks of Weft's heap begin: where data
 * lie in their page changes what the kernel's copies take. NULL: none. */
static inline char *bench_memory(size_t n) {
  enum { PAGE = 4096 };
  const size_t bytes = (n + PAGE / 2 + PAGE - 1) / PAGE * PAGE;
  char *p = aligned_alloc(PAGE, bytes);
  if (p) memset(p, 0, bytes);
  return p ? p + PAGE / 2 : NULL;
}

static int me, npes; /* which PE this is, and of how many */
static void bench_barrier(void);
static long bench_agree(long value_of_pe0);

/* xorshift64: the same sequence of targets for every system. */
static inline uint64_t bench_random(uint64_t *state) {
  *state ^= *state << 13;
  *state ^= *state >> 7;
  *state ^= *state << 17;
  return *state;
}

static inline double bench_now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

#include "near.h"

static inline void bench_emit(const char *name, size_t size, double value, const char *unit) {
  if (me != 0) return;
  printf("%s,%zu,%.6g,%s\n", name, size, value, unit);
  fflush(stdout);
}

/* The time of n rounds, the same on every PE. */
static inline double bench_time(const bench_test_t *t, long n, size_t size) {
  bench_barrier();
  double t0 = bench_now();
  t->run(n, size);
  double elapsed = bench_now() - t0;
  return 1e-9 * (double)bench_agree((long)(elapsed * 1e9));
}

static inline double bench_value(const bench_test_t *t, double elapsed, long n, size_t size) {
  double ops = (double)n * (t->per > 0 ? t->per : (double)bench_depth(size));
  if (t->all) ops *= npes;
  if (t->unit == UNIT_US) return elapsed * 1e6 / ops;
  return (t->unit == UNIT_MBS ? ops * (double)size : ops) / elapsed / 1e6;
}

static inline int bench_compare(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* The same of a batch that counts (near.h), or a negative number: there was none. */
static inline double bench_time_near(const bench_test_t *t, long n, size_t size) {
  static near_t *file;
  static bool opened;
  if (!opened && npes == 2) file = near_open();
  opened = true;
  if (!file) return bench_time(t, n, size);
  for (int i = 0; i < NEAR_TRIES; i++) {
    const bool before = near_ask(file, me);
    const double elapsed = before ? bench_time(t, n, size) : -1;
    if (before && near_ask(file, me)) return elapsed;
    usleep(NEAR_PAUSE_MS * 1000);
  }
  return -1;
}

/* Calibration doubles as warm-up: it runs every loop until a call takes half a batch time. False if
 * a single round took a hundred batches: then that round is the figure, and larger sizes of it
 * would take the time of everything else. */
static inline bool bench_measure(const bench_test_t *t, size_t size, double batch) {
  static const char *const units[] = {"us", "Mop/s", "MB/s"};
  long n = 1;
  if (t->prepare) t->prepare(t, size);
  double elapsed = bench_time(t, n, size);
  if (elapsed > 100 * batch) {
    bench_emit(t->name, size, bench_value(t, elapsed, n, size), units[t->unit]);
    if (t->check) t->check();
    return false;
  }
  while (elapsed < batch / 2) {
    double grow = elapsed > 0 ? batch / elapsed : 10;
    n = (long)((double)n * (grow > 10 ? 10 : grow < 1.5 ? 1.5 : grow)) + 1;
    elapsed = bench_time(t, n, size);
  }
  bool best = getenv("BENCH_BEST") != NULL;
  int count = best ? BEST_BATCHES : BATCHES;
  double value[BEST_BATCHES];
  for (int i = 0; i < count; i++) {
    elapsed = bench_time_near(t, n, size);
    if (elapsed < 0) {
      if (me == 0)
        fprintf(stderr, "%s %zu: the processors are not where they mostly are\n", t->name, size);
      return true;
    }
    value[i] = bench_value(t, elapsed, n, size);
  }
  qsort(value, (size_t)count, sizeof value[0], bench_compare);
  int chosen = !best ? count / 2 : t->unit == UNIT_US ? 0 : count - 1;
  bench_emit(t->name, size, value[chosen], units[t->unit]);
  if (t->check) t->check();
  return true;
}

/* Arguments are names of figures; none means all, and -NAME all but that one. */
static inline bool bench_wanted(const char *name, int argc, char **argv) {
  bool all = true;
  for (int i = 1; i < argc; i++) {
    if (argv[i][0] == '-' && !strcmp(name, argv[i] + 1)) return false;
    if (!strcmp(name, argv[i])) return true;
    if (argv[i][0] != '-') all = false;
  }
  return all;
}

/* The PE's own thread goes to its own core, if there is one for each: two PEs that spin on one core
 * would measure the scheduler. Called after the library's init, so that its threads stay free. */
static inline void bench_pin(void) {
  long cores = sysconf(_SC_NPROCESSORS_ONLN);
  cpu_set_t core;
  if (npes > cores) return;
  CPU_ZERO(&core);
  CPU_SET((unsigned)me, &core);
  sched_setaffinity(0, sizeof core, &core);
}

/* BENCH_MS is the time of one batch. */
static inline void bench_run(const bench_test_t *tests, size_t count, int argc, char **argv) {
  const char *ms = getenv("BENCH_MS");
  double batch = 1e-3 * (ms ? atof(ms) : 10);
  bench_pin();
  for (size_t i = 0; i < count; i++) {
    if (!bench_wanted(tests[i].name, argc, argv)) continue;
    for (const size_t *size = tests[i].sizes; *size; size++)
      if (!bench_measure(&tests[i], *size, batch)) break;
  }
}

/* How a system waits is measured, not believed: this definition stands in front of libc's for
 * every library of the process (the program is linked with -rdynamic). */
static unsigned long bench_yields;
int sched_yield(void) {
  __atomic_fetch_add(&bench_yields, 1, __ATOMIC_RELAXED);
  return (int)syscall(SYS_sched_yield);
}

typedef struct {
  double wall, thread, process;
  unsigned long yields;
  long sleeps; /* voluntary context switches; sched_yield is none */
} bench_usage_t;

static inline double bench_cpu(int who, long *sleeps) {
  struct rusage r;
  getrusage(who, &r);
  *sleeps = r.ru_nvcsw;
  return (double)(r.ru_utime.tv_sec + r.ru_stime.tv_sec) +
         1e-6 * (double)(r.ru_utime.tv_usec + r.ru_stime.tv_usec);
}

static inline bench_usage_t bench_usage(void) {
  bench_usage_t u = {.wall = bench_now()};
  u.process = bench_cpu(RUSAGE_SELF, &u.sleeps);
  u.thread = bench_cpu(RUSAGE_THREAD, &u.sleeps);
  u.yields = __atomic_load_n(&bench_yields, __ATOMIC_RELAXED);
  return u;
}

/* Share of a core that the waiting thread burns, the same for the library's other threads, how
 * often it offers the core to others, how often it sleeps. */
static inline void bench_emit_wait(bench_usage_t from) {
  bench_usage_t to = bench_usage();
  double wall = to.wall - from.wall, thread = to.thread - from.thread;
  double others = to.process - from.process - thread;
  bench_emit("wait_cpu", 0, 100 * thread / wall, "%");
  bench_emit("wait_cpu_others", 0, others > 0 ? 100 * others / wall : 0, "%");
  bench_emit("wait_yields", 0, 1e-3 * (double)(to.yields - from.yields) / wall, "1/ms");
  bench_emit("wait_sleeps", 0, (double)(to.sleeps - from.sleeps), "times");
}

#endif
