/*
 * What bench/run's part armci runs, once over each libarmci: the experiments of the ARMCI paper for
 * the Cray XT5 at this machine's size. Knows ARMCI's functions, and of MPI only how to start it:
 * mpi-pr keeps ranks of MPI_COMM_WORLD to itself.
 *
 *     armci_bench WHAT...     one or more of
 *       patch, patch:SIDE     patches of SIDE x SIDE doubles, three ways; their target computes
 *       single                one operation at a time, the target waits
 *       busy                  the same while the target computes
 *       many:FIRST            all ranks from FIRST on at rank 0: a counter, a lock, a flood
 *       task:dft, task:ccsd   a loop of counter, get, compute, accumulate, by all ranks
 *       together              from now on all ranks of the job compute on one core
 *       sleep                 until it is killed
 */
#include "bench.h"

#include <mpi.h>

#include <armci.h>
#include <message.h>

enum { SIDE_MAX = 128, BYTES = 2 * SIDE_MAX * SIDE_MAX * 8 };
enum way { NAIVE, VECTORED, HELPER, WAYS };
static const char *const way_names[] = {"naive", "vectored", "helper"};
static const double window = 0.05, busy_time = 0.25, many_time = 0.25, task_time = 0.2; /* s */

static int last; /* the highest rank */
static void *shared[BENCH_MAX_PES];
static double local[BYTES / 8];
static double one = 1;

static void bench_barrier(void) {
  ARMCI_Barrier();
}

static long bench_agree(long value) {
  armci_msg_bcast(&value, sizeof value, 0);
  return value;
}

static void compute(double seconds) {
  volatile double x = 0;
  for (const double end = bench_now() + seconds; bench_now() < end;)
    for (int i = 0; i < 200; i++) x = x * 0.5 + i;
}

/* ---- patches: figure 3 ----------------------------------------------------------------------- */

/* `rows` of `bytes`, so far apart in both memories. */
static void move(enum way way, bool acc, void *near, void *far, int stride, int bytes, int rows,
                 int proc) {
  int strides[1] = {stride}, count[2] = {bytes, rows};
  void *away[SIDE_MAX], *here[SIDE_MAX];
  armci_giov_t v = {.ptr_array_len = rows, .bytes = bytes};
  if (way == HELPER) {
    if (acc)
      ARMCI_AccS(ARMCI_ACC_DBL, &one, near, strides, far, strides, count, 1, proc);
    else
      ARMCI_GetS(far, strides, near, strides, count, 1, proc);
    return;
  }
  for (int i = 0; i < rows; i++) {
    away[i] = (char *)far + (ptrdiff_t)i * stride;
    here[i] = (char *)near + (ptrdiff_t)i * stride;
  }
  v.src_ptr_array = acc ? here : away;
  v.dst_ptr_array = acc ? away : here;
  if (way == VECTORED && acc) ARMCI_AccV(ARMCI_ACC_DBL, &one, &v, 1, proc);
  if (way == VECTORED && !acc) ARMCI_GetV(&v, 1, proc);
  for (int i = 0; way == NAIVE && i < rows; i++) {
    if (acc)
      ARMCI_Acc(ARMCI_ACC_DBL, &one, here[i], away[i], bytes, proc);
    else
      ARMCI_Get(away[i], here[i], bytes, proc);
  }
}

/* The others compute, and serve nobody unless their library does. */
static void patch(enum way way, bool acc, int side) {
  const int stride = 2 * side * 8;
  char name[32];
  long n = 0;
  ARMCI_Barrier();
  if (me == 0) move(way, acc, local, shared[last], stride, side * 8, side, last);
  ARMCI_Barrier();
  const double start = bench_now();
  if (me == 0) {
    double end;
    do {
      for (int i = 0; i < 4; i++, n++)
        move(way, acc, local, shared[last], stride, side * 8, side, last);
      if (acc) ARMCI_Fence(last);
      end = bench_now();
    } while (end - start < 0.7 * window);
    snprintf(name, sizeof name, "%s_%s", acc ? "acc" : "get", way_names[way]);
    bench_emit(name, (size_t)(side * side * 8), (double)n * side * side * 8e-6 / (end - start),
               "MB/s");
  } else {
    compute(window);
  }
  ARMCI_Barrier();
}

