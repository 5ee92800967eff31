/* tick.c: UPC 1.3, 7.5: wall-clock timers. A tick is a nanosecond. */
#include "upc/internal.h"

WEFT_API uint64_t upc_ticks_now(void) {
  return weft_clock_ns();
}

WEFT_API uint64_t upc_ticks_to_ns(uint64_t ticks) {
  return ticks;
}
