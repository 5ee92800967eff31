/*
 * What the larger examples share to show their work: a clock, and progress on a terminal.
 * Progress appears only where stderr is a terminal, and the line is gone when the phase ends.
 */
#ifndef EXAMPLES_SHOW_H
#define EXAMPLES_SHOW_H

#include <stdio.h>
#include <time.h>
#include <unistd.h>

/* Seconds, for differences within one process. */
static inline double show_clock(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* One PE (the caller chooses which) says how far a phase is; at most ten lines a second. */
static inline void show_progress(const char *phase, long done, long total) {
  static double last;
  static int terminal = -1, shown;
  if (terminal < 0) terminal = isatty(STDERR_FILENO);
  if (!terminal) return;
  if (done >= total) {
    if (shown) fprintf(stderr, "\r\033[K");
    shown = 0;
    return;
  }
  double now = show_clock();
  if (now - last < 0.1) return;
  last = now;
  shown = 1;
  fprintf(stderr, "\r\033[K%s: %ld %%", phase, 100 * done / total);
  fflush(stderr);
}

#endif
