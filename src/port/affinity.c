/*
 * Where the helpers run that serve a port. Knows processors and their numbers, not what a helper
 * does.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <string.h>

#include "port/port_internal.h"

/* The n-th processor of a mask, counted around. */
static int nth(const uint64_t *mask, int total, int n) {
  n %= total;
  for (int cpu = 0; cpu < 64 * WEFT_CPU_WORDS; cpu++)
    if (mask[cpu / 64] >> cpu % 64 & 1 && n-- == 0) return cpu;
  return 0;
}

/* By turns: helpers of nodes that follow one another are on different processors of theirs, so that
 * no processor of the machine as a whole is slower than the others, nor the same PE on every node.
 */
static int by_turns(void) {
  return nth(weft_job.cpus, weft_job.ncpus, weft_job.node * weft_job_helpers() + weft_job.slot);
}

static int listed(void) {
  int cpus[64 * WEFT_CPU_WORDS];
  int n = weft_parse_cpus(weft_options.helper_affinity, cpus, 64 * WEFT_CPU_WORDS);
  return cpus[weft_job.slot % n];
}

/* What the process has, without processors to which other PEs are bound; all of it if nothing is
 * left. */
static int undisturbing(cpu_set_t *set) {
  uint64_t own[WEFT_CPU_WORDS];
  CPU_ZERO(set);
  weft_cpu_mask(own);
  for (int cpu = 0; cpu < 64 * WEFT_CPU_WORDS && cpu < CPU_SETSIZE; cpu++)
    if ((own[cpu / 64] & ~weft_job.bound[cpu / 64]) >> cpu % 64 & 1) CPU_SET(cpu, set);
  return CPU_COUNT(set);
}

int weft_helper_bind(pthread_t thread) {
  const char *want = weft_options.helper_affinity;
  cpu_set_t set;
  int cpu = -1;
  if (strcmp(want, "none") == 0) return 0;
  if (strcmp(want, "auto") == 0) {
    if (undisturbing(&set) == 0) return 0;
  } else {
    cpu = strcmp(want, "rotate") == 0 ? by_turns() : listed();
    CPU_ZERO(&set);
    CPU_SET(cpu, &set);
  }
  const int rc = pthread_setaffinity_np(thread, sizeof set, &set);
  if (rc != 0 && cpu >= 0) {
    weft_warn(
        "WEFT_HELPER_AFFINITY=%s: the helper cannot run on processor %d: %s; is it there, and "
        "this job's?",
        want, cpu, strerror(rc));
    return -rc;
  }
  if (cpu >= 0)
    weft_info("helper %d of node %d on processor %d", weft_job.slot, weft_job.node, cpu);
  return 0;
}
