/*
 * test: none
 * The PEs of one host die, and those of the other go on to put there, longer than the port of the
 * dead is there to tell of them (port/lost.c). Nobody answers; nothing is waited for in vain. With
 * an argument there are long puts, too, of which some are not sent yet when that port ends.
 */
#include <shmem.h>
#include <signal.h>
#include <time.h>

#include "check.h"

enum { TIME_S = 3, ADDS = 100, LONG = 4 << 20, PUTS = 8 };

static long word, counter;
static char block[LONG], source[LONG];

int main(int argc, char **argv) {
  (void)argv;
  shmem_init();
  const int me = shmem_my_pe(), n = shmem_n_pes();
  shmem_long_atomic_inc(&counter, (me + n / 2) % n); /* they are connected */
  shmem_barrier_all();
  if (me >= n / 2) { /* the other port has answers for the dead */
    for (int i = 0; i < ADDS; i++) shmem_long_atomic_inc(&counter, me - n / 2);
    kill(getpid(), SIGKILL);
  }
  for (const time_t end = time(NULL) + TIME_S; time(NULL) < end;) {
    shmem_long_p(&word, 1, me + n / 2);
    for (int i = 0; argc > 1 && i < PUTS; i++) shmem_putmem_nbi(block, source, LONG, me + n / 2);
    shmem_long_atomic_inc(&counter, n - 1);
    shmem_quiet();
    shmem_long_atomic_inc(&counter, (me + 1) % (n / 2));
    usleep(500);
  }
  shmem_quiet();
  CHECK(counter > 1);
  if (me == 0) puts("right");
  shmem_finalize();
  return 0;
}
