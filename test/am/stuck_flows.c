/*
 * The provider takes a few packets of a flow from a PE with its node's port to PE 1 and then, for a
 * while, no more, and answers of PE 1's arrive: PE 2 is served all the same, whether the PE waits
 * for room at that time or the helper finds none. All of the flow arrives at last.
 */
#include "flow/flow.h"
#include "no_room.h"

bool __real_weft_endpoint_try_send(weft_endpoint_t *e, uint64_t to, const void *data, size_t len,
                                   weft_op_t *op);
bool __wrap_weft_endpoint_try_send(weft_endpoint_t *e, uint64_t to, const void *data, size_t len,
                                   weft_op_t *op);

enum { ROUNDS = 40, BLOCKS = 20000, BLOCK = 24, APART = 40 };

static char there[BLOCKS * APART], here[BLOCKS * APART], back[BLOCKS * APART];
static long left; /* packets that find room all the same */

bool __wrap_weft_endpoint_try_send(weft_endpoint_t *e, uint64_t to, const void *data, size_t len,
                                   weft_op_t *op) {
  const weft_packet_t *packet = data;
  if (!has_room() && to == 1 && packet->from == 0 &&
      (packet->kind == WEFT_PACKET_FLOW || packet->kind == WEFT_PACKET_ASK) &&
      __atomic_fetch_sub(&left, 1, __ATOMIC_RELAXED) <= 0) {
    weft_endpoint_poll_or_yield(e);
    return false;
  }
  return __real_weft_endpoint_try_send(e, to, data, len, op);
}

static void move(enum weft_flow_action action, char *own, weft_op_t *op) {
  static const size_t count = BLOCKS;
  static const ptrdiff_t apart = APART;
  const uintptr_t off = (uintptr_t)there - weft_job.window.base;
  const weft_shape_t remote = weft_shape_strided(off, BLOCK, 1, &count, &apart);
  const weft_shape_t local = weft_shape_strided((uintptr_t)own, BLOCK, 1, &count, &apart);
  weft_flow_start(&weft_channels[0], 1, action, &remote, &local, WEFT_ACC_INT32, NULL, NULL, op);
}

/* Calls nothing of Weft's while the flow's rest waits for room. */
static void be_stuck(board_t *board, long round) {
  weft_op_t put = {0}, got = {0}, *op = round % 2 ? &put : &got;
  for (size_t i = 0; i < sizeof here; i++) here[i] = (char)(i + (size_t)round);
  memset(back, 0, sizeof back);
  if (op == &got) {
    move(WEFT_FLOW_PUT, here, &put);
    weft_op_wait(&put);
  }
  board_raise(&left, 1 + round / 2);
  const long served = lose_room(round);
  board_raise(&board->flag, round);
  move(op == &put ? WEFT_FLOW_PUT : WEFT_FLOW_GET, op == &put ? here : back, op);
  board_wait(&counter, served);
  weft_op_wait(op);
  if (op == &put) move(WEFT_FLOW_GET, back, &got);
  weft_op_wait(&got);
  for (size_t i = 0; i < sizeof here; i++) CHECK_EQ(back[i], i % APART < BLOCK ? here[i] : 0);
}

int main(void) {
  shmem_init();
  const int me = shmem_my_pe();
  board_t *board = board_open();
  for (long round = 1; round < ROUNDS; round++) {
    shmem_barrier_all();
    if (me == 0) be_stuck(board, round);
    if (me == 2) add(board, round);
  }
  shmem_barrier_all();
  if (me == 0) CHECK(weft_flow_counts().leases > 0);
  shmem_finalize();
  return 0;
}
