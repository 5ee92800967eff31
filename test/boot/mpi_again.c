/*
 * Jobs over communicators that an MPI program hands over, one after the other in one process: a
 * part of the ranks, the others alone, all in another order; some ranks take no part in one of
 * them. Between and after them MPI works. test: none (mpi_again.sh)
 */
#include <mpi.h>

#include "again.h"
#include "boot/boot.h"

static void on(MPI_Comm comm, int life) {
  int rank, size;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  weft_boot_mpi_use(&comm);
  one_life(life);
  (void)rank;
  MPI_Comm_free(&comm);
}

/* The numbers of the job are those of the communicator. */
static void numbers(MPI_Comm comm) {
  int rank, size;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  weft_boot_mpi_use(&comm);
  weft_runtime_start("numbers");
  CHECK_EQ(weft_job_pe(), rank);
  CHECK_EQ(weft_job_npes(), size);
  weft_runtime_stop();
  weft_runtime_end();
}

int main(int argc, char **argv) {
  int rank, size, sum;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm half, most, turned;
  int life = 0;
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
  MPI_Comm_split(MPI_COMM_WORLD, rank == size - 1 ? MPI_UNDEFINED : 0, rank, &most);
  MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &turned);
  on(half, life++);
  MPI_Allreduce(&life, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  CHECK_EQ(sum, size);
  if (most != MPI_COMM_NULL) on(most, life++);
  numbers(turned);
  MPI_Comm_free(&turned);
  MPI_Allreduce(&life, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  CHECK_EQ(sum, 2 * size - 1);
  MPI_Finalize();
  puts("right");
  return 0;
}
