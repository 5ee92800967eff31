/*
 * gasnet_tools.h, timers. A tick is a nanosecond of CLOCK_MONOTONIC: the kernel calibrates the
 * processor's counter better than a library can at start-up, and reading it is no system call.
 * Ticks of different processes are not to be compared.
 */
#ifndef WEFT_GASNETT_TIMER_H
#define WEFT_GASNETT_TIMER_H

#include <stdint.h>
#include <weft/gasnett_mode.h>

#pragma GCC visibility push(default)
#ifdef __cplusplus
extern "C" {
#endif

typedef uint64_t gasnett_tick_t;
#define GASNETT_TICK_MIN ((gasnett_tick_t)0)
#define GASNETT_TICK_MAX ((gasnett_tick_t)UINT64_MAX)

gasnett_tick_t gasnett_ticks_now(void);
WEFT_GASNETT_INLINE uint64_t gasnett_ticks_to_ns(gasnett_tick_t ticks) {
  return ticks;
}
WEFT_GASNETT_INLINE uint64_t gasnett_ticks_to_us(gasnett_tick_t ticks) {
  return ticks / 1000;
}
/* Measured by the call, in microseconds: the smallest step seen, what a reading costs. */
double gasnett_tick_granularityus(void);
double gasnett_tick_overheadus(void);
/* The time of day. */
uint64_t gasnett_gettimeofday_us(void);
/* At least so many nanoseconds; interrupted by a signal: not 0, errno EINTR. */
int gasnett_nsleep(uint64_t ns_delay);

#define GASNETT_TIMER_CONFIG timers_native

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop
#endif
