/*
 * armci: what ARMCI does, under none of its names. It is in libweft and knows no MPI; the files in
 * abi/ give it the names, types and numbers of one binary interface each and are in the libarmci of
 * one MPI each. Ranks (`proc`) are PEs; remote addresses are their owner's.
 */
#ifndef WEFT_ARMCI_ENGINE_H
#define WEFT_ARMCI_ENGINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma GCC visibility push(default)

/* ---- start.c --------------------------------------------------------------------------------- */

/* Collective over the processes of the MPI communicator whose address this is; NULL: as the
 * launcher or MPI_COMM_WORLD has it. Only the first call after a stop does anything. */
void weft_armci_start(const char *who, const void *communicator);
/* Only the first call after a start does anything. over_mpi: the next start may have other
 * processes. */
void weft_armci_stop(bool over_mpi);
bool weft_armci_is_up(void);
void weft_armci_up(const char *who); /* ends the job if it is not */
int weft_armci_me(void);
int weft_armci_nproc(void);
/* One line, then the job ends. */
void weft_armci_error(const char *message, int code) __attribute__((noreturn));
void weft_armci_fatal(const char *format, ...) __attribute__((noreturn, format(printf, 1, 2)));
double weft_armci_seconds(void);
void weft_armci_progress(void); /* one step of it, of a wait that the program makes of them */
void weft_armci_found(void);    /* such a wait is over */

/* ---- group.c: a group is kept by each of its members; world ranks in the order of its own ---- */

typedef struct weft_armci_group {
  int id; /* this process's number of it; the world's is 0 */
  int size, me;
  struct weft_team *team;
  struct weft_armci_group *scopes[2]; /* its part on this node, its first ones of every node */
  bool scoped[2];
  union {
    void *pointer;
    int number;
  } communicator; /* the MPI communicator, if there is one: kept for the names' side */
  int *inverse;   /* per world rank, likewise */
  int list[];     /* world ranks */
} weft_armci_group_t;

weft_armci_group_t *weft_armci_world(void);
/* NULL: no group. */
weft_armci_group_t *weft_armci_group(int id);
weft_armci_group_t *weft_armci_default(const char *who);
void weft_armci_set_default(weft_armci_group_t *group);
/* `list` has ranks of the parent. NULL if this process is not one of them. Members only need call.
 */
weft_armci_group_t *weft_armci_group_create(const weft_armci_group_t *parent, int n,
                                            const int *list, const char *who);
/* All members call. */
void weft_armci_group_free(weft_armci_group_t *group);
/* The member's number of a world rank, or -1. */
int weft_armci_group_index(const weft_armci_group_t *group, int proc);

/* ---- memory.c: collective over the group ----------------------------------------------------- */

/* 0, or 1 on all members if one has no room (said in one line). */
int weft_armci_malloc(weft_armci_group_t *group, void **pointers, size_t bytes, const char *who);
void weft_armci_free(weft_armci_group_t *group, void *pointer, const char *who);
/* One process alone. */
void *weft_armci_get_memory(size_t bytes);
/* Memory that nobody else is to reach, for free(): the C library's. */
void *weft_armci_local_memory(size_t bytes, const char *who);
/* None is fatal. */
void *weft_armci_need_memory(size_t bytes, const char *who);
void weft_armci_give_back(void *pointer, const char *who);
/* The address in this process of an owner's; NULL: on another node. */
void *weft_armci_address(int proc, const void *pointer);

/* ---- transfer.c, handle.c -------------------------------------------------------------------- */

enum weft_armci_kind { WEFT_ARMCI_PUT, WEFT_ARMCI_GET, WEFT_ARMCI_ACC };
enum { WEFT_ARMCI_LEVELS = 8 };
enum weft_armci_type { /* of the elements of an accumulate; in the order of weft_acc_type_t */
                       WEFT_ARMCI_INT,
                       WEFT_ARMCI_LONG,
                       WEFT_ARMCI_FLOAT,
                       WEFT_ARMCI_DOUBLE,
                       WEFT_ARMCI_FLOAT_PAIR,
                       WEFT_ARMCI_DOUBLE_PAIR
};

/* One operation, but for where the bytes are. `handle`: NULL waits (put, acc: the source is the
 * caller's again; get: the data are here); weft_armci_implicit: the next wait for all; otherwise
 * it becomes a number for wait and test. */
typedef struct weft_armci_call {
  const char *who;
  enum weft_armci_kind kind;
  enum weft_armci_type type; /* ACC */
  const void *scale;
  int proc;
  int *handle;
} weft_armci_call_t;

extern int weft_armci_implicit;

/* src and dst as ARMCI has them: of a get src is the remote one. */
int weft_armci_contiguous(const weft_armci_call_t *call, void *src, void *dst, size_t bytes);
int weft_armci_strided(const weft_armci_call_t *call, void *src, const int *src_stride, void *dst,
                       const int *dst_stride, const int *count, int levels);
