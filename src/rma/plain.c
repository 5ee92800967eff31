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
static void mark(long pe) {
  weft_publish(&weft_job_dirty()[pe], 1);
}

static void write_to(uintptr_t off, const void *source, size_t n, long pe, weft_op_t *op) {
  weft_endpoint_write(&weft_job.endpoint, weft_job.where[pe].node, source, n,
                      weft_job_remote_addr((int)pe, off), weft_job_remote_key((int)pe), op);
  mark(pe);
}

static void wait_for(weft_op_t *op) {
  unsigned steps = 0;
  while (weft_observe(&op->pending)) weft_am_wait_step(&steps);
}

void weft_plain_put(uintptr_t off, const void *source, size_t n, long pe, const char *who) {
  (void)who;
  if (n == 0) return;
  if (n <= weft_job.endpoint.inject_max) {
    weft_endpoint_inject_write(&weft_job.endpoint, weft_job.where[pe].node, source, n,
                               weft_job_remote_addr((int)pe, off), weft_job_remote_key((int)pe));
    mark(pe);
    weft_helper_arm();
    return;
  }
  weft_op_t op = {0};
  write_to(off, source, n, pe, &op);
  wait_for(&op);
}

void weft_plain_put_nbi(uintptr_t off, const void *source, size_t n, long pe, const char *who) {
  if (n <= weft_job.endpoint.inject_max) {
    weft_plain_put(off, source, n, pe, who);
    return;
  }
  write_to(off, source, n, pe, &weft_job.endpoint.nbi);
  weft_helper_arm();
}

/* One read of at most the provider's message size. */
static inline void read_once(uintptr_t off, void *dest, size_t n, long pe, weft_op_t *op) {
  uint64_t node = weft_job.where[pe].node;
  uint64_t addr = weft_job_remote_addr((int)pe, off), key = weft_job_remote_key((int)pe);
  ssize_t rc;
  do rc = fi_read(weft_wire.ep, dest, n, NULL, node, addr, key, op);
  while (weft_unlikely(rc != 0) && weft_endpoint_again(&weft_job.endpoint, rc, "get", node));
}

static void get(uintptr_t off, void *dest, size_t n, long pe, const char *who) {
  (void)who;
  if (weft_unlikely(n == 0)) return;
  weft_op_t op = {.pending = 1};
  if (weft_likely(n <= weft_job.endpoint.message_max)) {
    read_once(off, dest, n, pe, &op);
  } else {
    op.pending = 0;
    weft_endpoint_read(&weft_job.endpoint, weft_job.where[pe].node, dest, n,
                       weft_job_remote_addr((int)pe, off), weft_job_remote_key((int)pe), &op);
  }
  wait_for(&op);
}

static void get_nbi(uintptr_t off, void *dest, size_t n, long pe, const char *who) {
  (void)who;
  weft_endpoint_read(&weft_job.endpoint, weft_job.where[pe].node, dest, n,
                     weft_job_remote_addr((int)pe, off), weft_job_remote_key((int)pe),
                     &weft_job.endpoint.nbi);
  weft_helper_arm();
}

static uint64_t amo(uintptr_t off, enum weft_amo op, size_t width, uint64_t operand, uint64_t cond,
                    long pe, const char *who) {
  (void)who;
  return weft_am_fetch((int)pe, off, op, width, operand, cond);
}

static void amo_post(uintptr_t off, enum weft_amo op, size_t width, uint64_t operand, long pe,
                     const char *who) {
  (void)who;
  weft_am_post((int)pe, off, op, width, operand);
  if (!weft_options.coalesce) weft_am_flush();
}

static void amo_nbi(uintptr_t off, enum weft_amo op, size_t width, uint64_t operand, uint64_t cond,
                    void *fetch, long pe, const char *who) {
  (void)who;
  weft_am_fetch_nbi((int)pe, off, op, width, operand, cond, fetch);
  if (!weft_options.coalesce) weft_am_flush();
}

/* ---- ordering -------------------------------------------------------------------------------- */

/* Read one word back from the node of every marked PE of this group of 8. PEs of a node are mostly
 * neighbours: one read does for them. A thread that finds the mark of its put gone finds the read
 * pending: it is counted before the marks go. */
