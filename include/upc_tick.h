/* upc_tick.h: UPC 1.3, section 7.5: wall-clock timers. A tick is a nanosecond. */
#ifndef WEFT_UPC_TICK_H
#define WEFT_UPC_TICK_H

#include <stdint.h>

typedef uint64_t upc_tick_t;
#define UPC_TICK_MAX ((upc_tick_t)UINT64_MAX)
#define UPC_TICK_MIN ((upc_tick_t)0)

extern upc_tick_t upc_ticks_now(void);
extern uint64_t upc_ticks_to_ns(upc_tick_t ticks);

#endif
