/*
 * message_calls.h: the functions of message.h whose declarations are the same in both binary
 * interfaces. Included by the two message.h; not by programs.
 *
 * Collective functions work on any memory. `op` is one of + * max min absmax absmin && (land)
 * || (lor) & (band) | (bor, or); abs takes the absolute values first, in a group of one too. A
 * scope is all, one's node or the first process of every node; without one: the default group.
 */
#ifndef WEFT_ARMCI_MESSAGE_CALLS_H
#define WEFT_ARMCI_MESSAGE_CALLS_H

int armci_msg_me(void);
int armci_msg_nproc(void);
void armci_msg_abort(int code);
double armci_timer(void);

/* A message waits at its receiver, so that one to oneself can be sent first. *got: its bytes, may
 * be NULL. rcvany returns who sent it. */
void armci_msg_snd(int tag, void *buffer, int bytes, int to);
void armci_msg_rcv(int tag, void *buffer, int bytes, int *got, int from);
int armci_msg_rcvany(int tag, void *buffer, int bytes, int *got);

void armci_msg_barrier(void);
void armci_msg_group_barrier(ARMCI_Group *group);
/* The tree of a scope, as world ranks; -1: none. */
void armci_msg_bintree(int scope, int *root, int *up, int *left, int *right);

/* root: a rank of the default group; with a group, of the world. */
void armci_msg_bcast(void *buffer, int bytes, int root);
void armci_msg_brdcst(void *buffer, int bytes, int root);
void armci_msg_bcast_scope(int scope, void *buffer, int bytes, int root);
void armci_msg_group_bcast_scope(int scope, void *buffer, int bytes, int root, ARMCI_Group *group);

/* The n bytes at x of the process whose first element is the largest or smallest (op max, min), of
 * those that contribute, come to all. */
void armci_msg_sel_scope(int scope, void *x, int n, char *op, int type, int contribute);

/* Every process has all results; of reduce as well. */
void armci_msg_reduce(void *x, int n, char *op, int type);
void armci_msg_reduce_scope(int scope, void *x, int n, char *op, int type);
void armci_msg_gop_scope(int scope, void *x, int n, char *op, int type);
void armci_msg_igop(int *x, int n, char *op);
void armci_msg_lgop(long *x, int n, char *op);
void armci_msg_llgop(long long *x, int n, char *op);
void armci_msg_fgop(float *x, int n, char *op);
void armci_msg_dgop(double *x, int n, char *op);
void armci_msg_group_gop_scope(int scope, void *x, int n, char *op, int type, ARMCI_Group *group);
void armci_msg_group_igop(int *x, int n, char *op, ARMCI_Group *group);
void armci_msg_group_lgop(long *x, int n, char *op, ARMCI_Group *group);
void armci_msg_group_llgop(long long *x, int n, char *op, ARMCI_Group *group);
void armci_msg_group_fgop(float *x, int n, char *op, ARMCI_Group *group);
void armci_msg_group_dgop(double *x, int n, char *op, ARMCI_Group *group);

/* The processes of one's node: from its first, and combined. */
void armci_msg_clus_brdcst(void *buffer, int bytes);
void armci_msg_clus_igop(int *x, int n, char *op);
void armci_msg_clus_lgop(long *x, int n, char *op);
void armci_msg_clus_llgop(long long *x, int n, char *op);
void armci_msg_clus_fgop(float *x, int n, char *op);
void armci_msg_clus_dgop(double *x, int n, char *op);
/* From `master`, a rank of the group, to the nproc ranks of it that follow. */
void armci_grp_clus_brdcst(void *buffer, int bytes, int master, int nproc, ARMCI_Group *group);

/* pointers[me] of every process; the sum of all arrays, in which the others' entries are NULL. */
void armci_exchange_address(void *pointers[], int n);
void armci_exchange_address_grp(void *pointers[], int n, ARMCI_Group *group);

#endif
