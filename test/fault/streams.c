/*
 * test: none
 * A job of one PE whose output nobody reads for a while ("slow"), or one of whose threads holds a
 * stream for ever ("held", with all signals blocked), or of five, of which the first four have
 * printed and wait when the last one ends ("others"), or of four ("both": two end it at a time, one
 * computes; "over": two have come to their end), or of three, the first of which is stopped
 * ("stopped"). It ends by shmem_global_exit with the status
 * of its second argument. streams.sh judges.
 */
#include <shmem.h>

#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "streams.h"

static long lock, never, pid, ready[4];

/* PEs 0 to 3 have printed, and wait for ever, each in a way of its own. */
static void others(int me) {
  if (me == 4) shmem_set_lock(&lock);
  shmem_barrier_all();
  if (me < 4) {
    streams_fill();
    shmem_long_p(&ready[me], 1, 4);
    shmem_quiet();
  }
  if (me == 0) shmem_barrier_all();
  if (me == 1) shmem_long_wait_until(&never, SHMEM_CMP_NE, 0);
  while (me == 2 && !shmem_long_test(&never, SHMEM_CMP_NE, 0)) continue;
  if (me == 3) shmem_set_lock(&lock);
  shmem_long_wait_until_all(ready, 4, NULL, SHMEM_CMP_EQ, 1);
}

/* PE 3 ends the job, and has printed nothing, as PE 0, which computes; PE 1 waits. PE 2 ends the
 * job, too, or it is over for it, as for PE 1. */
static void both(int me, int over) {
  if (me == 1 || me == 2) streams_fill();
  shmem_barrier_all();
  if (me == 0) pause();
  if (over && me < 3) exit(0);
  if (me == 1) shmem_long_wait_until(&never, SHMEM_CMP_NE, 0);
}

/* PE 2 ends the job; PE 0, which is asked first, is stopped, and PE 1 has printed. */
static void stopped(int me) {
  if (me == 1) streams_fill();
  if (me == 0) shmem_long_p(&pid, getpid(), 2);
  shmem_barrier_all();
  if (me == 2) weft_check_stop_process(pid);
  if (me < 2) shmem_long_wait_until(&never, SHMEM_CMP_NE, 0);
}

int main(int argc, char **argv) {
  sigset_t all;
  if (argc < 3) return 2;
  sigfillset(&all);
  if (!strcmp(argv[1], "held")) {
    pthread_sigmask(SIG_SETMASK, &all, NULL);
    streams_held();
  }
  shmem_init();
  if (!strcmp(argv[1], "others"))
    others(shmem_my_pe());
  else if (!strcmp(argv[1], "both") || !strcmp(argv[1], "over"))
    both(shmem_my_pe(), argv[1][0] == 'o');
  else if (!strcmp(argv[1], "stopped"))
    stopped(shmem_my_pe());
  else
    streams_fill();
  shmem_global_exit(atoi(argv[2]));
}
