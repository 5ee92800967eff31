/*
 * A put behind a fence arrives although its PE never calls Weft again, also where the packets in
 * front of it asked for no answer (a lock that was given up) and it gathers, as in a session: the
 * helper waits for those answers before it sends it. For two nodes of two PEs: the helper is
 * another process than the putter.
 */
#include <shmem.h>

#include "check.h"
#include "fabric/board.h"

enum { LOCKS = 8, ROUNDS = 20 };

static long locks[LOCKS], flag;

int main(void) {
  shmem_init();
  const int me = shmem_my_pe(), other = shmem_n_pes() - 1, putter = other / 2;
  board_t *board = board_open();
  shmem_barrier_all();
  for (long round = 1; round <= ROUNDS; round++) {
    if (me == putter) {
      shmem_ctx_session_start(SHMEM_CTX_DEFAULT, SHMEM_CTX_SESSION_BATCH, NULL, 0);
      for (int i = 0; i < LOCKS; i++) { /* they are on different PEs */
        shmem_set_lock(&locks[i]);
        shmem_clear_lock(&locks[i]);
      }
      shmem_fence();
      shmem_long_p(&flag, round, other);
      CHECK_WITHIN(20, plain(&board->answer) == round);
      shmem_ctx_session_stop(SHMEM_CTX_DEFAULT);
    } else if (me == other) {
      CHECK_WITHIN(20, plain(&flag) == round);
      board_raise(&board->answer, round);
    }
    shmem_barrier_all();
  }
  shmem_finalize();
  return 0;
}
