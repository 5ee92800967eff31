/*
 * WEFT_ON_DEATH=continue, WEFT_CHECK=1: PE WHO dies, and those that live disagree about KIND, the
 * size of an allocation, the root of a broadcast or the function: `disagree WHO KIND`. deaths.sh
 * looks for the line.
 */
#include <shmem.h>

#include <signal.h>
#include <stdlib.h>

static long in[8], out[8];

int main(int argc, char **argv) {
  if (argc < 3) return 2;
  shmem_init();
  const int me = shmem_my_pe(), odd = me % 2;
  shmem_barrier_all();
  if (me == atoi(argv[1])) raise(SIGKILL);
  shmem_barrier_all();
  void *p = shmem_malloc(100); /* here they agree */
  shmem_free(p);
  switch (atoi(argv[2])) {
  case 0: shmem_free(shmem_malloc(odd ? 200 : 100)); break;
  case 1: shmem_long_broadcast(SHMEM_TEAM_WORLD, out, in, 8, odd); break;
  default:
    if (odd)
      shmem_barrier_all();
    else
      shmem_long_sum_reduce(SHMEM_TEAM_WORLD, out, in, 8);
  }
  shmem_barrier_all();
  shmem_finalize();
  return 0;
}
