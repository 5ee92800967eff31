/*
 * rma: put, get, atomics and their ordering. It fills the table of weft/direct.h with the functions
 * that suit the job: none needed on one node; plain, coalesced or checked ones otherwise; and,
 * while no job is up, functions that say so.
 *
 * The weft_rma_* functions are for the layers above: they take slot offsets and PEs of the world
 * and reach any of them, on this node or another.
 */
#ifndef WEFT_RMA_H
#define WEFT_RMA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "job/job.h"
#include "rma/noncontig.h"

/* What the public functions are called that come here without their name, since every instruction
 * counts there; for messages and the record. The front end that has such functions defines it. */
typedef struct weft_rma_names {
  const char *put; /* of one word */
  const char *quiet, *fence, *quiet_on, *fence_on, *end;
} weft_rma_names_t;
extern const weft_rma_names_t weft_rma_names;

/* A table of displacements that all carry (from address 1 on), for who has no job yet. */
extern const uintptr_t weft_closed_disp[WEFT_CLOSED_PES];
/* That or, with WEFT_CHECK=1, one with a place for every number. */
const uintptr_t *weft_closed_table(void);
/* Open and close the inline path: between start and stop weft_direct works. */
int weft_rma_start(void);
void weft_rma_stop(void);
/* The job is over: the next start may be in another one. */
void weft_rma_end(void);
/* From now on until stop every operation is recorded (trace). 0 or a negative errno. */
int weft_rma_record(void);

void weft_rma_put(int pe, uintptr_t off, const void *source, size_t n);
void weft_rma_get(int pe, uintptr_t off, void *dest, size_t n);
/* An aligned word of 1, 2, 4 or 8 bytes of a PE of another node, in one store or one load there,
 * also where puts and gets are the provider's: that may copy a word in parts, or twice (then the
 * second copy can undo a store made in between). It follows this PE's atomics on that node. */
void weft_rma_store_word(int pe, uintptr_t off, uint64_t value, size_t width);
uint64_t weft_rma_load_word(int pe, uintptr_t off, size_t width);
/* A flag (8 bytes) of the runtime's own, whose word only ever grows: no quiet flushes it, and it is
 * ordered after nothing. The PE that waits for it knows that it came. */
void weft_rma_tell(int pe, uintptr_t off, uint64_t value);
/* A put, and an atomic add to a flag (8 bytes) of the same PE that nobody sees before the data.
 * Both leave at once; n is not 0. */
void weft_rma_put_add(int pe, uintptr_t off, const void *source, size_t n, uintptr_t flag,
                      uint64_t value);
/* A put (n is not 0), and 1 more in a word (8 bytes) of the same PE that is counted by nobody but
 * such puts; nobody sees the count before the data. To another node that is one message without an
 * acknowledgement: quiet does not wait for it, and only the PE that waits for the word knows that
 * it came. The second form returns at once, and the source stays as it is until `op` is complete.
 */
void weft_rma_put_count(int pe, uintptr_t off, const void *source, size_t n, uintptr_t word);
void weft_rma_put_count_begin(int pe, uintptr_t off, const void *source, size_t n, uintptr_t word,
                              weft_op_t *op);
/* The second form, to a PE of another node, for n bytes behind a head of `nhead` bytes that lies
 * elsewhere; both stay as they are until `op` is complete. Only where weft_rma_joins says, of these
 * numbers, that it spares a copy. */
bool weft_rma_joins(size_t nhead, size_t n);
void weft_rma_put_count_joined(int pe, uintptr_t off, const void *head, size_t nhead,
                               const void *source, size_t n, uintptr_t word, weft_op_t *op);
/* The same as put_count, up to small_max bytes, for one of several in a row: it leaves at once, or
 * with the next ones when the answer to what is under way has come, and quiet waits for it. The
 * source may change at once. False, and nothing was done: it is too large, or small puts do not
 * gather. */
bool weft_rma_put_count_gather(int pe, uintptr_t off, const void *source, size_t n, uintptr_t word);
/* Memory of this process, in its slot or anywhere, that PEs of other nodes may write to, until it
 * is taken back. False: that cannot be done here. (rma/lend.c) */
