/*
 * domain.c: ARMCI's domains are nodes. Global Arrays takes domain k to hold the ranks from k * n to
 * k * n + n - 1; where nodes are not like that, every rank is a domain.
 */
#include "armci/internal.h"

static int per_node;

void weft_armci_domains_start(void) {
  const int n = weft_job.npes / weft_job.nnodes;
  bool blocks = n * weft_job.nnodes == weft_job.npes;
  for (int pe = 0; blocks && pe < weft_job.npes; pe++) blocks = weft_job_node_of(pe) == pe / n;
  per_node = blocks ? n : 1;
}

static int own_if_negative(int id) {
  if (id >= weft_armci_domains())
    weft_fatal("ARMCI: domain %d does not exist (they are 0 to %d)", id, weft_armci_domains() - 1);
  return id < 0 ? weft_armci_domain_of(weft_job.pe) : id;
}

int weft_armci_domains(void) {
  weft_armci_up("armci_domain_count");
  return weft_job.npes / per_node;
}

int weft_armci_domain_of(int proc) {
  weft_armci_check(proc, "armci_domain_id");
  return proc / per_node;
}

int weft_armci_domain_size(int id) {
  own_if_negative(id);
  return per_node;
}

int weft_armci_domain_first(int id) {
  return own_if_negative(id) * per_node;
}

bool weft_armci_same_node(int proc) {
  weft_armci_check(proc, "ARMCI_Same_node");
  return weft_job_node_of(proc) == weft_job.node;
}
