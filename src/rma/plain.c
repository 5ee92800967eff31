/*
 * Off-node operations straight to libfabric, and their ordering. Scalars with a counter or flush
 * provider are in scalar.c.
 */
#include "rma/rma_internal.h"

weft_wire_t weft_wire;

/* Scalars on any provider: addresses and keys looked up. */
#define SCALAR_GENERAL(N, T)                                                                       \
  static void p##N##_general(const void *dest, T value, long pe, const uintptr_t *disp,            \
                             uintptr_t off) {                                                      \
    (void)dest, (void)disp;                                                                        \
    weft_plain_put(off, &value, N, pe, "shmem_p");                                                 \
  }
SCALAR_GENERAL(1, uint8_t)
SCALAR_GENERAL(2, uint16_t)
SCALAR_GENERAL(4, uint32_t)
SCALAR_GENERAL(8, uint64_t)

/* After the put is posted: a quiet of another thread that takes the mark away then flushes the put
 * as well. */
static void mark(weft_channel_t *c, int pe) {
  weft_publish(&c->dirty[pe], 1);
}

static void write_to(weft_channel_t *c, uintptr_t off, const void *source, size_t n, int pe,
                     weft_op_t *op) {
  weft_endpoint_write(c->endpoint, weft_job.where[pe].node, source, n,
                      weft_job_remote_addr(pe, off), weft_job_remote_key(pe), op);
  mark(c, pe);
}

static void wait_for(weft_channel_t *c, weft_op_t *op) {
  unsigned steps = 0;
  while (weft_observe(&op->pending)) weft_am_wait_step(c, &steps);
}

static void inject(weft_channel_t *c, uintptr_t off, const void *source, size_t n, int pe) {
  weft_endpoint_inject_write(c->endpoint, weft_job.where[pe].node, source, n,
                             weft_job_remote_addr(pe, off), weft_job_remote_key(pe));
  mark(c, pe);
  weft_helper_arm(c);
}

void weft_plain_put(uintptr_t off, const void *source, size_t n, long to, const char *who) {
  weft_channel_t *c = weft_channel_of(to);
  (void)who;
  if (n == 0) return;
  if (n <= c->endpoint->inject_max) {
    inject(c, off, source, n, weft_direct_pe(to));
    return;
  }
  weft_op_t op = {0};
  write_to(c, off, source, n, weft_direct_pe(to), &op);
  wait_for(c, &op);
}

void weft_plain_put_nbi(uintptr_t off, const void *source, size_t n, long to, const char *who) {
  weft_channel_t *c = weft_channel_of(to);
  (void)who;
  if (n == 0) return;
  if (n <= c->endpoint->inject_max) {
    inject(c, off, source, n, weft_direct_pe(to));
    return;
  }
  write_to(c, off, source, n, weft_direct_pe(to), &c->endpoint->nbi);
  weft_helper_arm(c);
}

/* One read of at most the provider's message size. */
static inline void read_once(weft_channel_t *c, uintptr_t off, void *dest, size_t n, int pe,
                             weft_op_t *op) {
  uint64_t node = weft_job.where[pe].node;
  uint64_t addr = weft_job_remote_addr(pe, off), key = weft_job_remote_key(pe);
  ssize_t rc;
  do rc = fi_read(c->endpoint->ep, dest, n, NULL, node, addr, key, op);
  while (weft_unlikely(rc != 0) && weft_endpoint_again(c->endpoint, rc, "get", node));
}

static void read_from(weft_channel_t *c, uintptr_t off, void *dest, size_t n, int pe,
                      weft_op_t *op) {
  weft_endpoint_read(c->endpoint, weft_job.where[pe].node, dest, n, weft_job_remote_addr(pe, off),
                     weft_job_remote_key(pe), op);
}

static void get(uintptr_t off, void *dest, size_t n, long to, const char *who) {
  weft_channel_t *c = weft_channel_of(to);
  (void)who;
  if (weft_unlikely(n == 0)) return;
  weft_op_t op = {.pending = 1};
  if (weft_likely(n <= c->endpoint->message_max)) {
    read_once(c, off, dest, n, weft_direct_pe(to), &op);
  } else {
    op.pending = 0;
    read_from(c, off, dest, n, weft_direct_pe(to), &op);
  }
  wait_for(c, &op);
}

static void get_nbi(uintptr_t off, void *dest, size_t n, long to, const char *who) {
  weft_channel_t *c = weft_channel_of(to);
  (void)who;
  read_from(c, off, dest, n, weft_direct_pe(to), &c->endpoint->nbi);
  weft_helper_arm(c);
}

static uint64_t amo(uintptr_t off, enum weft_amo op, size_t width, uint64_t operand, uint64_t cond,
                    long to, const char *who) {
  (void)who;
  return weft_am_fetch(weft_channel_of(to), weft_direct_pe(to), off, op, width, operand, cond);
}

static void amo_post(uintptr_t off, enum weft_amo op, size_t width, uint64_t operand, long to,
                     const char *who) {
  weft_channel_t *c = weft_channel_of(to);
  (void)who;
  weft_am_post(c, weft_direct_pe(to), off, op, width, operand);
  if (!weft_peek(&c->staging)) weft_am_flush(c);
}

static void amo_nbi(uintptr_t off, enum weft_amo op, size_t width, uint64_t operand, uint64_t cond,
                    void *fetch, long to, const char *who) {
  weft_channel_t *c = weft_channel_of(to);
  (void)who;
  weft_am_fetch_nbi(c, weft_direct_pe(to), off, op, width, operand, cond, fetch);
  if (!weft_peek(&c->staging)) weft_am_flush(c);
}

