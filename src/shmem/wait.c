/*
 * wait.c: OpenSHMEM 1.6 section 9.11: waiting for and testing variables of this PE. They change by
 * stores of peers, of the helper and of other threads, so each look is an atomic load; it knows
 * nothing of what changes them.
 */
#include "shmem/internal.h"
#include "sync/sync.h"
#include "trace/trace.h"

/* What WEFT_WAIT_KIND says. */
static size_t width_of(unsigned kind) {
  return kind >> 1;
}
static bool is_signed(unsigned kind) {
  return kind & 1;
}

/* A value as an unsigned number that sorts as the type does: signed numbers are moved up by half
 * the range. */
static uint64_t sortable(uint64_t extended, unsigned kind) {
  return extended ^ (uint64_t)is_signed(kind) << 63;
}

static inline __attribute__((always_inline)) uint64_t load(const void *p, unsigned kind) {
  uint64_t now;
  if (weft_likely(width_of(kind) == 8))
    now = __atomic_load_n((const uint64_t *)p, __ATOMIC_ACQUIRE);
  else if (kind == WEFT_WAIT_KIND(int32_t))
    now = (uint64_t)__atomic_load_n((const int32_t *)p, __ATOMIC_ACQUIRE);
  else if (kind == WEFT_WAIT_KIND(uint32_t))
    now = __atomic_load_n((const uint32_t *)p, __ATOMIC_ACQUIRE);
  else if (kind == WEFT_WAIT_KIND(int16_t))
    now = (uint64_t)__atomic_load_n((const int16_t *)p, __ATOMIC_ACQUIRE);
  else
    now = __atomic_load_n((const uint16_t *)p, __ATOMIC_ACQUIRE);
  return sortable(now, kind);
}

static WEFT_COLD void refuse(int cmp, const char *who) {
  weft_fatal("%s: %d is no comparison; use SHMEM_CMP_EQ, NE, GT, GE, LT or LE", who, cmp);
}

static inline __attribute__((always_inline)) bool holds(uint64_t now, int cmp, uint64_t value,
                                                        const char *who) {
  switch (cmp) {
  case SHMEM_CMP_EQ: return now == value;
  case SHMEM_CMP_NE: return now != value;
  case SHMEM_CMP_GT: return now > value;
  case SHMEM_CMP_GE: return now >= value;
  case SHMEM_CMP_LT: return now < value;
  case SHMEM_CMP_LE: return now <= value;
  default: refuse(cmp, who); return false;
  }
}

/* A loop around a test is a wait too: a miss does what one step of a wait does. */
static WEFT_THREAD weft_wait_t polling;

static void missed(void) {
  weft_wait_poll(&polling);
}

static void hit(void) {
  polling = (weft_wait_t){0};
}

/* ---- one variable ---------------------------------------------------------------------------- */

/* A wait for what is there already needs one look and no span. What waits longer is a function of
 * its own, so that the look saves no registers for it. */
static inline bool looks_first(void) {
  return weft_likely(weft_shmem_depth != 0) && weft_likely(!weft_peek(&weft_trace_on));
}

/* With WEFT_CHECK=1 a wait that takes long is told of: nobody may ever write there. */
static const char *patient(const char *who) {
  return weft_options.check ? who : NULL;
}

static WEFT_NOINLINE void wait_until(const void *ivar, unsigned kind, int cmp, uint64_t value,
                                     const char *who) {
  weft_shmem_up(who);
  WEFT_SPAN(WEFT_TRACE_WAIT, who, 0);
  /* Others cannot change what is not symmetric. */
  weft_rma_check(ivar, width_of(kind), who, "ivar");
  value = sortable(value, kind);
  weft_patience_begin(patient(who), weft_options.patience_s);
  WEFT_WAIT_UNTIL(holds(load(ivar, kind), cmp, value, who));
  weft_patience_end();
}

void weft_shmem_wait_until(const void *ivar, unsigned kind, int cmp, uint64_t value,
                           const char *who) {
  if (looks_first() && holds(load(ivar, kind), cmp, sortable(value, kind), who)) return;
  wait_until(ivar, kind, cmp, value, who);
}

/* The value that satisfied the condition is the result: reading again could show a later one. */
static WEFT_NOINLINE uint64_t signal_wait(const uint64_t *sig_addr, int cmp, uint64_t value,
                                          const char *who) {
  weft_shmem_up(who);
  WEFT_SPAN(WEFT_TRACE_WAIT, who, 0);
  weft_rma_check(sig_addr, sizeof *sig_addr, who, "ivar");
  uint64_t now;
  weft_patience_begin(patient(who), weft_options.patience_s);
  WEFT_WAIT_UNTIL(holds(now = weft_observe(sig_addr), cmp, value, who));
  weft_patience_end();
  return now;
}

uint64_t weft_shmem_signal_wait(const uint64_t *sig_addr, int cmp, uint64_t value,
                                const char *who) {
  uint64_t now;
  if (looks_first() && holds(now = weft_observe(sig_addr), cmp, value, who)) return now;
  return signal_wait(sig_addr, cmp, value, who);
}

