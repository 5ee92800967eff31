/* Random access by plain statements: updates of a table that lies over all threads, and chasing a chain of indices through
 * it. random_shmem.c does the same by shmem_g and shmem_p. Prints what bench/run reads. */
#include <stdio.h>
#include <stdlib.h>
#include <upc.h>
#include "random.h"

shared unsigned long table[TABLE * THREADS];

static double updates(void) {
  unsigned long x = FIRST + MYTHREAD;
  upc_barrier;
  double begin = seconds();
  for (int i = 0; i < count; i++) {
    x = NEXT(x);
    table[(x >> 33) % (TABLE * THREADS)] ^= x;
  }
  upc_fence;
  upc_barrier;
  return (double)count * THREADS / (seconds() - begin);
}

static double chase(void) {
  unsigned long at = MYTHREAD;
  upc_barrier;
  double begin = seconds();
  for (int i = 0; i < count; i++) at = table[at];
  upc_barrier;
  return (double)count * THREADS / (seconds() - begin) + (at > TABLE * THREADS);
}

int main(int argc, char **argv) {
  count = argc > 1 ? atoi(argv[1]) : 4096;
  double u = best(updates());
  for (int i = MYTHREAD; i < TABLE * THREADS; i += THREADS) table[i] = LINK(i, TABLE * THREADS);
  double c = best(chase());
  if (MYTHREAD == 0) printf("updates,8,%.6g,op/s\nchase,8,%.6g,op/s\ndone,0,0,\n", u, c);
  return 0;
}
