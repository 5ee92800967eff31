/*
 * Waiting.
 */
#include "sync/sync.h"

#include "port/port.h"

weft_wait_t weft_wait_begin(void) {
  if (weft_job.nnodes > 1) weft_stage_release();
  return (weft_wait_t){0};
}

void weft_wait_step(weft_wait_t *wait) {
  weft_progress_idle(&wait->steps);
}