typedef struct weft_lent {
  uint64_t addr, key;    /* what others must know of it */
  struct fid_mr *region; /* its owner's; NULL: it is in the slot */
} weft_lent_t;
bool weft_rma_lend(weft_lent_t *lent, void *p, size_t n);
/* PEs can lend memory of their slots at least; all say the same. */
bool weft_rma_lends(void);
void weft_rma_take_back(weft_lent_t *lent);
/* weft_rma_put_count_begin into memory that a PE of another node has lent. */
void weft_rma_put_lent_begin(int pe, const weft_lent_t *to, const void *source, size_t n,
                             uintptr_t word, weft_op_t *op);
/* Atomic add without a result. */
void weft_rma_add(int pe, uintptr_t off, uint64_t value);
/* Everything this PE posted on the default context is complete and visible. */
void weft_rma_quiet(void);

/* The tag (weft/direct.h) of a new context with this number, from 1 to 2^23 - 1: an endpoint of its
 * own, or one that fewest share. Close it when it is quiet. */
long weft_rma_context_open(uint32_t number);
void weft_rma_context_close(long on);
/* As weft_rma_quiet, for what was posted on the context with this tag. */
void weft_rma_quiet_on(long on);
/* Many operations with this tag are coming, or no more: gather them into larger messages. */
void weft_rma_session(long on, bool begins);

/* The threads that may use a context: any; one thread at a time; the thread that made this promise.
 * With WEFT_CHECK=1 a thread that breaks it ends the job with one line. */
enum weft_promise { WEFT_PROMISE_NONE, WEFT_PROMISE_SERIALIZED, WEFT_PROMISE_PRIVATE };
void weft_rma_promise(long on, enum weft_promise promise);
/* With WEFT_CHECK=1 an operation on the context with another PE than start + i * stride, i < size,
 * ends the job with a line that names i. Size 0: any PE. */
void weft_rma_members(long on, int start, int stride, int size);

/* With WEFT_CHECK=1: ends the job unless the range is static data or inside one live allocation.
 * For objects of the program that are then given to the functions above, which do not look. */
void weft_rma_check(const void *p, size_t n, const char *who, const char *role);

/* ---- begin.c: operations on any PE whose completion the caller counts ------------------------ */

/* One completion for all. An operation is counted in `op` (pending) before it is posted, and
 * counted down, by whoever makes progress, when it is complete; `op` may have been counted down
 * again when the call returns, as it always is for PEs of this node. Any number of operations may
 * share an op. With op->unordered fences and the ordered class do not see what went straight to
 * libfabric (of put_shape: if it is rc). NULL: only quiet, fence_pe and fence_all wait for it.
 * weft_op_wait and weft_op_test (port/port.h) make the progress.
 *
 * All go by the default context's channel. PEs are the world's, `off` is a slot offset. With
 * `immediate` nothing waits: false, and nothing was done, where there is no room just now (or where
 * it would take several operations); otherwise always true. */

/* The largest put, in bytes, that has left its source when it returns. */
static inline size_t weft_rma_copied_max(void) {
  return weft_job.endpoint.inject_max;
}
/* The largest put that begin sends with others, from a copy, where it does so at all. */
static inline size_t weft_rma_gathered_max(void) {
  return weft_peek(&weft_channels[0].small_max);
}
/* Complete when the data can be seen at the target. Until then the source must stay as it is, if n
 * is more than copied_max. */
bool weft_rma_put_begin(int pe, uintptr_t off, const void *source, size_t n, weft_op_t *op,
                        bool immediate);
bool weft_rma_get_begin(int pe, uintptr_t off, void *dest, size_t n, weft_op_t *op, bool immediate);
/* Complete when the source may be used again (op is not NULL). The data are at the target when a
 * flush that began after this, a quiet or a fence_pe is complete; where the provider keeps no reads
 * behind writes a flush says nothing, and the op is complete only when they are there. */
bool weft_rma_put_leave(int pe, uintptr_t off, const void *source, size_t n, weft_op_t *op,
                        bool immediate);
bool weft_rma_flush_begin(int node, weft_op_t *op, bool immediate);

