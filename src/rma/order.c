/*
 * Fences of one PE, and the ordered class.
 */
#include "rma/rma_internal.h"

#define CHANNEL (&weft_channels[0])

void weft_rma_fence_pe(int pe) {
  if (weft_job.where[pe].node == weft_job.node) {
    weft_fence_full();
    return;
  }
  unsigned steps = 0;
  weft_rma_quiet();
  while (weft_peek(&CHANNEL->endpoint->apart)) weft_progress_wait(CHANNEL, &steps);
}

void weft_rma_fence_all(void) {
  weft_rma_quiet();
}

void weft_rma_order_open(int pe, enum weft_next next, size_t n) {
  (void)next, (void)n;
  weft_rma_fence_pe(pe);
}
