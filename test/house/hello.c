#include <shmem.h>
#include <stdio.h>

static int from = -1; /* static data is symmetric */

int main(void) {
  shmem_init();
  int me = shmem_my_pe(), n = shmem_n_pes();
  shmem_int_p(&from, me, (me + 1) % n);
  shmem_barrier_all();
  printf("PE %d of %d heard from PE %d\n", me, n, from);
  int ok = from == (me + n - 1) % n;
  shmem_finalize();
  return !ok;
}
