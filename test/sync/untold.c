/*
 * WEFT_ON_DEATH=continue: a PE dies while it gives locks up, when their words say who is next and
 * nobody has told that PE. It gets the lock all the same, on the home's node and on another one,
 * and those behind it after that.
 */
#include <errno.h>
#include <shmem.h>
#include <signal.h>

#include "check.h"
#include "counts.h"
#include "job/job.h"
#include "runtime/runtime.h"
#include "sync/sync.h"

enum { HOME = 1 };

/* As src/sync/lock.c has it. */
typedef struct entry {
  uint64_t next, last, result;
  uint32_t pe, holder;
} entry_t;

static uint64_t locks[2]; /* symmetric; only queued locks and pass_on change them */

static uint64_t *word_of(int lock) {
  return (uint64_t *)(void *)(weft_job_slot(HOME) + at(&locks[lock]));
}

static void wait_for_last(int lock, int pe) {
  CHECK_WITHIN(20, (int)__atomic_load_n(word_of(lock), __ATOMIC_ACQUIRE) == pe + 1);
}

/* All that src/sync/lock.c does, but to tell. */
static void pass_on(int lock) {
  const uint64_t heap = weft_job.window.layout.private_heap, word = *word_of(lock);
  const uint64_t first = heap + (word >> 32) * sizeof(entry_t);
  const entry_t *e = (entry_t *)(void *)(weft_job_slot(HOME) + first);
  uint64_t then = (uint64_t)e->pe + 1;
  CHECK(word >> 32);
  if (e->next) {
    entry_t *next = (entry_t *)(void *)(weft_job_slot(HOME) + e->next);
    next->last = e->last == first ? e->next : e->last;
    next->holder = e->pe;
    then = (uint32_t)word | (e->next - heap) / sizeof(entry_t) << 32;
  }
  __atomic_store_n(word_of(lock), then, __ATOMIC_RELEASE);
}

int main(void) {
  shmem_init();
  const int me = shmem_my_pe();
  CHECK_EQ(shmem_n_pes(), 4);
  if (me == 0)
    for (int lock = 0; lock < 2; lock++) CHECK_EQ(weft_qlock_acquire(HOME, at(&locks[lock])), 0);
  shmem_barrier_all();
  if (me == 0) {
    wait_for_last(0, 3);
    wait_for_last(1, 1);
    for (int lock = 0; lock < 2; lock++) pass_on(lock);
    kill(getpid(), SIGKILL);
  }
  const int lock = me == HOME;
  while (me == 3 && (uint32_t)shmem_uint64_atomic_fetch(&locks[0], HOME) != 2 + 1) continue;
  CHECK_EQ(weft_qlock_acquire(HOME, at(&locks[lock])), me == 3 ? 0 : -EOWNERDEAD);
  CHECK_EQ(weft_qlock_release(HOME, at(&locks[lock])), 0);
  shmem_barrier_all();
  if (me == HOME) CHECK(locks[0] == 0 && locks[1] == 0);
  shmem_finalize();
  return 0;
}
