/* am.c: active messages: progress and waits. */
#include "am/am.h"
#include "gasnet/internal.h"

void weft_gex_poll(void) {
  unsigned steps = 0;
  weft_am_wait_step(&weft_channels[0], &steps);
}

void weft_gex_wait_step(unsigned *steps) {
  weft_am_wait_step(&weft_channels[0], steps);
}
