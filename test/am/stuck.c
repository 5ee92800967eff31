/*
 * A PE with its node's port waits for room towards PE 1, as some providers have little, and an
 * answer of PE 1's arrives: PE 2 is served all the same.
 */
#include <shmem.h>

#include "check.h"
#include "fabric/board.h"
#include "port/port_internal.h"

bool __real_weft_endpoint_try_send(weft_endpoint_t *e, uint64_t to, const void *data, size_t len,
                                   weft_op_t *op);
bool __wrap_weft_endpoint_try_send(weft_endpoint_t *e, uint64_t to, const void *data, size_t len,
                                   weft_op_t *op);

enum { ADDS = 10, ROUNDS = 20 };

static long counter, words[ROUNDS * 4];
static long open_at; /* no room until the counter is there; 0: there is room */

bool __wrap_weft_endpoint_try_send(weft_endpoint_t *e, uint64_t to, const void *data, size_t len,
                                   weft_op_t *op) {
  const weft_packet_t *packet = data;
  if (plain(&open_at) > plain(&counter) && to == 1 && packet->kind == WEFT_PACKET_RECORDS) {
    weft_endpoint_poll_or_yield(e);
    return false;
  }
  return __real_weft_endpoint_try_send(e, to, data, len, op);
}

static void wait_for_room(board_t *board, long round) {
  board_raise(&board->flag, round);
  shmem_long_p(&words[round * 2], round, 1);
  board_raise(&open_at, round * ADDS);
  shmem_long_p(&words[round * 2 + 1], round, 1);
  shmem_quiet();
  CHECK(plain(&counter) == round * ADDS);
}

int main(void) {
  shmem_init();
  const int me = shmem_my_pe();
  board_t *board = board_open();
  for (long round = 1; round < ROUNDS; round++) {
    shmem_barrier_all();
    if (me == 0) wait_for_room(board, round);
    if (me == 2) {
      board_wait(&board->flag, round);
      usleep(2000);
      for (int i = 0; i < ADDS; i++) shmem_long_atomic_fetch_inc(&counter, 0);
    }
  }
  shmem_barrier_all();
  for (long round = 1; me == 1 && round < ROUNDS; round++)
    CHECK(words[round * 2] == round && words[round * 2 + 1] == round);
  shmem_finalize();
  return 0;
}
