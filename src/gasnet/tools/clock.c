/*
 * clock.c: gasnet_tools, timers and sleeping. Knows the C library only.
 */
#include "gasnet/tools/tools.h"

#include <sys/time.h>
#include <time.h>

gasnett_tick_t gasnett_ticks_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (gasnett_tick_t)now.tv_sec * 1000000000u + (gasnett_tick_t)now.tv_nsec;
}

uint64_t gasnett_gettimeofday_us(void) {
  struct timeval now;
  gettimeofday(&now, NULL);
  return (uint64_t)now.tv_sec * 1000000u + (uint64_t)now.tv_usec;
}

enum { READINGS = 500 };

/* The smallest step between two readings that differ. */
double gasnett_tick_granularityus(void) {
  gasnett_tick_t least = GASNETT_TICK_MAX;
  for (int i = 0; i < READINGS; i++) {
    gasnett_tick_t next, last = gasnett_ticks_now();
    while ((next = gasnett_ticks_now()) == last) {
    }
    if (next - last < least) least = next - last;
  }
  return (double)gasnett_ticks_to_ns(least) / 1e3;
}

double gasnett_tick_overheadus(void) {
  gasnett_tick_t begin = gasnett_ticks_now(), end = begin;
  for (int i = 0; i < READINGS; i++) end = gasnett_ticks_now();
  if (end == begin) end = begin + 1;
  return (double)gasnett_ticks_to_ns(end - begin) / 1e3 / READINGS;
}

int gasnett_nsleep(uint64_t ns_delay) {
  struct timespec delay = {.tv_sec = (time_t)(ns_delay / 1000000000u),
                           .tv_nsec = (long)(ns_delay % 1000000000u)};
  return ns_delay ? nanosleep(&delay, NULL) : 0;
}
