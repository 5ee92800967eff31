/*
 * A launcher may bind each PE to a processor of its own: the processors that count are those of all
 * PEs of the machine together. Machines that are containers of one kernel share processors, or have
 * their own (APART=shared or own, bound.sh): then those count for it that may run on its own.
 */
#include <sched.h>
#include <shmem.h>

#include "check.h"
#include "job/job.h"

/* Of these processors, the n-th. */
static int nth(const cpu_set_t *set, int n) {
  int cpu = 0;
  while (!CPU_ISSET(cpu, set) || n-- > 0) cpu++;
  return cpu;
}

int main(void) {
  cpu_set_t all, one, machine;
  const char *apart = getenv("APART");
  const int rank = atoi(getenv("PMI_RANK")), n = atoi(getenv("PMI_SIZE")), half = n / 2;
  int nmachine = 0, nkernel = 0;
  CHECK_EQ(sched_getaffinity(0, sizeof all, &all), 0);
  const int cpus = CPU_COUNT(&all);
#define CPU_OF(pe) nth(&all, (apart && strcmp(apart, "own") == 0 ? (pe) >= half : (pe)) % cpus)
  CPU_ZERO(&one);
  CPU_SET(CPU_OF(rank), &one);
  CHECK_EQ(sched_setaffinity(0, sizeof one, &one), 0);
  shmem_init();
  CPU_ZERO(&machine);
  for (int pe = 0; pe < n; pe++) {
    if (apart && (pe < half) != (rank < half)) continue;
    CPU_SET(CPU_OF(pe), &machine);
    nmachine++;
  }
  for (int pe = 0; pe < n; pe++) nkernel += CPU_ISSET(CPU_OF(pe), &machine);
  CHECK_EQ(weft_job.nmachine, nmachine);
  CHECK_EQ(weft_job.nkernel, nkernel);
  CHECK_EQ(weft_job.ncpus, CPU_COUNT(&machine));
  for (int cpu = 0; cpu < 64 * WEFT_CPU_WORDS && cpu < CPU_SETSIZE; cpu++)
    CHECK_EQ(weft_job.cpus[cpu / 64] >> cpu % 64 & 1, CPU_ISSET(cpu, &machine) != 0);
  shmem_finalize();
  return 0;
}
