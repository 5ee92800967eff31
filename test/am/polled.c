/*
 * While another thread polls the port, and does not run, the helper leaves it the work and sleeps:
 * the descriptor stays readable, and on the same processor the two would wait for each other.
 */
#include <shmem.h>

#include "am/helper_sleeps.h"
#include "check.h"
#include "fabric/board.h"
#include "job/job.h"

enum { HELD_MS = 300 };

int main(void) {
  static long word;
  shmem_init();
  const int me = shmem_my_pe();
  board_t *board = board_open();
  shmem_barrier_all();
  if (me == 0) {
    weft_lock(&weft_job.port->poll_lock);
    board_raise(&board->flag, 1);
    usleep(HELD_MS * 1000 / 3); /* the word arrives */
    const long before = helper_sleeps();
    usleep(HELD_MS * 1000);
    CHECK(before >= 0);
    CHECK_WITHIN(20, helper_sleeps() - before >= 3); /* it may get no processor for long */
    CHECK_EQ(plain(&word), 0);
    weft_unlock(&weft_job.port->poll_lock);
    shmem_long_wait_until(&word, SHMEM_CMP_EQ, 1);
  } else {
    board_wait(&board->flag, 1);
    shmem_long_p(&word, 1, 0);
  }
  shmem_barrier_all();
  shmem_finalize();
  return 0;
}