static inline void flush_group(int first, uint64_t marked) {
  weft_op_t *nbi = &weft_job.endpoint.nbi;
  int last = -1;
  __atomic_fetch_add(&nbi->pending, 1, __ATOMIC_RELAXED);
  for (; marked; marked &= marked - 1) {
    int pe = first + __builtin_ctzll(marked) / 8;
    int node = weft_job.where[pe].node;
    weft_publish(&weft_job_dirty()[pe], 0);
    if (node == last) continue;
    if (last >= 0) __atomic_fetch_add(&nbi->pending, 1, __ATOMIC_RELAXED);
    last = node;
    read_once(weft_job.layout.coll_sync, weft_job.endpoint.flush_sink, 8, pe, nbi);
  }
}

/* All at once: each read returns after the writes before it on the same connection. */
static inline void flush_marked(void) {
  const uint64_t *marks = (const uint64_t *)(const void *)weft_job_dirty();
  for (int first = 0; first < weft_job.npes; first += 8) {
    uint64_t marked = weft_observe(&marks[first / 8]);
    if (weft_unlikely(marked)) flush_group(first, marked);
  }
}

static WEFT_COLD void quiet_rest(void) {
  weft_am_quiet();
  wait_for(&weft_job.endpoint.nbi);
}

static uint64_t count_posted(void) {
  return weft_peek(&weft_wire.injected) + weft_peek(&weft_job.endpoint.injected);
}

static WEFT_COLD void wait_counter(void) {
  unsigned steps = 0;
  weft_am_flush(); /* a lone staged put leaves as a write and counts */
  uint64_t posted = count_posted();
  while (fi_cntr_read(weft_wire.writes) < posted) {
    if (fi_cntr_readerr(weft_wire.writes)) weft_endpoint_poll(&weft_job.endpoint);
    weft_am_wait_step(&steps);
  }
}

/* Scalars and other writes are counted apart; one libfabric counter has them both. libfabric is
 * asked first: mostly there is nothing else to do, and this is the path that the SFI paper counts.
 */
static void quiet_counter(void) {
  uint64_t done = fi_cntr_read(weft_wire.writes);
  if (done < count_posted()) wait_counter();
  if (weft_am_busy() || weft_peek(&weft_job.endpoint.nbi.pending)) {
    quiet_rest();
    wait_counter();
  }
}

/* Staged records leave first: a lone one leaves as a write and is marked. All is posted before
 * anything is waited for. */
void weft_plain_quiet(void) {
  if (weft_am_staged()) weft_am_flush();
  flush_marked();
  if (weft_am_busy() || weft_peek(&weft_job.endpoint.nbi.pending)) quiet_rest();
}

/* Packets and writes take different ways through the target, and the helper may send a packet that
 * the PE staged, on its own connection. So with staging everything before the fence must have been
 * applied. Without, writes are in order if the provider says so; fetched results and reads are not
 * fence's business. */
void weft_plain_fence(void) {
  if (weft_options.coalesce || !weft_job.fabric.ordered_writes)
    weft_rma_quiet();
  else if (weft_am_busy())
    weft_am_quiet();
}

#define OPERATIONS(scalar)                                                                         \
  .p1 = scalar(1), .p2 = scalar(2), .p4 = scalar(4), .p8 = scalar(8), .put = weft_plain_put,       \
  .put_nbi = weft_plain_put_nbi, .get = get, .get_nbi = get_nbi, .amo = amo, .amo_post = amo_post, \
  .amo_nbi = amo_nbi, .fence = weft_plain_fence

#define FLUSH(N) weft_p##N##_flush
#define COUNTER(N) weft_p##N##_counter
#define GENERAL(N) p##N##_general

const struct weft_direct weft_plain_flush = {OPERATIONS(FLUSH), .quiet = weft_plain_quiet};
const struct weft_direct weft_plain_counter = {OPERATIONS(COUNTER), .quiet = quiet_counter};
const struct weft_direct weft_plain_general = {OPERATIONS(GENERAL), .quiet = weft_plain_quiet};
