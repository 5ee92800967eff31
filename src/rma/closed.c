/*
 * Operations that must not happen. While no job is up every displacement carries, and every
 * function says that it is too early or too late. On a one-node job nothing is off-node, so what
 * gets here has a bad argument; only quiet and fence are called rightly and have nothing left to
 * do.
 */
#include "rma/rma_internal.h"

bool weft_is_closed(void) {
  return weft_direct.quiet == weft_closed.quiet;
}

void weft_closed_refuse(const char *who, uintptr_t off, long to) {
  if (!weft_is_closed())
    weft_fatal("%s: address %p is not symmetric, or PE %d does not exist; WEFT_CHECK=1 says which",
               who, (void *)(weft_job.window.base + off), weft_direct_pe(to));
  weft_fatal("%s called %s%s", who,
             weft_job.started ? "after " : "before the library was initialised",
             weft_job.started ? weft_rma_names.end : "");
}

#define SCALAR(N, T)                                                                               \
  static void p##N(const void *dest, T value, long pe, const uintptr_t *disp, uintptr_t off) {     \
    (void)dest, (void)value, (void)disp;                                                           \
    weft_closed_refuse(weft_rma_names.put, off, pe);                                               \
  }
SCALAR(1, uint8_t)
SCALAR(2, uint16_t)
SCALAR(4, uint32_t)
SCALAR(8, uint64_t)

static void put(uintptr_t off, const void *source, size_t n, long to, const char *who) {
  (void)source, (void)n;
  weft_closed_refuse(who, off, to);
}

static void put_signal(uintptr_t off, const void *source, size_t n, uintptr_t sig, enum weft_amo op,
                       uint64_t signal, int nbi, long to, const char *who) {
  (void)source, (void)n, (void)sig, (void)op, (void)signal, (void)nbi;
  weft_closed_refuse(who, off, to);
}

static void get(uintptr_t off, void *dest, size_t n, long to, const char *who) {
  (void)dest, (void)n;
  weft_closed_refuse(who, off, to);
}

static uint64_t amo(uintptr_t off, enum weft_amo op, size_t width, uint64_t operand, uint64_t cond,
                    long to, const char *who) {
  (void)op, (void)width, (void)operand, (void)cond;
  weft_closed_refuse(who, off, to);
}

static void amo_post(uintptr_t off, enum weft_amo op, size_t width, uint64_t operand, long to,
                     const char *who) {
  (void)op, (void)width, (void)operand;
  weft_closed_refuse(who, off, to);
}

static void amo_nbi(uintptr_t off, enum weft_amo op, size_t width, uint64_t operand, uint64_t cond,
                    void *fetch, long to, const char *who) {
  (void)op, (void)width, (void)operand, (void)cond, (void)fetch;
  weft_closed_refuse(who, off, to);
}

static void quiet(void) {
  weft_closed_refuse(weft_rma_names.quiet, 0, 0);
}

static void fence(void) {
  weft_closed_refuse(weft_rma_names.fence, 0, 0);
}

static void quiet_on(long on) {
  weft_closed_refuse(weft_rma_names.quiet_on, 0, on);
}

static void fence_on(long on) {
  weft_closed_refuse(weft_rma_names.fence_on, 0, on);
}

static void nothing(void) {}
static void nothing_on(long on) {
  (void)on;
}

/* Added to any address but NULL, -1 carries. PEs beyond the table read what follows it: what these
 * do is found with WEFT_CHECK=1 only (check.c). */
const uintptr_t weft_closed_disp[WEFT_CLOSED_PES] = {[0 ... WEFT_CLOSED_PES - 1] = (uintptr_t)-1};

#define REFUSALS                                                                                   \
  .disp = weft_closed_disp, .amo_disp = weft_closed_disp, .p1 = p1, .p2 = p2, .p4 = p4, .p8 = p8,  \
  .put = put, .put_nbi = put, .put_signal = put_signal, .get = get, .get_nbi = get, .amo = amo,    \
  .amo_post = amo_post, .amo_nbi = amo_nbi

#define ORDERING .quiet = quiet, .fence = fence, .quiet_on = quiet_on, .fence_on = fence_on

const struct weft_direct weft_closed = {REFUSALS, ORDERING};
const struct weft_direct weft_local = {REFUSALS, .quiet = nothing, .fence = nothing,
                                       .quiet_on = nothing_on, .fence_on = nothing_on};
WEFT_API struct weft_direct weft_direct = {REFUSALS, ORDERING};
