/*
 * MPI and OpenSHMEM in one program, built by the compiler of that MPI (mpi_shmem.sh). Both models
 * move data while both run, and the one that is left moves data again after the first finalize.
 * test: none
 *
 *   mpi_shmem FIRST LAST NPES NODES    FIRST initialises first, LAST finalises last: mpi or shmem
 *   mpi_shmem FIRST exit NPES NODES    after MPI_Finalize PE 1 ends the job with 7
 *   mpi_shmem late - NPES NODES        shmem_init comes after MPI_Finalize
 */
#include <mpi.h>
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MUST(what)                                                                                 \
  do {                                                                                             \
    if (!(what)) {                                                                                 \
      fprintf(stderr, "%s:%d %s\n", __FILE__, __LINE__, #what);                                    \
      exit(1);                                                                                     \
    }                                                                                              \
  } while (0)

enum { LEN = 30000 };         /* ints: beyond the eager limits of both MPIs */
static int inbox[LEN];        /* symmetric */
static long rank_here, count; /* symmetric */

static void ring_of_mpi(int rank, int size, int *from, int *to, int salt) {
  for (int i = 0; i < LEN; i++) from[i] = salt + rank + i;
  memset(to, 0, LEN * sizeof(int));
  MPI_Sendrecv(from, LEN, MPI_INT, (rank + 1) % size, 0, to, LEN, MPI_INT, (rank + size - 1) % size,
               0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  for (int i = 0; i < LEN; i++) MUST(to[i] == salt + (rank + size - 1) % size + i);
}

static void ring_of_shmem(int me, int npes, int salt) {
  static int mine[LEN];
  for (int i = 0; i < LEN; i++) mine[i] = salt + me + i;
  shmem_barrier_all();
  shmem_int_put(inbox, mine, LEN, (me + 1) % npes);
  for (int pe = 0; pe < npes; pe++) shmem_long_atomic_add(&count, 1, pe);
  shmem_barrier_all();
  for (int i = 0; i < LEN; i++) MUST(inbox[i] == salt + (me + npes - 1) % npes + i);
  MUST(count % npes == 0);
  shmem_barrier_all();
}

/* Each model tells the number that a process has in the other: they must be inverse to each other,
 * and the same (MPI_COMM_WORLD and the job are numbered by one launcher). */
static void numbers(int rank, int me, int npes) {
  int *pe_of = malloc((size_t)npes * sizeof(int));
  MPI_Allgather(&me, 1, MPI_INT, pe_of, 1, MPI_INT, MPI_COMM_WORLD);
  rank_here = rank;
  shmem_barrier_all();
  for (int r = 0; r < npes; r++) {
    MUST(shmem_long_g(&rank_here, pe_of[r]) == r);
    MUST(pe_of[r] == r);
  }
  free(pe_of);
}

/* What one model brings, the other takes on, from the same buffers. */
static void mixed(int rank, int npes, int nodes) {
  int *buffer = shmem_malloc(2 * LEN * sizeof(int)), sum = 0, one = rank + 1;
  MUST(buffer);
  ring_of_mpi(rank, npes, buffer, buffer + LEN, 1000);
  shmem_barrier_all();
  int theirs = 0;
  shmem_int_get(&theirs, buffer + LEN + 5, 1, (rank + 1) % npes);
  MUST(theirs == 1000 + rank + 5);
  MPI_Allreduce(&theirs, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MUST(sum == npes * 1005 + npes * (npes - 1) / 2);
  MUST(shmem_int_sum_reduce(SHMEM_TEAM_WORLD, buffer, &one, 1) == 0);
  MUST(buffer[0] == npes * (npes + 1) / 2);
  MUST(shmem_team_n_pes(SHMEM_TEAM_SHARED) == (npes + nodes - 1 - rank % nodes) / nodes);
  shmem_free(buffer);
}

int main(int argc, char **argv) {
  static int from[LEN], to[LEN];
  MUST(argc == 5);
  int mpi_first = strcmp(argv[1], "mpi") == 0, mpi_last = strcmp(argv[2], "mpi") == 0;
  int npes = atoi(argv[3]), rank, size;

  alarm(60);
  const int late = strcmp(argv[1], "late") == 0;
  if (mpi_first || late) MPI_Init(&argc, &argv);
  if (late) MPI_Finalize();
  shmem_init();
  int me = shmem_my_pe();
  MUST(shmem_n_pes() == npes);
  if (late) {
    ring_of_shmem(me, npes, 100);
    shmem_finalize();
    if (me == 0) printf("right\n");
    return 0;
  }
  if (!mpi_first) {
    ring_of_shmem(me, npes, 100);
    MPI_Init(&argc, &argv);
  }
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MUST(size == npes);
  numbers(rank, me, npes);
  ring_of_mpi(rank, npes, from, to, 200);
  ring_of_shmem(me, npes, 300);
  mixed(rank, npes, atoi(argv[4]));

  if (!mpi_last) {
    MPI_Finalize();
    ring_of_shmem(me, npes, 400);
    if (strcmp(argv[2], "exit") == 0 && me == 1) shmem_global_exit(7);
  }
  shmem_finalize();
  if (mpi_last) {
    ring_of_mpi(rank, npes, from, to, 500);
    MPI_Finalize();
  }
  if (rank == 0) printf("right\n");
  return 0;
}
