/*
 * locks.c: lock and unlock (Fortran 2018, 11.6.10); critical sections are locks as well.
 */
#include <errno.h>

#include "caf/internal.h"
#include "sync/sync.h"

/* True: the report has it. Where another node has failed with its images nothing is left of a lock
 * there. */
static bool is_gone(int pe, int rc, const weft_caf_report_t *report) {
  if (rc != -EHOSTDOWN) return false;
  weft_caf_told_state(pe);
  weft_caf_fail(report, WEFT_CAF_FAILED_IMAGE, "LOCK: the image of the lock has failed");
  return true;
}

void weft_caf_lock(int pe, void *lock, bool *acquired, const weft_caf_report_t *report) {
  const uintptr_t off = weft_job_offset(lock);
  weft_caf_quiet();
  const int rc = acquired ? weft_qlock_try(pe, off) : weft_qlock_acquire(pe, off);
  if (is_gone(pe, rc, report)) return;
  if (rc == -EDEADLK) {
    weft_caf_fail(report, WEFT_CAF_LOCKED, "Already locked");
    return;
  }
  if (acquired) *acquired = rc == 0 || rc == -EOWNERDEAD;
  weft_fence_full();
  weft_caf_good(report);
  /* No error: the lock is this image's. */
  if (rc == -EOWNERDEAD && report->stat) *report->stat = WEFT_CAF_UNLOCKED_FAILED_IMAGE;
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
