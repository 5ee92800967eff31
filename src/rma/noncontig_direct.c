/*
 * Non-contiguous transfers whose segments are long: an RMA operation each, all under way together.
 */
#include <stdlib.h>

#include "rma/rma_internal.h"

/* Operations that are complete together. `writes` of them are not read from yet, `all` not done;
 * the poster counts as one of each until it has posted the last. It comes back to the pool when its
 * last operation completes, and endpoints may count that operation down after that, so it is never
 * freed. */
typedef struct batch {
  weft_op_t op, probe;
  uint32_t writes, all;
  weft_op_t *lc, *rc;
  size_t bytes;
  struct batch *next;
} batch_t;

static struct {
  weft_lock_t lock;
  batch_t *pool;
} batches;

static void complete(weft_op_t *op, size_t bytes) {
  if (!op) return;
  if (op->done) op->done(op, bytes);
  __atomic_fetch_sub(&op->pending, 1, __ATOMIC_RELEASE);
}

static void one_less(batch_t *b) {
  if (__atomic_sub_fetch(&b->all, 1, __ATOMIC_ACQ_REL)) return;
  complete(b->rc, b->bytes);
  weft_lock(&batches.lock);
  b->next = batches.pool;
  batches.pool = b;
  weft_unlock(&batches.lock);
}

static void write_left(batch_t *b) {
  if (__atomic_sub_fetch(&b->writes, 1, __ATOMIC_ACQ_REL) == 0) complete(b->lc, b->bytes);
  one_less(b);
}

static void on_operation(weft_op_t *op, size_t len) {
  (void)len;
  write_left((batch_t *)op);
}

static void on_probe(weft_op_t *op, size_t len) {
  (void)len;
  one_less((batch_t *)((char *)op - offsetof(batch_t, probe)));
}

static batch_t *take(weft_op_t *lc, weft_op_t *rc, size_t bytes) {
  weft_lock(&batches.lock);
  batch_t *b = batches.pool;
  if (b) batches.pool = b->next;
  weft_unlock(&batches.lock);
  if (!b) {
    b = calloc(1, sizeof *b);
    if (!b) weft_fatal("no memory for a non-contiguous transfer: this machine is out of memory");
    b->op.done = on_operation;
    b->probe.done = on_probe;
  }
  b->lc = lc, b->rc = rc;
  b->bytes = bytes;
  b->writes = b->all = 1;
  if (lc) __atomic_fetch_add(&lc->pending, 1, __ATOMIC_RELAXED);
  if (rc) __atomic_fetch_add(&rc->pending, 1, __ATOMIC_RELAXED);
  return b;
}

static void count_up(batch_t *b) {
  __atomic_fetch_add(&b->writes, 1, __ATOMIC_RELAXED);
  __atomic_fetch_add(&b->all, 1, __ATOMIC_RELAXED);
}

/* What is contiguous on both sides, but not more than the provider takes at a time. */
static size_t segment(const weft_channel_t *c, const weft_cursor_t *a, const weft_cursor_t *b) {
  const size_t n = a->left < b->left ? a->left : b->left;
  return n < c->endpoint->message_max ? n : c->endpoint->message_max;
}

void weft_noncontig_put(weft_channel_t *c, const weft_shape_t *remote, const weft_shape_t *local,
                        int pe, weft_op_t *lc, weft_op_t *rc) {
  weft_cursor_t to, from;
  const uint64_t node = weft_job.where[pe].node, key = weft_job_remote_key(pe);
  weft_cursor_open(&to, remote);
  weft_cursor_open(&from, local);
  if (to.total == 0) return;
  batch_t *b = take(lc, rc, to.total);
  while (to.total > 0) {
    const size_t n = segment(c, &to, &from);
    count_up(b);
    weft_endpoint_write(c->endpoint, node, (const void *)from.at, n,
                        weft_job_remote_addr(pe, to.at), key, &b->op);
    weft_cursor_step(&to, n);
    weft_cursor_step(&from, n);
  }
  weft_quiet_mark(c, pe);
  if (rc) { /* it returns after the writes before it on the same connection */
    __atomic_fetch_add(&b->all, 1, __ATOMIC_RELAXED);
    weft_endpoint_read(c->endpoint, node, c->endpoint->flush_sink, 8,
                       weft_job_remote_addr(pe, weft_job.layout.coll_sync), key, &b->probe);
  }
  weft_helper_arm(c);
  write_left(b);
}

void weft_noncontig_get(weft_channel_t *c, const weft_shape_t *local, const weft_shape_t *remote,
                        int pe, weft_op_t *rc) {
  weft_cursor_t to, from;
  const uint64_t node = weft_job.where[pe].node, key = weft_job_remote_key(pe);
  weft_cursor_open(&to, local);
  weft_cursor_open(&from, remote);
  if (to.total == 0) return;
  batch_t *b = take(NULL, rc, to.total);
  while (to.total > 0) {
    const size_t n = segment(c, &to, &from);
    count_up(b);
    weft_endpoint_read(c->endpoint, node, (void *)to.at, n, weft_job_remote_addr(pe, from.at), key,
                       &b->op);
    weft_cursor_step(&to, n);
    weft_cursor_step(&from, n);
  }
  weft_helper_arm(c);
  write_left(b);
}
