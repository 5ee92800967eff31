/* coll_mpi.c: MPI's collectives beside coll_bench.c, the same sizes, data and loops. Built with
 * MPICH's mpicc and with Open MPI's. Left out, because MPI has no counterpart: sync. alltoalls is
 * MPI_Alltoall of a type with gaps, collect is MPI_Allgatherv. MPI leaves rank 0's result of
 * an exclusive scan undefined. Rank 0 clears it, as OpenSHMEM's first PE has to. */
#include <mpi.h>

#include "coll.h"
#include "mpi_frame.h"

static MPI_Datatype gapped; /* one long in the room of COLL_STRIDE */

static void coll_fail(const char *what, size_t at, long got, long wanted) {
  fprintf(stderr, "coll_mpi: rank %d: %s: %s (%zu of %zu words) is %ld, not %ld\n", me,
          coll_tests[coll_kind].name, what, at, coll_words, got, wanted);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

static void collect(int n) {
  int counts[COLL_PES_MAX], starts[COLL_PES_MAX];
  for (int pe = 0; pe < npes; pe++) counts[pe] = n, starts[pe] = pe * n;
  MPI_Allgatherv(coll_src, n, MPI_LONG, coll_dst, counts, starts, MPI_LONG, MPI_COMM_WORLD);
}

static void reduce(coll_kind_t kind, int n) {
  bool real = kind == COLL_SUM_DOUBLE;
  MPI_Op op = kind == COLL_PROD  ? MPI_PROD
              : kind == COLL_MAX ? MPI_MAX
              : kind == COLL_MIN ? MPI_MIN
              : kind == COLL_AND ? MPI_BAND
              : kind == COLL_OR  ? MPI_BOR
              : kind == COLL_XOR ? MPI_BXOR
                                 : MPI_SUM;
  MPI_Allreduce(coll_src, coll_dst, n, real ? MPI_DOUBLE : MPI_LONG, op, MPI_COMM_WORLD);
}

static void coll_call(coll_kind_t kind, size_t words, int turn) {
  int n = (int)words;
  void *d = coll_dst, *s = coll_src;
  MPI_Comm all = MPI_COMM_WORLD;
  (void)turn;
  switch (kind) {
  case COLL_BARRIER_ALL: MPI_Barrier(all); break;
  case COLL_BROADCAST: MPI_Bcast(me == 0 ? s : d, n, MPI_LONG, 0, all); break;
  case COLL_COLLECT: collect(n); break;
  case COLL_FCOLLECT: MPI_Allgather(s, n, MPI_LONG, d, n, MPI_LONG, all); break;
  case COLL_ALLTOALL: MPI_Alltoall(s, n, MPI_LONG, d, n, MPI_LONG, all); break;
  case COLL_ALLTOALLS: MPI_Alltoall(s, n, gapped, d, n, gapped, all); break;
  case COLL_INSCAN: MPI_Scan(s, d, n, MPI_LONG, MPI_SUM, all); break;
  case COLL_EXSCAN:
    MPI_Exscan(s, d, n, MPI_LONG, MPI_SUM, all);
    if (me == 0) memset(d, 0, words * sizeof(long));
    break;
  default: reduce(kind, n);
  }
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &npes);
  coll_me = me;
  coll_size = npes;
  if (npes < 2 || npes > COLL_PES_MAX) coll_fail("the number of processes", 0, npes, 2);
  MPI_Type_create_resized(MPI_LONG, 0, COLL_STRIDE * sizeof(long), &gapped);
  MPI_Type_commit(&gapped);
  coll_src = (long *)(void *)bench_memory(coll_bytes());
  coll_dst = (long *)(void *)bench_memory(coll_bytes());
  if (!coll_src || !coll_dst) coll_fail("the memory", 0, 0, 1);
  memset(coll_src, 0, coll_bytes());
  memset(coll_dst, 0, coll_bytes());
  bench_run(coll_tests, 1, argc, argv);
  bench_run(coll_tests + COLL_BROADCAST, COLL_TESTS - COLL_BROADCAST, argc, argv);
  bench_emit("done", 0, 1, "");
  MPI_Finalize();
  return 0;
}
