/* shmem_bench.c: the figures of `make bench` for an OpenSHMEM library. One source, built with
 * Weft's oshcc and with Open MPI's; so it keeps to OpenSHMEM 1.4 and to no library's extensions. PE
 * 0 measures, the last PE is its partner; the others wait in the barrier. */
#include <shmem.h>

#include "bench.h"
#include "shmem_frame.h"

static int peer;
static char *src, *dst; /* MAX_REGION bytes: what is read, what is written */
static long *table;     /* random updates */
/* In the symmetric heap, because Open MPI reaches the peer's heap but not its static data through
 * shared memory. What a peer polls shares no cache line with what another writes. */
static struct {
  _Alignas(128) long flag;
  _Alignas(128) long counter;
  _Alignas(128) long swapped;
  double seen;
  _Alignas(128) long sums[BENCH_MAX_PES];
} * sym;
static long static_words[WINDOW];                /* symmetric as well: how much slower? */
static long sequence, counted, updates, swapped; /* expected values */

static void fail(const char *what, long got, long wanted) {
  fprintf(stderr, "shmem_bench: pe %d: %s is %ld, not %ld\n", me, what, got, wanted);
  shmem_global_exit(1);
}

/* Half the round trip of an 8-byte put that the other side sees with wait_until. */
static void put_pingpong(long n, size_t size) {
  (void)size;
  for (long i = 0; i < n && (me == 0 || me == peer); i++) {
    sequence++;
    if (me == 0) shmem_long_p(&sym->flag, sequence, peer);
    shmem_long_wait_until(&sym->flag, SHMEM_CMP_EQ, sequence);
    if (me == peer) shmem_long_p(&sym->flag, sequence, 0);
  }
}

static void put_quiet(long n, size_t size) {
  for (long i = 0; i < n && me == 0; i++) {
    shmem_putmem(dst, src, size, peer);
    shmem_quiet();
  }
}

static void get(long n, size_t size) {
  for (long i = 0; i < n && me == 0; i++) {
    shmem_getmem(dst, src, size, peer);
    BENCH_KEEP();
  }
}

static void put_burst(long *words, long n, long window) {
  for (long i = 0; i < n && me == 0; i++) {
    sequence++;
    for (long k = 0; k < window; k++) {
      shmem_long_p(&words[k], sequence, peer);
      BENCH_KEEP();
    }
    shmem_quiet();
  }
}

/* 1 MB from a place in a page, which `at` is, to the same place in another: what do copies take? */
enum { AT_BYTES = 1048576 };
static const size_t places[] = {16, 64, 128, 2048, 4096, 0};

static char *place(char *region, size_t at) {
  return region + (4096 - (uintptr_t)region % 4096) % 4096 + at;
}

static void put_at(long n, size_t at) {
  for (long i = 0; i < n && me == 0; i++) {
    shmem_putmem(place(dst, at), place(src, at), AT_BYTES, peer);
    shmem_quiet();
  }
}

static void get_at(long n, size_t at) {
  for (long i = 0; i < n && me == 0; i++) {
    shmem_getmem(place(dst, at), place(src, at), AT_BYTES, peer);
    BENCH_KEEP();
  }
}

static void put_rate(long n, size_t size) {
  (void)size;
  put_burst((long *)dst, n, WINDOW);
}

static void put_stream(long n, size_t size) {
  (void)size;
  put_burst((long *)dst, n, STREAM);
}

static void put_static(long n, size_t size) {
  (void)size;
  put_burst(static_words, n, WINDOW);
}

static void check_words(const long *words) {
  sequence = bench_agree(sequence);
  for (long k = 0; k < WINDOW && me == peer; k++)
    if (words[k] != sequence) fail("a word put", words[k], sequence);
}

static void check_puts(void) {
  check_words((long *)dst);
}

static void check_static(void) {
  check_words(static_words);
}

static void put_bw(long n, size_t size) {
  long depth = bench_depth(size);
  for (long i = 0; i < n && me == 0; i++) {
    for (long k = 0; k < depth; k++) {
      shmem_putmem_nbi(dst + (size_t)k * size, src + (size_t)k * size, size, peer);
      BENCH_KEEP();
    }
    shmem_quiet();
  }
}

static void get_bw(long n, size_t size) {
  long depth = bench_depth(size);
  for (long i = 0; i < n && me == 0; i++) {
    for (long k = 0; k < depth; k++) {
      shmem_getmem_nbi(dst + (size_t)k * size, src + (size_t)k * size, size, peer);
      BENCH_KEEP();
    }
    shmem_quiet();
  }
}

