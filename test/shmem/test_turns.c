/*
 * A loop around a test: its first misses cost no call of the kernel. Then it gives the processor
 * away, as the PE that is waited for may need it: in each turn where there are more PEs than
 * processors, else now and then.
 */
#include <shmem.h>

#include <sched.h>
#include <sys/syscall.h>

#include "check.h"
#include "job/job.h"

enum { FIRST = 8, MISSES = 200, MANY = 2000 }; /* PEs that share processors would nap by then */
static long word, flag;
static _Thread_local int yields;

/* In front of libc's, for the library too. */
int sched_yield(void) {
  yields++;
  return (int)syscall(SYS_sched_yield);
}

static int miss(int times) {
  const int before = yields;
  for (int i = 0; i < times; i++) CHECK(!shmem_long_test(&word, SHMEM_CMP_NE, 0));
  return yields - before;
}

int main(void) {
  shmem_init();
  const int me = shmem_my_pe(), last = shmem_n_pes() - 1;
  const bool crowded = weft_job.nkernel > weft_job.ncpus;
  shmem_barrier_all();
  for (int i = 0; i < 3; i++) {
    CHECK_EQ(miss(FIRST), 0);
    const int given = miss(crowded ? MISSES : MANY);
    CHECK(crowded ? given >= MISSES / 2 : given >= MANY / 64 && given <= MANY / 8);
    CHECK(shmem_long_test(&word, SHMEM_CMP_EQ, 0)); /* found: the next loop is a new one */
  }
  for (long turn = 1; turn <= 100 && (me == 0 || me == last); turn++) {
    if (me == 0) shmem_long_p(&flag, turn, last);
    while (!shmem_long_test(&flag, SHMEM_CMP_EQ, turn)) continue;
    if (me == last && last > 0) shmem_long_p(&flag, turn, 0);
  }
  shmem_barrier_all();
  shmem_finalize();
  return 0;
}
