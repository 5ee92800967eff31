/* shmem_frame.h: what bench.h, included before, wants of an OpenSHMEM program. */
#ifndef WEFT_SHMEM_FRAME_H
#define WEFT_SHMEM_FRAME_H

#include <shmem.h>

static void bench_barrier(void) {
  shmem_barrier_all();
}

/* In the symmetric heap: Open MPI does not reach a peer's static data through shared memory. */
static long bench_agree(long value) {
  static long *agreed;
  if (!agreed) agreed = shmem_malloc(128);
  if (me == 0)
    for (int pe = 0; pe < npes; pe++) shmem_long_p(agreed, value, pe);
  shmem_barrier_all();
  long result = *agreed;
  shmem_barrier_all();
  return result;
}

#endif
