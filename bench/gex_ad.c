/* gex_ad.c: GASNet-EX's remote atomics beside OpenSHMEM's, in one process and on the same word.
 * PE 0 measures, the last PE is the target and waits in the barrier, but in *_all, where every PE
 * draws from one counter. bench/gex_ad runs it. */
#define GASNET_SEQ 1
#include <gasnet_ratomic.h>
#include <shmem.h>

#include "bench.h"
#include "shmem_frame.h"

static gex_AD_t ad;
static gex_Rank_t target;
static int64_t *counter; /* as the target sees it: in the symmetric heap, so it is the same */
static int64_t counted;

static void fail(const char *what, long got, long wanted) {
  fprintf(stderr, "gex_ad: pe %d: %s is %ld, not %ld\n", me, what, got, wanted);
  shmem_global_exit(1);
}

static void check(void) {
  shmem_barrier_all();
  if (me == npes - 1 && *counter != counted) fail("the counter", (long)*counter, (long)counted);
  shmem_barrier_all();
}

static void fadd(long n, size_t size) {
  int64_t old;
  (void)size;
  for (long i = 0; i < n && me == 0; i++) {
    gex_Event_Wait(gex_AD_OpNB_I64(ad, &old, target, counter, GEX_OP_FADD, 1, 0, 0));
    BENCH_KEEP();
  }
  counted += n;
}

static void fadd_shmem(long n, size_t size) {
  (void)size;
  for (long i = 0; i < n && me == 0; i++) {
    shmem_int64_atomic_fetch_add(counter, 1, npes - 1);
    BENCH_KEEP();
  }
  counted += n;
}

static void fadd_all(long n, size_t size) {
  int64_t old;
  (void)size;
  for (long i = 0; i < n; i++) {
    gex_Event_Wait(gex_AD_OpNB_I64(ad, &old, target, counter, GEX_OP_FADD, 1, 0, 0));
    BENCH_KEEP();
  }
  counted += n * npes;
  shmem_barrier_all();
}

static void fadd_all_shmem(long n, size_t size) {
  (void)size;
  for (long i = 0; i < n; i++) {
    shmem_int64_atomic_fetch_add(counter, 1, npes - 1);
    BENCH_KEEP();
  }
  counted += n * npes;
  shmem_barrier_all();
}

static void fadd_nb(long n, size_t size) {
  static int64_t old[WINDOW];
  static gex_Event_t events[WINDOW];
  (void)size;
  for (long i = 0; i < n && me == 0; i++) {
    for (long k = 0; k < WINDOW; k++)
      events[k] = gex_AD_OpNB_I64(ad, &old[k], target, counter, GEX_OP_FADD, 1, 0, 0);
    gex_Event_WaitAll(events, WINDOW, 0);
  }
  counted += n * WINDOW;
}

static void fadd_nbi(long n, size_t size) {
  static int64_t old[WINDOW];
  (void)size;
  for (long i = 0; i < n && me == 0; i++) {
    for (long k = 0; k < WINDOW; k++)
      gex_AD_OpNBI_I64(ad, &old[k], target, counter, GEX_OP_FADD, 1, 0, 0);
    gex_NBI_Wait(GEX_EC_RMW, 0);
  }
  counted += n * WINDOW;
}

static void fadd_nbi_shmem(long n, size_t size) {
  static int64_t old[WINDOW];
  (void)size;
  for (long i = 0; i < n && me == 0; i++) {
    for (long k = 0; k < WINDOW; k++)
      shmem_int64_atomic_fetch_add_nbi(&old[k], counter, 1, npes - 1);
    shmem_quiet();
  }
  counted += n * WINDOW;
}

static void add_nbi(long n, size_t size) {
  (void)size;
  for (long i = 0; i < n && me == 0; i++) {
    for (long k = 0; k < WINDOW; k++) {
      gex_AD_OpNBI_I64(ad, NULL, target, counter, GEX_OP_ADD, 1, 0, 0);
      BENCH_KEEP();
    }
    gex_NBI_Wait(GEX_EC_RMW, 0);
  }
  counted += n * WINDOW;
}

static void add_shmem(long n, size_t size) {
  (void)size;
  for (long i = 0; i < n && me == 0; i++) {
    for (long k = 0; k < WINDOW; k++) {
      shmem_int64_atomic_add(counter, 1, npes - 1);
      BENCH_KEEP();
    }
    shmem_quiet();
  }
  counted += n * WINDOW;
}

static const bench_test_t tests[] = {
    {"fadd", fadd, check, UNIT_US, false, 1, bench_size_8, NULL},
    {"fadd_shmem", fadd_shmem, check, UNIT_US, false, 1, bench_size_8, NULL},
    {"fadd_all", fadd_all, check, UNIT_MOPS, true, 1, bench_size_8, NULL},
    {"fadd_all_shmem", fadd_all_shmem, check, UNIT_MOPS, true, 1, bench_size_8, NULL},
    {"fadd_nb", fadd_nb, check, UNIT_MOPS, false, WINDOW, bench_size_8, NULL},
    {"fadd_nbi", fadd_nbi, check, UNIT_MOPS, false, WINDOW, bench_size_8, NULL},
    {"fadd_nbi_shmem", fadd_nbi_shmem, check, UNIT_MOPS, false, WINDOW, bench_size_8, NULL},
    {"add_nbi", add_nbi, check, UNIT_MOPS, false, WINDOW, bench_size_8, NULL},
    {"add_shmem", add_shmem, check, UNIT_MOPS, false, WINDOW, bench_size_8, NULL},
};

int main(int argc, char **argv) {
  gex_Client_t client;
  gex_EP_t ep;
  gex_TM_t tm;
  shmem_init();
  me = shmem_my_pe();
  npes = shmem_n_pes();
  target = (gex_Rank_t)npes - 1;
  if (gex_Client_Init(&client, &ep, &tm, "gex_ad", &argc, &argv, 0) != GASNET_OK)
    fail("gex_Client_Init", 1, 0);
  gex_AD_Create(&ad, tm, GEX_DT_I64, GEX_OP_FADD | GEX_OP_ADD, 0);
  counter = shmem_align(128, 128);
  *counter = 0;
  shmem_barrier_all();
  bench_run(tests, sizeof tests / sizeof tests[0], argc, argv);
  gex_AD_Destroy(ad);
  bench_emit("done", 0, 1, "");
  shmem_finalize();
  return 0;
}
