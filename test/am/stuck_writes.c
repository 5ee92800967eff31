/*
 * A PE with its node's port waits for room for the payload of a long message to PE 1, and answers
 * to the messages before it arrive: PE 2 is served all the same.
 */
#include "am/am.h"
#include "no_room.h"

void __real_weft_endpoint_write(weft_endpoint_t *e, uint64_t to, const void *data, size_t len,
                                uint64_t addr, uint64_t key, weft_op_t *op);
void __wrap_weft_endpoint_write(weft_endpoint_t *e, uint64_t to, const void *data, size_t len,
                                uint64_t addr, uint64_t key, weft_op_t *op);
void __real_weft_endpoint_deliver(weft_endpoint_t *e, uint64_t to, const void *data, size_t len,
                                  uint64_t addr, uint64_t key, weft_op_t *op);
void __wrap_weft_endpoint_deliver(weft_endpoint_t *e, uint64_t to, const void *data, size_t len,
                                  uint64_t addr, uint64_t key, weft_op_t *op);

enum { ROUNDS = 20, SHORTS = 6, SHORT = 128, LONG };

static long source[1 << 15], dest[1 << 15], shorts, longs;

static void wait_for_room(weft_endpoint_t *e) {
  while (!has_room()) weft_endpoint_poll_or_yield(e);
}

void __wrap_weft_endpoint_write(weft_endpoint_t *e, uint64_t to, const void *data, size_t len,
                                uint64_t addr, uint64_t key, weft_op_t *op) {
  wait_for_room(e);
  __real_weft_endpoint_write(e, to, data, len, addr, key, op);
}

void __wrap_weft_endpoint_deliver(weft_endpoint_t *e, uint64_t to, const void *data, size_t len,
                                  uint64_t addr, uint64_t key, weft_op_t *op) {
  wait_for_room(e);
  __real_weft_endpoint_deliver(e, to, data, len, addr, key, op);
}

static void hear(weft_token_t *t, int32_t round) {
  (void)t;
  (void)round;
  shorts++;
}

static void hear_long(weft_token_t *t, void *p, size_t n, int32_t round) {
  (void)t;
  CHECK(p == (void *)dest && n == sizeof dest);
  CHECK(dest[0] == round && dest[WEFT_ARRAY_LEN(dest) - 1] == round);
  longs++;
}

static void send(board_t *board, int32_t round) {
  source[0] = source[WEFT_ARRAY_LEN(source) - 1] = round;
  board_raise(&board->flag, round);
  const long served = lose_room(round);
  for (int i = 0; i < SHORTS; i++)
    weft_am_request(1, WEFT_AM_SHORT, SHORT, NULL, 0, 0, 0, NULL, 1, &round);
  weft_am_request(1, WEFT_AM_LONG, LONG, source, sizeof source, (uint64_t)board->answer,
                  0, NULL, 1, &round);
  CHECK(plain(&counter) == served);
}

int main(void) {
  shmem_init();
  const int me = shmem_my_pe();
  board_t *board = board_open();
  CHECK_EQ(weft_am_open(), 0);
  if (me == 1) board_raise(&board->answer, (long)dest);
  weft_am_register(SHORT, (weft_am_handler_t)hear);
  weft_am_register(LONG, (weft_am_handler_t)hear_long);
  for (int32_t round = 1; round < ROUNDS; round++) {
    shmem_barrier_all();
    if (me == 0) send(board, round);
    if (me == 1) WEFT_WAIT_ON(NULL, longs == round && shorts == round * SHORTS);
    if (me == 2) add(board, round);
  }
  shmem_barrier_all();
  weft_am_close();
  shmem_finalize();
  return 0;
}
