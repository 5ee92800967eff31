/*
 * Events that are counted: posts from anywhere are atomic adds, and the owner waits for a number of
 * them.
 */
#include "port/port.h"
#include "rma/rma.h"
#include "sync/sync.h"

void weft_event_post(int pe, uintptr_t off) {
  weft_rma_add(pe, off, 1);
}

bool weft_event_try(uintptr_t off, int64_t until) {
  int64_t *count = (int64_t *)(weft_job.window.base + off), have = weft_observe(count);
  if (until < 1) until = 1;
  while (have >= until) /* several threads may wait */
    if (__atomic_compare_exchange_n(count, &have, have - until, false, __ATOMIC_ACQ_REL,
                                    __ATOMIC_ACQUIRE))
      return true;
  return false;
}

void weft_event_wait(uintptr_t off, int64_t until) {
  WEFT_WAIT_UNTIL(weft_event_try(off, until));
}

int weft_event_wait_unless(uintptr_t off, int64_t until, uint32_t *changes) {
  bool have;
  WEFT_WAIT_UNTIL((have = weft_event_try(off, until)) || weft_job_changes() != *changes);
  if (have) return 0;
  *changes = weft_job_changes();
  return weft_event_try(off, until) ? 0 : -EINTR; /* it may have posted before it failed */
}

int64_t weft_event_count(int pe, uintptr_t off) {
  const char *slot = weft_job_slot(pe);
  int64_t count;
  if (slot)
    count = weft_observe((const int64_t *)(const void *)(slot + off));
  else
    count = (int64_t)weft_stage_fetch(&weft_channels[0], pe, off, WEFT_AMO_FETCH, sizeof(int64_t),
                                      0, 0);
  weft_wait_looked((const void *)off, (uint64_t)count);
  return count;
}
