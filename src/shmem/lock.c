/*
 * lock.c: OpenSHMEM 1.6 section 9.13: locks that serve first come, first served.
 *
 * A queue lock (Mellor-Crummey and Scott 1991) inside one long per PE. The lower half of the long
 * on the lock's home PE is the tail: the PE last in the queue, plus 1. The upper half of every PE's
 * long is its place in the queue: the PE behind it plus 1, and BLOCKED while it waits. All zero
 * when nobody holds the lock.
 */
#include "job/job.h"
#include "shmem/internal.h"
#include "sync/sync.h"
#include "trace/trace.h"

enum { TAIL, PLACE };
static const uint32_t BLOCKED = 0x80000000u;

_Static_assert(sizeof(long) == 8, "a lock is two words of 32 bits");

/* Different locks have their tails on different PEs. */
static int home(const long *lock) {
  return (int)(weft_job_offset(lock) / sizeof(long) % (unsigned)weft_job_npes());
}

static uint32_t place(const long *lock) {
  return __atomic_load_n((const uint32_t *)lock + PLACE, __ATOMIC_ACQUIRE);
}

static void check(const long *lock, const char *who) {
  weft_shmem_up(who);
  if (weft_unlikely(!weft_job_is_symmetric(lock, sizeof(long))))
    weft_fatal(
        "%s: lock %p is not symmetric: a lock is a static or global variable, or from shmem_malloc",
        who, (const void *)lock);
}

void weft_shmem_lock(long *lock, const char *who) {
  uint32_t *half = (uint32_t *)lock;
  const uint32_t me = (uint32_t)weft_job_pe() + 1;
  check(lock, who);
  WEFT_SPAN(WEFT_TRACE_LOCK, who, 0);
  __atomic_store_n(half + PLACE, BLOCKED, __ATOMIC_RELEASE);
  const uint32_t before = pshmem_uint32_atomic_swap(half + TAIL, me, home(lock));
  if (before) {
    pshmem_uint32_atomic_or(half + PLACE, me, (int)before - 1);
    weft_wait_t wait = weft_wait_begin();
    while (place(lock) & BLOCKED) weft_wait_step(&wait);
  }
}

int weft_shmem_lock_try(long *lock, const char *who) {
  uint32_t *half = (uint32_t *)lock;
  const uint32_t me = (uint32_t)weft_job_pe() + 1;
  check(lock, who);
  WEFT_SPAN(WEFT_TRACE_LOCK, who, 0);
  return pshmem_uint32_atomic_compare_swap(half + TAIL, 0, me, home(lock)) != 0;
}

void weft_shmem_unlock(long *lock, const char *who) {
  uint32_t *half = (uint32_t *)lock;
  const uint32_t me = (uint32_t)weft_job_pe() + 1;
  check(lock, who);
  WEFT_SPAN(WEFT_TRACE_LOCK, who, 0);
  weft_direct_quiet();
  if (!(place(lock) & ~BLOCKED)) {
    if (pshmem_uint32_atomic_compare_swap(half + TAIL, me, 0, home(lock)) == me) goto out;
    /* somebody is behind but has not said so yet */
    weft_wait_t wait = weft_wait_begin();
    while (!(place(lock) & ~BLOCKED)) weft_wait_step(&wait);
  }
  pshmem_uint32_atomic_and(half + PLACE, ~BLOCKED, (int)(place(lock) & ~BLOCKED) - 1);
  weft_direct
      .quiet(); /* a release that waits in a staging buffer would keep the next one waiting */
out:
  __atomic_store_n(half + PLACE, 0, __ATOMIC_RELEASE);
}

WEFT_SHMEM_LOCK(WEFT_EMIT)