/* The commonest, blocking, of which on a node even the description of the call counts. */
int weft_armci_put(void *src, void *dst, size_t bytes, int proc);
int weft_armci_get(void *src, void *dst, size_t bytes, int proc);
int weft_armci_put_strided(void *src, const int *src_stride, void *dst, const int *dst_stride,
                           const int *count, int levels, int proc);
int weft_armci_get_strided(void *src, const int *src_stride, void *dst, const int *dst_stride,
                           const int *count, int levels, int proc);
/* A list of segments of one length; several lists make one operation (weft_armci_vector). */
typedef struct weft_armci_segments {
  void **src, **dst;
  int n, bytes;
} weft_armci_segments_t;
int weft_armci_vector(const weft_armci_call_t *call, int lists,
                      weft_armci_segments_t (*list)(const void *all, int i), const void *all);
/* After what this process put there: a flag of `proc` is stored, once and whole. */
void weft_armci_flag(int proc, int *flag, int value, const char *who);

int weft_armci_wait(const int *handle, const char *who);
/* 0: complete; 1: not yet */
int weft_armci_test(const int *handle, const char *who);
void weft_armci_wait_all(void);
void weft_armci_wait_proc(int proc, const char *who);
/* From now on, or no longer, operations with this handle are waited for together. */
void weft_armci_aggregate(int *handle, bool on);

/* ---- order.c --------------------------------------------------------------------------------- */

void weft_armci_fence(int proc, const char *who);
void weft_armci_fence_all(const char *who);
/* What this process put to `proc` so far is there, and it is told. How often so far. */
int weft_armci_notify(int proc, const char *who);
/* The next one from proc; *waited: how many were waited for; how many have come. */
int weft_armci_notify_wait(int proc, int *waited, const char *who);

/* ---- rmw.c ----------------------------------------------------------------------------------- */

enum weft_armci_rmw { WEFT_ARMCI_ADD, WEFT_ARMCI_SWAP };
/* width 4 or 8; *local: the old value, before it the new one of a swap. */
void weft_armci_rmw(enum weft_armci_rmw op, size_t width, void *local, void *remote, long extra,
                    int proc, const char *who);

/* ---- mutex.c: sets of mutexes, collective over a group --------------------------------------- */

typedef struct weft_armci_mutexes weft_armci_mutexes_t;
weft_armci_mutexes_t *weft_armci_mutexes_create(weft_armci_group_t *group, int count);
void weft_armci_mutexes_destroy(weft_armci_mutexes_t *set);
/* proc: a rank of the group. try: true if it was taken. */
bool weft_armci_mutex_lock(weft_armci_mutexes_t *set, int mutex, int proc, bool try,
                           const char *who);
void weft_armci_mutex_unlock(weft_armci_mutexes_t *set, int mutex, int proc, const char *who);

/* ---- message.c: collectives on any memory -------------------------------------------------- */

enum weft_armci_scope { WEFT_ARMCI_ALL, WEFT_ARMCI_NODE, WEFT_ARMCI_MASTERS };
/* The group of a scope inside another group, which makes it at the first time: NULL if this process
 * is in none. */
weft_armci_group_t *weft_armci_scope(enum weft_armci_scope scope, weft_armci_group_t *group,
                                     const char *who);

void weft_armci_barrier(weft_armci_group_t *group, const char *who);
/* root: a number in the group */
void weft_armci_broadcast(weft_armci_group_t *group, void *buffer, size_t bytes, int root,
                          const char *who);
/* all[i]: member i's, at most 64 bytes each; *mine may be all[me] */
void weft_armci_gather(weft_armci_group_t *group, const void *mine, size_t bytes, void *all,
                       const char *who);

enum weft_armci_element { /* of a combination */
                          WEFT_ARMCI_E_INT,
                          WEFT_ARMCI_E_LONG,
                          WEFT_ARMCI_E_LONG_LONG,
                          WEFT_ARMCI_E_FLOAT,
                          WEFT_ARMCI_E_DOUBLE
};
void weft_armci_combine(weft_armci_group_t *group, void *x, int n, const char *op,
                        enum weft_armci_element type, const char *who);
void weft_armci_select(weft_armci_group_t *group, void *x, int bytes, const char *op,
                       enum weft_armci_element type, bool contribute, const char *who);
void weft_armci_send(int proc, int tag, const void *buffer, size_t bytes, const char *who);
/* proc -1: anyone. Who sent it; *got its bytes. */
int weft_armci_receive(int proc, int tag, void *buffer, size_t bytes, size_t *got, const char *who);

/* ---- domain.c: nodes ------------------------------------------------------------------------- */

int weft_armci_domains(void);
int weft_armci_domain_of(int proc);
int weft_armci_domain_size(int id);
int weft_armci_domain_first(int id);
bool weft_armci_same_node(int proc);

#pragma GCC visibility pop

#endif
