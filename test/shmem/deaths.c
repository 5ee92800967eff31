/*
 * WEFT_ON_DEATH=continue: the last PE dies with a lock of every home; each of the others gets them
 * after that, in this way: `deaths set|test`. Where its node is another one, that is told of the
 * lock that was kept there. `deaths fortran`: locks of Fortran, of which it had none. With one more
 * argument all know of its death first: its node's port may serve its locks until then. `deaths
 * again`: nobody dies, and all begin again after shmem_finalize, which is refused (deaths.sh).
 */
#include <shmem.h>

#include <signal.h>

#include "check.h"

enum { LOCKS = 4 };
static long locks[LOCKS], taken, counts[LOCKS];
static int words[LOCKS];

void shmem_set_lock_(int *lock);
void shmem_clear_lock_(int *lock);

int main(int argc, char **argv) {
  CHECK(argc >= 2);
  shmem_init();
  const int me = shmem_my_pe(), n = shmem_n_pes();
  const int fortran = strcmp(argv[1], "fortran") == 0;
  CHECK_EQ(n, LOCKS);
  if (strcmp(argv[1], "again") == 0) {
    shmem_barrier_all();
    shmem_finalize();
    shmem_init();
    return 0;
  }
  if (me == n - 1) {
    for (int i = 0; i < LOCKS && !fortran; i++) shmem_set_lock(&locks[i]);
    for (int pe = 0; pe < n; pe++) shmem_long_p(&taken, 1, pe);
    shmem_quiet();
    kill(getpid(), SIGKILL);
  }
  shmem_long_wait_until(&taken, SHMEM_CMP_EQ, 1);
  if (argc > 2) shmem_barrier_all();
  for (int i = 0; i < LOCKS; i++) {
    if (fortran)
      shmem_set_lock_(&words[i]);
    else if (strcmp(argv[1], "set") == 0)
      shmem_set_lock(&locks[i]);
    else
      while (shmem_test_lock(&locks[i])) continue;
    shmem_long_p(&counts[i], shmem_long_g(&counts[i], 0) + 1, 0);
    if (fortran)
      shmem_clear_lock_(&words[i]);
    else
      shmem_clear_lock(&locks[i]);
  }
  shmem_barrier_all();
  for (int i = 0; i < LOCKS && me == 0; i++) CHECK_EQ(counts[i], n - 1);
  shmem_finalize();
  if (me == 0) puts("right");
  return 0;
}
