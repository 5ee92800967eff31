/* mpi_frame.h: what bench.h wants of an MPI program. The program sets me and npes. */
#ifndef WEFT_MPI_FRAME_H
#define WEFT_MPI_FRAME_H

#include <mpi.h>

static int me, npes;

static int bench_me(void) {
  return me;
}

static int bench_npes(void) {
  return npes;
}

static void bench_barrier(void) {
  MPI_Barrier(MPI_COMM_WORLD);
}

static long bench_agree(long value) {
  MPI_Bcast(&value, 1, MPI_LONG, 0, MPI_COMM_WORLD);
  return value;
}

#endif
