/*
 * locks.c: lock and unlock (Fortran 2018, 11.6.10); critical sections are locks as well.
 */
#include "caf/internal.h"
#include "sync/sync.h"

void weft_caf_lock(int pe, void *lock, bool *acquired, const weft_caf_report_t *report) {
  const uintptr_t off = weft_job_offset(lock);
  weft_caf_quiet();
  const int rc = acquired ? weft_qlock_try(pe, off) : weft_qlock_acquire(pe, off);
  if (rc == -EDEADLK) {
    weft_caf_fail(report, WEFT_CAF_LOCKED, "Already locked");
    return;
  }
  if (acquired) *acquired = rc == 0;
  weft_fence_full();
  weft_caf_good(report);
}

void weft_caf_unlock(int pe, void *lock, const weft_caf_report_t *report) {
  const uintptr_t off = weft_job_offset(lock);
  weft_caf_quiet();
  if (weft_qlock_release(pe, off) == 0)
    weft_caf_good(report);
  else if (weft_qlock_holder(pe, off) < 0)
    weft_caf_fail(report, WEFT_CAF_NOT_LOCKED, "Variable is not locked");
  else
    weft_caf_fail(report, WEFT_CAF_LOCKED_OTHER_IMAGE, "Variable is locked by another image");
}
