/*
 * Operations on any PE whose completion an op counts: what front ends with handles are made of. On
 * the node they are done at once; to other nodes they go straight to libfabric, or as records.
 * Knows no handles, no front end.
 */
#include <string.h>

#include "rma/rma_internal.h"

#define CHANNEL (&weft_channels[0])

static inline weft_op_t *op_or_all(weft_op_t *op) {
  return op ? op : &weft_job.endpoint.all;
}

/* ---- puts and gets --------------------------------------------------------------------------- */

typedef struct rma {
  enum { READ, WRITE, WRITE_IN_FRONT, WRITE_DELIVERED } kind;
  char *local;
  size_t n;
  int pe;
  uintptr_t off;
  weft_op_t *op;
} rma_t;

static bool try_once(const rma_t *r) {
  weft_endpoint_t *e = &weft_job.endpoint;
  const uint64_t node = weft_job.where[r->pe].node;
  const uint64_t addr = weft_job_remote_addr(r->pe, r->off), key = weft_job_remote_key(r->pe);
  if (r->kind == READ) return weft_endpoint_try_read(e, node, r->local, r->n, addr, key, r->op);
  if (r->kind == WRITE) return weft_endpoint_try_write(e, node, r->local, r->n, addr, key, r->op);
  if (r->kind == WRITE_IN_FRONT)
    return weft_endpoint_try_front(e, node, r->local, r->n, addr, key, r->op);
  return weft_endpoint_try_deliver(e, node, r->local, r->n, addr, key, r->op,
                                   r->n <= weft_rma_copied_max());
}

/* In parts of at most the provider's message size. An immediate one waits for no room before its
 * first part; what was begun is ended. */
static bool begin(rma_t all, bool immediate) {
  const size_t max = weft_job.fabric.rma_max;
  size_t apart = 0;
  weft_helper_arm(CHANNEL);
  weft_progress_post(all.n);
  if (all.kind != READ)
    apart = weft_endpoint_apart(CHANNEL->endpoint, all.local,
                                weft_job_remote_addr(all.pe, all.off), all.n, all.op);
  for (size_t at = 0, n; at < all.n; at += n) {
    n = at < apart ? WEFT_PIECE_APART : weft_smaller(all.n - at, max);
    const rma_t part = {at < apart ? WRITE_IN_FRONT : all.kind, all.local + at, n, all.pe,
                        all.off + at, all.op};
    while (!try_once(&part))
      if (immediate && at == 0) return false;
  }
  return true;
}

bool weft_rma_put_begin(int pe, uintptr_t off, const void *source, size_t n, weft_op_t *op,
                        bool immediate) {
  char *object = weft_job_here(pe, off);
  if (object) {
    weft_data_store(object, source, n);
    return true;
  }
  if (weft_likely(n <= weft_peek(&CHANNEL->small_max))) {
    if (n == 0) return true;
    if (op) return weft_stage_put_begin(CHANNEL, pe, off, source, n, op, immediate);
    if (!immediate) {
      weft_stage_put(CHANNEL, pe, off, source, n);
      return true;
    }
  }
  const bool begun = begin(
      (rma_t){WRITE_DELIVERED, (char *)(uintptr_t)source, n, pe, off, op_or_all(op)}, immediate);
  if (begun && weft_op_is_ordered(op)) weft_quiet_mark(CHANNEL, pe);
  return begun;
}

bool weft_rma_put_leave(int pe, uintptr_t off, const void *source, size_t n, weft_op_t *op,
                        bool immediate) {
  char *object = weft_job_here(pe, off);
  if (object) {
    weft_data_store(object, source, n);
    return true;
  }
  const bool begun =
      begin((rma_t){WRITE, (char *)(uintptr_t)source, n, pe, off, op_or_all(op)}, immediate);
  if (begun) weft_quiet_mark(CHANNEL, pe);
  return begun;
}

bool weft_rma_get_begin(int pe, uintptr_t off, void *dest, size_t n, weft_op_t *op,
                        bool immediate) {
  const char *object = weft_job_here(pe, off);
  if (object) {
    weft_direct_fetch(dest, object, n);
    return true;
  }
  const bool ordered = weft_op_is_ordered(op);
  if (!ordered && !immediate && n <= weft_stage_get_max() && weft_peek(&CHANNEL->staging)) {
    if (n > 0) weft_stage_get(CHANNEL, pe, off, dest, n, op, false);
    return true;
  }
  const bool begun = begin((rma_t){READ, dest, n, pe, off, op_or_all(op)}, immediate);
  if (begun && ordered) weft_order_mark(CHANNEL, &CHANNEL->reading, weft_job.where[pe].node);
  return begun;
}

void weft_rma_read_begin(int pe, uintptr_t off, void *dest, size_t n, weft_op_t *op) {
  begin((rma_t){READ, dest, n, pe, off, op}, false);
}

bool weft_rma_flush_begin(int node, weft_op_t *op, bool immediate) {
  struct fi_msg_rma message;
  struct fi_rma_iov remote;
  if (node == weft_job.node) return true;
  weft_quiet_probe(&message, &remote, node);
  message.context = op_or_all(op);
  while (!weft_endpoint_try_probe(CHANNEL->endpoint, &message))
    if (immediate) return false;
  return true;
}

/* ---- atomics --------------------------------------------------------------------------------- */

bool weft_rma_amo_begin(int pe, uintptr_t off, enum weft_amo amo, size_t width, uint64_t operand,
                        uint64_t cond, void *result, weft_op_t *op, bool immediate) {
  char *object = weft_job_here(pe, off);
  if (!object) {
    const weft_amo_t away = {off, amo, (uint32_t)width, operand, cond, result};
    return weft_stage_amo_begin(CHANNEL, pe, &away, op_or_all(op), immediate);
  }
  const uint64_t old = weft_data_apply(object, amo, width, operand, cond);
  if (result) memcpy(result, &old, width);
  return true;
}

uint64_t weft_rma_amo(int pe, uintptr_t off, enum weft_amo amo, size_t width, uint64_t operand,
                      uint64_t cond) {
  char *object = weft_job_here(pe, off);
  if (object) return weft_data_apply(object, amo, width, operand, cond);
  return weft_stage_fetch(CHANNEL, pe, off, amo, width, operand, cond);
}

/* ---- accumulate, fill, copy ------------------------------------------------------------------ */

weft_adder_t weft_rma_adder(int pe, weft_acc_type_t type, const void *scale) {
  return (weft_adder_t){.locks = weft_port_acc_locks(pe, (uintptr_t)weft_job_here(pe, 0)),
                        .type = type,
                        .scale = scale};
}

void weft_rma_fill_begin(int pe, uintptr_t off, int byte, size_t n, weft_op_t *op) {
  char *object = weft_job_here(pe, off);
  if (object)
    memset(object, byte, n);
  else
    weft_stage_fill(CHANNEL, pe, off, byte, n, op);
}

/* The port of the source's node writes the bytes to the destination's. */
void weft_rma_copy_begin(int to, uintptr_t to_off, int from, uintptr_t from_off, size_t n,
                         weft_op_t *op) {
  char *dest = weft_job_here(to, to_off), *source = weft_job_here(from, from_off);
  if (source && dest) {
    weft_data_move(dest, source, n);
  } else if (source) {
    weft_rma_put_begin(to, to_off, source, n, op, false);
  } else if (dest) {
    weft_rma_get_begin(from, from_off, dest, n, op, false);
  } else {
    weft_stage_copy(CHANNEL, to, to_off, from, from_off, n, op);
    weft_order_mark(CHANNEL, &CHANNEL->copying, weft_job.where[to].node);
  }
}
