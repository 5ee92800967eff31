/*
 * Fences of one PE, and the ordered class: what is open towards a node, which of it the next
 * operation could pass, and waiting for that. Ways differ: packets are carried out in the order in
 * which they were sent unless they are loose (port/stage.h) or on leases; a write is seen by later
 * reads and, where the provider keeps writes in order, not passed by later writes; anything else
 * may pass.
 */
#include "rma/rma_internal.h"

#define CHANNEL (&weft_channels[0])

static bool bit_of(const uint64_t *words, int node) {
  return weft_observe(&words[node / 64]) >> node % 64 & 1;
}

static void clear_bit(uint64_t *words, int node) {
  __atomic_fetch_and(&words[node / 64], ~((uint64_t)1 << node % 64), __ATOMIC_ACQ_REL);
}

/* ---- what is open, and the end of it --------------------------------------------------------- */

/* Transfers first: what leaves their queue meanwhile is then seen in a buffer. */
static bool has_packets(weft_channel_t *c, int node) {
  const weft_stage_t *stage = &c->stages[node];
  return weft_flow_is_loose(c, node) || weft_observe(&stage->fill) || weft_observe(&stage->busy);
}

static bool has_loose(weft_channel_t *c, int node) {
  return weft_flow_is_loose(c, node) || weft_stage_loose(&c->stages[node]);
}

static bool hurry(weft_channel_t *c, int node) {
  if (!has_packets(c, node)) return true;
  weft_stage_flush_node(c, node);
  return !has_packets(c, node);
}

/* A wait for one lone packet counts as one, as a quiet's does (weft_lone_t). The end of a stream of
 * packets does not: otherwise the first packet of the next stream would ask for its answer at
 * once, which slows the stream down. */
static void end_packets(weft_channel_t *c, int node) {
  const weft_stage_t *stage = &c->stages[node];
  if (weft_stage_under_way(stage) == 1 && !weft_observe(&stage->fill)) weft_stage_waited(c);
  WEFT_WAIT_ON(c, hurry(c, node));
}

/* A thread that finds a mark gone waits as long as the one that took it. (The node stays touched
 * meanwhile, or nobody would ask.) */
static void enter_ending(weft_channel_t *c, int node) {
  __atomic_fetch_add(&c->ending, 1, __ATOMIC_RELAXED);
  weft_channel_touch(c, node);
}

static void leave_ending(weft_channel_t *c) {
  __atomic_fetch_sub(&c->ending, 1, __ATOMIC_RELEASE);
}

static void await_others(weft_channel_t *c) {
  if (weft_unlikely(weft_observe(&c->ending))) WEFT_WAIT_ON(c, weft_observe(&c->ending) == 0);
}

/* Another thread's quiet finds no mark any more, and waits for `all`: so the flush counts there,
 * and before the mark goes. */
static void end_writes(weft_channel_t *c, int node) {
  weft_op_t op = {.attended = true};
  if (!bit_of(c->dirty, node)) {
    await_others(c);
    return;
  }
  enter_ending(c, node);
  weft_op_up(&c->endpoint->all);
  clear_bit(c->dirty, node);
  if (c->endpoint->writes)
    weft_quiet_wait_counter(c);
  else
    weft_quiet_probe_node(c, node, &op);
  weft_op_wait_on(c, &op);
  weft_op_down(&c->endpoint->all);
  leave_ending(c);
}

/* A quiet of another thread may have taken the marks. Its flushes count in `all`. */
static void end_quiets(const weft_channel_t *c) {
  weft_op_wait_on(c, &c->endpoint->all);
}

/* True: the mark was there and is taken; the caller waits for what it stood for, then calls
 * leave_ending. */
static bool take_mark(weft_channel_t *c, int node, bool *mark) {
  if (!weft_observe(mark)) {
    await_others(c);
    return false;
  }
  enter_ending(c, node);
  (void)__atomic_exchange_n(mark, false, __ATOMIC_ACQ_REL);
  return true;
}

static void end_reads(weft_channel_t *c, int node) {
  if (!take_mark(c, node, &c->reading)) return;
  WEFT_WAIT_ON(c, !weft_observe(&c->endpoint->apart) && weft_op_is_done(&c->endpoint->all));
  leave_ending(c);
}

/* Only the source's node knows when a copy is done: all packets are waited for. */
void weft_order_end_copies(weft_channel_t *c, int node) {
  if (!take_mark(c, node, &c->copying)) return;
  weft_stage_quiet(c);
  leave_ending(c);
}

static bool is_in_use(weft_channel_t *c, int node) {
  return has_packets(c, node) || weft_peek(&c->reading) || weft_peek(&c->copying) ||
         weft_observe(&c->ending);
}

/* The node's mark goes, unless something is open there, which another thread may have begun
 * meanwhile: its next operation looks at the mark, so that must not go even for a moment. */
static void forget(weft_channel_t *c, int node) {
  weft_stage_t *stage = &c->stages[node];
  weft_lock(&stage->lock);
  weft_lock(&c->touching);
  if (!is_in_use(c, node)) clear_bit(c->touched, node);
  weft_unlock(&c->touching);
  weft_unlock(&stage->lock);
}

static void end_all(weft_channel_t *c, int node) {
  weft_order_end_copies(c, node);
  end_reads(c, node);
  end_packets(c, node);
  end_writes(c, node);
  forget(c, node);
}

/* ---- fences ---------------------------------------------------------------------------------- */

void weft_rma_fence_pe(int pe) {
  const int node = weft_job.where[pe].node;
  weft_fence_full();
  if (node == weft_job.node) return;
  end_all(CHANNEL, node);
  end_quiets(CHANNEL);
}

