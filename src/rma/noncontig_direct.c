/*
 * Non-contiguous transfers whose segments are long: an RMA operation each, all under way together.
 */
#include <stdlib.h>

#include "rma/rma_internal.h"

/* COUNTER: a read may pass the writes before it, and the completion of a write says both that its
 * source is free and that it is there. Back in the pool when its last write completes; never freed,
 * since the endpoint counts that one down after. */
typedef struct both {
  weft_op_t op;
  uint32_t left; /* writes that are not complete, and one for the poster */
  weft_op_t *lc, *rc;
  struct both *next;
} both_t;

static struct {
  weft_lock_t lock;
  both_t *free;
} pool;

static void down(both_t *b) {
  if (__atomic_sub_fetch(&b->left, 1, __ATOMIC_ACQ_REL)) return;
  weft_op_down(b->lc);
  weft_op_down(b->rc);
  weft_lock(&pool.lock);
  b->next = pool.free;
  pool.free = b;
  weft_unlock(&pool.lock);
}

static void write_done(weft_op_t *op, size_t len) {
  (void)len;
  down((both_t *)op);
}

static both_t *both(weft_op_t *lc, weft_op_t *rc) {
  weft_lock(&pool.lock);
  both_t *b = pool.free;
  if (b) pool.free = b->next;
  weft_unlock(&pool.lock);
  if (!b && !(b = calloc(1, sizeof *b)))
    weft_fatal("no memory for a non-contiguous transfer: this machine is out of memory");
  b->op.done = write_done;
  b->lc = lc, b->rc = rc;
  b->left = 1;
  weft_op_up(lc);
  weft_op_up(rc);
  return b;
}

/* What is contiguous on both sides, but not more than the provider takes at a time. */
static size_t segment(const weft_cursor_t *a, const weft_cursor_t *b) {
  const size_t n = a->left < b->left ? a->left : b->left;
  return n < weft_job.fabric.rma_max ? n : weft_job.fabric.rma_max;
}

/* lc counts what is read from, and rc a read that returns after the writes before it on the same
 * connection. */
void weft_noncontig_put(weft_channel_t *c, const weft_shape_t *remote, const weft_shape_t *local,
                        int pe, weft_op_t *lc, weft_op_t *rc) {
  weft_cursor_t to, from;
  const int node = weft_job.where[pe].node;
  const uint64_t key = weft_job_remote_key(pe);
  weft_cursor_open(&to, remote);
  weft_cursor_open(&from, local);
  if (to.total == 0) return;
  weft_order_write(c, node);
  both_t *b = rc && c->endpoint->writes ? both(lc, rc) : NULL;
  while (to.total > 0) {
    const size_t n = segment(&to, &from);
    if (b) __atomic_fetch_add(&b->left, 1, __ATOMIC_RELAXED);
    weft_endpoint_write(c->endpoint, (uint64_t)node, (const void *)from.at, n,
                        weft_job_remote_addr(pe, to.at), key, b ? &b->op : lc);
    weft_cursor_step(&to, n);
    weft_cursor_step(&from, n);
  }
  if (weft_op_is_ordered(rc)) weft_quiet_mark(c, pe);
  if (b)
    down(b);
  else if (rc)
    weft_quiet_probe_node(c, node, rc);
  weft_helper_arm(c);
}

void weft_noncontig_get(weft_channel_t *c, const weft_shape_t *local, const weft_shape_t *remote,
                        int pe, weft_op_t *rc) {
  weft_cursor_t to, from;
  const uint64_t node = weft_job.where[pe].node, key = weft_job_remote_key(pe);
  weft_cursor_open(&to, local);
  weft_cursor_open(&from, remote);
  if (to.total == 0) return;
  while (to.total > 0) {
    const size_t n = segment(&to, &from);
    weft_endpoint_read(c->endpoint, node, (void *)to.at, n, weft_job_remote_addr(pe, from.at), key,
                       rc);
    weft_cursor_step(&to, n);
    weft_cursor_step(&from, n);
  }
  if (weft_op_is_ordered(rc)) weft_order_mark(c, &c->reading, (int)node);
  weft_helper_arm(c);
}