/* ---- ordering -------------------------------------------------------------------------------- */

/* Read one word back from the node of every marked PE of this group of 8. PEs of a node are mostly
 * neighbours: one read does for them. A thread that finds the mark of its put gone finds the read
 * pending: it is counted before the marks go. */
static inline void flush_group(weft_channel_t *c, int first, uint64_t marked) {
  weft_op_t *nbi = &c->endpoint->nbi;
  int last = -1;
  __atomic_fetch_add(&nbi->pending, 1, __ATOMIC_RELAXED);
  for (; marked; marked &= marked - 1) {
    int pe = first + __builtin_ctzll(marked) / 8;
    int node = weft_job.where[pe].node;
    weft_publish(&c->dirty[pe], 0);
    if (node == last) continue;
    if (last >= 0) __atomic_fetch_add(&nbi->pending, 1, __ATOMIC_RELAXED);
    last = node;
    read_once(c, weft_job.layout.coll_sync, c->endpoint->flush_sink, 8, pe, nbi);
  }
}

/* All at once: each read returns after the writes before it on the same connection. */
static inline void flush_marked(weft_channel_t *c) {
  const uint64_t *marks = (const uint64_t *)(const void *)c->dirty;
  for (int first = 0; first < weft_job.npes; first += 8) {
    uint64_t marked = weft_observe(&marks[first / 8]);
    if (weft_unlikely(marked)) flush_group(c, first, marked);
  }
}

static WEFT_COLD void quiet_rest(weft_channel_t *c) {
  weft_am_quiet(c);
  wait_for(c, &c->endpoint->nbi);
}

/* Scalars of the first channel and other writes are counted apart; one libfabric counter has them
 * both. */
static uint64_t count_posted(const weft_channel_t *c) {
  const uint64_t scalars = c == &weft_channels[0] ? weft_peek(&weft_wire.injected) : 0;
  return scalars + weft_peek(&c->endpoint->injected);
}

static WEFT_COLD void wait_counter(weft_channel_t *c) {
  weft_endpoint_t *e = c->endpoint;
  unsigned steps = 0;
  uint64_t posted = count_posted(c);
  while (fi_cntr_read(e->writes) < posted) {
    if (fi_cntr_readerr(e->writes)) weft_endpoint_poll(e);
    weft_am_wait_step(c, &steps);
  }
}

/* libfabric is asked first: mostly there is nothing else to do, and this is the path that the SFI
 * paper counts. */
static inline void quiet_counter_of(weft_channel_t *c, struct fid_cntr *writes) {
  uint64_t done = fi_cntr_read(writes);
  if (done < count_posted(c)) wait_counter(c);
  if (weft_am_busy(c) || weft_peek(&c->endpoint->nbi.pending)) {
    quiet_rest(c);
    wait_counter(c);
  }
}

static void quiet_counter(void) {
  quiet_counter_of(&weft_channels[0], weft_wire.writes);
}

static void quiet_counter_on(long on) {
  quiet_counter_of(weft_channel_of(on), weft_channel_of(on)->endpoint->writes);
}

/* All is posted before anything is waited for. */
static inline void quiet_flush_of(weft_channel_t *c) {
  if (weft_am_staged(c)) weft_am_flush(c);
  flush_marked(c);
  if (weft_am_busy(c) || weft_peek(&c->endpoint->nbi.pending)) quiet_rest(c);
}

static void quiet_flush(void) {
  quiet_flush_of(&weft_channels[0]);
}

static void quiet_flush_on(long on) {
  quiet_flush_of(weft_channel_of(on));
}

/* Packets and writes take different ways through the target, and the helper may send a packet that
 * the PE staged, on its own connection. So with staging everything before the fence must have been
 * applied. Without, writes are in order if the provider says so; fetched results and reads are not
 * fence's business. */
static void fence_on(long on) {
  weft_channel_t *c = weft_channel_of(on);
  if (weft_peek(&c->staging) || !weft_job.fabric.ordered_writes)
    weft_rma_quiet_on(on);
  else if (weft_am_busy(c))
    weft_am_quiet(c);
}

static void fence(void) {
  fence_on(0);
}

#define OPERATIONS(scalar)                                                                         \
  .p1 = scalar(1), .p2 = scalar(2), .p4 = scalar(4), .p8 = scalar(8), .put = weft_plain_put,       \
  .put_nbi = weft_plain_put_nbi, .get = get, .get_nbi = get_nbi, .amo = amo, .amo_post = amo_post, \
  .amo_nbi = amo_nbi, .fence = fence, .fence_on = fence_on

#define FLUSH(N) weft_p##N##_flush
#define COUNTER(N) weft_p##N##_counter
#define GENERAL(N) p##N##_general

#define QUIET_FLUSH .quiet = quiet_flush, .quiet_on = quiet_flush_on
#define QUIET_COUNTER .quiet = quiet_counter, .quiet_on = quiet_counter_on

const struct weft_direct weft_plain_flush = {OPERATIONS(FLUSH), QUIET_FLUSH};
const struct weft_direct weft_plain_counter = {OPERATIONS(COUNTER), QUIET_COUNTER};
const struct weft_direct weft_plain_general_flush = {OPERATIONS(GENERAL), QUIET_FLUSH};
const struct weft_direct weft_plain_general_counter = {OPERATIONS(GENERAL), QUIET_COUNTER};