/* After either kind of transfer the writer's or reader's bytes stand in the first 8 bytes. */
static void check_put_bytes(void) {
  shmem_barrier_all();
  for (int k = 0; k < 8 && me == peer; k++)
    if (dst[k] != 1) fail("a byte put", dst[k], 1);
}

static void check_get_bytes(void) {
  for (int k = 0; k < 8 && me == 0; k++)
    if (dst[k] != peer + 1) fail("a byte got", dst[k], peer + 1);
}

static void check_at(int reader, int writer) {
  char *middle = place(dst, AT_BYTES / 2);
  shmem_barrier_all();
  if (me == reader && *middle != writer + 1) fail("a byte", *middle, writer + 1);
  *middle = 0;
}

static void check_put_at(void) {
  check_at(peer, 0);
}

static void check_get_at(void) {
  check_at(0, peer);
}

static void fadd(long n, size_t size) {
  (void)size;
  for (long i = 0; i < n && me == 0; i++) {
    shmem_long_atomic_fetch_add(&sym->counter, 1, peer);
    BENCH_KEEP();
  }
  counted += n;
}

static void swap(long n, size_t size) {
  (void)size;
  for (long i = 0; i < n && me == 0; i++) {
    const long old = shmem_long_atomic_swap(&sym->swapped, swapped + i + 1, peer);
    BENCH_KEEP();
    if (old != swapped + i) fail("the word swapped", old, swapped + i);
  }
  swapped += n;
}

/* Every PE draws from one counter, as from Global Arrays' NXTVAL. */
static void fadd_rate(long n, size_t size) {
  (void)size;
  for (long i = 0; i < n; i++) {
    shmem_long_atomic_fetch_add(&sym->counter, 1, peer);
    BENCH_KEEP();
  }
  counted += n * npes;
  shmem_barrier_all();
}

static void add_rate(long n, size_t size) {
  (void)size;
  for (long i = 0; i < n && me == 0; i++) {
    for (long k = 0; k < WINDOW; k++) {
      shmem_long_atomic_add(&sym->counter, 1, peer);
      BENCH_KEEP();
    }
    shmem_quiet();
  }
  counted += n * WINDOW;
}

static void check_counter(void) {
  shmem_barrier_all();
  if (me == peer && sym->counter != counted) fail("the counter", sym->counter, counted);
}

static void gups(long n, size_t size) {
  static uint64_t state;
  (void)size;
  if (!state) state = 0x9e3779b97f4a7c15u * (uint64_t)(me + 1);
  for (long i = 0; i < n; i++) {
    for (long k = 0; k < LOOKAHEAD; k++) {
      uint64_t r = bench_random(&state);
      int pe = (int)((r >> 32) % (uint64_t)npes);
      shmem_long_atomic_add(&table[r & (TABLE_WORDS - 1)], 1, pe);
    }
    shmem_quiet();
  }
  updates += n * LOOKAHEAD * npes;
  shmem_barrier_all();
}

static void check_gups(void) {
  long sum = 0;
  for (long k = 0; k < TABLE_WORDS; k++) sum += table[k];
  shmem_long_p(&sym->sums[me], sum, 0);
  shmem_barrier_all();
  for (int pe = 1; pe < npes; pe++) sym->sums[0] += sym->sums[pe];
  if (me == 0 && sym->sums[0] != updates) fail("the sum of the tables", sym->sums[0], updates);
}

static void barrier(long n, size_t size) {
  (void)size;
  for (long i = 0; i < n; i++) shmem_barrier_all();
}

/* PE 0 waits 100 ms for a partner that sleeps: what does waiting cost? */
static void show_wait(void) {
  shmem_barrier_all();
  if (me == peer) {
    usleep(100000);
    shmem_long_p(&sym->flag, ++sequence, 0);
    shmem_quiet();
  } else if (me == 0) {
    bench_usage_t from = bench_usage();
    shmem_long_wait_until(&sym->flag, SHMEM_CMP_EQ, ++sequence);
    bench_emit_wait(from);
  }
  sequence = bench_agree(sequence);
}

/* ---- puts that nobody asks about: PE 0 computes afterwards and does not call again ---- */

enum { SEEN_ROUNDS = 101, SEEN_COMPUTE_US = 200 };

