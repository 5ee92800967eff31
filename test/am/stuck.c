/*
 * A PE with its node's port waits for room towards PE 1, as some providers have little, and an
 * answer of PE 1's arrives: PE 2 is served all the same.
 */
#include "no_room.h"

bool __real_weft_endpoint_try_send(weft_endpoint_t *e, uint64_t to, const void *data, size_t len,
                                   weft_op_t *op);
bool __wrap_weft_endpoint_try_send(weft_endpoint_t *e, uint64_t to, const void *data, size_t len,
                                   weft_op_t *op);

enum { ROUNDS = 20 };

static long words[ROUNDS * 4];

bool __wrap_weft_endpoint_try_send(weft_endpoint_t *e, uint64_t to, const void *data, size_t len,
                                   weft_op_t *op) {
  const weft_packet_t *packet = data;
  if (!has_room() && to == 1 && packet->kind == WEFT_PACKET_RECORDS) {
    weft_endpoint_poll_or_yield(e);
    return false;
  }
  return __real_weft_endpoint_try_send(e, to, data, len, op);
}

static void wait_for_room(board_t *board, long round) {
  board_raise(&board->flag, round);
  shmem_long_p(&words[round * 2], round, 1);
  const long served = lose_room(round);
  shmem_long_p(&words[round * 2 + 1], round, 1);
  shmem_quiet();
  CHECK(plain(&counter) == served);
}

int main(void) {
  shmem_init();
  const int me = shmem_my_pe();
  board_t *board = board_open();
  for (long round = 1; round < ROUNDS; round++) {
    shmem_barrier_all();
    if (me == 0) wait_for_room(board, round);
    if (me == 2) add(board, round);
  }
  shmem_barrier_all();
  for (long round = 1; me == 1 && round < ROUNDS; round++)
    CHECK(words[round * 2] == round && words[round * 2 + 1] == round);
  shmem_finalize();
  return 0;
}
