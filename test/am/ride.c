/*
 * Answers to short messages ride on those that go the other way: in a ping-pong between two nodes
 * hardly any leaves in a packet of its own, which would hold up the next reply. On a busy machine a
 * helper that is woken in between may send some; so the best of several batches counts.
 */
#include <shmem.h>

#include "am/am.h"
#include "check.h"
#include "port/port.h"
#include "weft/am.h"

enum { BATCHES = 20, ROUNDS = 100, AT_MOST = ROUNDS / 8, PING = 128, PONG };

static long pongs, fewest[2];

static void ping(weft_token_t *t) {
  CHECK_EQ(weft_am_reply(t, WEFT_AM_SHORT, PONG, NULL, 0, 0, 0, NULL, 0, NULL), 0);
}

static void pong(weft_token_t *t) {
  CHECK(!t->is_request);
  pongs++;
}

static void play(int to) {
  for (int i = 0; i < ROUNDS; i++) {
    const long before = pongs;
    CHECK_EQ(weft_am_request_short0(NULL, to, PING, 0), 0);
    WEFT_WAIT_ON(NULL, pongs != before);
  }
}

int main(void) {
  shmem_init();
  const int me = shmem_my_pe();
  CHECK_EQ(shmem_n_pes(), 2);
  CHECK_EQ(weft_am_open(), 0);
  weft_am_register(PING, (weft_am_handler_t)ping);
  weft_am_register(PONG, (weft_am_handler_t)pong);
  long least = ROUNDS;
  for (int i = 0; i < BATCHES; i++) {
    shmem_barrier_all();
    const uint64_t before = weft_server_answers();
    if (me == 0) play(1);
    shmem_barrier_all(); /* its own packets want answers, too */
    const long sent = (long)(weft_server_answers() - before);
    if (sent < least) least = sent;
  }
  shmem_long_p(&fewest[me], least, 0);
  shmem_barrier_all();
  if (me == 0) CHECK(fewest[0] <= AT_MOST && fewest[1] <= AT_MOST);
  weft_am_settle();
  shmem_barrier_all();
  weft_am_close();
  shmem_finalize();
  return 0;
}