static void patches(int only) {
  static const int sides[] = {1, 4, 16, 64, 128};
  for (size_t i = 0; i < sizeof sides / sizeof *sides; i++)
    for (int way = 0; way < WAYS; way++)
      for (int acc = 0; acc < 2; acc++)
        if (!only || (only == sides[i] && way == HELPER)) patch((enum way)way, acc, sides[i]);
}

/* ---- one operation at a time ----------------------------------------------------------------- */

enum { ROW = 64 };

static void put(size_t size) {
  ARMCI_Put(local, shared[last], (int)size, last);
}

static void get(size_t size) {
  ARMCI_Get(shared[last], local, (int)size, last);
}

static void acc(size_t size) {
  ARMCI_Acc(ARMCI_ACC_DBL, &one, local, shared[last], (int)size, last);
}

static void rmw(size_t size) {
  long old;
  (void)size;
  ARMCI_Rmw(ARMCI_FETCH_AND_ADD_LONG, &old, (char *)shared[last] + BYTES - 8, 1, last);
}

static void put_strided(size_t size) {
  int stride[1] = {2 * ROW}, count[2] = {ROW, (int)size / ROW};
  ARMCI_PutS(local, stride, shared[last], stride, count, 1, last);
}

static void get_strided(size_t size) {
  move(HELPER, false, local, shared[last], 2 * ROW, ROW, (int)size / ROW, last);
}

static void acc_strided(size_t size) {
  move(HELPER, true, local, shared[last], 2 * ROW, ROW, (int)size / ROW, last);
}

static void put_fence(size_t size) {
  put(size);
  ARMCI_Fence(last);
}

static void acc_fence(size_t size) {
  acc(size);
  ARMCI_Fence(last);
}

/* Rank 0 alone works; what it began is there at the end. */
#define LOOP(OP)                                                                                   \
  static void loop_##OP(long n, size_t size) {                                                     \
    for (long i = 0; me == 0 && i < n; i++) OP(size);                                              \
    if (me == 0) ARMCI_Fence(last);                                                                \
  }
LOOP(put)
LOOP(get)
LOOP(acc)
LOOP(rmw)
LOOP(put_strided)
LOOP(get_strided)
LOOP(acc_strided)
LOOP(put_fence)
LOOP(acc_fence)

static const size_t few[] = {8, 64, 512, 4096, 0}, rows_of_64[] = {512, 4096, 0};
static const bench_test_t singles[] = {
    {.name = "put", .run = loop_put, .per = 1, .sizes = few},
    {.name = "get", .run = loop_get, .per = 1, .sizes = few},
    {.name = "acc", .run = loop_acc, .per = 1, .sizes = few},
    {.name = "put_strided", .run = loop_put_strided, .per = 1, .sizes = rows_of_64},
    {.name = "get_strided", .run = loop_get_strided, .per = 1, .sizes = rows_of_64},
    {.name = "acc_strided", .run = loop_acc_strided, .per = 1, .sizes = rows_of_64},
    {.name = "put_fence", .run = loop_put_fence, .per = 1, .sizes = few},
    {.name = "acc_fence", .run = loop_acc_fence, .per = 1, .sizes = few},
    {.name = "rmw", .run = loop_rmw, .per = 1, .sizes = bench_size_8},
};

/* E11. Rank 0 begins when the last rank has begun to compute. */
static void busy(const char *name, void (*op)(size_t size)) {
  ARMCI_Barrier();
  if (me == last) compute(busy_time);
  if (me == 0) {
    long n = 0;
    usleep(10000);
    const double start = bench_now();
    double end = start;
    for (; end - start < 0.5 * busy_time; n++) op(8), end = bench_now();
    bench_emit(name, 8, 1e6 * (end - start) / (double)n, "us");
  }
  ARMCI_Barrier();
}

