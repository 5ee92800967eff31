/*
 * Non-contiguous transfers: on the node they are copied, to another node they go segment by segment
 * where segments are long (noncontig_direct.c), and else in packets (flow/flow.h).
 */
#include "rma/rma_internal.h"
#include "trace/trace.h"

bool weft_rma_packs(void) {
  return weft_job.nnodes > 1 && weft_direct.quiet != weft_closed.quiet;
}

bool weft_rma_packs_puts(size_t blocks) {
  enum { WORTH_PACKING = 8 }; /* fewer put records are not worth a packet of their own */
  return blocks >= WORTH_PACKING && weft_rma_packs();
}

/* Every segment, as a contiguous operation's range. */
static WEFT_COLD void check_remote(const weft_shape_t *remote, const char *who, const char *role) {
  weft_cursor_t c;
  weft_cursor_open(&c, remote);
  while (c.total > 0) {
    weft_rma_check((const void *)(weft_job.window.base + c.at), c.left, who, role);
    weft_cursor_step(&c, c.left);
  }
}

static int begin(const weft_shape_t *remote, const weft_shape_t *local, long to, const char *who,
                 const char *role) {
  const int pe = weft_direct_pe(to);
  if (weft_unlikely((unsigned)pe >= (unsigned)weft_job.npes || weft_options.check))
    weft_check_pe(to, who);
  if (weft_unlikely(weft_options.check)) {
    const size_t here = weft_shape_bytes(local), there = weft_shape_bytes(remote);
    if (here != there) weft_fatal("%s: %zu bytes here, %zu bytes on PE %d", who, here, there, pe);
    check_remote(remote, who, role);
    weft_check_enter(to, who);
  }
  if (weft_unlikely(weft_peek(&weft_trace_on))) weft_trace_inner(pe, weft_shape_bytes(remote));
  return pe;
}

static void end(long to) {
  if (weft_unlikely(weft_options.check)) weft_check_leave(to);
}

/* The other PE's shape in this process, if it shares the node. */
static bool is_here(const weft_shape_t *remote, int pe, weft_shape_t *here) {
  const char *base = weft_job_here(pe, 0);
  if (!base) return false;
  *here = *remote;
  here->base += (uintptr_t)base;
  return true;
}

static void copy(const weft_shape_t *to, const weft_shape_t *from) {
  weft_cursor_t dest, source;
  weft_cursor_open(&dest, to);
  weft_cursor_open(&source, from);
  weft_cursor_copy(&dest, &source);
}

static void add(weft_adder_t adder, const weft_shape_t *to, const weft_shape_t *from) {
  weft_cursor_t dest, source;
  weft_cursor_open(&dest, to);
  weft_cursor_open(&source, from);
  while (dest.total > 0) {
    const size_t n = dest.left < source.left ? dest.left : source.left;
    weft_adder_add(&adder, (void *)dest.at, (const void *)source.at, n);
    weft_cursor_step(&dest, n);
    weft_cursor_step(&source, n);
  }
  weft_adder_end(&adder);
}

/* A segment is what is contiguous on both sides. A single one needs no packing whatever its size.
 */
static bool is_long(const weft_shape_t *remote, const weft_shape_t *local) {
  weft_cursor_t c;
  weft_cursor_open(&c, remote);
  const size_t there = weft_cursor_block(&c), total = c.total;
  weft_cursor_open(&c, local);
  const size_t here = weft_cursor_block(&c), block = here < there ? here : there;
  return block >= weft_options.pack_max || block == total;
}

void weft_rma_order_shape_open(int pe, const weft_shape_t *remote, const weft_shape_t *local,
                               bool add) {
  weft_channel_t *c = &weft_channels[0];
  const int node = weft_job.where[pe].node;
  weft_cursor_t far;
  if (!add && is_long(remote, local)) {
    weft_rma_order_open(pe, WEFT_NEXT_ANY, 0);
    return;
  }
  /* The port keeps answers back from who has announced a transfer, and the end of copies waits for
   * answers. */
  weft_order_end_copies(c, node);
  weft_cursor_open(&far, remote);
  if (far.total > 0 && weft_order_waits(c, node, add))
    weft_flow_announce(c, node, far.total, far.total / weft_cursor_block(&far));
  weft_rma_order_open(pe, WEFT_NEXT_PACKED, far.total);
}

void weft_rma_put_shape(const weft_shape_t *remote, const weft_shape_t *local, long to,
                        weft_op_t *lc, weft_op_t *rc, const char *who) {
  weft_channel_t *c = weft_channel_of(to);
  const int pe = begin(remote, local, to, who, "dest");
  weft_shape_t here;
  weft_op_t packed = {0};
  if (is_here(remote, pe, &here)) {
    copy(&here, local);
    if (rc) weft_fence_full(); /* visible to all when it is said to be */
    end(to);
    return;
  }
  weft_op_t *const mine = lc ? lc : &packed;
  if (is_long(remote, local))
    weft_noncontig_put(c, remote, local, pe, mine, rc);
  else
    weft_flow_start(c, pe, WEFT_FLOW_PUT, remote, local, WEFT_ACC_INT32, NULL, mine, rc);
  if (!lc) weft_op_wait_on(c, &packed);
  end(to);
}

void weft_rma_get_shape(const weft_shape_t *local, const weft_shape_t *remote, long to,
                        weft_op_t *rc, const char *who) {
  weft_channel_t *c = weft_channel_of(to);
  const int pe = begin(remote, local, to, who, "source");
  weft_shape_t here;
  weft_op_t got = {0};
  if (is_here(remote, pe, &here)) {
    copy(local, &here);
    end(to);
    return;
  }
  weft_op_t *const mine = rc ? rc : &got;
  if (is_long(remote, local))
    weft_noncontig_get(c, local, remote, pe, mine);
  else
    weft_flow_start(c, pe, WEFT_FLOW_GET, remote, local, WEFT_ACC_INT32, NULL, NULL, mine);
  if (!rc) weft_op_wait_on(c, &got);
  end(to);
}

void weft_rma_acc_shape(const weft_shape_t *remote, const weft_shape_t *local, weft_acc_type_t type,
                        const void *scale, long to, weft_op_t *lc, weft_op_t *rc, const char *who) {
  weft_channel_t *c = weft_channel_of(to);
  const int pe = begin(remote, local, to, who, "dest");
  weft_shape_t here;
  weft_op_t packed = {0};
  if (is_here(remote, pe, &here)) {
    add(weft_rma_adder(pe, type, scale), &here, local);
    if (rc) weft_fence_full();
    end(to);
    return;
  }
  weft_flow_start(c, pe, WEFT_FLOW_ADD, remote, local, type, scale, lc ? lc : &packed, rc);
  if (!lc) weft_op_wait_on(c, &packed);
  end(to);
}