static void put_alone(long stamp) {
  shmem_long_p(&sym->flag, stamp, peer);
}
static void put_fenced(long stamp) {
  shmem_long_p((long *)dst, stamp, peer);
  shmem_fence();
  shmem_long_p(&sym->flag, stamp, peer);
}
static void put_second(long stamp) {
  shmem_long_p((long *)dst, stamp, peer);
  shmem_long_p(&sym->flag, stamp, peer);
}

static long nanoseconds(void) {
  return (long)(bench_now() * 1e9);
}

/* From the first put until the partner, which waits, sees the last one: both read one clock. */
static void show_seen(const char *name, void (*puts)(long stamp)) {
  double seen[SEEN_ROUNDS];
  for (int i = 0; i < SEEN_ROUNDS; i++) {
    const long before = sym->flag;
    shmem_barrier_all();
    if (me == peer) {
      shmem_long_wait_until(&sym->flag, SHMEM_CMP_NE, before);
      seen[i] = 1e-3 * (double)(nanoseconds() - sym->flag);
    } else if (me == 0) {
      const long begin = nanoseconds();
      while (nanoseconds() - begin < 1000 * SEEN_COMPUTE_US / 4) continue; /* the partner waits */
      puts(nanoseconds());
      const long end = nanoseconds() + 1000 * SEEN_COMPUTE_US;
      while (nanoseconds() < end) continue;
    }
  }
  qsort(seen, SEEN_ROUNDS, sizeof *seen, bench_compare);
  if (me == peer) shmem_double_p(&sym->seen, seen[SEEN_ROUNDS / 2], 0);
  shmem_barrier_all();
  bench_emit(name, 8, sym->seen, "us");
}

static const bench_test_t tests[] = {
    {"put_pingpong", put_pingpong, NULL, UNIT_US, false, 2, bench_size_8},
    {"put_quiet", put_quiet, check_put_bytes, UNIT_US, false, 1, bench_size_lat},
    {"get", get, check_get_bytes, UNIT_US, false, 1, bench_size_lat},
    {"put_at", put_at, check_put_at, UNIT_US, false, 1, places},
    {"get_at", get_at, check_get_at, UNIT_US, false, 1, places},
    {"put_rate", put_rate, check_puts, UNIT_MOPS, false, WINDOW, bench_size_8},
    {"put_stream", put_stream, check_puts, UNIT_MOPS, false, STREAM, bench_size_8},
    {"put_static", put_static, check_static, UNIT_MOPS, false, WINDOW, bench_size_8},
    {"fadd", fadd, check_counter, UNIT_US, false, 1, bench_size_8},
    {"swap", swap, NULL, UNIT_US, false, 1, bench_size_8},
    {"fadd_rate", fadd_rate, check_counter, UNIT_MOPS, true, 1, bench_size_8},
    {"add_rate", add_rate, check_counter, UNIT_MOPS, false, WINDOW, bench_size_8},
    {"gups", gups, check_gups, UNIT_MOPS, true, LOOKAHEAD, bench_size_8},
    {"barrier", barrier, NULL, UNIT_US, false, 1, bench_size_8},
    {"put_bw", put_bw, check_put_bytes, UNIT_MBS, false, 0, bench_size_bw},
    {"get_bw", get_bw, check_get_bytes, UNIT_MBS, false, 0, bench_size_bw},
};

int main(int argc, char **argv) {
  shmem_init();
  me = shmem_my_pe();
  npes = shmem_n_pes();
  peer = npes - 1;
  if (npes < 2 || npes > BENCH_MAX_PES) fail("the number of PEs", npes, 2);
  src = shmem_malloc(MAX_REGION);
  dst = shmem_malloc(MAX_REGION);
  table = shmem_malloc(TABLE_WORDS * sizeof *table);
  sym = shmem_align(128, sizeof *sym);
  if (!src || !dst || !table || !sym) fail("the symmetric heap's answer", 0, 1);
  memset(src, me + 1, MAX_REGION);
  memset(dst, 0, MAX_REGION);
  memset(table, 0, TABLE_WORDS * sizeof *table);
  memset(sym, 0, sizeof *sym);
  shmem_barrier_all();
  if (bench_wanted("wait", argc, argv)) show_wait();
  bench_run(tests, sizeof tests / sizeof tests[0], argc, argv);
  if (bench_wanted("seen", argc, argv)) {
    show_seen("seen_put", put_alone);
    show_seen("seen_fence", put_fenced);
    show_seen("seen_second", put_second);
  }
  shmem_barrier_all();
  bench_emit("done", 0, 1, ""); /* Open MPI 4.1.4 sometimes crashes in finalize */
  shmem_finalize();
  return 0;
}
