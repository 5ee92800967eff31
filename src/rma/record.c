/*
 * WEFT_STATS, WEFT_TRACE: the uppermost table. It counts and times each operation and hands it on,
 * as it came, to the one that carries it out here or elsewhere (check.c). Knows nothing of what
 * becomes of the counts.
 */
#include "rma/rma_internal.h"
#include "trace/trace.h"

static struct weft_direct next;

static weft_span_t begin(weft_trace_kind_t kind, const char *who, size_t n, long to) {
  weft_span_t span;
  weft_trace_begin(&span, kind, who, n, weft_direct_pe(to), weft_direct_context(to));
  return span;
}

#define SCALAR(N, T)                                                                               \
  static void p##N(const void *dest, T value, long pe, const uintptr_t *disp, uintptr_t off) {     \
    weft_span_t span = begin(WEFT_TRACE_PUT, weft_rma_names.put, N, (int)pe);                      \
    next.p##N(dest, value, pe, disp, off);                                                         \
    weft_trace_end(&span);                                                                         \
  }
SCALAR(1, uint8_t)
SCALAR(2, uint16_t)
SCALAR(4, uint32_t)
SCALAR(8, uint64_t)

static void put(uintptr_t off, const void *source, size_t n, long to, const char *who) {
  weft_span_t span = begin(WEFT_TRACE_PUT, who, n, to);
  next.put(off, source, n, to, who);
  weft_trace_end(&span);
}

static void put_nbi(uintptr_t off, const void *source, size_t n, long to, const char *who) {
  weft_span_t span = begin(WEFT_TRACE_PUT, who, n, to);
  next.put_nbi(off, source, n, to, who);
  weft_trace_end(&span);
}

/* Counted as what it is: a put, and an atomic that takes no time of its own. */
static void put_signal(uintptr_t off, const void *source, size_t n, uintptr_t sig, enum weft_amo op,
                       uint64_t signal, int nbi, long to, const char *who) {
  weft_span_t span = begin(WEFT_TRACE_PUT, who, n, to);
  next.put_signal(off, source, n, sig, op, signal, nbi, to, who);
  weft_trace_end(&span);
  span = begin(WEFT_TRACE_ATOMIC, who, sizeof signal, to);
  weft_trace_end(&span);
}

static void get(uintptr_t off, void *dest, size_t n, long to, const char *who) {
  weft_span_t span = begin(WEFT_TRACE_GET, who, n, to);
  next.get(off, dest, n, to, who);
  weft_trace_end(&span);
}

static void get_nbi(uintptr_t off, void *dest, size_t n, long to, const char *who) {
  weft_span_t span = begin(WEFT_TRACE_GET, who, n, to);
  next.get_nbi(off, dest, n, to, who);
  weft_trace_end(&span);
}

static uint64_t amo(uintptr_t off, enum weft_amo op, size_t width, uint64_t operand, uint64_t cond,
                    long to, const char *who) {
  weft_span_t span = begin(WEFT_TRACE_ATOMIC, who, width, to);
  uint64_t old = next.amo(off, op, width, operand, cond, to, who);
  weft_trace_end(&span);
  return old;
}

static void amo_post(uintptr_t off, enum weft_amo op, size_t width, uint64_t operand, long to,
                     const char *who) {
  weft_span_t span = begin(WEFT_TRACE_ATOMIC, who, width, to);
  next.amo_post(off, op, width, operand, to, who);
  weft_trace_end(&span);
}

static void amo_nbi(uintptr_t off, enum weft_amo op, size_t width, uint64_t operand, uint64_t cond,
                    void *fetch, long to, const char *who) {
  weft_span_t span = begin(WEFT_TRACE_ATOMIC, who, width, to);
  next.amo_nbi(off, op, width, operand, cond, fetch, to, who);
  weft_trace_end(&span);
}

static void quiet(void) {
  weft_span_t span;
  weft_trace_begin(&span, WEFT_TRACE_QUIET, weft_rma_names.quiet, 0, -1, 0);
  next.quiet();
  weft_trace_end(&span);
}

static void fence(void) {
  weft_span_t span;
  weft_trace_begin(&span, WEFT_TRACE_FENCE, weft_rma_names.fence, 0, -1, 0);
  next.fence();
  weft_trace_end(&span);
}

static void quiet_on(long on) {
  weft_span_t span;
  weft_trace_begin(&span, WEFT_TRACE_QUIET, weft_rma_names.quiet_on, 0, -1,
                   weft_direct_context(on));
  next.quiet_on(on);
  weft_trace_end(&span);
}

static void fence_on(long on) {
  weft_span_t span;
  weft_trace_begin(&span, WEFT_TRACE_FENCE, weft_rma_names.fence_on, 0, -1,
                   weft_direct_context(on));
  next.fence_on(on);
  weft_trace_end(&span);
}

void weft_record_start(void) {
  next = weft_direct;
  weft_direct = (struct weft_direct){.disp = next.disp, .amo_disp = next.amo_disp, WEFT_RMA_TABLE};
}