int weft_shmem_test(const void *ivar, unsigned kind, int cmp, uint64_t value, const char *who) {
  weft_shmem_up(who);
  const bool yes = holds(load(ivar, kind), cmp, sortable(value, kind), who);
  if (!yes && weft_unlikely(weft_options.check)) weft_rma_check(ivar, width_of(kind), who, "ivar");
  yes ? hit() : missed();
  return yes;
}

/* ---- several variables ----------------------------------------------------------------------- */

/* The arguments of a call, and what a look at all variables found. */
typedef struct look {
  const char *ivars;
  const char *values;
  const int *status; /* nonzero: excluded; NULL: none is */
  size_t n, step;
  unsigned kind;
  int cmp;
  const char *who;
  size_t included; /* out: variables that are not excluded */
} look_t;

static bool ready(const look_t *l, size_t i) {
  const size_t width = width_of(l->kind);
  return holds(load(l->ivars + i * width, l->kind), l->cmp,
               load(l->values + i * l->step * width, l->kind), l->who);
}

static void include(look_t *l) {
  weft_shmem_up(l->who);
  weft_rma_check(l->ivars, l->n * width_of(l->kind), l->who, "ivar");
  l->included = 0;
  for (size_t i = 0; i < l->n; i++) l->included += !(l->status && l->status[i]);
}

static bool look_all(const look_t *l) {
  for (size_t i = 0; i < l->n; i++)
    if (!(l->status && l->status[i]) && !ready(l, i)) return false;
  return true;
}

/* Where the next look at an array begins: behind the variable found last, so that every one that
 * stays ready is found some day. A thread may wait for several arrays in turns. */
static size_t *next_of(const char *ivars) {
  enum { ARRAYS = 8 };
  static _Thread_local struct {
    const char *ivars;
    size_t next;
  } last[ARRAYS];
  static _Thread_local unsigned taken;
  for (int i = 0; i < ARRAYS; i++)
    if (last[i].ivars == ivars) return &last[i].next;
  const unsigned i = taken++ % ARRAYS;
  last[i].ivars = ivars;
  return &last[i].next;
}

static size_t look_any(const look_t *l) {
  size_t *next = next_of(l->ivars);
  for (size_t k = 0; k < l->n; k++) {
    const size_t i = (*next + k) % l->n;
    if ((l->status && l->status[i]) || !ready(l, i)) continue;
    *next = i + 1;
    return i;
  }
  return SIZE_MAX;
}

static size_t look_some(const look_t *l, size_t *indices) {
  size_t found = 0;
  for (size_t i = 0; i < l->n; i++)
    if (!(l->status && l->status[i]) && ready(l, i)) indices[found++] = i;
  return found;
}

#define LOOK                                                                                       \
  {                                                                                                \
    .ivars = ivars, .values = values, .status = status, .n = n, .step = step, .kind = kind,        \
    .cmp = cmp, .who = who                                                                         \
  }

void weft_shmem_wait_all(const void *ivars, unsigned kind, size_t n, const int *status, int cmp,
                         const void *values, size_t step, const char *who) {
  look_t l = LOOK;
  include(&l);
  WEFT_SPAN(WEFT_TRACE_WAIT, who, 0);
  weft_patience_begin(patient(who), weft_options.patience_s);
  WEFT_WAIT_UNTIL(look_all(&l));
  weft_patience_end();
}

size_t weft_shmem_wait_any(const void *ivars, unsigned kind, size_t n, const int *status, int cmp,
                           const void *values, size_t step, const char *who) {
  look_t l = LOOK;
  include(&l);
  WEFT_SPAN(WEFT_TRACE_WAIT, who, 0);
  size_t found;
  weft_patience_begin(patient(who), weft_options.patience_s);
  WEFT_WAIT_UNTIL((found = look_any(&l)) != SIZE_MAX || l.included == 0);
  weft_patience_end();
  return found;
}

size_t weft_shmem_wait_some(const void *ivars, unsigned kind, size_t n, size_t *indices,
                            const int *status, int cmp, const void *values, size_t step,
                            const char *who) {
  look_t l = LOOK;
  include(&l);
  WEFT_SPAN(WEFT_TRACE_WAIT, who, 0);
  size_t found;
  weft_patience_begin(patient(who), weft_options.patience_s);
  WEFT_WAIT_UNTIL((found = look_some(&l, indices)) || l.included == 0);
  weft_patience_end();
  return found;
}

int weft_shmem_test_all(const void *ivars, unsigned kind, size_t n, const int *status, int cmp,
                        const void *values, size_t step, const char *who) {
  look_t l = LOOK;
  include(&l);
  const bool yes = look_all(&l);
  yes ? hit() : missed();
  return yes;
}

size_t weft_shmem_test_any(const void *ivars, unsigned kind, size_t n, const int *status, int cmp,
                           const void *values, size_t step, const char *who) {
  look_t l = LOOK;
  include(&l);
  const size_t found = look_any(&l);
  found != SIZE_MAX || l.included == 0 ? hit() : missed();
  return found;
}

size_t weft_shmem_test_some(const void *ivars, unsigned kind, size_t n, size_t *indices,
                            const int *status, int cmp, const void *values, size_t step,
                            const char *who) {
  look_t l = LOOK;
  include(&l);
  const size_t found = look_some(&l, indices);
  found || l.included == 0 ? hit() : missed();
  return found;
}

WEFT_SHMEM_WAIT(WEFT_EMIT)
