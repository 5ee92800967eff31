/*
 * histogram_shmem: what examples/histogram.f90 calls. `bins` is this image's part of a coarray.
 */
#include <shmem.h>

void count_values(int64_t *bins, int bins_each, const int *values, int n);

/* Values count from 1; value v is in bin (v - 1) % bins_each of image (v - 1) / bins_each + 1. */
void count_values(int64_t *bins, int bins_each, const int *values, int n) {
  for (int i = 0; i < n; i++)
    shmem_int64_atomic_inc(&bins[(values[i] - 1) % bins_each], (values[i] - 1) / bins_each);
  shmem_quiet();
}
