/*
 * What the files of the UPC front end share. A public function takes a pointer-to-shared as 64 bits
 * (weft/upc_pointer.h); here it is at once taken apart into thread and slot offset, with the widths
 * of the running program, which only weft_upc_start knows. Protocols are the floor's: rma, coll,
 * sync, runtime.
 */
#ifndef WEFT_UPC_INTERNAL_H
#define WEFT_UPC_INTERNAL_H

#include <stdlib.h>
#include <string.h>

#define WEFT_UPC_RUNTIME
#include "coll/coll.h"
#include "job/job.h"
#include "rma/rma.h"
#include "runtime/runtime.h"
#include "sync/sync.h"
#include "trace/trace.h"
#include "upc_types.h"
#include "weft/upc_access.h"

/* ---- start.c ---- */

/* Where the fields of this program's pointers are. */
extern struct weft_upc_widths {
  unsigned thread_shift, phase_shift;
  uint64_t offset_mask;
} weft_upc_widths __attribute__((visibility("hidden")));

/* What is at a pointer-to-shared, but for the phase. */
typedef struct weft_upc_place {
  int thread;
  uintptr_t off;
} weft_upc_place_t;

static inline weft_upc_place_t weft_upc_place(weft_upc_ptr_t p) {
  return (weft_upc_place_t){(int)(p >> weft_upc_widths.thread_shift),
                            p & weft_upc_widths.offset_mask};
}
static inline size_t weft_upc_phase_of(weft_upc_ptr_t p) {
  const unsigned above = 64 - weft_upc_widths.thread_shift;
  return p << above >> above >> weft_upc_widths.phase_shift;
}
static inline weft_upc_ptr_t weft_upc_pack(int thread, uintptr_t off) {
  return (weft_upc_ptr_t)thread << weft_upc_widths.thread_shift | off;
}

/* Address in this process, or NULL: another node. */
static inline char *weft_upc_address(weft_upc_place_t at) {
  return weft_job_here(at.thread, at.off);
}

/* Between weft_upc_start and the end? If not, one line that names the function, and the end. */
void weft_upc_up(const char *who);

/* Set by the options of upcrun and Berkeley's variables. */
bool weft_upc_env(const char *name, bool preset);

/* ---- check.c: WEFT_CHECK=1 ---- */

/* Ends the job unless `n` bytes at `at` are a thread's static data or inside one allocation, as far
 * as this process can tell. Nothing without WEFT_CHECK=1. */
void weft_upc_check_range(weft_upc_place_t at, size_t n, const char *who);
static inline weft_upc_place_t weft_upc_checked(weft_upc_ptr_t p, size_t n, const char *who) {
  const weft_upc_place_t at = weft_upc_place(p);
  if (weft_unlikely(weft_options.check)) weft_upc_check_range(at, n, who);
  return at;
}
/* A thread begins the collective function `who`. The job ends if it is between upc_notify and
 * upc_wait (7.4, trap 17); with WEFT_CHECK=1, unless all threads call the same with the same value.
 */
void weft_upc_enter(uint64_t value, const char *who);

/* ---- access.c ---- */

/* Anything this thread began is complete and seen by all: the null strict access (6.6.1). */
static inline void weft_upc_null_strict(void) {
  weft_fence_full();
  if (weft_upc.far) weft_upc_far_quiet();
}

/* ---- barrier.c ---- */
bool weft_upc_notified(void);
/* The one at a thread's end. */
void weft_upc_barrier_end(int status);

/* ---- transfer.c: n bytes, any n. With an `op` begun, and counted in it: until it is complete
 * source and dest are taken. Without (NULL) both are the caller's again on return. ---- */
void weft_upc_put(weft_upc_place_t to, const void *source, size_t n, weft_op_t *op);
void weft_upc_get(void *dest, weft_upc_place_t from, size_t n, weft_op_t *op);
/* Those of 7.2.5, for `who`. */
void weft_upc_memcpy(weft_upc_ptr_t dst, weft_upc_ptr_t src, size_t n, weft_op_t *op,
                     const char *who);
void weft_upc_memget(void *dst, weft_upc_ptr_t src, size_t n, weft_op_t *op, const char *who);
void weft_upc_memput(weft_upc_ptr_t dst, const void *src, size_t n, weft_op_t *op, const char *who);
void weft_upc_memset(weft_upc_ptr_t dst, int c, size_t n, weft_op_t *op, const char *who);

/* ---- moves.c: many pieces at once ---- */

/* One end of a piece: a slot offset of a thread of another node, or (-1) an address here. */
typedef struct weft_upc_end {
  int thread;
  uintptr_t at;
} weft_upc_end_t;
static inline weft_upc_end_t weft_upc_end_of(weft_upc_place_t at) {
  char *here = weft_upc_address(at);
  return here ? (weft_upc_end_t){-1, (uintptr_t)here} : (weft_upc_end_t){at.thread, at.off};
}

typedef struct weft_upc_move {
  weft_upc_end_t to, from;
  size_t n; /* bytes */
  uint32_t next;
} weft_upc_move_t;

/* `op` (unordered) counts all of it if `begun`, else until the local memory is the caller's again;
 * `who` is for messages. The rest is 0 at first. */
typedef struct weft_upc_moves {
  const char *who;
  weft_op_t *op;
  bool begun;
  uint32_t n, room;
  weft_upc_move_t *each;
} weft_upc_moves_t;
/* What is here on both sides is copied at once. The pieces of one list may not overlap, and go in
 * any order, all of them behind what this thread did before the first. */
void weft_upc_moves_add(weft_upc_moves_t *moves, weft_upc_end_t to, weft_upc_end_t from, size_t n);
/* All are posted. */
void weft_upc_moves_end(weft_upc_moves_t *moves);

/* ---- memory.c ---- */
/* Collective: once all have entered thread 0 releases it; null is left alone. */
void weft_upc_free_all(weft_upc_ptr_t ptr, void (*release)(weft_upc_ptr_t, const char *),
                       const char *who);

/* ---- nb.c ---- */
typedef struct weft_upc_transfer {
  weft_op_t op;
  struct weft_upc_transfer *next;
} *upc_handle_t;
/* A handle whose op counts a transfer; given back it is the program's, or the complete one if
 * nothing is left to wait for. */
upc_handle_t weft_upc_take_handle(void);
upc_handle_t weft_upc_give_handle(upc_handle_t handle);

/* ---- collective.c: in any memory; src has n bytes for, or dst from each thread ---- */
void weft_upc_scatter_any(void *dst, const void *src, size_t n, int root);
void weft_upc_gather_any(void *dst, const void *src, size_t n, int root); /* root -1: for all */

/* ---- io.c ---- */
/* Closes what the program has not: at the end of a thread, without agreement. */
void weft_upc_io_stop(bool deletes);

/* ---- collective.c ---- */
/* The two halves of a upc_flag_t (7.3.3): before the data are touched, and after. */
void weft_upc_flags_in(upc_flag_t flags);
void weft_upc_flags_out(upc_flag_t flags);

#endif