/* An atomic on an object of `width` (4 or 8) bytes. Its old value is stored at `result` (width
 * bytes; NULL: nobody wants it) when it is complete. `cond` is for the compare-and-swaps. */
bool weft_rma_amo_begin(int pe, uintptr_t off, enum weft_amo amo, size_t width, uint64_t operand,
                        uint64_t cond, void *result, weft_op_t *op, bool immediate);
/* The atomic done; its old value, or 0 where the operation has none. */
uint64_t weft_rma_amo(int pe, uintptr_t off, enum weft_amo amo, size_t width, uint64_t operand,
                      uint64_t cond);

/* For a caller that adds to a PE of this node itself, at addresses of weft_job_reach. */
weft_adder_t weft_rma_adder(int pe, weft_acc_type_t type, const void *scale);
/* n bytes become `byte`; they do not travel. */
void weft_rma_fill_begin(int pe, uintptr_t off, int byte, size_t n, weft_op_t *op);
/* Between two PEs, of which none need be this one; the bytes do not pass through it. Those of one
 * call may overlap (up to 1 GB of them), wherever the PE is. */
void weft_rma_copy_begin(int to, uintptr_t to_off, int from, uintptr_t from_off, size_t n,
                         weft_op_t *op);

/* ---- order.c -------------------------------------------------------------------------------- */

/* Everything that this PE posted on the default context for this PE's node is complete and visible,
 * whichever op counts it. */
void weft_rma_fence_pe(int pe);
/* The same for every node. */
void weft_rma_fence_all(void);

/* The ordered class (location consistency, a thread's own accesses in order): what this PE posts on
 * that PE's memory after this call takes effect after all that it posted there before, whatever way
 * either goes. Call it before an operation; where nothing is open it is one test. The second form
 * is for callers who know what comes next: operations that go the same way are in order by
 * themselves, and need not be waited for. On this node all is in order always. */
enum weft_next {
  WEFT_NEXT_PUT,
  WEFT_NEXT_WRITE,
  WEFT_NEXT_GET,
  WEFT_NEXT_ATOMIC,
  WEFT_NEXT_PACKED,
  WEFT_NEXT_ANY
};
void weft_rma_order_open(int pe, enum weft_next next, size_t n);
static inline bool weft_rma_is_open(int pe) {
  const weft_channel_t *c = &weft_channels[0];
  const unsigned node = weft_job.where[pe].node;
  if (!c->touched) return false;
  /* Dirty first: who takes that away has touched the node before. */
  const uint64_t dirty = weft_observe(&c->dirty[node / 64]);
  return (dirty | weft_peek(&c->touched[node / 64])) >> node % 64 & 1;
}
static inline void weft_rma_order(int pe) {
  if (weft_unlikely(weft_rma_is_open(pe))) weft_rma_order_open(pe, WEFT_NEXT_ANY, 0);
}
/* Before a put or get of n bytes, a put_leave (WRITE), an atomic, or what is packed for sure. */
static inline void weft_rma_order_next(int pe, enum weft_next next, size_t n) {
  if (weft_unlikely(weft_rma_is_open(pe))) weft_rma_order_open(pe, next, n);
}
/* Before an atomic by which that PE, and PEs that it tells in turn, learn of all that this PE has
 * put: what went to other nodes is complete then, the atomic follows what went to that node. */
void weft_rma_release(int pe);
/* A get of that class from another node, done on return, or begun and counted in `op` (not NULL).
 * n is not 0. behind_open: true if it has done or begun it, else the get may follow. */
bool weft_rma_get_behind_open(int pe, uintptr_t off, void *dest, size_t n, weft_op_t *op);
static inline void weft_rma_get_behind(int pe, uintptr_t off, void *dest, size_t n, weft_op_t *op) {
  if (weft_unlikely(weft_rma_is_open(pe)) && weft_rma_get_behind_open(pe, off, dest, n, op)) return;
  if (op)
    weft_rma_get_begin(pe, off, dest, n, op, false);
  else
    weft_rma_get(pe, off, dest, n);
}

/* A put of that class to another node. n is not 0. It is counted in `lc` until its source may be
 * used again (done on return if n is at most copied_max), or in `rc` until the data can be seen at
 * the target; one of them is NULL. Both NULL: the source is free on return. */
