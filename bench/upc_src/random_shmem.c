/* random.upc by shmem_g and shmem_p, element i on PE i mod n, as in UPC. */
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>

#include "random.h"

static unsigned long table[TABLE], me, n;

static unsigned long get(unsigned long i) {
  return shmem_ulong_g(&table[i / n], (int)(i % n));
}

static double updates(void) {
  unsigned long x = FIRST + me;
  shmem_barrier_all();
  double begin = seconds();
  for (int i = 0; i < count; i++) {
    x = NEXT(x);
    unsigned long at = (x >> 33) % (TABLE * n);
    shmem_ulong_p(&table[at / n], get(at) ^ x, (int)(at % n));
  }
  shmem_barrier_all();
  return (double)count * (double)n / (seconds() - begin);
}

static double chase(void) {
  unsigned long at = me;
  shmem_barrier_all();
  double begin = seconds();
  for (int i = 0; i < count; i++) at = get(at);
  shmem_barrier_all();
  return (double)count * (double)n / (seconds() - begin) + (at > TABLE * n);
}

int main(int argc, char **argv) {
  count = argc > 1 ? atoi(argv[1]) : 4096;
  shmem_init();
  me = (unsigned long)shmem_my_pe();
  n = (unsigned long)shmem_n_pes();
  double u = best(updates());
  for (unsigned long i = 0; i < TABLE; i++) table[i] = LINK(i * n + me, TABLE * n);
  double c = best(chase());
  if (me == 0) printf("updates,8,%.6g,op/s\nchase,8,%.6g,op/s\ndone,0,0,\n", u, c);
  shmem_finalize();
  return 0;
}
