/*
 * WEFT_COALESCE=0: an atomic without result after a fence does not pass the put before it. The
 * record must be on the PE's own connection, behind the put, when the call returns: what is still
 * staged then the helper may send on a connection of its own. Seen both ways: nothing is staged,
 * and whoever sees the atomic sees the put.
 */
#include <shmem.h>

#include <pthread.h>
#include <sched.h>

#include "check.h"
#include "port/port.h"

enum { ROUNDS = 1000, BURST = 40000, DATA = 512 };

static long data[DATA], flag, seen, burst;
static weft_stage_t *stage;
static bool over;

static void *watch(void *arg) {
  for (long looks = 0; !weft_peek(&over); looks++) {
    if (weft_lock_try(&stage->lock)) {
      CHECK_EQ(stage->fill, 0);
      weft_unlock(&stage->lock);
    }
    if (looks % 64 == 0) sched_yield();
  }
  return arg;
}

int main(void) {
  static long source[DATA];
  shmem_init();
  const int me = shmem_my_pe(), other = shmem_n_pes() - 1;
  pthread_t watcher;
  stage = &weft_channels[0].stages[weft_job_node_of(other)];
  if (me == 0) CHECK_EQ(pthread_create(&watcher, NULL, watch, NULL), 0);
  for (int i = 0; me == 0 && i < BURST; i++) shmem_long_atomic_add(&burst, 1, other);
  while (me == other && weft_peek(&burst) < BURST)
    usleep(1000); /* leaves a processor to the watcher */
  for (long round = 1; round <= ROUNDS; round++) {
    const int n = round % 3 ? 1 : DATA; /* one word, or a write that takes longer than the atomic */
    if (me == 0) {
      for (int i = 0; i < n; i++) source[i] = round;
      shmem_put(data, source, (size_t)n, other);
      shmem_fence();
      shmem_long_atomic_add(&flag, 1, other);
      if (round % 16 == 0) shmem_long_wait_until(&seen, SHMEM_CMP_GE, round);
    }
    if (me == other) {
      shmem_long_wait_until(&flag, SHMEM_CMP_GE, round);
      CHECK(data[0] >= round && (round % 3 || data[DATA - 1] >= round));
      if (round % 16 == 0) shmem_long_p(&seen, round, 0);
    }
  }
  weft_poke(&over, true);
  if (me == 0) pthread_join(watcher, NULL);
  shmem_barrier_all();
  shmem_finalize();
  return 0;
}
