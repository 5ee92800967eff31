/*
 * Where the helpers run that serve a port, and when one moves to the next processor. Knows
 * processors and their numbers, and of what a helper does only how many bytes it was.
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

/* By turns: the helper of the next node begins on the next processor. So, over the whole machine,
 * it is not always the processor, and the PE, of the same number that is slowed down. */
static int by_turns(void) {
  return nth(weft_job.cpus, weft_job.ncpus, weft_job.node * weft_job_helpers() + weft_job.slot);
}

static int listed(void) {
  int cpus[64 * WEFT_CPU_WORDS];
  int n = weft_parse_cpus(weft_options.helper_affinity, cpus, 64 * WEFT_CPU_WORDS);
  return cpus[weft_job.slot % n];
}

/* ---- rotate: the moving helper (ARMCI-XT5) --------------------------------------------------- */

/* Of a helper that is moved. Any thread that serves the port counts its work, the PE's too; only
 * the helper moves itself. */
static struct {
  uint64_t weight; /* of the work since it was moved */
  int cpu, moves;
} rotation = {.cpu = -1};

/* Processors to choose from: those to which no other PE is bound, or all if there is none. */
static int choices(uint64_t mask[WEFT_CPU_WORDS]) {
  int n = 0;
  for (int i = 0; i < WEFT_CPU_WORDS; i++)
    n += __builtin_popcountll(mask[i] = weft_job.cpus[i] & ~weft_job.bound[i]);
  if (n > 0) return n;
  memcpy(mask, weft_job.cpus, sizeof weft_job.cpus);
  return weft_job.ncpus;
}

void weft_helper_worked(size_t computed, size_t communicated) {
  enum { MEMORY_BY_NETWORK = 8 }; /* the paper's machine: 25 GB/s by 3 GB/s */
  if (weft_likely(rotation.cpu < 0)) return;
  __atomic_fetch_add(&rotation.weight, MEMORY_BY_NETWORK * computed + communicated,
                     __ATOMIC_RELAXED);
}

WEFT_COLD void weft_helper_move(void) {
  uint64_t mask[WEFT_CPU_WORDS];
  cpu_set_t set;
  const int n = choices(mask);
  int at = 0; /* how many choices are not behind where it is */
  for (int cpu = 0; cpu <= rotation.cpu; cpu++) at += mask[cpu / 64] >> cpu % 64 & 1;
  const int cpu = nth(mask, n, at);
  weft_poke(&rotation.weight, 0);
  if (cpu == rotation.cpu) return;
  CPU_ZERO(&set);
  CPU_SET(cpu, &set);
  if (pthread_setaffinity_np(pthread_self(), sizeof set, &set) != 0) return; /* it stays */
  weft_poke(&rotation.cpu, cpu);
  weft_poke(&rotation.moves, rotation.moves + 1);
}

bool weft_helper_is_due(void) {
  return weft_unlikely(rotation.cpu >= 0 && weft_peek(&rotation.weight) > weft_options.helper_move);
}

int weft_helper_moves(void) {
  return weft_peek(&rotation.moves);
}

/* ---- where it begins ------------------------------------------------------------------------- */

/* The process's processors but for those to which other PEs are bound. A launcher may have bound
 * the process to a single one, which its PE uses: then the helper gets those of all PEs of the
 * machine, and the kernel finds an idle one. */
static int undisturbing(cpu_set_t *set) {
  uint64_t own[WEFT_CPU_WORDS];
  CPU_ZERO(set);
  if (weft_cpu_mask(own) == 1) memcpy(own, weft_job.cpus, sizeof own);
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
  if (strcmp(want, "rotate") == 0) weft_poke(&rotation.cpu, cpu);
  if (cpu >= 0)
    weft_info("helper %d of node %d on processor %d", weft_job.slot, weft_job.node, cpu);
  return 0;
}
