/*
 * The first message to a node makes the connection. Of six PEs on nodes of their own the first and
 * the fourth have none to each other, as no round of a barrier brings them together, until one puts
 * to the other; round trips by puts are timed from the first one on. PE 0 prints the first, the
 * second and the median of the later ones, in microseconds, for scale.sh.
 */
#include <shmem.h>
#include <unistd.h>

#include "check.h"
#include "measure.h"

enum { PES = 6, OTHER = 3, ROUNDS = 1001, EARLY = 101 };

static long flag;

static int ascending(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static void answer(void) {
  for (long i = 1; i <= ROUNDS; i++) {
    shmem_long_wait_until(&flag, SHMEM_CMP_GE, i);
    shmem_long_p(&flag, i, 0);
  }
}

static void ask(double *us) {
  for (long i = 1; i <= ROUNDS; i++) {
    const double before = now();
    shmem_long_p(&flag, i, OTHER);
    shmem_long_wait_until(&flag, SHMEM_CMP_GE, i);
    us[i - 1] = (now() - before) * 1e6;
  }
}

int main(void) {
  static double us[ROUNDS];
  int few, connections;
  shmem_init();
  CHECK_EQ(shmem_n_pes(), PES);
  descriptors(&few);
  if (shmem_my_pe() == 0) {
    usleep(200000); /* the other one waits by then */
    ask(us);
  } else if (shmem_my_pe() == OTHER) {
    answer();
  } else {
    usleep(400000); /* leaves the processors to them */
  }
  descriptors(&connections);
  CHECK_EQ(connections, few + (shmem_my_pe() % OTHER == 0));
  qsort(us + EARLY, ROUNDS - EARLY, sizeof *us, ascending);
  if (shmem_my_pe() == 0)
    printf("| %.1f | %.1f | %.1f |\n", us[0], us[1], us[EARLY + (ROUNDS - EARLY) / 2]);
  shmem_finalize();
  return 0;
}