/* ---- many to one: 4.2 ------------------------------------------------------------------------ */

static double all_of(double mine, char *op) {
  armci_msg_dgop(&mine, 1, op);
  return mine;
}

static void many_emit(const char *what, const char *figure, double value, const char *unit) {
  char name[32];
  snprintf(name, sizeof name, "%s_%s", what, figure);
  bench_emit(name, 0, value, unit);
}

/* Of a flood the last rank floods and is not counted. */
static void many(const char *what, int first) {
  const bool lock = !strcmp(what, "lock"), flood = !strcmp(what, "flood");
  const bool takes_part = me >= first, counts = takes_part && !(flood && me == last);
  double calls = 0, longest = 0;
  long old;
  ARMCI_Barrier();
  double t = bench_now();
  for (const double start = t; takes_part && t - start < many_time; calls++) {
    if (lock)
      ARMCI_Lock(0, 0), ARMCI_Unlock(0, 0);
    else if (flood && me == last)
      move(HELPER, true, local, shared[0], 2048, 1024, 128, 0);
    else
      ARMCI_Rmw(ARMCI_FETCH_AND_ADD_LONG, &old, (char *)shared[0] + BYTES - 8, 1, 0);
    const double now = bench_now();
    if (now - t > longest) longest = now - t;
    t = now;
  }
  ARMCI_Barrier();
  if (!counts) calls = longest = 0;
  const double clients = all_of(counts, "+"), sum = all_of(calls, "+");
  const double squares = all_of(calls * calls, "+"), most = all_of(calls, "max");
  const double least = -all_of(counts ? -calls : -1e30, "max");
  many_emit(what, "rate", sum / many_time * 1e-6, "Mop/s");
  many_emit(what, "longest", 1e6 * all_of(longest, "max"), "us");
  if (clients < 2) return;
  many_emit(what, "least", 100 * least * clients / sum, "%");
  many_emit(what, "most", 100 * most * clients / sum, "%");
  many_emit(what, "jain", sum * sum / (clients * squares), "of 1");
}

/* ---- the loop of an application: sections 7 of figure 2, figures 3 right to 6, 8, 9 ---------- */

enum { N = 256, BLOCK = 16, TASKS = (N / BLOCK) * (N / BLOCK) };
static void *density[BENCH_MAX_PES], *fock[BENCH_MAX_PES]; /* N x N, by blocks of rows */

static double *element(void **matrix, int i, int j, int *proc) {
  const int rows = N / npes;
  *proc = i / rows;
  return (double *)matrix[*proc] + (i % rows) * N + j;
}

/* Density functionals: a patch of 2 KB with rows of 128 B, and one back. */
static double dft(enum way way, int i, int j) {
  static double block[BLOCK][N];
  int proc;
  double *far = element(density, i, j, &proc);
  move(way, false, block, far, N * 8, BLOCK * 8, BLOCK, proc);
  compute(60e-6);
  far = element(fock, j, i, &proc);
  move(way, true, block, far, N * 8, BLOCK * 8, BLOCK, proc);
  return BLOCK * BLOCK;
}

/* Coupled clusters: 32 KB, and small contiguous accumulates. */
static double ccsd(int i, int j) {
  static const int sizes[] = {8, 32, 512, 8, 512, 2048, 32, 512};
  static double block[BLOCK * N];
  double sum = 0;
  int proc;
  double *far = element(density, i, 0, &proc);
  ARMCI_Get(far, block, (int)sizeof block, proc);
  compute(150e-6);
  for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
    far = element(fock, (j + 5 * (int)k) % N, 0, &proc);
    ARMCI_Acc(ARMCI_ACC_DBL, &one, block, far, sizes[k], proc);
    sum += sizes[k] / 8;
  }
  return sum;
}