/* Of all nodes but one (-1: of all). */
static void end_nodes(weft_channel_t *c, int but) {
  for (int w = 0; w < c->words; w++) {
    uint64_t open = weft_observe(&c->touched[w]) | weft_observe(&c->dirty[w]);
    if (but / 64 == w && but >= 0) open &= ~((uint64_t)1 << but % 64);
    for (uint64_t left = open; left; left &= left - 1) { /* all leave before any is waited for */
      const int node = w * 64 + __builtin_ctzll(left);
      if (weft_observe(&c->stages[node].fill)) weft_stage_flush_node(c, node);
    }
    for (; open; open &= open - 1) end_all(c, w * 64 + __builtin_ctzll(open));
  }
  if (c->words > 0) end_quiets(c);
}

void weft_rma_fence_all(void) {
  weft_fence_full();
  end_nodes(CHANNEL, -1);
}

static void raise_fence(weft_channel_t *c) {
  uint32_t was = weft_peek(&c->fenced);
  while (!__atomic_compare_exchange_n(&c->fenced, &was, (was + 2) | 1, false, __ATOMIC_RELEASE,
                                      __ATOMIC_RELAXED))
    continue;
}

/* Packets keep their own order, so nothing is waited for but those that do not. */
void weft_order_fence(weft_channel_t *c) {
  for (int w = 0; w < c->words; w++) {
    uint64_t touched = weft_observe(&c->touched[w]);
    for (; touched; touched &= touched - 1) {
      const int node = w * 64 + __builtin_ctzll(touched);
      if (!has_packets(c, node)) continue;
      weft_stage_fence_node(c, node);
      raise_fence(c);
      if (has_loose(c, node)) end_packets(c, node);
    }
  }
}

/* Once no packet is under way all fences seen before are over: not one that another thread makes
 * meanwhile, behind a packet of its own. */
WEFT_COLD void weft_order_fenced(weft_channel_t *c, int node) {
  uint32_t seen = weft_observe(&c->fenced);
  if (weft_stage_busy(c))
    end_packets(c, node);
  else
    __atomic_compare_exchange_n(&c->fenced, &seen, seen & ~1u, false, __ATOMIC_RELAXED,
                                __ATOMIC_RELAXED);
}

/* ---- order ----------------------------------------------------------------------------------- */

/* Packets after what was written: the provider says whether messages stay behind writes, but
 * gathered records may leave on the helper's connection. That may happen before this one is staged:
 * then this one is held. */
static void order_packet(weft_channel_t *c, int node) {
  end_reads(c, node);
  end_writes(c, node);
  weft_stage_stay_behind(c, node);
  if (has_loose(c, node)) end_packets(c, node);
}

/* Transfers wait in their queue for packets that they could pass (flow.c). Nothing is left to the
 * helper. */
static void order_transfer(weft_channel_t *c, int node) {
  end_reads(c, node);
  end_writes(c, node);
  if (weft_observe(&c->stages[node].fill)) weft_stage_flush_node(c, node);
}

bool weft_order_waits(weft_channel_t *c, int node, bool add) {
  return weft_peek(&c->copying) || weft_peek(&c->reading) || bit_of(c->dirty, node) ||
         weft_observe(&c->ending) || weft_flow_waits(c, node, add);
}

static void order_write(weft_channel_t *c, int node) {
  end_reads(c, node);
  end_packets(c, node);
  if (!c->endpoint->fabric->ordered_writes) end_writes(c, node);
}

static void order_read(weft_channel_t *c, int node) {
  end_packets(c, node);
  if (c->endpoint->writes) end_writes(c, node);
}

void weft_rma_order_open(int pe, enum weft_next next, size_t n) {
  weft_channel_t *c = CHANNEL;
  const int node = weft_job.where[pe].node;
  weft_poke(&c->ordered, true);
  weft_order_end_copies(c, node);
  switch (next) {
  case WEFT_NEXT_PUT:
    if (n <= weft_peek(&c->small_max))
      order_packet(c, node);
    else
      order_write(c, node);
    return;
  case WEFT_NEXT_WRITE: order_write(c, node); return;
  case WEFT_NEXT_GET: order_read(c, node); return;
  case WEFT_NEXT_ATOMIC: order_packet(c, node); return;
  case WEFT_NEXT_PACKED: order_transfer(c, node); return;
  case WEFT_NEXT_ANY: end_all(c, node); return;
  }
}

void weft_rma_release(int pe) {
  weft_fence_full();
  end_nodes(CHANNEL, weft_job.where[pe].node);
  if (weft_rma_is_open(pe)) weft_rma_order_open(pe, WEFT_NEXT_ATOMIC, 0);
}

/* Would weft_rma_get_begin gather it, so that the helper may send it, past what was written? */
static bool would_pass(weft_channel_t *c, int node, const weft_op_t *op) {
  return op && !weft_op_is_ordered(op) && weft_peek(&c->staging) &&
         (bit_of(c->dirty, node) || weft_observe(&c->ending));
}

/* A small one stays behind packets as one of them: their acknowledgement, which may be put off, is
 * not waited for. */
bool weft_rma_get_behind_open(int pe, uintptr_t off, void *dest, size_t n, weft_op_t *op) {
  weft_channel_t *c = CHANNEL;
  const int node = weft_job.where[pe].node;
  weft_op_t own = {0};
  if (n <= weft_stage_get_max() && has_packets(c, node)) {
    weft_rma_order_open(pe, WEFT_NEXT_ATOMIC, n);
    weft_stage_get(c, pe, off, dest, n, op ? op : &own, !op);
    weft_op_wait_on(c, &own);
    return true;
  }
  weft_rma_order_open(pe, WEFT_NEXT_GET, n);
  if (!would_pass(c, node, op)) return false;
  weft_rma_read_begin(pe, off, dest, n, op);
  return true;
}
