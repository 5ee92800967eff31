/* What transfer.upc measures, by MPI's one-sided operations with a flush, and MPI_Alltoall,
 * also in FT; the same figures. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ft.h"

enum { MOST = 2 << 20, AREA = 2 * MOST };
static char local[AREA], *area;
static complex_t slabs[SIDE * SIDE], packed[SIDE * SIDE];
static MPI_Win window;
static int me, n, peer;

static double rate(int size, int get, int count) {
  double begin = seconds();
  for (int i = 0; i < count; i++) {
    long at = (long)i * size % MOST;
    if (get)
      MPI_Get(local + at, size, MPI_CHAR, peer, at, size, MPI_CHAR, window);
    else
      MPI_Put(local + at, size, MPI_CHAR, peer, at, size, MPI_CHAR, window);
  }
  MPI_Win_flush(peer, window);
  return count / (seconds() - begin);
}

static double overlap(int size) {
  double put = 1e9, both = 1e9, begin;
  for (int i = 0; i < 20; i++) {
    begin = seconds();
    MPI_Put(local, size, MPI_CHAR, peer, 0, size, MPI_CHAR, window);
    MPI_Win_flush(peer, window);
    put = seconds() - begin < put ? seconds() - begin : put;
  }
  for (int i = 0; i < 20; i++) {
    begin = seconds();
    MPI_Put(local, size, MPI_CHAR, peer, 0, size, MPI_CHAR, window);
    compute(put);
    MPI_Win_flush(peer, window);
    both = seconds() - begin < both ? seconds() - begin : both;
  }
  return 100 * (2 * put - both) / put;
}

static double ft(void) {
  int w = SIDE / n;
  MPI_Barrier(MPI_COMM_WORLD);
  double begin = seconds();
  for (int i = 0; i < w; i++) ft_row(i, me * w + i);
  ft_pack(packed, w, n);
  MPI_Alltoall(packed, w * w * (int)sizeof *packed, MPI_CHAR, slabs, w * w * (int)sizeof *packed,
               MPI_CHAR, MPI_COMM_WORLD);
  ft_end(slabs, w);
  MPI_Barrier(MPI_COMM_WORLD);
  return 1 / (seconds() - begin);
}

static double exchange(char *to, char *from, int size, int count) {
  double time = 0;
  for (int i = 0; i < count; i++) {
    MPI_Barrier(MPI_COMM_WORLD);
    const double begin = seconds();
    MPI_Alltoall(from, size, MPI_CHAR, to, size, MPI_CHAR, MPI_COMM_WORLD);
    time += seconds() - begin;
  }
  return count / time;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &n);
  peer = n / 2;
  MPI_Win_allocate(AREA, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &area, &window);
  memset(area, 0, AREA);
  MPI_Win_lock_all(0, window);
  MPI_Barrier(MPI_COMM_WORLD);
  for (int size = 8; size <= MOST && me == 0; size *= size < 2048 ? 16 : 32) {
    int count = size < 4096 ? 2000 : size < 65536 ? 200 : 20;
    for (int get = 0; get < 2; get++)
      printf("%s,%d,%.6g,op/s\n", get ? "get_rate" : "put_rate", size,
             best(rate(size, get, count)));
  }
  for (int size = 8 << 10; size <= 512 << 10 && me == 0; size *= 8)
    printf("overlap,%d,%.6g,%% hidden\n", size, overlap(size));
  MPI_Barrier(MPI_COMM_WORLD);
  for (int size = 1024; size <= MOST / 4; size *= 16) {
    char *from = calloc((size_t)n, (size_t)size), *to = calloc((size_t)n, (size_t)size);
    const double found = best(exchange(to, from, size, 100));
    if (me == 0) printf("exchange,%d,%.6g,1/s\n", size, found);
    free(from);
    free(to);
  }
  fft_roots(ft_roots, SIDE);
  double by_alltoall = best(ft());
  if (me == 0) printf("ft,0,%.6g,1/s\nft_result,0,%.9g,\ndone,0,0,\n", by_alltoall, ft_result());
  fflush(stdout);
  MPI_Win_unlock_all(window);
  MPI_Win_free(&window);
  MPI_Finalize();
  return 0;
}
