/* mpi_am.c: what gex_bench.c measures with active messages, with messages of MPI: the receiver has
 * posted a receive and answers; and its collectives, begun and waited for. PE 0 measures, the last
 * PE is its partner. */
#include <mpi.h>

#include "bench.h"
#include "begun.h"
#include "mpi_frame.h"

static int peer;
static char *here;
static MPI_Request requests[WINDOW];

/* What came goes back, and to where it came from, as in gex_bench.c: so each side reads what the
 * other has just written. */
static void pingpong(long n, size_t size) {
  for (long i = 0; i < n && (me == 0 || me == peer); i++) {
    if (me == 0) MPI_Send(here, (int)size, MPI_BYTE, peer, 0, MPI_COMM_WORLD);
    MPI_Recv(here, (int)size, MPI_BYTE, me == 0 ? peer : 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (me == peer) MPI_Send(here, (int)size, MPI_BYTE, 0, 0, MPI_COMM_WORLD);
  }
}

/* A window of messages one way, then an empty answer. */
static void flood(long n, size_t size) {
  const long depth = bench_depth(size);
  for (long i = 0; i < n && (me == 0 || me == peer); i++) {
    for (long k = 0; k < depth; k++) {
      if (me == 0)
        MPI_Isend(here, (int)size, MPI_BYTE, peer, 0, MPI_COMM_WORLD, &requests[k]);
      else
        MPI_Irecv(here + (size_t)k * size, (int)size, MPI_BYTE, 0, 0, MPI_COMM_WORLD, &requests[k]);
    }
    MPI_Waitall((int)depth, requests, MPI_STATUSES_IGNORE);
    if (me == 0)
      MPI_Recv(NULL, 0, MPI_BYTE, peer, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    else
      MPI_Send(NULL, 0, MPI_BYTE, 0, 1, MPI_COMM_WORLD);
  }
}

static void await(MPI_Request *request) {
  MPI_Wait(request, MPI_STATUS_IGNORE);
}
static void coll_barrier(long n, size_t size) {
  (void)size;
  for (long i = 0; i < n; i++) MPI_Ibarrier(MPI_COMM_WORLD, requests), await(requests);
}
/* The root's data are where the others get theirs. */
static void coll_broadcast(long n, size_t size) {
  for (long i = 0; i < n; i++) {
    MPI_Ibcast(sums, (int)size, MPI_BYTE, 0, MPI_COMM_WORLD, requests);
    await(requests);
  }
}
static void coll_sum(long n, size_t size) {
  for (long i = 0; i < n; i++) {
    MPI_Iallreduce(operands, sums, (int)(size / sizeof *sums), MPI_LONG, MPI_SUM, MPI_COMM_WORLD,
                   requests);
    await(requests);
  }
}
static const size_t medium[] = {8, 64, 512, 4096, 0}, large[] = {8, 512, 4096, 65536, 1048576, 0},
                    some[] = {64, 512, 4096, 0}, coll[] = {8, 1024, 32768, 1048576, 0};
static const bench_test_t tests[] = {
    {"am_short", pingpong, NULL, UNIT_US, .per = 2, .sizes = bench_size_8},
    {"am_medium", pingpong, NULL, UNIT_US, .per = 2, .sizes = medium},
    {"am_long", pingpong, NULL, UNIT_US, .per = 2, .sizes = large},
    {"flood_short", flood, NULL, UNIT_MOPS, .per = WINDOW, .sizes = bench_size_8},
    {"flood_medium", flood, NULL, UNIT_MOPS, .per = WINDOW, .sizes = some},
    {"flood_long", flood, NULL, UNIT_MBS, .sizes = large},
    {"nb_barrier", coll_barrier, NULL, UNIT_US, .per = 1, .sizes = bench_size_8},
    {"nb_broadcast", coll_broadcast, check_broadcast, UNIT_US, .per = 1,
     .prepare = prepare_broadcast, .sizes = coll},
    {"nb_sum", coll_sum, check_sum, UNIT_US, .per = 1, .prepare = prepare_sum, .sizes = coll},
};

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &npes);
  peer = npes - 1;
  here = bench_memory(MAX_REGION);
  if (!here || !begun_memory()) MPI_Abort(MPI_COMM_WORLD, 1);
  bench_run(tests, sizeof tests / sizeof *tests, argc, argv);
  MPI_Barrier(MPI_COMM_WORLD);
  if (me == 0) printf("done,0,0,\n");
  fflush(stdout);
  MPI_Finalize();
  return 0;
}
