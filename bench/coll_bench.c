/* coll_bench.c: the collectives' figures and the latency of waiting, for an OpenSHMEM library. One
 * source, built with Weft's oshcc and with Open MPI's. `coll_bench set` calls the deprecated
 * interface with active sets, the only one that Open MPI 4.1 has; `coll_bench team` calls that of
 * OpenSHMEM 1.5; with -even after either, PEs 0, 2, 4... call and the others wait in the barrier.
 * Names of figures may follow. */
#include <shmem.h>

#include "coll.h"
#include "shmem_frame.h"

#if SHMEM_MAJOR_VERSION > 1 || SHMEM_MINOR_VERSION >= 5
#define HAVE_TEAMS 1
#else
#define HAVE_TEAMS 0
#endif

static int peer;
static bool by_team;
static int log_stride; /* of the set */
static long *psync[COLL_WINDOW], *pwrk;
static struct {
  _Alignas(128) long flag;
  _Alignas(128) long ready;
} * sym;
static long sequence;

static void coll_fail(const char *what, size_t at, long got, long wanted) {
  fprintf(stderr, "coll_bench: pe %d: %s: %s (%zu of %zu words) is %ld, not %ld\n", me,
          coll_tests[coll_kind].name, what, at, coll_words, got, wanted);
  shmem_global_exit(1);
}

/* A set's synchronisation array may be used again only when every PE is done with it: so each call
 * of a window has its own, and the window's barrier comes before the first is used again. */
static void call_set(coll_kind_t kind, size_t n, int turn) {
  long *d = coll_dst, *s = coll_src, *sync = psync[turn];
  int nred = (int)n;
  switch (kind) {
  case COLL_SYNC: shmem_sync(0, log_stride, coll_size, sync); break;
  case COLL_BROADCAST: shmem_broadcast64(d, s, n, 0, 0, log_stride, coll_size, sync); break;
  case COLL_COLLECT: shmem_collect64(d, s, n, 0, log_stride, coll_size, sync); break;
  case COLL_FCOLLECT: shmem_fcollect64(d, s, n, 0, log_stride, coll_size, sync); break;
  case COLL_ALLTOALL: shmem_alltoall64(d, s, n, 0, log_stride, coll_size, sync); break;
  case COLL_ALLTOALLS:
    shmem_alltoalls64(d, s, COLL_STRIDE, COLL_STRIDE, n, 0, log_stride, coll_size, sync);
    break;
  case COLL_SUM_LONG:
    shmem_long_sum_to_all(d, s, nred, 0, log_stride, coll_size, pwrk, sync);
    break;
  case COLL_SUM_DOUBLE:
    shmem_double_sum_to_all((double *)d, (double *)s, nred, 0, log_stride, coll_size,
                            (double *)pwrk, sync);
    break;
  case COLL_PROD: shmem_long_prod_to_all(d, s, nred, 0, log_stride, coll_size, pwrk, sync); break;
  case COLL_MAX: shmem_long_max_to_all(d, s, nred, 0, log_stride, coll_size, pwrk, sync); break;
  case COLL_MIN: shmem_long_min_to_all(d, s, nred, 0, log_stride, coll_size, pwrk, sync); break;
  case COLL_AND: shmem_long_and_to_all(d, s, nred, 0, log_stride, coll_size, pwrk, sync); break;
  case COLL_OR: shmem_long_or_to_all(d, s, nred, 0, log_stride, coll_size, pwrk, sync); break;
  case COLL_XOR: shmem_long_xor_to_all(d, s, nred, 0, log_stride, coll_size, pwrk, sync); break;
  default: coll_fail("the operation", 0, (long)kind, 0);
  }
}

#if HAVE_TEAMS
static shmem_team_t team;

