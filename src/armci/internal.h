/*
 * What the files of this folder share, below their names.
 */
#ifndef WEFT_ARMCI_INTERNAL_H
#define WEFT_ARMCI_INTERNAL_H

#include "armci/armci.h"
#include "coll/coll.h"
#include "job/job.h"
#include "rma/rma.h"
#include "sync/sync.h"
#include "trace/trace.h"
#include "weft/direct.h"

#pragma GCC visibility push(hidden)

extern bool weft_armci_running;
/* weft_job.owner and the number of processes; or 0 of them: every call is to be looked at or
 * counted, because of WEFT_CHECK=1 or --stats, or is not between Init and Finalize. */
extern struct weft_armci_near {
  const uintptr_t *owner;
  unsigned n;
} weft_armci_near;

/* Its address in this process, or NULL: on another node. One's own memory need not be in a slot. */
static inline char *weft_armci_here(int proc, const void *remote) {
  uintptr_t at;
  return weft_job_reach(proc, (uintptr_t)remote, &at) ? (char *)at : NULL;
}
static inline void weft_armci_check(int proc, const char *who) {
  if (weft_unlikely((unsigned)proc >= (unsigned)weft_job.npes || !weft_armci_running))
    weft_armci_up(who), weft_armci_fatal("%s: process %d does not exist (they are 0 to %d)", who,
                                         proc, weft_job.npes - 1);
}

/* What --stats counts an operation as. */
static inline weft_trace_kind_t weft_armci_counted(enum weft_armci_kind kind) {
  return kind == WEFT_ARMCI_PUT   ? WEFT_TRACE_PUT
         : kind == WEFT_ARMCI_GET ? WEFT_TRACE_GET
                                  : WEFT_TRACE_ATOMIC;
}

/* ---- group.c */
void weft_armci_groups_start(void);
void weft_armci_groups_stop(void);
/* ---- memory.c */
/* With WEFT_CHECK=1: n bytes at an address of a process's are not in one block that is there. */
WEFT_COLD void weft_armci_check_memory(int proc, const void *remote, size_t n, const char *who);
/* ---- order.c */
void weft_armci_order_start(void);
void weft_armci_order_stop(void);
/* ---- domain.c */
void weft_armci_domains_start(void);
/* ---- handle.c */
/* What an operation is to be counted in; NULL: it is to be waited for in the call. */
weft_op_t *weft_armci_handle_open(int *handle);
/* The operation that this is counted in has begun: it is complete when its count says so. */
void weft_armci_handle_begun(weft_op_t *op);
/* It was complete at once. */
void weft_armci_handle_done(int *handle);
/* From now on the handle is an aggregate one; false if it was, or is none. */
bool weft_armci_handle_make_aggregate(int *handle);
void weft_armci_handles_stop(void);
/* Those that the program has not destroyed; when nobody uses any more. */
void weft_armci_mutexes_stop(void);

#pragma GCC visibility pop

#endif
