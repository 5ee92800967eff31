/* A C program with OpenSHMEM, GASNet and MPI that calls UPC (part.upc): compiled by the C compiler
 * and linked by upcc -extern-main.
 *   oshcc -c models.c c_calls_upc.c
 *   upcc -extern-main part.upc c_calls_upc.o models.o -o c_calls_upc
 *   weftrun -n 4 ./c_calls_upc */
#include <bupc_extern.h>
#include <shmem.h>
#include <stdio.h>

#include "models.h"

int main(int argc, char **argv) {
  int wrong = 0;
  models_begin(&argc, &argv); /* MPI, OpenSHMEM, GASNet, */
  bupc_init(&argc, &argv);    /* and UPC in the same job */
  int me = shmem_my_pe(), n = shmem_n_pes(), left = (me + n - 1) % n;
  for (long round = 1; round <= 20; round++) {
    wrong += ring_upc(round * me) != round * left;
    wrong += ring_mpi(round + me) != round + left;
    wrong += ring_gasnet(round - me) != round - left;
    wrong += ring_openshmem(round * 3 + me) != round * 3 + left;
    shmem_barrier_all();
  }
  printf("PE %d of %d: %d wrong\n", me, n, wrong);
  models_end();
  bupc_exit(wrong != 0);
}
