/*
 * WEFT_ON_DEATH=continue: the collectives over active sets (OpenSHMEM 1.4) when a member dies in
 * front of one: the others come back, barriers are the living's, and sets without the dead work.
 * `active_living WHO KIND`.
 */
#include <shmem.h>

#include <signal.h>

#include "check.h"

enum { KINDS = 6, N = 500 };

static long in[N * 8], out[N * 8], work[N + SHMEM_REDUCE_MIN_WRKDATA_SIZE];
static long words_of[3][SHMEM_SYNC_SIZE];
static int me, npes;

static void call(int kind, int start, int size, long *words) {
  switch (kind) {
  case 0: shmem_long_sum_to_all(out, in, N, start, 0, size, work, words); break;
  case 1: shmem_broadcast64(out, in, N, size - 1, start, 0, size, words); break;
  case 2: shmem_fcollect64(out, in, N, start, 0, size, words); break;
  case 3: shmem_collect64(out, in, N, start, 0, size, words); break;
  case 4: shmem_alltoall64(out, in, N, start, 0, size, words); break;
  default: shmem_barrier(start, 0, size, words);
  }
}

/* PEs [start, start + size). */
static void right(int start, int size, long *words) {
  const int rank = me - start;
  for (int kind = 0; kind < KINDS; kind++) {
    for (int i = 0; i < N * 8; i++) in[i] = rank + i;
    memset(out, 0, sizeof out);
    shmem_barrier(start, 0, size, words);
    call(kind, start, size, words);
    if (kind == 0) CHECK_EQ(out[7], (long)size * (size - 1) / 2 + 7L * size);
    if (kind == 1) CHECK_EQ(out[7], rank == size - 1 ? 0 : size - 1 + 7);
    if (kind == 2 || kind == 3) CHECK_EQ(out[(size - 1) * N + 7], size - 1 + 7);
    if (kind == 4) CHECK_EQ(out[(size - 1) * N], size - 1 + rank * N);
    shmem_barrier(start, 0, size, words);
  }
}

/* Nobody is behind a barrier before all who live have come to it. */
static void barrier_of_living(int start, int size, long *words, int living) {
  for (int pe = start; pe < start + size; pe++) shmem_long_atomic_inc(&in[0], pe);
  shmem_barrier(start, 0, size, words);
  CHECK_EQ(in[0], living);
  shmem_barrier(start, 0, size, words);
}

int main(int argc, char **argv) {
  CHECK_EQ(argc, 3);
  shmem_init();
  me = shmem_my_pe(), npes = shmem_n_pes();
  const int who = atoi(argv[1]), kind = atoi(argv[2]) % KINDS, start = who == 0;
  for (int set = 0; set < 3; set++)
    for (int i = 0; i < SHMEM_SYNC_SIZE; i++) words_of[set][i] = SHMEM_SYNC_VALUE;
  shmem_barrier_all();
  right(0, npes, words_of[0]);
  in[0] = 0;
  shmem_barrier_all();
  if (me == who) kill(getpid(), SIGKILL);
  call(kind, 0, npes, words_of[0]);
  barrier_of_living(0, npes, words_of[0], npes - 1);
  /* A set that is new, with the dead in it: three at one end. */
  const int first = who < 3 ? 0 : npes - 3;
  in[0] = 0;
  shmem_barrier_all();
  if (me >= first && me < first + 3) {
    call(kind, first, 3, words_of[1]);
    barrier_of_living(first, 3, words_of[1], 2);
  }
  shmem_barrier_all();
  right(start, npes - 1, words_of[2]); /* and one without */
  shmem_finalize();
  if (me == start) puts("right");
  return 0;
}
