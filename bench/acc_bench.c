/*
 * What an accumulate costs on a node, beside a plain loop over the same numbers. Linked with the
 * library's objects: accumulate has no name in OpenSHMEM, and ARMCI's adds little to it.
 *
 *   weftrun -n 2 acc_bench       prints type;bytes;who adds;ns;ns of the plain loop
 *
 * PE 0 alone adds to its own memory and to PE 1's, then both add to PE 1's, to the same block.
 */
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>

#include "rma/rma.h"

enum { MOST = 64 << 10, BATCHES = 21, BATCH_NS = 500000 };

static char *sums, source[MOST];
static double scale[2];
static const char *const names[] = {"int", "long", "float", "double", "complex", "double complex"};
static const char *const ways[] = {"own memory", "another's", "all to one"};

#define LOOP(T)                                                                                    \
  for (size_t i = 0; i < n / sizeof(T); i++)                                                       \
  ((T *)to)[i] += *(const T *)by * ((const T *)from)[i]

static void plain(weft_acc_type_t type, size_t n) {
  void *to = sums;
  const void *from = source, *by = scale;
  switch (type) {
  case WEFT_ACC_INT32: LOOP(int32_t); break;
  case WEFT_ACC_INT64: LOOP(int64_t); break;
  case WEFT_ACC_FLOAT: LOOP(float); break;
  case WEFT_ACC_DOUBLE: LOOP(double); break;
  case WEFT_ACC_FLOAT_COMPLEX: LOOP(_Complex float); break;
  default: LOOP(_Complex double);
  }
  __asm__ volatile("" ::: "memory");
}

static void accumulate(weft_acc_type_t type, size_t n, int pe) {
  weft_adder_t adder = weft_rma_adder(pe, type, scale);
  weft_adder_add(&adder, weft_job_here(pe, weft_job_offset(sums)), source, n);
  weft_adder_end(&adder);
}

static int by_size(const void *a, const void *b) {
  return (*(const double *)a > *(const double *)b) - (*(const double *)a < *(const double *)b);
}

/* ns of one, over a batch. pe < 0: the plain loop. */
static double batch(weft_acc_type_t type, size_t n, int pe) {
  const uint64_t begin = weft_clock_ns();
  uint64_t now = begin;
  long times = 0;
  for (; now - begin < BATCH_NS; now = weft_clock_ns())
    for (int i = 0; i < 100; i++, times++) pe < 0 ? plain(type, n) : accumulate(type, n, pe);
  return (double)(now - begin) / (double)times;
}

/* The medians of both, measured in turns, so that what else the machine does hits them alike. */
static void measure(weft_acc_type_t type, size_t n, int pe, double *loop, double *ns) {
  double loops[BATCHES], sums_ns[BATCHES];
  for (int b = 0; b < BATCHES; b++) {
    loops[b] = batch(type, n, -1);
    sums_ns[b] = batch(type, n, pe);
  }
  qsort(loops, BATCHES, sizeof *loops, by_size);
  qsort(sums_ns, BATCHES, sizeof *sums_ns, by_size);
  *loop = loops[BATCHES / 2];
  *ns = sums_ns[BATCHES / 2];
}

int main(void) {
  double loop, ns;
  shmem_init();
  const int me = shmem_my_pe(), last = shmem_n_pes() - 1;
  sums = shmem_calloc(1, MOST);
  for (int type = 0; type < WEFT_ACC_TYPES; type++)
    for (size_t n = 64; n <= MOST; n *= 32)
      for (int who = 0; who < 3; who++) {
        if (me == 0 || who == 2) measure(type, n, who ? last : 0, &loop, &ns);
        shmem_barrier_all();
        if (me == 0)
          printf("%s;%zu;%s;%.1f;%.1f\n", names[type], n, ways[who], ns, loop);
      }
  shmem_finalize();
  return 0;
}
