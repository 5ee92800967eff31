/* mpi_frame.h: what bench.h, included before, wants of an MPI program. */
#ifndef WEFT_MPI_FRAME_H
#define WEFT_MPI_FRAME_H

#include <mpi.h>

static void bench_barrier(void) {
  MPI_Barrier(MPI_COMM_WORLD);
}

static long bench_agree(long value) {
  MPI_Bcast(&value, 1, MPI_LONG, 0, MPI_COMM_WORLD);
  return value;
}

#endif
