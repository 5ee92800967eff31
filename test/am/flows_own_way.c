/*
 * A PE that has not its node's port finds no room for a flow's packets. The helper at the port
 * sends none of them by its connection, on which they could pass what the PE has sent before.
 */
#include <shmem.h>

#include "check.h"
#include "flow/flow.h"
#include "port/port_internal.h"

bool __real_weft_endpoint_try_send(weft_endpoint_t *e, uint64_t to, const void *data, size_t len,
                                   weft_op_t *op);
bool __wrap_weft_endpoint_try_send(weft_endpoint_t *e, uint64_t to, const void *data, size_t len,
                                   weft_op_t *op);

enum { ROUNDS = 5, BLOCKS = 500, BLOCK = 24, APART = 40, SENDER = 1, RECEIVER = 2 };

static char there[BLOCKS * APART], here[BLOCKS * APART], back[BLOCKS * APART];
static long word;
static uint64_t room_at; /* ns of the clock; no room before */
static unsigned refused;

bool __wrap_weft_endpoint_try_send(weft_endpoint_t *e, uint64_t to, const void *data, size_t len,
                                   weft_op_t *op) {
  const weft_packet_t *packet = data;
  const bool flow = packet->kind == WEFT_PACKET_FLOW;
  CHECK(!flow || (int)packet->from == weft_job.pe);
  if (!flow || weft_clock_ns() >= weft_observe(&room_at))
    return __real_weft_endpoint_try_send(e, to, data, len, op);
  __atomic_fetch_add(&refused, 1, __ATOMIC_RELAXED);
  weft_endpoint_poll_or_yield(e);
  return false;
}

static void move(enum weft_flow_action action, char *own) {
  static const size_t count = BLOCKS;
  static const ptrdiff_t apart = APART;
  const uintptr_t off = (uintptr_t)there - weft_job.window.base;
  const weft_shape_t remote = weft_shape_strided(off, BLOCK, 1, &count, &apart);
  const weft_shape_t local = weft_shape_strided((uintptr_t)own, BLOCK, 1, &count, &apart);
  weft_op_t op = {0};
  weft_flow_start(&weft_channels[0], RECEIVER, action, &remote, &local, WEFT_ACC_INT32, NULL, NULL,
                  &op);
  weft_op_wait(&op);
}

int main(void) {
  shmem_init();
  const int me = shmem_my_pe();
  for (long round = 1; me == SENDER && round <= ROUNDS; round++) {
    shmem_long_p(&word, round, RECEIVER);
    shmem_quiet();
    for (size_t i = 0; i < sizeof here; i++) here[i] = (char)(i + (size_t)round);
    __atomic_store_n(&room_at, weft_clock_ns() + 20000000, __ATOMIC_RELEASE);
    move(WEFT_FLOW_PUT, here);
    move(WEFT_FLOW_GET, back);
    for (size_t i = 0; i < sizeof here; i++) CHECK_EQ(back[i], i % APART < BLOCK ? here[i] : 0);
  }
  CHECK(me != SENDER || refused > 0);
  shmem_barrier_all();
  shmem_finalize();
  return 0;
}
