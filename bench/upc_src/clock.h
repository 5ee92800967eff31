/* The clock, a computation of a given time, and the best of some turns: for transfer.upc and
 * transfer_mpi.c. */
#ifndef BENCH_UPC_CLOCK_H
#define BENCH_UPC_CLOCK_H

#include <time.h>

static inline double seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}
static inline void compute(double time) {
  static volatile double sink;
  for (double end = seconds() + time; seconds() < end;)
    for (int i = 0; i < 100; i++) sink = sink * 0.5 + i;
}
#define best(value)                                                                                \
  __extension__({                                                                                  \
    double best_of = 0;                                                                            \
    for (int turn = 0; turn < 7; turn++) {                                                         \
      double found = (value);                                                                      \
      best_of = found > best_of ? found : best_of;                                                 \
    }                                                                                              \
    best_of;                                                                                       \
  })

#endif
