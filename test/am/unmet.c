/*
 * A helper that cannot send what its PE staged, because the process with the other node's port is
 * stopped, goes on serving its own port: another node's put arrives while the PE computes. For
 * three nodes with two ports each: the second PE of a node has said nothing to anybody.
 */
#include <shmem.h>

#include <signal.h>

#include "check.h"
#include "fabric/board.h"
#include "job/job.h"

enum { ME = 1, OTHER = 3, STOPPED = 5, LOOKS_MS = 200 /* many times WEFT_DEBUG=stage_age_us */ };

int main(void) {
  static long word, staged;
  shmem_init();
  const int me = shmem_my_pe();
  board_t *board = board_open();
  CHECK(weft_job.nnodes == 3 && weft_job.nslots == 2 && weft_job.port && weft_job.pids[STOPPED]);
  shmem_barrier_all();
  if (me == ME) {
    weft_check_stop_process(weft_job.pids[STOPPED]);
    shmem_long_p(&staged, 7, STOPPED);
    usleep(LOOKS_MS * 1000);
    board_raise(&board->flag, 1);
    CHECK_WITHIN(20, plain(&word) == 8);
    CHECK_EQ(kill(weft_job.pids[STOPPED], SIGCONT), 0);
    board_wait(&board->answer, 1); /* nor does it wait for what the helper sends now */
  } else if (me == OTHER) {
    board_wait(&board->flag, 1);
    shmem_long_p(&word, 8, ME);
    shmem_quiet();
  } else if (me == STOPPED) {
    CHECK_WITHIN(20, plain(&staged) == 7);
    board_raise(&board->answer, 1);
  }
  shmem_barrier_all();
  shmem_finalize();
  return 0;
}
