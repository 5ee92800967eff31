/*
 * WEFT_CHECK=1, and recording (record.c): every displacement carries, so every operation comes here
 * with the slot offset of its address. With WEFT_CHECK=1 its arguments are checked; then the
 * operation is done on the node, or passed on to the table that would have had it.
 */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "rma/rma_internal.h"

/* PE numbers so far out of range are found in the table and reported with the function's name. */
enum { GUARD = 1 << 18 };
/* Added to an address it carries, but for the first page: there is nothing. */
#define CARRY (-(uintptr_t)4096)

static const struct weft_direct *below;
/* GUARD entries, npes (none before there is a job), GUARD entries, all of them CARRY. With
 * WEFT_CHECK=1 they lie in a span that has a place for every int and every unsigned; the rest of it
 * cannot be read. Nor can a margin on either side, where the program's own memory may be overrun.
 */
static uintptr_t *guarded;
static struct {
  char *begin; /* of the lower margin */
  size_t bytes;
} span;
enum { MARGIN = 64 << 20 };
static bool always; /* the table is there while there is no job, too */

/* ---- what was said of contexts --------------------------------------------------------------- */

/* By context number, for CONTEXTS of them at a time. `user`: the thread that made a PRIVATE
 * context, or the one that is inside an operation on a SERIALIZED one; 0: nobody. */
enum { CONTEXTS = 4096 };
static struct {
  enum weft_promise promise;
  int user;
  int start, stride, size; /* its PEs; size 0: all there are */
} context[CONTEXTS];

void weft_rma_promise(long on, enum weft_promise promise) {
  const int i = weft_direct_context(on);
  if (!weft_options.check || i >= CONTEXTS) return;
  context[i].user = promise == WEFT_PROMISE_PRIVATE ? weft_thread_id() : 0;
  weft_publish(&context[i].promise, promise);
}

void weft_rma_members(long on, int start, int stride, int size) {
  const int i = weft_direct_context(on);
  if (!weft_options.check || i >= CONTEXTS) return;
  context[i].start = start;
  context[i].stride = stride;
  weft_publish(&context[i].size, size);
}

