/*
 * Where each PE is: nodes, slots, machines and their processors, of what all PEs have said of
 * themselves.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "job/exchange.h"

static bool same_node(const identity_t *a, const identity_t *b) {
  return a->node_hash[0] == b->node_hash[0] && a->node_hash[1] == b->node_hash[1];
}

/* Is a a part of b, and not all of it? */
static bool is_part(const uint64_t *a, const uint64_t *b) {
  bool less = false;
  for (int w = 0; w < WEFT_CPU_WORDS; w++) {
    if (a[w] & ~b[w]) return false;
    less |= a[w] != b[w];
  }
  return less;
}

static bool overlap(const uint64_t *a, const uint64_t *b) {
  uint64_t both = 0;
  for (int w = 0; w < WEFT_CPU_WORDS; w++) both |= a[w] & b[w];
  return both != 0;
}

static void add_cpus(uint64_t *to, const uint64_t *cpus) {
  for (int w = 0; w < WEFT_CPU_WORDS; w++) to[w] |= cpus[w];
}

/* PEs of a kernel that may run on one of these processors. */
static int count_over(const identity_t *all, uint64_t kernel, const uint64_t *cpus) {
  int n = 0;
  for (int pe = 0; pe < weft_job.npes; pe++)
    n += all[pe].kernel_hash == kernel && overlap(all[pe].cpus, cpus);
  return n;
}

static int count_cpus(const uint64_t *cpus) {
  int n = 0;
  for (int w = 0; w < WEFT_CPU_WORDS; w++) n += __builtin_popcountll(cpus[w]);
  return n;
}

/* This machine's PEs and their processors, and who else of this kernel may run on those: the
 * containers of a kernel may have processors of their own, or share them. */
static int count_machine(const identity_t *all) {
  const identity_t *me = &all[weft_job.pe];
  int *pids = calloc((size_t)weft_job.npes, sizeof *pids); /* boot keeps it */
  weft_job.pids = calloc((size_t)weft_job.npes, sizeof *weft_job.pids);
  if (!pids || !weft_job.pids) return -ENOMEM;
  for (int pe = 0; pe < weft_job.npes; pe++) {
    if (memcmp(all[pe].machine_hash, me->machine_hash, sizeof me->machine_hash) != 0) continue;
    add_cpus(weft_job.cpus, all[pe].cpus);
    if (is_part(all[pe].cpus, me->cpus)) add_cpus(weft_job.bound, all[pe].cpus);
    weft_job.pids[pe] = all[pe].pid;
    pids[weft_job.nmachine++] = all[pe].pid;
  }
  weft_job.ncpus = count_cpus(weft_job.cpus);
  weft_job.nkernel = count_over(all, me->kernel_hash, weft_job.cpus);
  const int first = count_cpus(all[0].cpus);
  weft_job.crowd = count_over(all, all[0].kernel_hash, all[0].cpus) / (first ? first : 1);
  weft_boot_know_peers(pids, weft_job.nmachine);
  return 0;
}

/* The tables of all PEs, and those of nodes and slots, which are fewer. 0 or -ENOMEM. */
static int make_tables(void) {
  weft_job_t *j = &weft_job;
  const size_t table = WEFT_KEYS_BELOW + (size_t)j->npes * sizeof *j->disp;
  char *memory =
      mmap(NULL, table, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  j->leader = calloc((size_t)j->npes, sizeof *j->leader);
  j->local = calloc((size_t)j->npes, sizeof *j->local);
  if (memory == MAP_FAILED || !j->leader || !j->local) return -ENOMEM;
  j->table_bytes = table;
  j->disp = (uintptr_t *)(memory + WEFT_KEYS_BELOW);
  j->keys = (uint64_t *)memory;
  j->where = (weft_where_t *)((char *)j->disp - WEFT_WHERE_BELOW);
  return 0;
}

/* The node of a PE, mostly that of the PE before it; a new one if none has it. */
static int node_of(const identity_t *all, int pe) {
  weft_job_t *j = &weft_job;
  if (pe > 0 && same_node(&all[pe], &all[pe - 1])) return j->where[pe - 1].node;
  for (int node = 0; node < j->nnodes; node++)
    if (same_node(&all[pe], &all[j->leader[node]])) return node;
  j->leader[j->nnodes] = pe;
  return j->nnodes++;
}

/* Number the nodes by their lowest PE and the slots by PE. taken: slots of each node, zeros. */
static int number(const identity_t *all, int *taken) {
  weft_job_t *j = &weft_job;
  for (int pe = 0; pe < j->npes; pe++) {
    const int node = node_of(all, pe);
    if (j->nnodes >= WEFT_MAX_NODES) {
      weft_warn("more than %d nodes are not supported: start on fewer", WEFT_MAX_NODES - 1);
      return -E2BIG;
    }
    if (taken[node] == WEFT_MAX_SLOTS) {
      weft_warn("more than %d PEs of one node are not supported: start fewer", WEFT_MAX_SLOTS);
      return -E2BIG;
    }
    j->where[pe] = (weft_where_t){(uint16_t)node, (uint16_t)taken[node]++};
  }
  j->node = j->where[j->pe].node;
  j->slot = j->where[j->pe].slot;
  j->nslots = taken[j->node];
  for (int pe = 0; pe < j->npes; pe++)
    if (j->where[pe].node == j->node) j->local[j->where[pe].slot] = pe;
  return 0;
}

int weft_place_pes(const identity_t *all) {
  weft_job_t *j = &weft_job;
  if (j->npes > WEFT_MAX_PES) {
    weft_warn("%d PEs are more than %d, the most that Weft supports: start fewer", j->npes,
              WEFT_MAX_PES);
    return -E2BIG;
  }
  int *taken = calloc((size_t)j->npes, sizeof *taken);
  int rc = taken ? make_tables() : -ENOMEM;
  if (rc == 0) rc = number(all, taken);
  if (rc == 0) rc = count_machine(all);
  free(taken);
  return rc;
}
