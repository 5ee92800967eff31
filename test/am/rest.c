/*
 * Helpers that have nothing to do sleep: while nobody communicates they give the processor up
 * because they have to wait, by the kernel's count; and afterwards they are there again.
 */
#include <shmem.h>

#include "am/helper_sleeps.h"
#include "check.h"
#include "fabric/board.h"

enum { WAIT_MS = 600 };

int main(void) {
  static long word;
  shmem_init();
  const int me = shmem_my_pe(), npes = shmem_n_pes();
  board_t *board = board_open();
  shmem_long_atomic_add(&word, 1, (me + 1) % npes);
  shmem_barrier_all();
  const long before = helper_sleeps();
  CHECK(before >= 0);
  usleep(WAIT_MS * 1000);
  CHECK_WITHIN(20, helper_sleeps() - before >= 3); /* it may get no processor for long */
  if (me == 0) {
    shmem_long_atomic_add(&word, 1, npes - 1);
    shmem_quiet();
    board_raise(&board->flag, 1);
  }
  board_wait(&board->flag, 1); /* no progress but the helpers' */
  if (me == npes - 1) CHECK_EQ(plain(&word), 2);
  shmem_barrier_all();
  shmem_finalize();
  return 0;
}