static inline void weft_rma_put_behind(int pe, uintptr_t off, const void *source, size_t n,
                                       weft_op_t *lc, weft_op_t *rc) {
  const bool leaves = lc && n > weft_rma_copied_max();
  weft_rma_order_next(pe, leaves ? WEFT_NEXT_WRITE : WEFT_NEXT_PUT, n);
  if (leaves)
    weft_rma_put_leave(pe, off, source, n, lc, false);
  else if (rc)
    weft_rma_put_begin(pe, off, source, n, rc, false);
  else
    weft_rma_put(pe, off, source, n);
}

/* The same before a transfer of these shapes, which must follow; `add`: an accumulate. One that is
 * packed stays behind other packets by itself; if it has to wait for what went otherwise and is
 * long, the port is told of it first (weft_flow_announce). */
void weft_rma_order_shape_open(int pe, const weft_shape_t *remote, const weft_shape_t *local,
                               bool add);
static inline void weft_rma_order_shape(int pe, const weft_shape_t *remote,
                                        const weft_shape_t *local, bool add) {
  if (weft_unlikely(weft_rma_is_open(pe))) weft_rma_order_shape_open(pe, remote, local, add);
}

/* ---- puts.c --------------------------------------------------------------------------------- */

/* Puts of one thread that are waited for together. Zero-filled it is to be attached to an `op`
 * first; one thread at a time may use it. */
typedef struct weft_puts {
  struct fid_ep *ep;
  ssize_t (*readmsg)(struct fid_ep *ep, const struct fi_msg_rma *message, uint64_t flags);
  /* A read that tells that what was written before to its node is there; `first`: something was,
   * since the last push. Its context is the op that counts what was pushed and is not complete.
   * COUNTER: no read; `any_more` is all. */
  struct fi_msg_rma message;
  struct fi_rma_iov remote;
  bool first;
  bool any_more;
  uint64_t *more; /* a bit per node: more of those that were written to; made when it is wanted */
} weft_puts_t;

/* From now on what is pushed is counted in `op`. */
void weft_puts_attach(weft_puts_t *puts, weft_op_t *op);
void weft_puts_detach(weft_puts_t *puts);
/* The source is free on return. n is not 0 and at most copied_max. */
bool weft_puts_put(weft_puts_t *puts, int pe, uintptr_t off, const void *source, size_t n,
                   bool immediate);
/* Something was written to this PE's node by other means (put_leave). */
void weft_puts_mark(weft_puts_t *puts, int pe);
/* See that all so far gets there; `op` knows when it is there. With `immediate` false if not all of
 * it could be pushed. */
bool weft_puts_push(weft_puts_t *puts, bool immediate);

/* The same as weft_puts_put in two steps. The first is inline, in as few instructions as there can
 * be before libfabric's first (test/count); what it returns goes to the second. Only where
 * weft_inject.max, which is 0 until weft_rma_inject_start says otherwise, allows that many bytes.
 */
extern struct weft_inject {
  size_t max;
  struct fid_ep *ep;
  ssize_t (*write)(struct fid_ep *ep, const void *buf, size_t len, fi_addr_t dest, uint64_t addr,
                   uint64_t key);
} weft_inject __attribute__((visibility("hidden")));
void weft_rma_inject_start(bool allowed);

static inline ssize_t weft_puts_inject(unsigned long pe, uintptr_t off, const void *source,
                                       size_t n) {
  return weft_inject.write(weft_inject.ep, source, n, weft_job.where[pe].node, off,
                           weft_job_remote_key((int)pe));
}
void weft_puts_injected(weft_puts_t *puts, ssize_t rc, int pe, uintptr_t off, const void *source,
                        size_t n);

/* The first step of push: the flush of one node, in the same manner. */
static inline ssize_t weft_puts_push_first(const weft_puts_t *puts) {
  weft_op_t *op = puts->message.context;
  weft_op_up(op);
  return puts->readmsg(puts->ep, &puts->message, FI_COMPLETION);
}
void weft_puts_pushed_first(weft_puts_t *puts, ssize_t rc);

#endif
