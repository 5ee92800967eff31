/*
 * Queued locks: mutual exclusion on words of every PE, first come first served, what a PE may not
 * do twice or without having it, and no need of the home or of a holder to poll.
 */
#include <shmem.h>

#include <pthread.h>

#include "check.h"
#include "counts.h"
#include "job/job.h"
#include "rma/rma.h"
#include "runtime/runtime.h"
#include "sync/sync.h"

enum { THREADS = 3 };

static long locks[2], counts[2]; /* symmetric: a lock and what it protects */
static long order[64], turn, ready;

static int acquire(int home, uintptr_t off) {
  const int rc = weft_qlock_acquire(home, off);
  CHECK_EQ(weft_qlock_holder(home, off), weft_job_pe());
  return rc;
}
static const lock_kind_t kind = {acquire, weft_qlock_try, weft_qlock_release};

static void misuse(int me, int npes) {
  if (me == npes - 1) {
    CHECK_EQ(weft_qlock_holder(0, at(&locks[0])), -1);
    CHECK_EQ(weft_qlock_release(0, at(&locks[0])), -EPERM);
    CHECK_EQ(weft_qlock_acquire(0, at(&locks[0])), 0);
    CHECK_EQ(weft_qlock_acquire(0, at(&locks[0])), -EDEADLK);
    CHECK_EQ(weft_qlock_try(0, at(&locks[0])), -EDEADLK);
    CHECK(weft_qlock_is_mine(0, at(&locks[0])) && !weft_qlock_is_mine(0, at(&locks[1])));
  }
  shmem_barrier_all();
  if (me != npes - 1) {
    CHECK_EQ(weft_qlock_try(0, at(&locks[0])), -EBUSY);
    CHECK_EQ(weft_qlock_release(0, at(&locks[0])), -EPERM);
    CHECK_EQ(weft_qlock_holder(0, at(&locks[0])), npes - 1);
  }
  shmem_barrier_all();
  if (me == 0) weft_qlock_reset(0, at(&locks[0])); /* the last PE has it and is not asked */
  shmem_barrier_all();
  if (me == npes - 1) CHECK_EQ(weft_qlock_acquire(0, at(&locks[0])), 0);
  if (me == npes - 1) CHECK_EQ(weft_qlock_release(0, at(&locks[0])), 0);
  shmem_barrier_all();
}

/* PE 0 has the lock; the others queue one by one: the last in the queue stands in the lower half.
 */
static void first_come(int me, int npes) {
  const int home = npes - 1;
  if (me == 0) CHECK_EQ(weft_qlock_acquire(home, at(&locks[0])), 0);
  shmem_barrier_all();
  while (me > 0 && (int)shmem_long_atomic_fetch(&locks[0], home) != me) continue;
  if (me > 0) CHECK_EQ(weft_qlock_acquire(home, at(&locks[0])), 0);
  while (me == 0 && (int)shmem_long_atomic_fetch(&locks[0], home) != npes) continue;
  shmem_long_p(&order[shmem_long_atomic_fetch_inc(&turn, 0)], me, 0);
  shmem_quiet();
  CHECK_EQ(weft_qlock_release(home, at(&locks[0])), 0);
  shmem_barrier_all();
  for (int i = 0; me == 0 && i < npes; i++) CHECK_EQ(order[i], i);
}

/* The home computes and polls nothing while the others take turns. */
static void home_is_away(int me, int npes) {
  if (npes == 1) return;
  if (me == 0) {
    for (int left = 0; left < npes - 1; usleep(1000))
      left = (int)__atomic_load_n(&ready, __ATOMIC_ACQUIRE);
  } else {
    for (int i = 0; i < 10; i++) {
      CHECK_EQ(weft_qlock_acquire(0, at(&locks[0])), 0);
      CHECK_EQ(weft_qlock_release(0, at(&locks[0])), 0);
    }
    weft_rma_add(0, at(&ready), 1);
    weft_rma_quiet();
  }
  shmem_barrier_all();
}

static void *thread(void *arg) {
  (void)arg;
  long *own = weft_private_alloc(64, sizeof *own); /* a lock where nothing is symmetric */
  *own = 0;
  for (int i = 0; i < 20; i++) {
    CHECK_EQ(weft_qlock_acquire(weft_job_pe(), at(own)), 0);
    CHECK_EQ(weft_qlock_release(weft_job_pe(), at(own)), 0);
  }
  weft_private_free(own);
  return NULL;
}

int main(void) {
  int provided;
  shmem_init_thread(SHMEM_THREAD_MULTIPLE, &provided);
  const int me = shmem_my_pe(), npes = shmem_n_pes();
  exclude(&kind, at(&locks[0]), at(&locks[1]), counts);
  CHECK(locks[0] == 0 && locks[1] == 0);
  shmem_barrier_all();
  misuse(me, npes);
  first_come(me, npes);
  home_is_away(me, npes);
  pthread_t threads[THREADS];
  for (int i = 0; i < THREADS; i++) CHECK_EQ(pthread_create(&threads[i], NULL, thread, NULL), 0);
  for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
  shmem_finalize();
  return 0;
}
