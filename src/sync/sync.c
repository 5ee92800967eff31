/*
 * Waiting.
 */
#include "sync/sync.h"

#include "am/am.h"

weft_wait_t weft_wait_begin(void) {
  if (weft_job.nnodes > 1) weft_am_release();
  return (weft_wait_t){0};
}

void weft_wait_step(weft_wait_t *wait) {
  weft_am_idle_step(&wait->steps);
}
