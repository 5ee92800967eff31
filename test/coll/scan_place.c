/*
 * A scan in place while the next node takes nothing: what was sent of it is still the source's.
 */
#include <shmem.h>

#include <signal.h>
#include <unistd.h>

#include "check.h"

enum { N = 1 << 17 };

static long data[N];

/* Stopped for a moment. */
static void stop(void) {
  const pid_t self = getpid(), child = fork();
  CHECK(child >= 0);
  if (child == 0) {
    while (getppid() == self && !weft_check_stopped(self)) usleep(1000);
    usleep(100000);
    kill(self, SIGCONT);
    _exit(0);
  }
  raise(SIGSTOP);
}

int main(void) {
  shmem_init();
  const long me = shmem_my_pe(), npes = shmem_n_pes();
  for (long i = 0; i < N; i++) data[i] = me + i;
  shmem_barrier_all();
  if (me == npes - 1)
    stop();
  else
    usleep(20000);
  shmem_long_sum_exscan(SHMEM_TEAM_WORLD, data, data, N);
  for (long i = 0; i < N; i++) CHECK_EQ(data[i], me * (me - 1) / 2 + me * i);
  shmem_barrier_all();
  shmem_finalize();
  return 0;
}
