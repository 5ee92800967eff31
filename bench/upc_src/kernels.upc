/* The kernels in UPC, naive (-DNAIVE: shared arrays and upc_forall, as one writes it first; NPB-UPC calls it O0), or
 * privatised by hand with bulk transfers (its O3). Compiled with -T. Prints what bench/run reads. */
#include <bupc_collectivev.h>
#include <upc.h>
#include "kernels.h"

#define OWN(n) ((n) / THREADS)
static double times[ROUNDS];
#define TIMED(body)                              \
  for (int round = 0; round < ROUNDS; round++) { \
    upc_barrier;                                 \
    double begin = seconds();                    \
    body;                                        \
    upc_barrier;                                 \
    times[round] = seconds() - begin;            \
  }
#define REPORT(name, check)                             \
  do {                                                  \
    double checked = (check);                           \
    if (MYTHREAD == 0) report(name, times, checked);    \
  } while (0)

shared [10] long rings[THREADS][10];
static long total[10];
KERNEL ep(void) {
#ifdef NAIVE
  for (int r = 0; r < 10; r++) rings[MYTHREAD][r] = 0;
  for (int b = MYTHREAD; b < EP_BLOCKS; b += THREADS) {
    long own[10] = {0};
    ep_block(b, own);
    for (int r = 0; r < 10; r++) rings[MYTHREAD][r] += own[r];
  }
#else
  long own[10] = {0};
  for (int b = MYTHREAD; b < EP_BLOCKS; b += THREADS) ep_block(b, own);
  upc_memput(&rings[MYTHREAD][0], own, sizeof own);
#endif
  upc_barrier;
  for (int r = 0; r < 10; r++) {
    total[r] = 0;
    for (int t = 0; t < THREADS; t++) total[r] += rings[t][r];
  }
}

shared [*] double x[CG_ROWS], y[CG_ROWS];
static int column[OWN(CG_ROWS) * CG_ROW];
static double value[OWN(CG_ROWS) * CG_ROW], norm;
#ifdef NAIVE
KERNEL cg(void) {
  int i, k;
  upc_forall (i = 0; i < CG_ROWS; i++; &x[i]) x[i] = 1;
  upc_barrier;
  for (int turn = 0; turn < CG_TURNS; turn++) {
    double sum = 0;
    int first = MYTHREAD * OWN(CG_ROWS);
    upc_forall (i = 0; i < CG_ROWS; i++; &y[i]) {
      double dot = 0;
      int row = (i - first) * CG_ROW;
      for (k = row; k < row + CG_ROW; k++) dot += value[k] * x[column[k]];
      y[i] = dot;
      sum += dot * dot;
    }
    norm = sqrt(bupc_allv_reduce_all(double, sum, UPC_ADD));
    upc_forall (i = 0; i < CG_ROWS; i++; &y[i]) x[i] = y[i] / norm;
    upc_barrier;
  }
}
#else
static double whole[CG_ROWS];
KERNEL cg(void) {
  double *own_x = (double *)&x[MYTHREAD * OWN(CG_ROWS)], *own_y = (double *)&y[MYTHREAD * OWN(CG_ROWS)];
  for (int i = 0; i < OWN(CG_ROWS); i++) own_x[i] = 1;
  upc_barrier;
  for (int turn = 0; turn < CG_TURNS; turn++) {
    double sum = 0;
    for (int t = 0; t < THREADS; t++)
      upc_memget_nbi(whole + t * OWN(CG_ROWS), &x[t * OWN(CG_ROWS)], OWN(CG_ROWS) * sizeof *whole);
    upc_synci();
    for (int i = 0; i < OWN(CG_ROWS); i++) {
      double dot = 0;
      for (int k = i * CG_ROW; k < (i + 1) * CG_ROW; k++) dot += value[k] * whole[column[k]];
      own_y[i] = dot;
      sum += dot * dot;
    }
    norm = sqrt(bupc_allv_reduce_all(double, sum, UPC_ADD));
    for (int i = 0; i < OWN(CG_ROWS); i++) own_x[i] = own_y[i] / norm;
    upc_barrier;
  }
}
#endif

