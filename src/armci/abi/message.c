/*
 * message.c: message.h.
 */
#include <stdlib.h>

#include "armci/abi/abi.h"

int armci_msg_me(void) {
  return weft_armci_me();
}

int armci_msg_nproc(void) {
  return weft_armci_nproc();
}

double armci_timer(void) {
  return weft_armci_seconds();
}

void armci_msg_snd(int tag, void *buffer, int bytes, int to) {
  weft_armci_send(to, tag, buffer, (size_t)bytes, "armci_msg_snd");
}

static int receive(int tag, void *buffer, int bytes, int *got, int from, const char *who) {
  size_t n;
  const int sender = weft_armci_receive(from, tag, buffer, (size_t)bytes, &n, who);
  if (got) *got = (int)n;
  return sender;
}

void armci_msg_rcv(int tag, void *buffer, int bytes, int *got, int from) {
  receive(tag, buffer, bytes, got, from, "armci_msg_rcv");
}

int armci_msg_rcvany(int tag, void *buffer, int bytes, int *got) {
  return receive(tag, buffer, bytes, got, -1, "armci_msg_rcvany");
}

void parmci_msg_barrier(void) {
  const char *who = "armci_msg_barrier";
  weft_armci_barrier(weft_armci_implied(who), who);
}
TWIN_LOWER(msg_barrier);

void parmci_msg_group_barrier(ARMCI_Group *group) {
  const char *who = "armci_msg_group_barrier";
  weft_armci_barrier(weft_armci_group_of(group, who), who);
}
TWIN_LOWER(msg_group_barrier);

static weft_armci_group_t *scope_of(int scope, weft_armci_group_t *group, const char *who) {
  return weft_armci_scope(weft_armci_scope_of(scope, who), group, who);
}

void armci_msg_bintree(int scope, int *root, int *up, int *left, int *right) {
  const char *who = "armci_msg_bintree";
  weft_armci_up(who);
  const weft_armci_group_t *g = scope_of(scope, weft_armci_world(), who);
  *root = *up = *left = *right = -1;
  if (!g) return;
  *root = g->list[0];
  if (g->me > 0) *up = g->list[(g->me - 1) / 2];
  if (2 * g->me + 1 < g->size) *left = g->list[2 * g->me + 1];
  if (2 * g->me + 2 < g->size) *right = g->list[2 * g->me + 2];
}

/* ---- broadcast ------------------------------------------------------------------------------- */

/* root: a world rank, who is in the scope. */
static void broadcast(weft_armci_group_t *g, void *buffer, int bytes, int root, const char *who) {
  if (!g) return;
  const int member = weft_armci_group_index(g, root);
  if (member < 0 || bytes < 0)
    weft_armci_fatal("%s: %d bytes from process %d, which %s in the group or scope", who, bytes,
                     root, member < 0 ? "is not" : "is");
  weft_armci_broadcast(g, buffer, (size_t)bytes, member, who);
}

static void broadcast_in_implied(int scope, void *buffer, int bytes, int root, const char *who) {
  weft_armci_group_t *g = weft_armci_implied(who);
  if (root < 0 || root >= g->size)
    weft_armci_fatal("%s: root %d (ranks are 0 to %d)", who, root, g->size - 1);
  broadcast(scope_of(scope, g, who), buffer, bytes, g->list[root], who);
}

void armci_msg_bcast(void *buffer, int bytes, int root) {
  broadcast_in_implied(SCOPE_ALL, buffer, bytes, root, "armci_msg_bcast");
}

void armci_msg_brdcst(void *buffer, int bytes, int root) {
  broadcast_in_implied(SCOPE_ALL, buffer, bytes, root, "armci_msg_brdcst");
}

void armci_msg_bcast_scope(int scope, void *buffer, int bytes, int root) {
  broadcast_in_implied(scope, buffer, bytes, root, "armci_msg_bcast_scope");
}

void armci_msg_group_bcast_scope(int scope, void *buffer, int bytes, int root, ARMCI_Group *group) {
  const char *who = "armci_msg_group_bcast_scope";
  weft_armci_group_t *g = weft_armci_group_of(group, who);
  broadcast(scope_of(scope, g, who), buffer, bytes, root, who);
}

void armci_msg_clus_brdcst(void *buffer, int bytes) {
  const char *who = "armci_msg_clus_brdcst";
  weft_armci_group_t *g = weft_armci_scope(WEFT_ARMCI_NODE, weft_armci_implied(who), who);
  broadcast(g, buffer, bytes, g->list[0], who);
}

