/*
 * A launcher may bind each PE to a processor of its own: the processors that count are those of all
 * PEs of the machine together, not the one that this PE has.
 */
#include <sched.h>
#include <shmem.h>

#include "check.h"
#include "job/job.h"

int main(void) {
  cpu_set_t all, one;
  const int rank = atoi(getenv("PMI_RANK"));
  CHECK_EQ(sched_getaffinity(0, sizeof all, &all), 0);
  const int cpus = CPU_COUNT(&all);
  int left = rank % cpus, cpu = 0;
  while (!CPU_ISSET(cpu, &all) || left-- > 0) cpu++;
  CPU_ZERO(&one);
  CPU_SET(cpu, &one);
  CHECK_EQ(sched_setaffinity(0, sizeof one, &one), 0);
  shmem_init();
  const int n = shmem_n_pes();
  CHECK_EQ(weft_job.nmachine, n);
  CHECK_EQ(weft_job.nkernel, n);
  CHECK_EQ(weft_job.ncpus, n < cpus ? n : cpus);
  shmem_finalize();
  return 0;
}
