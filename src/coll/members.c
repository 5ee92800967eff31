/*
 * Where a set's members live. Where the job's PEs are dealt to nodes in blocks or in turns, which
 * is what launchers do, the structure of a strided set is arithmetic; only for other placements,
 * and for sets with a list, it is found by looking at every member once and kept.
 */
#include <stdlib.h>

#include "coll/coll_internal.h"

/* How the job's PEs lie on its nodes. */
static struct {
  enum { UNKNOWN, BLOCKS, TURNS, OTHER } kind;
  int block; /* BLOCKS: PEs of every node but the last, which may have fewer */
} placement;

void weft_members_end(void) {
  placement.kind = UNKNOWN;
}

static void look(void) {
  const weft_job_t *j = &weft_job;
  bool blocks = true, turns = true;
  int block = 1; /* PE 0 is on node 0 */
  while (block < j->npes && j->where[block].node == 0) block++;
  for (int pe = 0; pe < j->npes && (blocks || turns); pe++) {
    blocks = blocks && j->where[pe].node == pe / block;
    turns = turns && j->where[pe].node == pe % j->nnodes;
  }
  placement.block = block;
  placement.kind = blocks ? BLOCKS : turns ? TURNS : OTHER;
}

static int greatest_divisor(int a, int b) {
  while (b) {
    const int rest = a % b;
    a = b;
    b = rest;
  }
  return a < 0 ? -a : a;
}

/* Member i and members i + period, i + 2 * period, ... share a node, and no others. */
static void by_period(weft_members_t *m, const weft_set_t *set, int me, int period) {
  m->kind = WEFT_MEMBERS_PERIOD;
  m->nodes = period < set->size ? period : set->size;
  m->node = me % m->nodes;
  m->first = m->node;
  m->step = m->nodes;
  m->local = me / m->nodes;
  m->locals = (set->size - m->first + m->nodes - 1) / m->nodes;
  m->most = (set->size + m->nodes - 1) / m->nodes;
  m->runs = m->nodes == 1 || m->nodes == set->size;
}

/* Blocks of PEs, and a stride that leaves none out: the members of a node follow one another, and
 * so do the nodes. The first member of the j-th node: */
static int run_begins(const weft_set_t *set, int j) {
  const int block = placement.block, stride = set->stride, home = set->start / block;
  if (j <= 0 || stride == 0) return 0;
  if (stride > 0) return ((home + j) * block - set->start + stride - 1) / stride;
  return (set->start - ((home - j + 1) * block - 1) - stride - 1) / -stride;
}

static void by_runs(weft_members_t *m, const weft_set_t *set, int me) {
  const int block = placement.block, home = set->start / block;
  const int last = weft_set_world(set, set->size - 1) / block - home;
  m->kind = WEFT_MEMBERS_RUNS;
  m->nodes = (last < 0 ? -last : last) + 1;
  m->node = abs(weft_set_world(set, me) / block - home);
  m->first = run_begins(set, m->node);
  m->step = 1;
  m->runs = true;
  m->local = me - m->first;
  m->locals = weft_members_of(m, set, m->node);
  m->most = set->stride == 0 ? 1 : (block + abs(set->stride) - 1) / abs(set->stride);
  if (m->most > set->size) m->most = set->size;
}

int weft_members_of(const weft_members_t *m, const weft_set_t *set, int node) {
  if (m->kind == WEFT_MEMBERS_PERIOD) return (set->size - node + m->nodes - 1) / m->nodes;
  return (node + 1 < m->nodes ? run_begins(set, node + 1) : set->size) - run_begins(set, node);
}

int weft_members_in(const weft_members_t *m, const weft_set_t *set, int node, int k) {
  return m->kind == WEFT_MEMBERS_PERIOD ? node + k * m->nodes : run_begins(set, node) + k;
}

/* Every member is looked at: leaders first, then this node's. */
static int by_list(weft_members_t *m, const weft_set_t *set, int me) {
  const int here = weft_job_node_of(weft_set_world(set, me));
  char *seen = calloc((size_t)weft_job.nnodes, 1);
  int nodes = 0, locals = 0, before = -1;
  if (!seen) return -ENOMEM;
  for (int i = 0; i < set->size; i++) {
    const int node = weft_job_node_of(weft_set_world(set, i));
    if (node == here) locals++;
    if (!seen[node]) nodes++;
    seen[node] = 1;
  }
  m->kind = WEFT_MEMBERS_LIST;
  m->runs = true;
  m->most = set->size - nodes + 1;
  m->list = calloc((size_t)(nodes + locals) + 1, sizeof *m->list);
  memset(seen, 0, (size_t)weft_job.nnodes);
  for (int i = 0; m->list && i < set->size; i++) {
    const int node = weft_job_node_of(weft_set_world(set, i));
    if (i == me) m->local = m->locals;
    if (node == here) m->list[nodes + m->locals++] = i;
    m->runs = m->runs && (node == before || !seen[node]);
    before = node;
    if (seen[node]) continue;
    seen[node] = 1;
    if (node == here) m->node = m->nodes;
    m->list[m->nodes++] = i;
  }
  free(seen);
  return m->list ? 0 : -ENOMEM;
}

int weft_members_find(weft_members_t *m, const weft_set_t *set, int me) {
  if (placement.kind == UNKNOWN) look();
  *m = (weft_members_t){0};
  if (set->list && weft_job.nnodes > 1) return by_list(m, set, me);
  if (placement.kind == TURNS && weft_job.nnodes > 1)
    by_period(m, set, me, weft_job.nnodes / greatest_divisor(set->stride, weft_job.nnodes));
  else if (placement.kind == OTHER)
    return by_list(m, set, me);
  else if (!set->list && abs(set->stride) >= placement.block)
    by_period(m, set, me, set->size);
  else if (set->list)
    by_period(m, set, me, 1); /* one node */
  else
    by_runs(m, set, me);
  return 0;
}

void weft_members_free(weft_members_t *m) {
  free(m->list);
  m->list = NULL;
}

int weft_members_leader_in(const weft_members_t *m, const weft_set_t *set, int node) {
  if (m->kind == WEFT_MEMBERS_RUNS) return run_begins(set, node);
  return m->kind == WEFT_MEMBERS_PERIOD ? node : m->list[node];
}

int weft_members_node_in(const weft_members_t *m, const weft_set_t *set, int member) {
  const int world = weft_set_world(set, member);
  int node = 0;
  if (m->kind == WEFT_MEMBERS_PERIOD) return member % m->nodes;
  if (m->kind == WEFT_MEMBERS_RUNS)
    return abs(world / placement.block - set->start / placement.block);
  while (weft_job_node_of(weft_set_world(set, m->list[node])) != weft_job_node_of(world)) node++;
  return node;
}

int weft_members_local_of(const weft_members_t *m, int member) {
  if (m->kind != WEFT_MEMBERS_LIST) {
    const int distance = member - m->first;
    return distance % m->step == 0 && distance >= 0 && distance / m->step < m->locals
               ? distance / m->step
               : -1;
  }
  for (int low = 0, high = m->locals - 1; low <= high;) {
    const int middle = low + (high - low) / 2, at = m->list[m->nodes + middle];
    if (at == member) return middle;
    if (at < member)
      low = middle + 1;
    else
      high = middle - 1;
  }
  return -1;
}
