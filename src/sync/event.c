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
  if (weft_event_try(off, until)) return;
  for (weft_wait_t w = weft_wait_begin(); !weft_event_try(off, until);) weft_wait_step(&w);
}

int weft_event_wait_unless(uintptr_t off, int64_t until, uint32_t *changes) {
  for (weft_wait_t w = weft_wait_begin(); !weft_event_try(off, until);) {
    const uint32_t now = weft_job_changes();
    if (now != *changes) {
      *changes = now;
      return weft_event_try(off, until) ? 0 : -EINTR; /* it may have posted before it failed */
    }
    weft_wait_step(&w);
  }
  return 0;
}

int64_t weft_event_count(int pe, uintptr_t off) {
  const char *slot = weft_job_slot(pe);
  if (slot) return weft_observe((const int64_t *)(const void *)(slot + off));
  return (int64_t)weft_stage_fetch(&weft_channels[0], pe, off, WEFT_AMO_FETCH, sizeof(int64_t), 0,
                                   0);
}
