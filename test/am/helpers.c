/*
 * Two helpers per node (WEFT_HELPERS=2): each serves the PEs dealt to it and no other, so one works
 * while the process of the other is stopped; atomics through different helpers and by PEs of the
 * node itself are atomic to each other.
 */
#include <shmem.h>

#include <signal.h>

#include "check.h"
#include "job/job.h"

enum { ROUNDS = 400 };

static int pid, stopped;
static long counter, seen, word[64];

/* Everybody adds to everybody's counter. */
static void add_everywhere(int me, int npes) {
  for (int i = 0; i < ROUNDS; i++)
    for (int pe = 0; pe < npes; pe++) {
      if (i % 2)
        shmem_long_atomic_add(&counter, 1, pe);
      else
        CHECK(shmem_long_atomic_fetch_add(&counter, 1, pe) < (long)ROUNDS * npes);
      shmem_long_p(&word[me], i, pe);
    }
  shmem_barrier_all();
  CHECK_EQ(counter, (long)ROUNDS * npes);
  for (int pe = 0; pe < npes; pe++) CHECK_EQ(word[pe], ROUNDS - 1);
  shmem_barrier_all();
}

/* The last PE stops the one before it, in whose process the node's first port is. PE 1, which the
 * second one serves, gets and puts there all the same. */
static void one_is_stopped(int me, int npes) {
  const int victim = npes - 2, second = npes - 1;
  CHECK_EQ(weft_job.where[victim].slot, 0);
  CHECK_EQ(weft_job.where[second].slot, 1);
  pid = getpid();
  shmem_barrier_all();
  if (me == second) {
    const int target = shmem_int_g(&pid, victim);
    weft_check_stop_process(target);
    shmem_int_p(&stopped, 1, 1);
    shmem_quiet();
    shmem_long_wait_until(&seen, SHMEM_CMP_EQ, 7);
    CHECK_EQ(kill(target, SIGCONT), 0);
  }
  if (me == 1) {
    shmem_int_wait_until(&stopped, SHMEM_CMP_EQ, 1);
    for (int pe = victim; pe <= second; pe++) {
      const long before = shmem_long_g(&counter, pe);
      CHECK_EQ(shmem_long_atomic_fetch_add(&counter, 1, pe), before);
      shmem_long_p(&word[0], 4711, pe);
      shmem_long_put(&word[1], word, 60, pe);
      shmem_quiet();
      CHECK_EQ(shmem_long_g(&word[0], pe), 4711);
      CHECK_EQ(shmem_long_g(&counter, pe), before + 1);
    }
    shmem_long_p(&seen, 7, second);
  }
  shmem_barrier_all();
}

int main(void) {
  shmem_init();
  const int me = shmem_my_pe(), npes = shmem_n_pes();
  CHECK(npes <= 64);
  CHECK_EQ(weft_job_helpers(), 2);
  if (weft_job.nnodes > 1) CHECK_EQ(weft_job.port != NULL, weft_job.slot < 2);
  add_everywhere(me, npes);
  if (weft_job.nnodes == 2 && npes == 4) one_is_stopped(me, npes);
  shmem_finalize();
  return 0;
}