void weft_check_enter(long on, const char *who) {
  const int i = weft_direct_context(on);
  if (i == 0 || i >= CONTEXTS) return;
  const enum weft_promise promise = weft_observe(&context[i].promise);
  int nobody = 0;
  if (promise == WEFT_PROMISE_PRIVATE && context[i].user != weft_thread_id())
    weft_fatal("%s: a private context is used by a thread that did not create it", who);
  if (promise == WEFT_PROMISE_SERIALIZED &&
      !__atomic_compare_exchange_n(&context[i].user, &nobody, weft_thread_id(), false,
                                   __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
    weft_fatal("%s: a serialized context is used by two threads at a time", who);
}

void weft_check_leave(long on) {
  const int i = weft_direct_context(on);
  if (i > 0 && i < CONTEXTS && weft_peek(&context[i].promise) == WEFT_PROMISE_SERIALIZED)
    weft_publish(&context[i].user, 0);
}

/* The caller has the PE's number in the context's team. */
static void check_member(int i, int pe, const char *who) {
  const int size = weft_observe(&context[i].size);
  if (size == 0) return;
  const int rank = (int)(((long)pe - context[i].start) / context[i].stride);
  if (rank < 0 || rank >= size || context[i].start + rank * context[i].stride != pe)
    weft_fatal("%s: PE %d is not in the context's team (PEs are 0 to %d)", who, rank, size - 1);
}

void weft_check_pe(long to, const char *who) {
  const int pe = weft_direct_pe(to);
  const int i = weft_direct_context(to);
  if (i > 0 && i < CONTEXTS) check_member(i, pe, who);
  if (pe < 0 || pe >= weft_job.npes)
    weft_fatal("%s: PE %d does not exist (PEs are 0 to %d)", who, pe, weft_job.npes - 1);
}

/* ---- addresses ------------------------------------------------------------------------------- */

/* The range must lie in the static data or inside one live allocation of the symmetric heap; or in
 * the private heap, where only the owner knows what is live. A source may be a constant. */
static void check_range(uintptr_t off, size_t n, const char *who, const char *role) {
  void *p = (void *)(weft_job.window.base + off);
  if (weft_window_is_constant(&weft_job.window, p, n)) {
    if (strcmp(role, "source") == 0) return;
    weft_fatal("%s: %s %p is a constant, which can only be read", who, role, p);
  }
  if (!weft_window_contains(&weft_job.window, p, n))
    weft_fatal("%s: %s %p (%zu bytes) is not symmetric", who, role, p, n);
  const weft_layout_t *l = &weft_job.window.layout;
  if (off >= l->heap && off < l->private_heap && !weft_job_heap_owns(p, n)) {
    weft_job_heap_blame(who);
    weft_fatal("%s: %s %p (%zu bytes) is not inside one allocation of the symmetric heap", who,
               role, p, n);
  }
}

void weft_rma_check(const void *p, size_t n, const char *who, const char *role) {
  if (weft_options.check && n > 0) check_range((uintptr_t)p - weft_job.window.base, n, who, role);
}

/* The object in this process, or NULL: on another node. The table adds CARRY, so that addresses
 * below the window (constants, code) carry too; *sum becomes the slot offset. */
static void *check(uintptr_t *sum, size_t n, long to, const char *who, const char *role) {
  const uintptr_t off = *sum - CARRY - weft_job.window.base;
  *sum = off;
  weft_check_pe(to, who);
  if (n && weft_options.check) check_range(off, n, who, role);
  return weft_job_here(weft_direct_pe(to), off);
}

/* memcpy on overlapping memory is the caller's mistake. */
static void copy(void *to, const void *from, size_t n, const char *who) {
  uintptr_t t = (uintptr_t)to, f = (uintptr_t)from;
  if (weft_options.check && t < f + n && f < t + n)
    weft_fatal("%s: source %p and dest %p overlap (%zu bytes)", who, from, to, n);
  weft_data_store(to, from, n);
}

#define SCALAR(N, T)                                                                               \
  static void p##N(const void *dest, T value, long pe, const uintptr_t *disp, uintptr_t off) {     \
    (void)disp;                                                                                    \
    T *object = check(&off, N, (int)pe, weft_rma_names.put, "dest");                               \
    if (object)                                                                                    \
      __atomic_store_n(object, value, __ATOMIC_RELAXED);                                           \
    else                                                                                           \
      below->p##N(dest, value, pe, weft_job.disp, off);                                            \
  }
SCALAR(1, uint8_t)
SCALAR(2, uint16_t)
SCALAR(4, uint32_t)
SCALAR(8, uint64_t)

typedef void put_function(uintptr_t off, const void *source, size_t n, long to, const char *who);
typedef void get_function(uintptr_t off, void *dest, size_t n, long to, const char *who);

static void put_by(put_function *remotely, uintptr_t off, const void *source, size_t n, long to,
                   const char *who) {
  void *object = check(&off, n, to, who, "dest");
  weft_check_enter(to, who);
  if (object)
    copy(object, source, n, who);
  else
    remotely(off, source, n, to, who);
  weft_check_leave(to);
}

static void get_by(get_function *remotely, uintptr_t off, void *dest, size_t n, long to,
                   const char *who) {
  void *object = check(&off, n, to, who, "source");
  weft_check_enter(to, who);
  if (object)
    copy(dest, object, n, who);
  else
    remotely(off, dest, n, to, who);
  weft_check_leave(to);
}

static void put(uintptr_t off, const void *source, size_t n, long to, const char *who) {
  put_by(below->put, off, source, n, to, who);
}

static void put_nbi(uintptr_t off, const void *source, size_t n, long to, const char *who) {
  put_by(below->put_nbi, off, source, n, to, who);
}

static void get(uintptr_t off, void *dest, size_t n, long to, const char *who) {
  get_by(below->get, off, dest, n, to, who);
}

static void get_nbi(uintptr_t off, void *dest, size_t n, long to, const char *who) {
  get_by(below->get_nbi, off, dest, n, to, who);
}

static void *check_atomic(uintptr_t *sum, size_t width, enum weft_amo op, long to,
                          const char *who) {
  const char *role = op == WEFT_AMO_FETCH ? "source" : "dest";
  void *object = check(sum, width, to, who, role);
  if (weft_options.check && *sum % width)
    weft_fatal("%s: %s %p is not aligned to %zu bytes", who, role,
               (void *)(weft_job.window.base + *sum), width);
  return object;
}

static void put_signal(uintptr_t off, const void *source, size_t n, uintptr_t sig, enum weft_amo op,
                       uint64_t signal, int nbi, long to, const char *who) {
  void *object = check(&off, n, to, who, "dest");
  void *flag = check_atomic(&sig, sizeof signal, op, to, who);
  weft_check_enter(to, who);
  if (flag) {
    copy(object, source, n, who);
    weft_data_apply(flag, op, sizeof signal, signal, 0);
  } else {
    below->put_signal(off, source, n, sig, op, signal, nbi, to, who);
  }
  weft_check_leave(to);
}

static uint64_t amo(uintptr_t off, enum weft_amo op, size_t width, uint64_t operand, uint64_t cond,
                    long to, const char *who) {
  void *object = check_atomic(&off, width, op, to, who);
  weft_check_enter(to, who);
  const uint64_t old = object ? weft_data_apply(object, op, width, operand, cond)
                              : below->amo(off, op, width, operand, cond, to, who);
  if (object) weft_turns_look(op, width, operand, cond, old);
  weft_check_leave(to);
  return old;
}

static void amo_post(uintptr_t off, enum weft_amo op, size_t width, uint64_t operand, long to,
                     const char *who) {
  void *object = check_atomic(&off, width, op, to, who);
  weft_check_enter(to, who);
  if (object)
    weft_data_apply(object, op, width, operand, 0);
  else
    below->amo_post(off, op, width, operand, to, who);
  weft_check_leave(to);
}

static void amo_nbi(uintptr_t off, enum weft_amo op, size_t width, uint64_t operand, uint64_t cond,
                    void *fetch, long to, const char *who) {
  void *object = check_atomic(&off, width, op, to, who);
  weft_check_enter(to, who);
  if (object) {
    uint64_t old = weft_data_apply(object, op, width, operand, cond);
    weft_turns_look(op, width, operand, cond, old);
    memcpy(fetch, &old, width); /* little endian, as all our machines are */
  } else {
    below->amo_nbi(off, op, width, operand, cond, fetch, to, who);
  }
  weft_check_leave(to);
}

static void quiet(void) {
  below->quiet();
}

static void fence(void) {
  below->fence();
}

static void quiet_on(long on) {
  weft_check_enter(on, weft_rma_names.quiet_on);
  below->quiet_on(on);
  weft_check_leave(on);
}

static void fence_on(long on) {
  weft_check_enter(on, weft_rma_names.fence_on);
  below->fence_on(on);
  weft_check_leave(on);
}

static void wrong_address(void *address) {
  if (weft_is_closed()) weft_closed_refuse("a put, a get or an atomic", 0, 0);
  weft_fatal("a put, a get or an atomic names the address %p, which is no PE's memory", address);
}

static void wrong_pe(int pe) {
  if (weft_is_closed()) weft_closed_refuse("a put, a get, an atomic or a message", 0, 0);
  weft_fatal("a put, a get or an atomic names PE %d, which does not exist (PEs are 0 to %d)", pe,
             weft_job.npes - 1);
}

/* An access that went wrong before anything here was called: inline functions read the table and
 * add to the address, whatever they were given. */
static void explain(uintptr_t at) {
  enum { NEAR = 3072 }; /* beyond lie MAP_FAILED, and errors that were taken for addresses */
  const uintptr_t begin = (uintptr_t)span.begin + MARGIN;
  if (at < NEAR)
    weft_last_words("this program uses the address %p: a NULL pointer, or a handle that is none",
                    (void *)at);
  if (at - CARRY < NEAR) wrong_address((void *)(at - CARRY));
  if (span.bytes == 0 || at - begin >= span.bytes - 2 * (size_t)MARGIN) return;
  const long place = (long)((at - begin) / sizeof *guarded);
  wrong_pe((int)(place - (guarded + GUARD - (uintptr_t *)begin)));
}

#define HALF (((size_t)1 << 31) * sizeof *guarded) /* bytes for the numbers below 0 */

static size_t table_bytes(void) {
  return (2 * (size_t)GUARD + (size_t)weft_job.npes) * sizeof *guarded;
}

static void make_span(void) {
  const size_t bytes = 3 * HALF + 2 * (size_t)MARGIN;
  char *begin = mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (begin == MAP_FAILED) return;
  span.begin = begin;
  span.bytes = bytes;
}

/* The span is 48 GB of addresses without memory; where there are not so many the table is alone. */
static bool make_table(bool checks) {
  if (checks && !span.bytes) make_span();
  const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | (span.bytes ? MAP_FIXED : 0);
  char *at = span.bytes ? span.begin + MARGIN + HALF - GUARD * sizeof *guarded : NULL;
  char *table = mmap(at, table_bytes(), PROT_READ | PROT_WRITE, flags, -1, 0);
  if (table == MAP_FAILED) return false;
  guarded = (uintptr_t *)(void *)table;
  for (size_t i = 0; i < table_bytes() / sizeof *guarded; i++) guarded[i] = CARRY;
  return true;
}

void weft_check_stop(void) {
  if (always) return;
  weft_window_explain(NULL);
  if (span.bytes)
    munmap(span.begin, span.bytes);
  else if (guarded)
    munmap(guarded, table_bytes());
  span.bytes = 0;
  guarded = NULL;
}

int weft_check_start(const struct weft_direct *table) {
  below = table;
  if ((!guarded || always) && !make_table(weft_options.check)) return -ENOMEM;
  if (weft_options.check) weft_window_explain(explain);
  weft_direct = weft_checked;
  weft_direct.disp = weft_direct.amo_disp = guarded + GUARD;
  return 0;
}

/* Mistakes before there is a job. Programs see it by weft_direct.disp, GASNet's by a copy. */
__attribute__((constructor)) static void catch_early(void) {
  static bool looked;
  const char *check = looked ? NULL : getenv("WEFT_CHECK");
  looked = true;
  if (!check || strcmp(check, "1") != 0) return;
  make_span();
  if (!span.bytes || !make_table(true)) return;
  const size_t more = table_bytes() / sizeof *guarded - GUARD - WEFT_CLOSED_PES;
  mprotect(guarded + GUARD + WEFT_CLOSED_PES, more * sizeof *guarded, PROT_NONE); /* no PE's node */
  always = true;
  weft_window_explain(explain);
  weft_window_catch();
  weft_direct.disp = weft_direct.amo_disp = guarded + GUARD;
}

const uintptr_t *weft_closed_table(void) {
  catch_early();
  return always ? guarded + GUARD : weft_closed_disp;
}

const struct weft_direct weft_checked = {WEFT_RMA_TABLE};
