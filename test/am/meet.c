/*
 * A put to a node to which there is no connection yet does not wait for one: the process with that
 * node's port is stopped, puts to it return, and they arrive when it goes on.
 */
#include <shmem.h>

#include <signal.h>

#include "check.h"
#include "job/job.h"

int main(void) {
  enum { PUTS = 3 };
  static long to[PUTS];
  shmem_init();
  const int me = shmem_my_pe(), far = shmem_n_pes() / 2;
  CHECK(weft_job.nnodes == 2 && weft_job.leader[1] == far && weft_job.pids[far] > 0);
  shmem_barrier_all();
  if (me == 1) { /* has said nothing to the other node: barriers are PE 0's there */
    weft_check_stop_process(weft_job.pids[far]);
    for (int i = 0; i < PUTS; i++) shmem_long_p(&to[i], 7 + i, far);
    shmem_atomic_add(&to[0], 10, far);
    CHECK_EQ(kill(weft_job.pids[far], SIGCONT), 0);
    shmem_quiet();
    for (int i = 0; i < PUTS; i++) CHECK_EQ(shmem_long_g(&to[i], far), 7 + i + (i == 0) * 10);
  }
  shmem_barrier_all();
  shmem_finalize();
  return 0;
}