/* Only those that it is about call: a message to each of them. */
void armci_grp_clus_brdcst(void *buffer, int bytes, int master, int nproc, ARMCI_Group *group) {
  enum { TAG = 0x7ea0c1b0 };
  const char *who = "armci_grp_clus_brdcst";
  const weft_armci_group_t *g = weft_armci_group_of(group, who);
  size_t got;
  if (bytes < 0 || master < 0 || nproc < 1 || master + nproc > g->size)
    weft_armci_fatal("%s: %d bytes to ranks %d to %d of %d", who, bytes, master, master + nproc - 1,
                     g->size);
  if (g->me != master) weft_armci_receive(g->list[master], TAG, buffer, (size_t)bytes, &got, who);
  for (int i = 1; g->me == master && i < nproc; i++)
    weft_armci_send(g->list[master + i], TAG, buffer, (size_t)bytes, who);
}

/* ---- combine --------------------------------------------------------------------------------- */

static void combine(int scope, void *x, int n, char *op, int type, weft_armci_group_t *group,
                    const char *who) {
  weft_armci_group_t *g = scope_of(scope, group, who);
  if (g) weft_armci_combine(g, x, n, op, weft_armci_element_type(type, who), who);
}

static void combine_in_implied(int scope, void *x, int n, char *op, int type, const char *who) {
  combine(scope, x, n, op, type, weft_armci_implied(who), who);
}

void armci_msg_gop_scope(int scope, void *x, int n, char *op, int type) {
  combine_in_implied(scope, x, n, op, type, "armci_msg_gop_scope");
}

void armci_msg_reduce(void *x, int n, char *op, int type) {
  combine_in_implied(SCOPE_ALL, x, n, op, type, "armci_msg_reduce");
}

void armci_msg_reduce_scope(int scope, void *x, int n, char *op, int type) {
  combine_in_implied(scope, x, n, op, type, "armci_msg_reduce_scope");
}

void armci_msg_group_gop_scope(int scope, void *x, int n, char *op, int type, ARMCI_Group *group) {
  const char *who = "armci_msg_group_gop_scope";
  combine(scope, x, n, op, type, weft_armci_group_of(group, who), who);
}

#define GOP(LETTER, T, TYPE)                                                                       \
  void armci_msg_##LETTER##gop(T *x, int n, char *op) {                                            \
    combine_in_implied(SCOPE_ALL, x, n, op, TYPE, "armci_msg_" #LETTER "gop");                     \
  }                                                                                                \
  void armci_msg_clus_##LETTER##gop(T *x, int n, char *op) {                                       \
    combine_in_implied(SCOPE_NODE, x, n, op, TYPE, "armci_msg_clus_" #LETTER "gop");               \
  }                                                                                                \
  void armci_msg_group_##LETTER##gop(T *x, int n, char *op, ARMCI_Group *group) {                  \
    const char *who = "armci_msg_group_" #LETTER "gop";                                            \
    combine(SCOPE_ALL, x, n, op, TYPE, weft_armci_group_of(group, who), who);                      \
  }
GOP(i, int, ARMCI_INT)
GOP(l, long, ARMCI_LONG)
GOP(ll, long long, ARMCI_LONG_LONG)
GOP(f, float, ARMCI_FLOAT)
GOP(d, double, ARMCI_DOUBLE)

/* ---- choose, exchange ------------------------------------------------------------------------ */

void armci_msg_sel_scope(int scope, void *x, int n, char *op, int type, int contribute) {
  const char *who = "armci_msg_sel_scope";
  weft_armci_group_t *g = scope_of(scope, weft_armci_implied(who), who);
  if (g) weft_armci_select(g, x, n, op, weft_armci_element_type(type, who), contribute, who);
}

#ifdef WEFT_ARMCI_MPI_ABI
void armci_msg_sel(void *x, int n, char *op, int type, int contribute) {
  armci_msg_sel_scope(SCOPE_ALL, x, n, op, type, contribute);
}
#endif

static void exchange(void *pointers[], int n, weft_armci_group_t *g, const char *who) {
  if (n != g->size) weft_armci_fatal("%s: %d addresses of %d processes", who, n, g->size);
  weft_armci_gather(g, &pointers[g->me], sizeof *pointers, pointers, who);
}

void armci_exchange_address(void *pointers[], int n) {
  const char *who = "armci_exchange_address";
  exchange(pointers, n, weft_armci_implied(who), who);
}

void armci_exchange_address_grp(void *pointers[], int n, ARMCI_Group *group) {
  const char *who = "armci_exchange_address_grp";
  exchange(pointers, n, weft_armci_group_of(group, who), who);
}
