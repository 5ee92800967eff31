/* mpi_bench.c: the figures of `make bench` for MPI, the same loops as shmem_bench.c.
 * `mpi_bench two` uses send and receive, `mpi_bench rma` passive-target one-sided operations (one
 * window, locked once for all, MPI_Win_flush as the quiet). What two-sided MPI has no counterpart
 * for (atomics, random update) is left out, not emulated.
 * PE 0 measures, the last PE is its partner; the others wait in the barrier. */
#include <mpi.h>

#include "bench.h"
#include "mpi_frame.h"

static int peer;
static char *src, *dst;
static long sequence, counted, updates, swapped;

/* The window: what is written, what is read, the random-update table, single words. */
typedef struct {
  char before[2048]; /* as bench_memory has it, if the window begins a page */
  char dst[MAX_REGION];
  char src[MAX_REGION];
  long table[TABLE_WORDS];
  _Alignas(128) long flag;
  _Alignas(128) long counter;
  _Alignas(128) long swapped;
} shared_t;
static shared_t *mine;
static MPI_Win win;
static MPI_Request requests[WINDOW];
static MPI_Status statuses[WINDOW];
#define AT(field) ((MPI_Aint)offsetof(shared_t, field))

static void fail(const char *what, long got, long wanted) {
  fprintf(stderr, "mpi_bench: rank %d: %s is %ld, not %ld\n", me, what, got, wanted);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

/* ---- two-sided ---- */

/* Half the round trip; the name is that of the figure it stands beside. */
static void two_pingpong(long n, size_t size) {
  for (long i = 0; i < n && (me == 0 || me == peer); i++) {
    if (me == 0) MPI_Send(src, (int)size, MPI_BYTE, peer, 0, MPI_COMM_WORLD);
    MPI_Recv(dst, (int)size, MPI_BYTE, me == 0 ? peer : 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (me == peer) MPI_Send(src, (int)size, MPI_BYTE, 0, 0, MPI_COMM_WORLD);
  }
}

/* A message and its empty acknowledgement: the sender knows that the data has arrived. */
static void two_put_quiet(long n, size_t size) {
  for (long i = 0; i < n; i++) {
    if (me == 0) {
      MPI_Send(src, (int)size, MPI_BYTE, peer, 0, MPI_COMM_WORLD);
      MPI_Recv(NULL, 0, MPI_BYTE, peer, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else if (me == peer) {
      MPI_Recv(dst, (int)size, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      MPI_Send(NULL, 0, MPI_BYTE, 0, 1, MPI_COMM_WORLD);
    }
  }
}

/* An empty request and the data as its answer. */
static void two_get(long n, size_t size) {
  for (long i = 0; i < n; i++) {
    if (me == 0) {
      MPI_Send(NULL, 0, MPI_BYTE, peer, 1, MPI_COMM_WORLD);
      MPI_Recv(dst, (int)size, MPI_BYTE, peer, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else if (me == peer) {
      MPI_Recv(NULL, 0, MPI_BYTE, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      MPI_Send(src, (int)size, MPI_BYTE, 0, 0, MPI_COMM_WORLD);
    }
  }
}

/* A window of messages to posted receives, then one acknowledgement, as osu_mbw_mr does. */
static void two_burst(long n, long window, size_t size) {
  for (long i = 0; i < n; i++) {
    if (me == 0) {
      for (long k = 0; k < window; k++)
        MPI_Isend(src + (size_t)k * size, (int)size, MPI_BYTE, peer, 0, MPI_COMM_WORLD,
                  &requests[k]);
      MPI_Waitall((int)window, requests, statuses);
      MPI_Recv(NULL, 0, MPI_BYTE, peer, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else if (me == peer) {
      for (long k = 0; k < window; k++)
        MPI_Irecv(dst + (size_t)k * size, (int)size, MPI_BYTE, 0, 0, MPI_COMM_WORLD, &requests[k]);
      MPI_Waitall((int)window, requests, statuses);
      MPI_Send(NULL, 0, MPI_BYTE, 0, 1, MPI_COMM_WORLD);
    }
  }
}

static void two_rate(long n, size_t size) {
  two_burst(n, WINDOW, size);
}

static void two_bw(long n, size_t size) {
  two_burst(n, bench_depth(size), size);
}

static void barrier(long n, size_t size) {
  (void)size;
  for (long i = 0; i < n; i++) MPI_Barrier(MPI_COMM_WORLD);
}

static void check_put_bytes(void) {
  MPI_Barrier(MPI_COMM_WORLD);
  for (int k = 0; k < 8 && me == peer; k++)
    if (dst[k] != 1) fail("a byte sent", dst[k], 1);
}

static void check_get_bytes(void) {
  for (int k = 0; k < 8 && me == 0; k++)
    if (dst[k] != peer + 1) fail("a byte fetched", dst[k], peer + 1);
}

/* PE 0 waits 100 ms for a partner that sleeps: what does waiting cost? */
static void show_wait(void) {
  MPI_Barrier(MPI_COMM_WORLD);
  if (me == peer) {
    usleep(100000);
    MPI_Send(NULL, 0, MPI_BYTE, 0, 1, MPI_COMM_WORLD);
  } else if (me == 0) {
    bench_usage_t from = bench_usage();
    MPI_Recv(NULL, 0, MPI_BYTE, peer, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    bench_emit_wait(from);
  }
}

static const bench_test_t two_tests[] = {
    {"put_pingpong", two_pingpong, NULL, UNIT_US, false, 2, bench_size_8},
    {"put_quiet", two_put_quiet, check_put_bytes, UNIT_US, false, 1, bench_size_lat},
    {"get", two_get, check_get_bytes, UNIT_US, false, 1, bench_size_lat},
    {"put_rate", two_rate, check_put_bytes, UNIT_MOPS, false, WINDOW, bench_size_8},
    {"barrier", barrier, NULL, UNIT_US, false, 1, bench_size_8},
    {"put_bw", two_bw, check_put_bytes, UNIT_MBS, false, 0, bench_size_bw},
};

/* ---- one-sided ---- */

/* MPI has no wait_until: poll the window's own memory, and let the library make progress now and
 * then (every time would add the cost of a probe to what is measured on one node). */
static void rma_wait(long value) {
  volatile long *flag = &mine->flag;
  for (unsigned k = 1; *flag != value; k++) {
    int found;
    MPI_Win_sync(win);
    if (k % 8 == 0)
      MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &found, MPI_STATUS_IGNORE);
  }
}

static void rma_put_word(const long *value, MPI_Aint at, int pe) {
  MPI_Put(value, 1, MPI_LONG, pe, at, 1, MPI_LONG, win);
}

static void rma_pingpong(long n, size_t size) {
  (void)size;
  for (long i = 0; i < n && (me == 0 || me == peer); i++) {
    sequence++;
    if (me == 0) {
      rma_put_word(&sequence, AT(flag), peer);
      MPI_Win_flush(peer, win);
    }
    rma_wait(sequence);
    if (me == peer) {
      rma_put_word(&sequence, AT(flag), 0);
      MPI_Win_flush(0, win);
    }
  }
}

static void rma_put_quiet(long n, size_t size) {
  for (long i = 0; i < n && me == 0; i++) {
    MPI_Put(src, (int)size, MPI_BYTE, peer, AT(dst), (int)size, MPI_BYTE, win);
    MPI_Win_flush(peer, win);
  }
}

static void rma_get(long n, size_t size) {
  for (long i = 0; i < n && me == 0; i++) {
    MPI_Get(dst, (int)size, MPI_BYTE, peer, AT(src), (int)size, MPI_BYTE, win);
    MPI_Win_flush(peer, win);
  }
}

static void rma_burst(long n, long window) {
  for (long i = 0; i < n && me == 0; i++) {
    sequence++;
    for (long k = 0; k < window; k++)
      rma_put_word(&sequence, AT(dst) + k * (MPI_Aint)sizeof(long), peer);
    MPI_Win_flush(peer, win);
  }
}

static void rma_rate(long n, size_t size) {
  (void)size;
  rma_burst(n, WINDOW);
}

static void rma_stream(long n, size_t size) {
  (void)size;
  rma_burst(n, STREAM);
}

static void check_words(void) {
  sequence = bench_agree(sequence);
  MPI_Win_sync(win);
  for (long k = 0; k < WINDOW && me == peer; k++)
    if (((long *)dst)[k] != sequence) fail("a word put", ((long *)dst)[k], sequence);
}

static void rma_put_bw(long n, size_t size) {
  long depth = bench_depth(size);
  for (long i = 0; i < n && me == 0; i++) {
    for (long k = 0; k < depth; k++)
      MPI_Put(src + (size_t)k * size, (int)size, MPI_BYTE, peer, AT(dst) + k * (MPI_Aint)size,
              (int)size, MPI_BYTE, win);
    MPI_Win_flush(peer, win);
  }
}

static void rma_get_bw(long n, size_t size) {
  long depth = bench_depth(size);
  for (long i = 0; i < n && me == 0; i++) {
    for (long k = 0; k < depth; k++)
      MPI_Get(dst + (size_t)k * size, (int)size, MPI_BYTE, peer, AT(src) + k * (MPI_Aint)size,
              (int)size, MPI_BYTE, win);
    MPI_Win_flush(peer, win);
  }
}

static void rma_fetch_add(long n) {
  const long one = 1;
  long old;
  for (long i = 0; i < n; i++) {
    MPI_Fetch_and_op(&one, &old, MPI_LONG, peer, AT(counter), MPI_SUM, win);
    MPI_Win_flush(peer, win);
  }
}

static void rma_fadd(long n, size_t size) {
  (void)size;
  if (me == 0) rma_fetch_add(n);
  counted += n;
}

static void rma_swap(long n, size_t size) {
  (void)size;
  for (long i = 0; i < n && me == 0; i++) {
    const long next = swapped + i + 1;
    long old;
    MPI_Fetch_and_op(&next, &old, MPI_LONG, peer, AT(swapped), MPI_REPLACE, win);
    MPI_Win_flush(peer, win);
    if (old != swapped + i) fail("the word swapped", old, swapped + i);
  }
  swapped += n;
}

static void rma_fadd_rate(long n, size_t size) {
  (void)size;
  rma_fetch_add(n);
  counted += n * npes;
  MPI_Barrier(MPI_COMM_WORLD);
}

static void rma_add_rate(long n, size_t size) {
  const long one = 1;
  (void)size;
  for (long i = 0; i < n && me == 0; i++) {
    for (long k = 0; k < WINDOW; k++)
      MPI_Accumulate(&one, 1, MPI_LONG, peer, AT(counter), 1, MPI_LONG, MPI_SUM, win);
    MPI_Win_flush(peer, win);
  }
  counted += n * WINDOW;
}

static void check_counter(void) {
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_sync(win);
  if (me == peer && mine->counter != counted) fail("the counter", mine->counter, counted);
}

static void rma_gups(long n, size_t size) {
  static uint64_t state;
  const long one = 1;
  (void)size;
  if (!state) state = 0x9e3779b97f4a7c15u * (uint64_t)(me + 1);
  for (long i = 0; i < n; i++) {
    for (long k = 0; k < LOOKAHEAD; k++) {
      uint64_t r = bench_random(&state);
      int pe = (int)((r >> 32) % (uint64_t)npes);
      MPI_Aint at = AT(table) + (MPI_Aint)((r & (TABLE_WORDS - 1)) * sizeof(long));
      MPI_Accumulate(&one, 1, MPI_LONG, pe, at, 1, MPI_LONG, MPI_SUM, win);
    }
    MPI_Win_flush_all(win);
  }
  updates += n * LOOKAHEAD * npes;
  MPI_Barrier(MPI_COMM_WORLD);
}

static void check_gups(void) {
  long sum = 0, total = 0;
  MPI_Win_sync(win);
  for (long k = 0; k < TABLE_WORDS; k++) sum += mine->table[k];
  MPI_Reduce(&sum, &total, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (me == 0 && total != updates) fail("the sum of the tables", total, updates);
}

static const bench_test_t rma_tests[] = {
    {"put_pingpong", rma_pingpong, NULL, UNIT_US, false, 2, bench_size_8},
    {"put_quiet", rma_put_quiet, check_put_bytes, UNIT_US, false, 1, bench_size_lat},
    {"get", rma_get, check_get_bytes, UNIT_US, false, 1, bench_size_lat},
    {"put_rate", rma_rate, check_words, UNIT_MOPS, false, WINDOW, bench_size_8},
    {"put_stream", rma_stream, check_words, UNIT_MOPS, false, STREAM, bench_size_8},
    {"fadd", rma_fadd, check_counter, UNIT_US, false, 1, bench_size_8},
    {"swap", rma_swap, NULL, UNIT_US, false, 1, bench_size_8},
    {"fadd_rate", rma_fadd_rate, check_counter, UNIT_MOPS, true, 1, bench_size_8},
    {"add_rate", rma_add_rate, check_counter, UNIT_MOPS, false, WINDOW, bench_size_8},
    {"gups", rma_gups, check_gups, UNIT_MOPS, true, LOOKAHEAD, bench_size_8},
    {"put_bw", rma_put_bw, check_put_bytes, UNIT_MBS, false, 0, bench_size_bw},
    {"get_bw", rma_get_bw, check_get_bytes, UNIT_MBS, false, 0, bench_size_bw},
};

static void window_open(void) {
  MPI_Info info;
  MPI_Info_create(&info);
  MPI_Info_set(info, "accumulate_ordering", "none"); /* nothing here needs it */
  MPI_Win_allocate(sizeof *mine, 1, info, MPI_COMM_WORLD, &mine, &win);
  MPI_Info_free(&info);
  MPI_Win_lock_all(MPI_MODE_NOCHECK, win);
}

static void window_close(void) {
  MPI_Win_unlock_all(win);
  MPI_Win_free(&win);
}

static void memory_fill(void) {
  if (!mine) fail("the answer of malloc", 0, 1);
  memset(mine, 0, sizeof *mine);
  memset(mine->src, me + 1, sizeof mine->src);
  src = mine->src;
  dst = mine->dst;
  MPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &npes);
  peer = npes - 1;
  if (npes < 2) fail("the number of processes", npes, 2);
  bool rma = argc > 1 && !strcmp(argv[1], "rma");
  if (!rma && (argc < 2 || strcmp(argv[1], "two"))) fail("the first argument (two, rma)", argc, 2);
  argc--, argv++;
  if (rma)
    window_open();
  else
    mine = aligned_alloc(4096, (sizeof *mine + 4095) / 4096 * 4096);
  memory_fill();
  if (rma) {
    bench_run(rma_tests, sizeof rma_tests / sizeof rma_tests[0], argc, argv);
    window_close();
  } else {
    if (bench_wanted("wait", argc, argv)) show_wait();
    bench_run(two_tests, sizeof two_tests / sizeof two_tests[0], argc, argv);
  }
  bench_emit("done", 0, 1, "");
  MPI_Finalize();
  return 0;
}
