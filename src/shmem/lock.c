/*
 * lock.c: OpenSHMEM 1.6 section 9.13: locks that serve first come, first served. A lock is a long
 * on every PE; the copy on one of them is the runtime's lock, the others stay as they are.
 */
#include "job/job.h"
#include "shmem/internal.h"
#include "sync/sync.h"
#include "trace/trace.h"

_Static_assert(sizeof(long) == WEFT_QLOCK_BYTES, "a long is a lock");

/* Different locks are on different PEs. */
static int home(uintptr_t off) {
  return (int)(off / sizeof(long) % (unsigned)weft_job_npes());
}

/* The lock's slot offset. */
static uintptr_t check(const long *lock, const char *who) {
  weft_shmem_up(who);
  if (weft_unlikely(!weft_job_is_symmetric(lock, sizeof(long))))
    weft_fatal(
        "%s: lock %p is not symmetric: a lock is a static or global variable, or from shmem_malloc",
        who, (const void *)lock);
  return weft_job_offset(lock);
}

/* Where PEs may fail: the PE that had the lock has, or the one that it is kept at. */
static WEFT_COLD void tell_of_dead(int rc, uintptr_t off, const long *lock, const char *who) {
  if (rc == -EHOSTDOWN)
    weft_fatal("%s: the lock %p is kept at PE %d, which has failed", who, (const void *)lock,
               home(off));
  weft_warn("%s: this PE has the lock %p from one that failed with it", who, (const void *)lock);
}

void weft_shmem_lock(long *lock, const char *who) {
  const uintptr_t off = check(lock, who);
  WEFT_SPAN(WEFT_TRACE_LOCK, who, 0);
  const int rc = weft_qlock_acquire(home(off), off);
  if (weft_likely(rc == 0)) return;
  if (rc == -EDEADLK)
    weft_fatal("%s: this PE already has the lock %p", who, (const void *)lock);
  tell_of_dead(rc, off, lock, who);
}

int weft_shmem_lock_try(long *lock, const char *who) {
  const uintptr_t off = check(lock, who);
  WEFT_SPAN(WEFT_TRACE_LOCK, who, 0);
  const int rc = weft_qlock_try(home(off), off);
  if (weft_likely(rc == 0)) return 0;
  if (rc == -EBUSY || rc == -EDEADLK) return 1; /* one's own is taken too */
  tell_of_dead(rc, off, lock, who);
  return 0;
}

void weft_shmem_unlock(long *lock, const char *who) {
  const uintptr_t off = check(lock, who);
  WEFT_SPAN(WEFT_TRACE_LOCK, who, 0);
  weft_direct_quiet();
  if (weft_unlikely(weft_qlock_release(home(off), off) < 0))
    weft_fatal("%s: this PE does not have the lock %p", who, (const void *)lock);
}

WEFT_SHMEM_LOCK(WEFT_EMIT)
