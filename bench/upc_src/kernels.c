/* The kernels in C: serial, or with OpenMP (-fopenmp). Prints what bench/run reads. */
#include "kernels.h"

static double times[ROUNDS];
#define TIMED(body)                                                                                \
  for (int round = 0; round < ROUNDS; round++) {                                                   \
    double begin = seconds();                                                                      \
    body;                                                                                          \
    times[round] = seconds() - begin;                                                              \
  }

static long rings[10];
KERNEL ep(void) {
  memset(rings, 0, sizeof rings);
#pragma omp parallel for reduction(+ : rings[ : 10])
  for (int b = 0; b < EP_BLOCKS; b++) ep_block(b, rings);
}

static int column[CG_ROWS * CG_ROW];
static double value[CG_ROWS * CG_ROW], x[CG_ROWS], y[CG_ROWS], norm;
KERNEL cg(void) {
  for (int i = 0; i < CG_ROWS; i++) x[i] = 1;
  for (int turn = 0; turn < CG_TURNS; turn++) {
    double sum = 0;
#pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < CG_ROWS; i++) {
      double dot = 0;
      for (int k = i * CG_ROW; k < (i + 1) * CG_ROW; k++) dot += value[k] * x[column[k]];
      y[i] = dot;
      sum += dot * dot;
    }
    norm = sqrt(sum);
#pragma omp parallel for
    for (int i = 0; i < CG_ROWS; i++) x[i] = y[i] / norm;
  }
}

static complex_t grid[FT_SIDE][FT_SIDE], turned[FT_SIDE][FT_SIDE], roots[FT_SIDE / 2];
KERNEL ft(void) {
#pragma omp parallel for
  for (int i = 0; i < FT_SIDE; i++) {
    for (int j = 0; j < FT_SIDE; j++) grid[i][j] = (complex_t){(i * 7 + j) % 13, 0};
    fft_row(grid[i], FT_SIDE, roots);
  }
#pragma omp parallel for
  for (int i = 0; i < FT_SIDE; i++) {
    for (int j = 0; j < FT_SIDE; j++) turned[i][j] = grid[j][i];
    fft_row(turned[i], FT_SIDE, roots);
  }
}

static int keys[IS_KEYS];
static long counts[IS_BUCKETS], rank;
KERNEL is(void) {
  memset(counts, 0, sizeof counts);
#pragma omp parallel for reduction(+ : counts[ : IS_BUCKETS])
  for (int i = 0; i < IS_KEYS; i++) counts[keys[i]]++;
  rank = 0;
  for (int b = 0; b < IS_BUCKETS; b++) rank += counts[b] * (b % 7);
}

static double a[STREAM], b[STREAM], c[STREAM];
KERNEL triad(void) {
#pragma omp parallel for
  for (int i = 0; i < STREAM; i++) a[i] = b[i] + 3.0 * c[i];
}

int main(void) {
  for (int i = 0; i < CG_ROWS; i++)
    for (int k = 0; k < CG_ROW; k++)
      column[i * CG_ROW + k] = cg_column(i, k), value[i * CG_ROW + k] = cg_value(i, k);
  for (int i = 0; i < IS_KEYS; i++) keys[i] = is_key(i);
  for (int i = 0; i < STREAM; i++) a[i] = 0, b[i] = i, c[i] = 1;
  fft_roots(roots, FT_SIDE);
  TIMED(ep());
  report("EP", times, (double)(rings[0] + 2 * rings[5]));
  TIMED(cg());
  report("CG", times, norm);
  TIMED(ft());
  report("FT", times, turned[3][5].re + turned[0][0].re);
  TIMED(is());
  report("IS", times, (double)rank);
  TIMED(triad());
  report("STREAM", times, a[STREAM - 1]);
  puts("done,0,0,");
  return 0;
}