/* One iteration; what all added by it. */
static double iterate(bool is_dft, enum way way) {
  long t = 0, *next = (long *)((char *)shared[0] + BYTES - 8);
  double sum = 0;
  if (me == 0) *next = 0;
  ARMCI_Barrier();
  for (;;) {
    ARMCI_Rmw(ARMCI_FETCH_AND_ADD_LONG, &t, next, 1, 0);
    if (t >= TASKS) break;
    const int i = (int)t / (N / BLOCK) * BLOCK, j = (int)t % (N / BLOCK) * BLOCK;
    sum += is_dft ? dft(way, i, j) : ccsd(i, j);
  }
  ARMCI_Barrier();
  return sum;
}

static void task(const char *what, enum way way) {
  const bool is_dft = !strcmp(what, "dft");
  const int rows = N / npes;
  double added = 0, found = 0;
  char name[32];
  long rounds = 0;
  if (npes > N / BLOCK) return;
  ARMCI_Malloc(density, rows * N * 8);
  ARMCI_Malloc(fock, rows * N * 8);
  for (int i = 0; i < rows * N; i++) ((double *)density[me])[i] = 1, ((double *)fock[me])[i] = 0;
  added += iterate(is_dft, way);
  const double start = bench_now();
  double end = start;
  do {
    added += iterate(is_dft, way);
    end = bench_now();
    rounds++;
  } while (bench_agree(end - start < task_time));
  for (int i = 0; i < rows * N; i++) found += ((double *)fock[me])[i];
  if (all_of(added, "+") != all_of(found, "+")) ARMCI_Error("accumulates are lost", 1);
  snprintf(name, sizeof name, "task_%s%s%s", what, way == HELPER ? "" : "_",
           way == HELPER ? "" : way_names[way]);
  bench_emit(name, 0, 1e6 * (end - start) / (double)(rounds * TASKS), "us");
  ARMCI_Free(density[me]);
  ARMCI_Free(fock[me]);
}

/* ---------------------------------------------------------------------------------------------- */

static void run(const char *what) {
  const char *ms = getenv("BENCH_MS"), *colon = strchr(what, ':');
  const int number = colon ? atoi(colon + 1) : 0;
  cpu_set_t first;
  CPU_ZERO(&first);
  CPU_SET(0, &first);
  if (!strncmp(what, "patch", 5)) patches(number);
  if (!strcmp(what, "single"))
    for (size_t i = 0; i < sizeof singles / sizeof *singles; i++)
      for (const size_t *size = singles[i].sizes; *size; size++)
        if (!bench_measure(&singles[i], *size, 1e-3 * (ms ? atof(ms) : 2))) break;
  if (!strcmp(what, "busy")) {
    busy("busy_put", put_fence), busy("busy_get", get);
    busy("busy_acc", acc_fence), busy("busy_rmw", rmw);
  }
  if (!strncmp(what, "many", 4))
    many("counter", number), many("lock", number), many("flood", number);
  if (!strcmp(what, "task:ways"))
    for (int way = 0; way < HELPER; way++) task("dft", (enum way)way);
  else if (!strncmp(what, "task", 4))
    task(colon + 1, HELPER);
  if (!strcmp(what, "together")) sched_setaffinity(0, sizeof first, &first);
  if (!strcmp(what, "sleep")) bench_emit("ready", 0, 1, "of 1"), sleep(60);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  ARMCI_Init();
  me = armci_msg_me();
  npes = armci_msg_nproc();
  last = npes - 1;
  ARMCI_Malloc(shared, BYTES);
  memset(shared[me], 0, BYTES);
  ARMCI_Create_mutexes(me == 0);
  bench_pin();
  for (int i = 1; i < argc; i++) run(argv[i]);
  bench_emit("done", 0, 0, "");
  ARMCI_Destroy_mutexes();
  ARMCI_Free(shared[me]);
  ARMCI_Finalize();
  MPI_Finalize();
  return 0;
}
