/*
 * What the tests of locks share: where a symmetric object is, and counts that are right at the end
 * only if each PE was alone with them.
 */
#ifndef WEFT_TEST_COUNTS_H
#define WEFT_TEST_COUNTS_H

#include <shmem.h>

#include "check.h"
#include "job/job.h"
#include "rma/rma.h"

/* Its slot offset. */
static inline uintptr_t at(const void *p) {
  return weft_job_offset(p);
}

static inline void raise_by_one(long *count, int pe) {
  long have;
  weft_rma_get(pe, at(count), &have, sizeof have);
  have++;
  weft_rma_put(pe, at(count), &have, sizeof have);
  weft_rma_quiet();
}

/* How a kind of lock is taken and given up. */
typedef struct lock_kind {
  int (*acquire)(int home, uintptr_t off), (*try)(int home, uintptr_t off);
  int (*release)(int home, uintptr_t off);
} lock_kind_t;

/* Everyone on everyone's first lock, and with it on the last PE's second one; every third attempt
 * by try. counts: symmetric, 0. */
static inline void exclude(const lock_kind_t *kind, uintptr_t first, uintptr_t second,
                           long counts[2]) {
  enum { ROUNDS = 60 };
  const int me = weft_job_pe(), npes = weft_job_npes();
  long mine = 0;
  for (int i = 0; i < ROUNDS; i++) {
    const int home = i % npes;
    mine += home == me;
    if (i % 3 == 0)
      while (kind->try(home, first)) shmem_fence();
    else
      CHECK_EQ(kind->acquire(home, first), 0);
    CHECK_EQ(kind->acquire(npes - 1, second), 0);
    raise_by_one(&counts[0], home);
    raise_by_one(&counts[1], 0);
    CHECK_EQ(kind->release(npes - 1, second), 0);
    CHECK_EQ(kind->release(home, first), 0);
  }
  shmem_barrier_all();
  CHECK_EQ(counts[0], mine * npes);
  if (me == 0) CHECK_EQ(counts[1], (long)npes * ROUNDS);
}

#endif
