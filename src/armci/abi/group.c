/*
 * group.c: groups as the interface's type: ComEx's is a number of this process, ARMCI-MPI's a
 * struct that programs look into. Nodes.
 */
#include <stdlib.h>

#include "armci/abi/abi.h"

#ifdef WEFT_ARMCI_MPI_ABI

static bool is_member(const ARMCI_Group *group) {
  return group->grp_to_abs != NULL;
}

weft_armci_group_t *weft_armci_group_of(const ARMCI_Group *group, const char *who) {
  weft_armci_up(who);
  if (!group || !is_member(group)) weft_armci_fatal("%s: this process is not in the group", who);
  return (weft_armci_group_t *)((char *)group->grp_to_abs - offsetof(weft_armci_group_t, list));
}

static void find_inverse(weft_armci_group_t *g) {
  const int n = weft_armci_nproc();
  g->inverse = malloc((size_t)n * sizeof *g->inverse);
  if (!g->inverse) weft_armci_fatal("ARMCI: no memory for a group of %d", g->size);
  for (int i = 0; i < n; i++) g->inverse[i] = -1;
  for (int i = 0; i < g->size; i++) g->inverse[g->list[i]] = i;
}

void weft_armci_group_tell(weft_armci_group_t *g, int size, ARMCI_Group *out) {
  *out = (ARMCI_Group){
      .comm = MPI_COMM_NULL, .noncoll_pgroup_comm = MPI_COMM_NULL, .rank = -1, .size = size};
  if (!g) return;
  if (!g->inverse) find_inverse(g);
  out->grp_to_abs = g->list;
  out->abs_to_grp = g->inverse;
  out->comm = armci_group_comm(out);
  out->rank = g->me;
  out->size = g->size;
}

#else

static bool is_member(const ARMCI_Group *group) {
  return *group >= 0;
}

weft_armci_group_t *weft_armci_group_of(const ARMCI_Group *group, const char *who) {
  weft_armci_up(who);
  weft_armci_group_t *g = group ? weft_armci_group(*group) : NULL;
  if (!g) weft_armci_fatal("%s: %d is no group that this process is in", who, group ? *group : -1);
  return g;
}

void weft_armci_group_tell(weft_armci_group_t *g, int size, ARMCI_Group *out) {
  (void)size;
  *out = g ? g->id : -1;
}

#endif

static void create(int n, int *list, ARMCI_Group *group, weft_armci_group_t *parent,
                   const char *who) {
  weft_armci_group_t *g = weft_armci_group_create(parent, n, list, who);
  if (g) weft_armci_mpi_group(g);
  weft_armci_group_tell(g, n, group);
}

void ARMCI_Group_create(int n, int *list, ARMCI_Group *group) {
  const char *who = "ARMCI_Group_create";
  create(n, list, group, weft_armci_default(who), who);
}

void ARMCI_Group_create_child(int n, int *list, ARMCI_Group *group, ARMCI_Group *parent) {
  const char *who = "ARMCI_Group_create_child";
  create(n, list, group, weft_armci_group_of(parent, who), who);
}

void ARMCI_Group_free(ARMCI_Group *group) {
  const char *who = "ARMCI_Group_free";
  if (!group) weft_armci_fatal("%s: no group", who);
  if (!is_member(group)) return;
  weft_armci_group_t *g = weft_armci_group_of(group, who);
  weft_armci_mpi_group_free(g);
  weft_armci_group_free(g);
  weft_armci_group_tell(NULL, 0, group);
}

int ARMCI_Group_rank(ARMCI_Group *group, int *rank) {
  *rank = is_member(group) ? weft_armci_group_of(group, "ARMCI_Group_rank")->me : -1;
  return *rank < 0;
}

void ARMCI_Group_size(ARMCI_Group *group, int *size) {
  *size = weft_armci_group_of(group, "ARMCI_Group_size")->size;
}

void ARMCI_Group_set_default(ARMCI_Group *group) {
  weft_armci_set_default(weft_armci_group_of(group, "ARMCI_Group_set_default"));
}

void ARMCI_Group_get_default(ARMCI_Group *group) {
  weft_armci_group_tell(weft_armci_default("ARMCI_Group_get_default"), 0, group);
}

void ARMCI_Group_get_world(ARMCI_Group *group) {
  weft_armci_group_tell(weft_armci_world(), 0, group);
}

int ARMCI_Absolute_id(ARMCI_Group *group, int rank) {
  const char *who = "ARMCI_Absolute_id";
  const weft_armci_group_t *g = weft_armci_group_of(group, who);
  if (rank < 0 || rank >= g->size)
    weft_armci_fatal("%s: rank %d (they are 0 to %d)", who, rank, g->size - 1);
  return g->list[rank];
}

/* ---- nodes ----------------------------------------------------------------------------------- */

int armci_domain_nprocs(armci_domain_t domain, int id) {
  (void)domain;
  return weft_armci_domain_size(id);
}

int armci_domain_id(armci_domain_t domain, int proc) {
  (void)domain;
  return weft_armci_domain_of(proc);
}

int armci_domain_glob_proc_id(armci_domain_t domain, int id, int local) {
  (void)domain;
  return weft_armci_domain_first(id) + local;
}

int armci_domain_my_id(armci_domain_t domain) {
  return armci_domain_id(domain, weft_armci_me());
}

int armci_domain_count(armci_domain_t domain) {
  (void)domain;
  return weft_armci_domains();
}

int armci_domain_same_id(armci_domain_t domain, int proc) {
  return armci_domain_id(domain, proc) == armci_domain_my_id(domain);
}

int ARMCI_Same_node(int proc) {
  return weft_armci_same_node(proc);
}

#ifndef WEFT_ARMCI_MPI_ABI
int armci_sameclusnode(int proc) {
  return weft_armci_same_node(proc);
}
#endif
