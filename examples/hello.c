#include <shmem.h>
#include <stdio.h>

static int left; /* static data is symmetric: every PE has one, and its peers can reach it */

int main(void) {
  shmem_init();
  int me = shmem_my_pe(), n = shmem_n_pes();
  shmem_int_put(&left, &me, 1, (me + 1) % n); /* write my number into my right neighbour */
  shmem_barrier_all();
  printf("PE %d of %d: my left neighbour is PE %d\n", me, n, left);
  int wrong = left != (me + n - 1) % n;
  shmem_finalize();
  return wrong;
}
