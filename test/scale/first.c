/*
 * The first message to a node makes the connection. Of six PEs on nodes of their own the first and
 * the fourth have none to each other, as no round of a barrier brings them together, until one puts
 * to the other; round trips by puts are timed from the first one on, and then some that come after
 * a pause, as the first one does. PE 0 prints the first, the second, the median of the later ones
 * and that of those after a pause, in microseconds, for scale.sh.
 */
#include <shmem.h>
#include <unistd.h>

#include "check.h"
#include "measure.h"

enum { PES = 6, OTHER = 3, ROUNDS = 1001, EARLY = 101, RESTED = 9, PAUSE_US = 200000 };

static long flag;

static int ascending(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static void answer(void) {
  for (long i = 1; i <= ROUNDS + RESTED; i++) {
    shmem_long_wait_until(&flag, SHMEM_CMP_GE, i);
    shmem_long_p(&flag, i, 0);
  }
}

static void ask(double *us) {
  for (long i = 1; i <= ROUNDS + RESTED; i++) {
    if (i > ROUNDS) usleep(PAUSE_US);
    const double before = now();
    shmem_long_p(&flag, i, OTHER);
    shmem_long_wait_until(&flag, SHMEM_CMP_GE, i);
    us[i - 1] = (now() - before) * 1e6;
  }
}

int main(void) {
  static double us[ROUNDS + RESTED];
  double *rested = us + ROUNDS;
  int few, connections;
  shmem_init();
  CHECK_EQ(shmem_n_pes(), PES);
  descriptors(&few);
  if (shmem_my_pe() == 0) {
    usleep(PAUSE_US); /* the other one waits by then */
    ask(us);
  } else if (shmem_my_pe() == OTHER) {
    answer();
  } else {
    usleep((RESTED + 2) * PAUSE_US); /* leaves the processors to them */
  }
  descriptors(&connections);
  CHECK_EQ(connections, few + (shmem_my_pe() % OTHER == 0));
  qsort(us + EARLY, ROUNDS - EARLY, sizeof *us, ascending);
  qsort(rested, RESTED, sizeof *us, ascending);
  if (shmem_my_pe() == 0)
    printf("| %.1f | %.1f | %.1f | %.1f |\n", us[0], us[1], us[EARLY + (ROUNDS - EARLY) / 2],
           rested[RESTED / 2]);
  shmem_finalize();
  return 0;
}