static void call_team(coll_kind_t kind, size_t n) {
  long *d = coll_dst, *s = coll_src;
  unsigned long *ud = (unsigned long *)d, *us = (unsigned long *)s;
  switch (kind) {
  case COLL_SYNC: shmem_team_sync(team); break;
  case COLL_BROADCAST: shmem_long_broadcast(team, d, s, n, 0); break;
  case COLL_COLLECT: shmem_long_collect(team, d, s, n); break;
  case COLL_FCOLLECT: shmem_long_fcollect(team, d, s, n); break;
  case COLL_ALLTOALL: shmem_long_alltoall(team, d, s, n); break;
  case COLL_ALLTOALLS: shmem_long_alltoalls(team, d, s, COLL_STRIDE, COLL_STRIDE, n); break;
  case COLL_SUM_LONG: shmem_long_sum_reduce(team, d, s, n); break;
  case COLL_SUM_DOUBLE: shmem_double_sum_reduce(team, (double *)d, (double *)s, n); break;
  case COLL_PROD: shmem_long_prod_reduce(team, d, s, n); break;
  case COLL_MAX: shmem_long_max_reduce(team, d, s, n); break;
  case COLL_MIN: shmem_long_min_reduce(team, d, s, n); break;
  case COLL_AND: shmem_ulong_and_reduce(team, ud, us, n); break;
  case COLL_OR: shmem_ulong_or_reduce(team, ud, us, n); break;
  case COLL_XOR: shmem_ulong_xor_reduce(team, ud, us, n); break;
  case COLL_INSCAN: shmem_long_sum_inscan(team, d, s, n); break;
  case COLL_EXSCAN: shmem_long_sum_exscan(team, d, s, n); break;
  default: coll_fail("the operation", 0, (long)kind, 0);
  }
}
#endif

static void coll_call(coll_kind_t kind, size_t words, int turn) {
  if (kind == COLL_BARRIER_ALL) {
    shmem_barrier_all();
  } else if (kind == COLL_SYNC_ALL) {
    shmem_sync_all();
  } else if (!by_team) {
    call_set(kind, words, turn);
  } else {
#if HAVE_TEAMS
    call_team(kind, words);
#endif
  }
}

/* Half a round trip of an 8-byte put that the other side awaits in one of three ways. */
static inline void pingpong(long n, void (*await)(long value)) {
  for (long i = 0; i < n && (me == 0 || me == peer); i++) {
    sequence++;
    if (me == 0) shmem_long_p(&sym->flag, sequence, peer);
    await(sequence);
    if (me == peer) shmem_long_p(&sym->flag, sequence, 0);
  }
}

static void by_wait_until(long value) {
  shmem_long_wait_until(&sym->flag, SHMEM_CMP_EQ, value);
}

/* The deprecated one knows only the value that is to go away. */
static void by_wait(long value) {
  shmem_long_wait(&sym->flag, value - 1);
}

static void by_test(long value) {
  while (!shmem_long_test(&sym->flag, SHMEM_CMP_EQ, value)) {
  }
}

static void wait_until(long n, size_t size) {
  (void)size;
  pingpong(n, by_wait_until);
}

static void wait_change(long n, size_t size) {
  (void)size;
  pingpong(n, by_wait);
}

static void test_until(long n, size_t size) {
  (void)size;
  pingpong(n, by_test);
}

/* A condition that holds already. */
static void wait_ready(long n, size_t size) {
  (void)size;
  for (long i = 0; i < n && me == 0; i++) {
    shmem_long_wait_until(&sym->ready, SHMEM_CMP_EQ, 1);
    BENCH_KEEP();
  }
}

/* Data that is put, ordered by fence, then flagged: what a wait is for. The receiver looks at the
 * last word of each message. */
static void wait_data(long n, size_t size) {
  size_t last = size / sizeof(long) - 1;
  for (long i = 0; i < n && (me == 0 || me == peer); i++) {
    int to = me == 0 ? peer : 0;
    sequence++;
    for (int half = 0; half < 2; half++) {
      if ((half == 0) == (me == 0)) {
        coll_src[0] = coll_src[last] = sequence;
        shmem_putmem(coll_dst, coll_src, size, to);
        shmem_fence();
        shmem_long_p(&sym->flag, sequence, to);
      } else {
        by_wait_until(sequence);
        if (coll_dst[0] != sequence || coll_dst[last] != sequence)
          coll_fail("a word that was put before its flag", last, coll_dst[last], sequence);
      }
    }
  }
}

