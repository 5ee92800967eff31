/*
 * Trap 2: PE 1 computes and makes no OpenSHMEM call until PE 0 has read from it, updated it
 * atomically and written to it, small, large and strided. PE 0 then calls nothing either: what it
 * put last must arrive by itself.
 */
#include <shmem.h>

#include "check.h"

enum { LARGE = 100000 };
static long word = 3, counter, strided[16];
static volatile long done, thanks;
static char large[LARGE];

int main(void) {
  shmem_init();
  const int me = shmem_my_pe();
  if (shmem_n_pes() < 2) CHECK_SKIP("needs 2 PEs");
  static char mine[LARGE];
  memset(mine, 'x', LARGE);
  shmem_barrier_all();
  if (me == 0) {
    const long source[4] = {1, 2, 3, 4};
    CHECK_EQ(shmem_long_g(&word, 1), 3);
    CHECK_EQ(shmem_long_atomic_fetch_add(&counter, 2, 1), 0);
    shmem_long_atomic_inc(&counter, 1);
    CHECK_EQ(shmem_long_atomic_fetch(&counter, 1), 3);
    shmem_putmem(large, mine, LARGE, 1);
    shmem_long_iput(strided, source, 4, 1, 4, 1);
    shmem_fence();
    shmem_long_p((long *)&done, 1, 1); /* no quiet follows */
    while (!thanks) usleep(100);
  } else if (me == 1) {
    while (!__atomic_load_n(&done, __ATOMIC_ACQUIRE)) usleep(100);
    CHECK(large[0] == 'x' && large[LARGE - 1] == 'x');
    CHECK(strided[12] == 4 && counter == 3);
    shmem_long_p((long *)&thanks, 1, 0);
    shmem_quiet();
  }
  shmem_barrier_all();
  shmem_finalize();
  return 0;
}
