/*
 * Off-node operations straight to libfabric. Scalars with a counter or flush provider are in
 * scalar.c, ordering in quiet.c.
 */
#include "rma/rma_internal.h"

weft_wire_t weft_wire;

/* Scalars on any provider: addresses and keys looked up. */
#define SCALAR_GENERAL(N, T)                                                                       \
  static void p##N##_general(const void *dest, T value, long pe, const uintptr_t *disp,            \
                             uintptr_t off) {                                                      \
    (void)dest, (void)disp;                                                                        \
    weft_plain_put(off, &value, N, pe, weft_rma_names.put);                                        \
  }
SCALAR_GENERAL(1, uint8_t)
SCALAR_GENERAL(2, uint16_t)
SCALAR_GENERAL(4, uint32_t)
SCALAR_GENERAL(8, uint64_t)

static void write_to(weft_channel_t *c, uintptr_t off, const void *source, size_t n, int pe,
                     weft_op_t *op) {
  weft_endpoint_write(c->endpoint, weft_job.where[pe].node, source, n,
                      weft_job_remote_addr(pe, off), weft_job_remote_key(pe), op);
  weft_quiet_mark(c, pe);
}

static void inject(weft_channel_t *c, uintptr_t off, const void *source, size_t n, int pe) {
  weft_endpoint_inject_write(c->endpoint, weft_job.where[pe].node, source, n,
                             weft_job_remote_addr(pe, off), weft_job_remote_key(pe));
  weft_quiet_mark(c, pe);
  weft_helper_arm(c);
}

void weft_plain_put(uintptr_t off, const void *source, size_t n, long to, const char *who) {
  weft_channel_t *c = weft_channel_of(to);
  (void)who;
  if (n == 0) return;
  weft_order_write(c, weft_job.where[weft_direct_pe(to)].node);
  if (n <= c->endpoint->inject_max) {
    inject(c, off, source, n, weft_direct_pe(to));
    return;
  }
  weft_op_t op = {0};
  write_to(c, off, source, n, weft_direct_pe(to), &op);
  weft_op_wait_on(c, &op);
}

/* A quiet waits for all that is under way, also for what another thread begins meanwhile: one that
 * begins operation after operation would keep it for ever. So an operation that nobody waits for
 * waits for the quiets that have begun; a while, as there may always be one. */
static WEFT_COLD void let_quiets_end(weft_channel_t *c) {
  enum { WHILE_NS = 10000000 };
  const uint64_t begin = weft_clock_ns();
  WEFT_WAIT_ON(c, weft_observe(&c->ending) == 0 || weft_clock_ns() - begin > WHILE_NS);
}

void weft_plain_put_nbi(uintptr_t off, const void *source, size_t n, long to, const char *who) {
  weft_channel_t *c = weft_channel_of(to);
  (void)who;
  if (n == 0) return;
  weft_order_write(c, weft_job.where[weft_direct_pe(to)].node);
  if (n <= c->endpoint->inject_max) {
    inject(c, off, source, n, weft_direct_pe(to));
    return;
  }
  if (weft_unlikely(weft_observe(&c->ending))) let_quiets_end(c);
  weft_progress_post(n);
  write_to(c, off, source, n, weft_direct_pe(to), &c->endpoint->all);
  weft_helper_arm(c);
}

/* One read of at most the provider's message size. */
static inline void read_once(weft_channel_t *c, uintptr_t off, void *dest, size_t n, int pe,
                             weft_op_t *op) {
  uint64_t node = weft_job.where[pe].node;
  uint64_t addr = weft_job_remote_addr(pe, off), key = weft_job_remote_key(pe);
  while (!weft_endpoint_try_read(c->endpoint, node, dest, n, addr, key, op)) continue;
}

static void read_from(weft_channel_t *c, uintptr_t off, void *dest, size_t n, int pe,
                      weft_op_t *op) {
  weft_endpoint_read(c->endpoint, weft_job.where[pe].node, dest, n, weft_job_remote_addr(pe, off),
                     weft_job_remote_key(pe), op);
}

void weft_plain_get(uintptr_t off, void *dest, size_t n, long to, const char *who) {
  weft_channel_t *c = weft_channel_of(to);
  (void)who;
  if (weft_unlikely(n == 0)) return;
  weft_op_t op = {.attended = true};
  if (weft_likely(n <= weft_job.fabric.rma_max)) {
    read_once(c, off, dest, n, weft_direct_pe(to), &op);
  } else {
    read_from(c, off, dest, n, weft_direct_pe(to), &op);
  }
  weft_op_wait_on(c, &op);
}

void weft_plain_get_nbi(uintptr_t off, void *dest, size_t n, long to, const char *who) {
  weft_channel_t *c = weft_channel_of(to);
  (void)who;
  if (weft_unlikely(weft_observe(&c->ending))) let_quiets_end(c);
  weft_progress_post(n);
  read_from(c, off, dest, n, weft_direct_pe(to), &c->endpoint->all);
  weft_order_mark(c, &c->reading, weft_job.where[weft_direct_pe(to)].node);
  weft_helper_arm(c);
}

static uint64_t amo(uintptr_t off, enum weft_amo op, size_t width, uint64_t operand, uint64_t cond,
                    long to, const char *who) {
  (void)who;
  return weft_stage_fetch(weft_channel_of(to), weft_direct_pe(to), off, op, width, operand, cond);
}

static void amo_post(uintptr_t off, enum weft_amo op, size_t width, uint64_t operand, long to,
                     const char *who) {
  weft_channel_t *c = weft_channel_of(to);
  (void)who;
  weft_stage_post(c, weft_direct_pe(to), off, op, width, operand);
}

static void amo_nbi(uintptr_t off, enum weft_amo op, size_t width, uint64_t operand, uint64_t cond,
                    void *fetch, long to, const char *who) {
  weft_channel_t *c = weft_channel_of(to);
  (void)who;
  weft_stage_fetch_nbi(c, weft_direct_pe(to), off, op, width, operand, cond, fetch);
}

#define OPERATIONS(scalar)                                                                         \
  .p1 = scalar(1), .p2 = scalar(2), .p4 = scalar(4), .p8 = scalar(8), .put = weft_plain_put,       \
  .put_nbi = weft_plain_put_nbi, .get = weft_plain_get, .get_nbi = weft_plain_get_nbi,             \
  .amo = amo, .amo_post = amo_post, .amo_nbi = amo_nbi, .fence = weft_quiet_fence,                 \
  .fence_on = weft_quiet_fence_on

#define FLUSH(N) weft_p##N##_flush
#define COUNTER(N) weft_p##N##_counter
#define GENERAL(N) p##N##_general

#define QUIET_FLUSH .quiet = weft_quiet_flush, .quiet_on = weft_quiet_flush_on
#define QUIET_COUNTER .quiet = weft_quiet_counter, .quiet_on = weft_quiet_counter_on

const struct weft_direct weft_plain_flush = {OPERATIONS(FLUSH), QUIET_FLUSH};
const struct weft_direct weft_plain_counter = {OPERATIONS(COUNTER), QUIET_COUNTER};
const struct weft_direct weft_plain_general_flush = {OPERATIONS(GENERAL), QUIET_FLUSH};
const struct weft_direct weft_plain_general_counter = {OPERATIONS(GENERAL), QUIET_COUNTER};
