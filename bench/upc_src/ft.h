/* FT of SIDE x SIDE numbers over n processes, for transfer.upc and transfer_mpi.c, which exchange
 * the slabs: each process transforms its w = SIDE / n rows, gets w columns of all rows (a slab of
 * each process, one after the other), and transforms those. */
#ifndef BENCH_UPC_FT_H
#define BENCH_UPC_FT_H

#include "kernels.h"

enum { SIDE = FT_SIDE };
static complex_t ft_rows[SIDE][SIDE], ft_turned[SIDE][SIDE], ft_roots[SIDE / 2];

/* This process's row i, which is row `global` of all. */
static inline void ft_row(int i, int global) {
  for (int j = 0; j < SIDE; j++) ft_rows[i][j] = (complex_t){(global * 7 + j) % 13, 0};
  fft_row(ft_rows[i], SIDE, ft_roots);
}
/* The slabs of all processes one after the other. */
static inline void ft_pack(complex_t *out, int w, int n) {
  for (int p = 0; p < n; p++)
    for (int i = 0; i < w; i++, out += w) memcpy(out, &ft_rows[i][p * w], (size_t)w * sizeof *out);
}
static inline void ft_end(const complex_t *slabs, int w) {
  for (int i = 0; i < w; i++) {
    for (int j = 0; j < SIDE; j++) ft_turned[i][j] = slabs[j * w + i];
    fft_row(ft_turned[i], SIDE, ft_roots);
  }
}
static inline double ft_result(void) {
  return ft_turned[3][5].re + ft_turned[0][0].re;
}

#endif
