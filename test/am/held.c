/*
 * A port's answers to PE 1 find no room, as where its connection is still made: PE 2 is served
 * meanwhile, and the answers leave in the order in which they came.
 */
#include <shmem.h>

#include "check.h"
#include "port/port_internal.h"

bool __real_weft_endpoint_try_send(weft_endpoint_t *e, uint64_t to, const void *data, size_t len,
                                   weft_op_t *op);
bool __wrap_weft_endpoint_try_send(weft_endpoint_t *e, uint64_t to, const void *data, size_t len,
                                   weft_op_t *op);

enum { ADDS = 1000, ROUNDS = 20, BLOCK = 3000 /* bytes: a packet's answer each */ };

static long counter, go, stuck, done;
static char block[ROUNDS][BLOCK];
static bool closed;
static int refused, last; /* the buffer whose packet was answered last, +1 */

static int results_of(const weft_packet_t *packet) {
  return packet->kind == WEFT_PACKET_REPLY ? packet->buffer >> WEFT_RESULTS_OF : 0;
}

bool __wrap_weft_endpoint_try_send(weft_endpoint_t *e, uint64_t to, const void *data, size_t len,
                                   weft_op_t *op) {
  const weft_packet_t *packet = data;
  const bool answers = e == weft_job.port && to == 1 && weft_answer_is_kind(packet->kind);
  const int of = answers ? results_of(packet) : 0;
  if (answers && weft_peek(&closed)) {
    weft_poke(&refused, weft_peek(&refused) + 1);
    weft_endpoint_poll_or_yield(e);
    return false;
  }
  if (!__real_weft_endpoint_try_send(e, to, data, len, op)) return false;
  const int before = weft_peek(&last);
  if (of && before && weft_peek(&refused)) CHECK_EQ(of, before % weft_ports.buffers + 1);
  if (of) weft_poke(&last, of);
  return true;
}

static void ask(char got[ROUNDS][BLOCK]) {
  long values[ROUNDS];
  for (int i = 0; i < ROUNDS; i++) {
    shmem_getmem_nbi(got[i], block[i], BLOCK, 0);
    shmem_long_atomic_fetch_inc_nbi(&values[i], &counter, 0);
  }
  shmem_quiet();
  for (int i = 0; i < ROUNDS; i++)
    for (int k = 0; k < BLOCK; k++) CHECK_EQ(got[i][k], (char)(i + k));
  for (int i = 1; i < ROUNDS; i++) CHECK(values[i] > values[i - 1]);
}

/* PE 0 has its own PE's work: its port is served by its helper, too. */
static void hold_up(void) {
  weft_poke(&closed, true);
  shmem_long_p(&go, 1, 1);
  while (!weft_peek(&refused)) shmem_long_test(&done, SHMEM_CMP_NE, 0);
  shmem_long_p(&stuck, 1, 2);
  shmem_long_wait_until(&done, SHMEM_CMP_EQ, 1);
  CHECK(weft_replies_held() && weft_server_owes());
  weft_poke(&closed, false);
}

int main(void) {
  static char got[ROUNDS][BLOCK];
  shmem_init();
  const int me = shmem_my_pe();
  for (int i = 0; i < ROUNDS; i++)
    for (int k = 0; k < BLOCK; k++) block[i][k] = (char)(i + k);
  shmem_barrier_all();
  if (me == 0) hold_up();
  if (me == 1) {
    shmem_long_wait_until(&go, SHMEM_CMP_EQ, 1);
    ask(got);
  }
  if (me == 2) {
    shmem_long_wait_until(&stuck, SHMEM_CMP_EQ, 1);
    for (int i = 0; i < ADDS; i++) shmem_long_atomic_fetch_inc(&counter, 0);
    shmem_long_p(&done, 1, 0);
  }
  shmem_barrier_all();
  if (me == 0) CHECK_EQ(counter, ADDS + ROUNDS);
  if (me == 0) CHECK(!weft_replies_held());
  shmem_finalize();
  return 0;
}
