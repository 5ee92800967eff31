/* After shmem_finalize a process may end in whatever way, while others still work. */
#include <shmem.h>

#include "check.h"

int main(void) {
  shmem_init();
  const int me = shmem_my_pe();
  CHECK(shmem_n_pes() == 3);
  shmem_barrier_all();
  shmem_finalize();
  if (me == 1) _exit(0);
  if (me == 2) execl("/bin/true", "true", (char *)0);
  usleep(300000); /* ten times as long as weftrun waits for what explains an end */
  return 0;
}