static void check_flag(void) {
  sequence = bench_agree(sequence);
  if ((me == 0 || me == peer) && sym->flag != sequence)
    coll_fail("the flag", 0, sym->flag, sequence);
}

static const size_t sizes_data[] = {8, 128, 2048, 32768, 0};
static const bench_test_t wait_tests[] = {
    {"wait_until", wait_until, check_flag, UNIT_US, false, 2, bench_size_8, NULL},
    {"wait_change", wait_change, check_flag, UNIT_US, false, 2, bench_size_8, NULL},
    {"test_until", test_until, check_flag, UNIT_US, false, 2, bench_size_8, NULL},
    {"wait_ready", wait_ready, NULL, UNIT_US, false, 1, bench_size_8, NULL},
    {"wait_data", wait_data, check_flag, UNIT_US, false, 2, sizes_data, NULL},
};

static void memory_get(void) {
  coll_src = shmem_malloc(coll_bytes());
  coll_dst = shmem_malloc(coll_bytes());
  sym = shmem_align(128, sizeof *sym);
  pwrk = shmem_malloc((COLL_WORDS_MAX / 2 + 1 + SHMEM_REDUCE_MIN_WRKDATA_SIZE) * sizeof(long));
  long *sync = shmem_malloc(COLL_WINDOW * SHMEM_SYNC_SIZE * sizeof(long));
  if (!coll_src || !coll_dst || !sym || !pwrk || !sync) coll_fail("the symmetric heap", 0, 0, 1);
  for (int i = 0; i < COLL_WINDOW * SHMEM_SYNC_SIZE; i++) sync[i] = SHMEM_SYNC_VALUE;
  for (int i = 0; i < COLL_WINDOW; i++) psync[i] = sync + (size_t)i * SHMEM_SYNC_SIZE;
  memset(coll_src, 0, coll_bytes());
  memset(coll_dst, 0, coll_bytes());
  memset(sym, 0, sizeof *sym);
  sym->ready = 1;
  shmem_barrier_all();
}

/* How to call, and with whom. */
static void set_choose(const char *how) {
  by_team = how && !strncmp(how, "team", 4);
  if (!by_team && (!how || strncmp(how, "set", 3))) coll_fail("the argument", 1, 0, 1);
  if (by_team && !HAVE_TEAMS) coll_fail("teams: this library", 0, 0, 1);
  log_stride = strstr(how, "-even") != NULL;
  coll_size = log_stride ? (npes + 1) / 2 : npes;
  coll_me = me & log_stride ? -1 : me >> log_stride;
#if HAVE_TEAMS
  team = SHMEM_TEAM_WORLD;
  if (by_team && log_stride &&
      shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1 << log_stride, coll_size, NULL, 0, &team))
    coll_fail("the split", 0, 1, 0);
#endif
}

int main(int argc, char **argv) {
  shmem_init();
  me = shmem_my_pe();
  npes = shmem_n_pes();
  peer = npes - 1;
  if (npes < 2 || npes > COLL_PES_MAX) coll_fail("the number of PEs", 0, npes, 2);
  set_choose(argv[1]);
  argc--, argv++;
  memory_get();
  if (!by_team) bench_run(wait_tests, sizeof wait_tests / sizeof wait_tests[0], argc, argv);
  /* Scans came with teams. */
  bench_run(coll_tests, by_team ? COLL_TESTS : COLL_INSCAN, argc, argv);
  shmem_barrier_all();
  bench_emit("done", 0, 1, ""); /* Open MPI 4.1.4 sometimes crashes in finalize */
  shmem_finalize();
  return 0;
}
