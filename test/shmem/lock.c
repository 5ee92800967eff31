/*
 * Trap 13: a lock excludes, serves first come first served, completes the holder's updates on
 * release, and is one long; test_lock gives 0 when it got the lock. Two locks at a time.
 */
#include <shmem.h>

#include "check.h"

enum { ROUNDS = 100 };
static long lock, other_lock, order_lock, value, other_value, order[64], turn;

int main(void) {
  shmem_init();
  const int me = shmem_my_pe(), n = shmem_n_pes();
  CHECK(n <= 64);
  for (int r = 0; r < ROUNDS; r++) {
    shmem_set_lock(&lock);
    shmem_long_p(&value, shmem_long_g(&value, n - 1) + 1, n - 1); /* no quiet: clear_lock does it */
    if (r % 4 == 0) {
      shmem_set_lock(&other_lock);
      shmem_long_p(&other_value, shmem_long_g(&other_value, 0) + 1, 0);
      shmem_clear_lock(&other_lock);
    }
    shmem_clear_lock(&lock);
  }
  for (int got = 0; got < 10;) {
    if (shmem_test_lock(&lock) != 0) continue;
    got++;
    shmem_long_p(&value, shmem_long_g(&value, n - 1) + 1, n - 1);
    shmem_clear_lock(&lock);
  }
  shmem_barrier_all();
  CHECK_EQ(shmem_long_g(&value, n - 1), (long)n * (ROUNDS + 10));
  CHECK_EQ(shmem_long_g(&other_value, 0), (long)n * ROUNDS / 4);

  /* PE 0 holds the lock; the others queue up one by one. The queue's last PE stands in the lower
   * half of the lock on one of the PEs (src/shmem/lock.c), which is how the next one knows that its
   * turn to queue has come. */
  if (me == 0) shmem_set_lock(&order_lock);
  shmem_barrier_all();
  if (me != 0) {
    for (int there = 0; !there;)
      for (int pe = 0; pe < n; pe++) there |= (int)shmem_long_g(&order_lock, pe) == me;
    shmem_set_lock(&order_lock);
    CHECK(shmem_test_lock(&other_lock) == 0);
    shmem_clear_lock(&other_lock);
  } else {
    for (int there = 0; !there;)
      for (int pe = 0; pe < n; pe++) there |= (int)shmem_long_g(&order_lock, pe) == n;
  }
  CHECK(shmem_test_lock(&order_lock) != 0); /* one's own: taken too, and the queue stays */
  shmem_long_p(&order[shmem_long_atomic_fetch_inc(&turn, 0)], me, 0);
  shmem_clear_lock(&order_lock);
  shmem_barrier_all();
  if (me == 0)
    for (int i = 0; i < n; i++) CHECK_EQ(order[i], i);
  CHECK(order_lock == 0 && lock == 0 && other_lock == 0);
  shmem_finalize();
  return 0;
}
