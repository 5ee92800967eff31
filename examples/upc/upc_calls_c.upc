/* A UPC program that calls C with OpenSHMEM, GASNet and MPI (models.c): each sends values round a ring, and UPC
 * does in between; then OpenSHMEM looks at memory that UPC allocated.
 *   oshcc -c models.c && upcc upc_calls_c.upc models.o -o upc_calls_c && upcrun -n 4 ./upc_calls_c */
#include <stdio.h>
#include <upc.h>
#include "models.h"

shared long slots[2][THREADS];

long ring_upc(long value) {
  static int turn;
  turn = !turn;
  slots[turn][(MYTHREAD + 1) % THREADS] = value;
  upc_barrier;
  return slots[turn][MYTHREAD];
}

int main(int argc, char **argv) {
  int left = (MYTHREAD + THREADS - 1) % THREADS, wrong = 0;
  models_begin(&argc, &argv);
  for (long round = 1; round <= 20; round++) {
    long value = round << 33 | MYTHREAD, from_left = round << 33 | left;
    wrong += ring_openshmem(value) != from_left;
    wrong += ring_upc(value + 1) != from_left + 1;
    wrong += ring_gasnet(value + 2) != from_left + 2;
    wrong += ring_mpi(value + 3) != from_left + 3;
    upc_barrier;
  }
  shared long *all = upc_all_alloc(THREADS, sizeof(long));
  all[MYTHREAD] = 100 + MYTHREAD;
  upc_barrier;
  long *peer = peer_openshmem((long *)&all[MYTHREAD], left);
  wrong += peer && *peer != 100 + left;
  upc_barrier;
  models_end();
  printf("thread %d of %d: %d wrong\n", MYTHREAD, THREADS, wrong);
  return wrong != 0;
}