typedef struct {
  complex_t at[FT_SIDE];
} row_t;
shared [*] row_t grid[FT_SIDE], turned[FT_SIDE];
static complex_t roots[FT_SIDE / 2];
KERNEL ft(void) {
  int i, j;
  upc_forall (i = 0; i < FT_SIDE; i++; &grid[i]) {
    complex_t *row = ((row_t *)&grid[i])->at;
    for (j = 0; j < FT_SIDE; j++) row[j] = (complex_t){(i * 7 + j) % 13, 0};
    fft_row(row, FT_SIDE, roots);
  }
  upc_barrier;
#ifdef NAIVE
  upc_forall (i = 0; i < FT_SIDE; i++; &turned[i]) {
    for (j = 0; j < FT_SIDE; j++) turned[i].at[j] = grid[j].at[i];
    fft_row(((row_t *)&turned[i])->at, FT_SIDE, roots);
  }
#else
  enum { WIDE = OWN(FT_SIDE) };
  static complex_t part[FT_SIDE][WIDE];
  int first = MYTHREAD * WIDE;
  for (j = 0; j < FT_SIDE; j++)
    if (upc_threadof(&grid[j]) != MYTHREAD) upc_memget_nbi(part[j], &grid[j].at[first], sizeof part[j]);
  upc_synci();
  row_t *own = (row_t *)&turned[first], *mine = (row_t *)&grid[first];
  for (i = 0; i < WIDE; i++) {
    for (int t = 0; t < THREADS; t++) {
      const complex_t *from = t == MYTHREAD ? &mine->at[first + i] : &part[t * WIDE][i];
      int step = t == MYTHREAD ? FT_SIDE : WIDE;
      for (j = 0; j < WIDE; j++) own[i].at[t * WIDE + j] = from[j * step];
    }
    fft_row(own[i].at, FT_SIDE, roots);
  }
#endif
}

shared [*] int keys[IS_KEYS];
shared [IS_BUCKETS] long counts[THREADS][IS_BUCKETS];
static long rank;
KERNEL is(void) {
  int i, b, t;
  long *own = (long *)&counts[MYTHREAD][0];
  memset(own, 0, IS_BUCKETS * sizeof *own);
#ifdef NAIVE
  upc_forall (i = 0; i < IS_KEYS; i++; &keys[i]) own[keys[i]]++;
#else
  const int *mine = (int *)&keys[MYTHREAD * OWN(IS_KEYS)];
  for (i = 0; i < OWN(IS_KEYS); i++) own[mine[i]]++;
#endif
  upc_barrier;
  rank = 0;
  for (t = 0; t < THREADS; t++) {
    long sum = 0;
#ifdef NAIVE
    for (b = 0; b < IS_BUCKETS; b++) sum += counts[t][b] * (b % 7);
#else
    long theirs[IS_BUCKETS];
    upc_memget(theirs, &counts[t][0], sizeof theirs);
    for (b = 0; b < IS_BUCKETS; b++) sum += theirs[b] * (b % 7);
#endif
    rank += sum;
  }
}

shared [*] double a[STREAM], b[STREAM], c[STREAM];
KERNEL triad(void) {
  int i;
#ifdef NAIVE
  upc_forall (i = 0; i < STREAM; i++; &a[i]) a[i] = b[i] + 3.0 * c[i];
#else
  double *pa = (double *)&a[MYTHREAD * OWN(STREAM)];
  const double *pb = (double *)&b[MYTHREAD * OWN(STREAM)], *pc = (double *)&c[MYTHREAD * OWN(STREAM)];
  for (i = 0; i < OWN(STREAM); i++) pa[i] = pb[i] + 3.0 * pc[i];
#endif
}

int main(void) {
  int i, k;
  for (i = 0; i < OWN(CG_ROWS); i++)
    for (k = 0; k < CG_ROW; k++) {
      column[i * CG_ROW + k] = cg_column(MYTHREAD * OWN(CG_ROWS) + i, k);
      value[i * CG_ROW + k] = cg_value(MYTHREAD * OWN(CG_ROWS) + i, k);
    }
  upc_forall (i = 0; i < IS_KEYS; i++; &keys[i]) keys[i] = is_key(i);
  upc_forall (i = 0; i < STREAM; i++; &a[i]) a[i] = 0, b[i] = i, c[i] = 1;
  fft_roots(roots, FT_SIDE);
  TIMED(ep());
  REPORT("EP", (double)(total[0] + 2 * total[5]));
  TIMED(cg());
  REPORT("CG", norm);
  TIMED(ft());
  REPORT("FT", turned[3].at[5].re + turned[0].at[0].re);
  TIMED(is());
  REPORT("IS", (double)rank);
  TIMED(triad());
  REPORT("STREAM", a[STREAM - 1]);
  if (MYTHREAD == 0) puts("done,0,0,");
  return 0;
}
