/*
 * What bench/armci runs, once over each libarmci: the experiments of the ARMCI paper for the Cray
 * XT5 at this machine's size. Knows ARMCI's and MPI's functions only.
 *
 *     armci_bench patch WAY OP SIDE...     MB/s of patches of SIDE x SIDE doubles, rank 0 to the last
 *     armci_bench latency waits|computes   us of single operations, while the last rank does that
 *     armci_bench many counter|lock|flood  all ranks at one: calls of each, longest wait
 *     armci_bench sleep                    until it is killed
 *
 * Prints figure;way;operation;bytes;value lines.
 */
#define _GNU_SOURCE
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <armci.h>

enum { SIDE_MAX = 128, RANKS_MAX = 64, BYTES = 2 * SIDE_MAX * SIDE_MAX * 8 };
static const double window = 0.1; /* seconds of a figure */

static int me, np, last;
static void *shared[RANKS_MAX];
static double local[BYTES / 8];
static double one = 1;

static void compute(double seconds) {
  volatile double x = 0;
  for (const double end = MPI_Wtime() + seconds; MPI_Wtime() < end;)
    for (int i = 0; i < 1000; i++) x = x * 0.5 + i;
}

/* ---- patches ---------------------------------------------------------------------------------- */

static void move_patch(const char *way, int acc, int side) {
  char *far = shared[last], *near = (char *)local;
  int stride[1] = {2 * side * 8}, count[2] = {side * 8, side};
  void *away[SIDE_MAX], *here[SIDE_MAX];
  if (!strcmp(way, "helper")) {
    if (acc)
      ARMCI_AccS(ARMCI_ACC_DBL, &one, near, stride, far, stride, count, 1, last);
    else
      ARMCI_GetS(far, stride, near, stride, count, 1, last);
    return;
  }
  for (int i = 0; i < side; i++) away[i] = far + i * stride[0], here[i] = near + i * stride[0];
  if (!strcmp(way, "vectored")) {
    armci_giov_t v = {.ptr_array_len = side, .bytes = count[0]};
    v.src_ptr_array = acc ? here : away;
    v.dst_ptr_array = acc ? away : here;
    if (acc)
      ARMCI_AccV(ARMCI_ACC_DBL, &one, &v, 1, last);
    else
      ARMCI_GetV(&v, 1, last);
    return;
  }
  for (int i = 0; i < side; i++) {
    if (acc)
      ARMCI_Acc(ARMCI_ACC_DBL, &one, here[i], away[i], count[0], last);
    else
      ARMCI_Get(away[i], here[i], count[0], last);
  }
}

/* The others compute, and serve nobody unless their library does. */
static void patch(const char *way, const char *op, int side) {
  const int acc = !strcmp(op, "acc");
  long n = 0;
  double start, end = 0;
  ARMCI_Barrier();
  if (me == 0) move_patch(way, acc, side), ARMCI_Fence(last);
  ARMCI_Barrier();
  start = MPI_Wtime();
  if (me == 0) {
    do {
      for (int i = 0; i < 4; i++, n++) move_patch(way, acc, side);
      if (acc) ARMCI_Fence(last);
      end = MPI_Wtime();
    } while (end - start < 0.7 * window);
    printf("patch;%s;%s;%d;%.2f\n", way, op, side * side * 8, n * side * side * 8 / (end - start) * 1e-6);
  } else {
    compute(window);
  }
  ARMCI_Barrier();
}

/* ---- single operations ------------------------------------------------------------------------ */

static void single(const char *op, int bytes) {
  long old;
  if (!strcmp(op, "put")) ARMCI_Put(local, shared[last], bytes, last), ARMCI_Fence(last);
  if (!strcmp(op, "get")) ARMCI_Get(shared[last], local, bytes, last);
  if (!strcmp(op, "acc"))
    ARMCI_Acc(ARMCI_ACC_DBL, &one, local, shared[last], bytes, last), ARMCI_Fence(last);
  if (!strcmp(op, "rmw")) ARMCI_Rmw(ARMCI_FETCH_AND_ADD_LONG, &old, shared[last], 1, last);
}

