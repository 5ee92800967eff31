/*
 * Trap 1: a wait sees an atomic update of a peer, and a plain store of another thread of the same
 * PE: it must not sleep on network events only. Updates and waits on one variable are atomic with
 * each other.
 */
#include <shmem.h>

#include <pthread.h>

#include "check.h"

static long by_thread, by_peer, turns;

static void *store(void *unused) {
  (void)unused;
  usleep(20000); /* so that the wait has begun, most often */
  __atomic_store_n(&by_thread, 5, __ATOMIC_RELEASE);
  return NULL;
}

int main(void) {
  int provided;
  pthread_t thread;
  CHECK_EQ(shmem_init_thread(SHMEM_THREAD_MULTIPLE, &provided), 0);
  const int me = shmem_my_pe(), n = shmem_n_pes();
  CHECK_EQ(pthread_create(&thread, NULL, store, NULL), 0);
  shmem_long_wait_until(&by_thread, SHMEM_CMP_EQ, 5);
  pthread_join(thread, NULL);

  shmem_barrier_all();
  for (int pe = 0; pe < n; pe++) shmem_long_atomic_add(&by_peer, 1, pe);
  shmem_long_wait_until(&by_peer, SHMEM_CMP_EQ, n);

  /* A token goes round by atomics alone: the next PE waits for it. */
  for (long round = 0; round < 50; round++) {
    shmem_long_wait_until(&turns, SHMEM_CMP_EQ, round * n + me);
    for (int pe = 0; pe < n; pe++) shmem_long_atomic_fetch_inc(&turns, pe);
  }
  shmem_long_wait_until(&turns, SHMEM_CMP_EQ, 50L * n);
  shmem_finalize();
  return 0;
}
