/* What the kernels of kernels.c (C, OpenMP) and kernels.upc (UPC) share: numbers, the matrix, an
 * FFT of one row, the clock. Sizes are such that each kernel takes some tens of milliseconds. */
#ifndef BENCH_UPC_KERNELS_H
#define BENCH_UPC_KERNELS_H

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "clock.h"

enum {
  EP_BLOCKS = 256,
  EP_PAIRS = 4096,
  CG_ROWS = 1 << 14,
  CG_ROW = 65,
  CG_TURNS = 15,
  FT_SIDE = 512,
  IS_KEYS = 1 << 22,
  IS_BUCKETS = 1 << 11,
  STREAM = 1 << 22,
  ROUNDS = 25
};

/* Each kernel is compiled by itself: in one function they take one another's registers. */
#define KERNEL __attribute__((__noinline__)) static void

static inline uint64_t mix(uint64_t x) { /* the x-th number of a sequence */
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}
static inline double unit(uint64_t x) {
  return (double)(mix(x + 1) >> 11) * 0x1p-53;
}
static int compare(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}
/* The median of the rounds' times, and what the kernel computed. */
static inline void report(const char *name, double *times, double check) {
  qsort(times, ROUNDS, sizeof *times, compare);
  printf("%s,0,%.3f,ms\n%s_result,0,%.9g,\n", name, times[ROUNDS / 2] * 1e3, name, check);
  fflush(stdout);
}

/* EP: of the pairs of a block, how many are in the circle, in ten rings. */
static inline void ep_block(int block, long *rings) {
  for (int i = 0; i < EP_PAIRS; i++) {
    uint64_t k = 2 * ((uint64_t)block * EP_PAIRS + (uint64_t)i);
    double x = 2 * unit(k) - 1, y = 2 * unit(k + 1) - 1, r = x * x + y * y;
    if (r < 1) rings[(int)(r * 10)]++;
  }
}
/* CG: row i of a symmetric-looking sparse matrix. */
static inline int cg_column(int row, int k) {
  return k == 0 ? row : (int)(mix((uint64_t)row * CG_ROW + (uint64_t)k) % CG_ROWS);
}
static inline double cg_value(int row, int k) {
  return k == 0 ? 20 : unit((uint64_t)row * CG_ROW + (uint64_t)k) - 0.5;
}
/* FT: one row in place, n a power of two. */
typedef struct {
  double re, im;
} complex_t;
static inline void fft_row(complex_t *x, int n, const complex_t *roots) {
  for (int i = 1, j = 0; i < n; i++) {
    int bit = n >> 1;
    for (; j & bit; bit >>= 1) j ^= bit;
    j ^= bit;
    if (i < j) {
      complex_t swap = x[i];
      x[i] = x[j];
      x[j] = swap;
    }
  }
  for (int half = 1; half < n; half *= 2)
    for (int at = 0; at < n; at += 2 * half)
      for (int k = 0; k < half; k++) {
        complex_t w = roots[k * (n / 2 / half)], u = x[at + k], v = x[at + k + half];
        complex_t p = {v.re * w.re - v.im * w.im, v.re * w.im + v.im * w.re};
        x[at + k] = (complex_t){u.re + p.re, u.im + p.im};
        x[at + k + half] = (complex_t){u.re - p.re, u.im - p.im};
      }
}
static inline void fft_roots(complex_t *roots, int n) {
  for (int k = 0; k < n / 2; k++)
    roots[k] = (complex_t){cos(2 * M_PI * k / n), -sin(2 * M_PI * k / n)};
}
static inline int is_key(int i) {
  return (int)(mix((uint64_t)i) % IS_BUCKETS);
}

#endif