static void latency(const char *how, const char *op, int bytes) {
  const int computes = !strcmp(how, "computes");
  const double span = computes ? 0.4 : window;
  long n = 0;
  ARMCI_Barrier();
  if (me == 0) single(op, bytes);
  ARMCI_Barrier();
  const double start = MPI_Wtime();
  double end = start;
  if (me == 0) {
    for (; end - start < 0.8 * span; n++) single(op, bytes), end = MPI_Wtime();
    printf("latency;%s;%s;%d;%.3f\n", how, op, bytes, (end - start) / n * 1e6);
  } else if (computes) {
    compute(span);
  }
  ARMCI_Barrier();
}

/* An answer of so many bytes to a message of 8, by MPI itself. */
static void round_trips(int bytes) {
  enum { N = 500 };
  MPI_Barrier(MPI_COMM_WORLD);
  const double start = MPI_Wtime();
  for (int i = 0; i < N && (me == 0 || me == last); i++) {
    if (me == 0) MPI_Send(local, 8, MPI_BYTE, last, 0, MPI_COMM_WORLD);
    if (me == 0) MPI_Recv(local, bytes, MPI_BYTE, last, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (me == last) MPI_Recv(local, 8, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (me == last) MPI_Send(local, bytes, MPI_BYTE, 0, 0, MPI_COMM_WORLD);
  }
  if (me == 0 && np > 1)
    printf("latency;waits;message;%d;%.3f\n", bytes, (MPI_Wtime() - start) / N * 1e6);
  MPI_Barrier(MPI_COMM_WORLD);
}

/* ---- many to one ------------------------------------------------------------------------------ */

/* Rank 0 is the target, and computes. Of a flood the last rank floods, and the others are measured. */
static void many(const char *what) {
  const int lock = !strcmp(what, "lock"), flood = !strcmp(what, "flood");
  const double span = 0.5;
  double all[2 * RANKS_MAX], mine[2] = {0, 0};
  int stride[1] = {1024}, count[2] = {512, 64};
  long old;
  ARMCI_Barrier();
  double t = MPI_Wtime();
  const double start = t;
  while (me > 0 && t - start < span) {
    if (lock)
      ARMCI_Lock(0, 0), ARMCI_Unlock(0, 0);
    else if (flood && me == last)
      ARMCI_AccS(ARMCI_ACC_DBL, &one, local, stride, shared[0], stride, count, 1, 0);
    else
      ARMCI_Rmw(ARMCI_FETCH_AND_ADD_LONG, &old, (char *)shared[0] + BYTES - 8, 1, 0);
    const double now = MPI_Wtime();
    if (now - t > mine[1]) mine[1] = now - t;
    t = now;
    mine[0]++;
  }
  if (me == 0) compute(span);
  ARMCI_Barrier();
  MPI_Gather(mine, 2, MPI_DOUBLE, all, 2, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  for (int i = 1; me == 0 && i < np; i++) {
    printf("many;%s;calls;%d;%.0f\n", what, i, all[2 * i]);
    printf("many;%s;longest;%d;%.1f\n", what, i, all[2 * i + 1] * 1e6);
  }
}

static void run(int argc, char **argv) {
  if (!strcmp(argv[1], "patch"))
    for (int i = 4; i < argc; i++) patch(argv[2], argv[3], atoi(argv[i]));
  if (!strcmp(argv[1], "latency")) {
    const char *ops[] = {"put", "get", "acc", "rmw"};
    for (int o = 0; o < 4; o++)
      for (int bytes = 8; bytes <= 2048; bytes *= 256)
        if (o < 3 || bytes == 8) latency(argv[2], ops[o], bytes);
    if (!strcmp(argv[2], "waits")) round_trips(8), round_trips(2048);
  }
  if (!strcmp(argv[1], "many")) many(argv[2]);
  if (!strcmp(argv[1], "sleep")) {
    printf("sleep;;;0;%d\n", me);
    fflush(stdout);
    sleep(60);
  }
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  ARMCI_Init();
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &np);
  last = np - 1;
  if (argc < 2 || np > RANKS_MAX) return 2;
  ARMCI_Malloc(shared, BYTES);
  memset(shared[me], 0, BYTES);
  ARMCI_Create_mutexes(me == 0);
  run(argc, argv);
  ARMCI_Destroy_mutexes();
  ARMCI_Free(shared[me]);
  ARMCI_Finalize();
  MPI_Finalize();
  return 0;
}
