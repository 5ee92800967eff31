/*
 * Queued locks: a PE that dies while it queues another one may leave the chain of those that wait
 * without a word of the last one, in the first entry and in the lock. The lock goes on from there:
 * all who wait get it, also one that comes later, and then it is free.
 */
#include <shmem.h>

#include "check.h"
#include "counts.h"
#include "job/job.h"
#include "runtime/runtime.h"
#include "sync/sync.h"

/* As src/sync/lock.c has it. */
typedef struct entry {
  uint64_t next, last, result;
  uint32_t pe, holder;
} entry_t;

static uint64_t lock; /* symmetric; PE 0's is used, which only queued locks and tear() change */
static long order[3], turn;

static void wait_for_last(int pe) {
  CHECK_WITHIN(20, (int)shmem_uint64_atomic_fetch(&lock, 0) == pe + 1);
}

/* PEs 1 and 2 wait, and who queued PE 2 died when that was in the chain. */
static void tear(void) {
  const uint64_t first = weft_job.window.layout.private_heap + (lock >> 32) * sizeof(entry_t);
  entry_t *e = (entry_t *)(void *)(weft_job.window.base + first);
  CHECK(e->pe == 1 && e->next && e->next == e->last);
  e->last = first;
  __atomic_store_n(&lock, (lock >> 32 << 32) | 2, __ATOMIC_RELEASE);
}

static void take(int me) {
  CHECK_EQ(weft_qlock_acquire(0, at(&lock)), 0);
  shmem_long_p(&order[shmem_long_atomic_fetch_inc(&turn, 0)], me, 0);
  shmem_quiet();
}

static void give(void) {
  CHECK_EQ(weft_qlock_release(0, at(&lock)), 0);
}

/* `again`: PE 0 queues once more behind PE 2, while PE 1 has the lock. */
static void go_on(int me, int again) {
  turn = 0;
  shmem_barrier_all();
  if (me == 0) {
    CHECK_EQ(weft_qlock_acquire(0, at(&lock)), 0);
    shmem_barrier_all();
    wait_for_last(2);
    tear();
    give();
    if (again) {
      take(0);
      give();
    }
  } else {
    shmem_barrier_all();
    wait_for_last(me - 1);
    take(me);
    if (again && me == 1) wait_for_last(0);
    give();
  }
  shmem_barrier_all();
  if (me == 0) CHECK(order[0] == 1 && order[1] == 2 && (!again || order[2] == 0));
  if (me == 0) CHECK_EQ(lock, 0);
}

int main(void) {
  shmem_init();
  go_on(shmem_my_pe(), 1);
  go_on(shmem_my_pe(), 0);
  shmem_finalize();
  return 0;
}
