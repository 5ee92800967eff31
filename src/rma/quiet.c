/*
 * Completion and order of what a channel has posted. A FLUSH provider's writes leave a mark, a bit
 * per node; quiet reads one word back from every marked node, all at once, and waits. Knows nothing
 * of how the writes were made.
 *
 * For the first channel and the first 32 nodes the reads stand ready in `probes`: from shmem_quiet
 * to libfabric are then at most 20 instructions (test/count).
 */
#include <sys/uio.h>

#include "rma/rma_internal.h"

enum { NEAR = 32 };

static struct {
  struct fi_msg_rma message;
  struct fi_rma_iov remote;
} probes[NEAR];
static const struct fi_msg_rma *ready[NEAR]; /* found with one instruction less */

/* ---- the read -------------------------------------------------------------------------------- */

static struct iovec sink;
static void *no_descriptor[1];

void weft_quiet_probe(struct fi_msg_rma *message, struct fi_rma_iov *remote, int node) {
  const int pe = weft_job_leader(node);
  *remote = (struct fi_rma_iov){.addr = weft_job_remote_addr(pe, weft_job.layout.coll_sync),
                                .len = sink.iov_len,
                                .key = weft_job_remote_key(pe)};
  *message = (struct fi_msg_rma){.msg_iov = &sink,
                                 .desc = no_descriptor,
                                 .iov_count = 1,
                                 .addr = (fi_addr_t)node,
                                 .rma_iov = remote,
                                 .rma_iov_count = 1};
}

void weft_quiet_start(void) {
  sink = (struct iovec){.iov_base = weft_job.endpoint.flush_sink, .iov_len = 8};
  for (int node = 0; node < NEAR && node < weft_job.nnodes; node++) {
    weft_quiet_probe(&probes[node].message, &probes[node].remote, node);
    probes[node].message.context = &weft_job.endpoint.all;
    ready[node] = &probes[node].message;
  }
}

void weft_quiet_probe_node(weft_channel_t *c, int node, weft_op_t *op) {
  struct fi_msg_rma message;
  struct fi_rma_iov remote;
  weft_quiet_probe(&message, &remote, node);
  message.context = op;
  while (!weft_endpoint_try_probe(c->endpoint, &message)) continue;
}

/* ---- marks ----------------------------------------------------------------------------------- */

/* The reads of a word's marks, whose context is the channel's own op. */
static WEFT_COLD void flush_nodes(weft_channel_t *c, int word, uint64_t marked) {
  for (; marked; marked &= marked - 1)
    weft_quiet_probe_node(c, word * 64 + __builtin_ctzll(marked), &c->endpoint->all);
}

/* Take a word of marks away. A quiet that finds the mark of its put gone finds the read pending:
 * `guards` are counted before the marks go, and one of them until all reads are posted. A fence
 * finds that somebody waits, until gave_marks. */
static inline uint64_t take_marks(weft_channel_t *c, weft_endpoint_t *e, uint64_t *word,
                                  unsigned guards) {
  __atomic_fetch_add(&c->ending, 1, __ATOMIC_RELAXED);
  __atomic_fetch_add(&e->all.pending, guards, __ATOMIC_RELAXED);
  return __atomic_exchange_n(word, 0, __ATOMIC_ACQ_REL);
}

static inline void gave_marks(weft_channel_t *c, uint32_t words) {
  if (words > 0) __atomic_fetch_sub(&c->ending, words, __ATOMIC_RELEASE);
}

static WEFT_COLD void flush_word(weft_channel_t *c, int word, uint64_t marked) {
  flush_nodes(c, word, marked);
  weft_op_down(&c->endpoint->all);
}

/* Of the near nodes that are marked weft_quiet_flush reads from the last one itself: x86-64 tells
 * that by one instruction (bsr), and the first one by two. */
static inline unsigned last_of(uint64_t marked) {
  return 31u ^ (unsigned)__builtin_clz((uint32_t)marked);
}

/* What it leaves to be done, apart so that it saves no registers. */
static WEFT_COLD void flush_further(uint64_t marked) {
  flush_nodes(&weft_channels[0], 0, marked & ~((uint64_t)1 << last_of(marked)));
}
static WEFT_COLD void flush_later(uint64_t marked) {
  flush_word(&weft_channels[0], 0, marked);
}

/* The provider has not taken the first read of weft_quiet_flush. */
static WEFT_COLD void post_again(ssize_t rc, uint64_t marked) {
  const unsigned node = last_of(marked);
  weft_endpoint_check_written(&weft_job.endpoint, rc, node);
  weft_endpoint_again(&weft_job.endpoint, rc, "flush", node);
  flush_word(&weft_channels[0], 0, (uint64_t)1 << node);
}

/* ---- quiet ----------------------------------------------------------------------------------- */

static WEFT_COLD void quiet_rest(weft_channel_t *c) {
  __atomic_fetch_add(&c->ending, 1, __ATOMIC_RELAXED);
  weft_stage_quiet(c);
  weft_op_wait_on(c, &c->endpoint->all);
  __atomic_fetch_sub(&c->ending, 1, __ATOMIC_RELEASE);
}

/* For the marks from word `from` on: every read is posted before the first is waited for. */
static __attribute__((noinline)) void quiet_flush_from(weft_channel_t *c, int from) {
  uint32_t taken = 0;
  for (int word = from; word < c->words; word++)
    if (weft_unlikely(weft_observe(&c->dirty[word]))) {
      flush_word(c, word, take_marks(c, c->endpoint, &c->dirty[word], 1));
      taken++;
    }
  if (weft_stage_staged(c)) weft_stage_flush(c);
  if (weft_stage_busy(c) || weft_observe(&c->endpoint->all.pending)) quiet_rest(c);
  gave_marks(c, taken);
}

void weft_quiet_flush(void) {
  uint64_t *first = weft_wire.dirty;
  const bool takes = weft_observe(first) != 0;
  if (takes) {
    /* The first read's own count, and the guard. */
    const uint64_t marked = take_marks(&weft_channels[0], &weft_job.endpoint, first, 2);
    if (weft_likely((uint32_t)marked)) {
      const ssize_t rc = weft_wire.readmsg(weft_wire.ep, ready[last_of(marked)], FI_COMPLETION);
      if (weft_unlikely(rc != 0)) post_again(rc, marked);
      if (weft_unlikely(marked & (marked - 1))) flush_further(marked);
    } else { /* later nodes', or a quiet of another thread took them */
      flush_later(marked);
    }
    weft_op_down(&weft_job.endpoint.all);
  }
  quiet_flush_from(&weft_channels[0], 1);
  gave_marks(&weft_channels[0], takes);
}

void weft_quiet_flush_on(long on) {
  quiet_flush_from(weft_channel_of(on), 0);
}

/* Scalars of the first channel and other writes are counted apart; one libfabric counter has them
 * both. */
static uint64_t count_posted(const weft_channel_t *c) {
  const uint64_t scalars = c == &weft_channels[0] ? weft_peek(&weft_wire.injected) : 0;
  return scalars + weft_peek(&c->endpoint->injected);
}

static inline uint64_t count_done(const weft_channel_t *c, struct fid_cntr *writes) {
  const uint64_t done = fi_cntr_read(writes);
  return done + weft_peek(&c->endpoint->gone);
}

/* A write is counted before the provider takes it. One of another thread's that it did not take,
 * and that is not tried again, counts no more. */
static bool has_counted(const weft_channel_t *c, uint64_t posted) {
  weft_endpoint_t *e = c->endpoint;
  const uint64_t done = count_done(c, e->writes);
  if (done >= posted || done >= count_posted(c)) return true;
  if (fi_cntr_readerr(e->writes)) weft_endpoint_poll(e);
  return false;
}

bool weft_quiet_has_counted(weft_channel_t *c) {
  return has_counted(c, count_posted(c));
}

/* Where a node has died the provider may never say a word about a write to it (sockets: about one
 * that it had not sent to the end). The patience is for other threads, which count a write before
 * they post it: what they had counted when the wait began is posted when it is over. (A provider
 * that has to be asked for deliveries does tell of failures.) */
static WEFT_COLD bool is_hopeless(uint64_t *since) {
  enum { PATIENCE_NS = 50000000 };
  const uint64_t now = weft_clock_ns();
  if (*since == 0) *since = now;
  return weft_job.fabric.completion == WEFT_COMPLETION_COUNTER && now - *since >= PATIENCE_NS &&
         weft_lost_for_good();
}

/* When the living have answered reads that follow all writes, what the count still lacks was to the
 * dead. Two reads each: the answer to the first may arrive before the acknowledgement of a write
 * that it follows. */
static WEFT_COLD void give_up(weft_channel_t *c, uint64_t posted) {
  enum { ROUNDS = 2 };
  for (int i = 0; i < ROUNDS; i++) {
    weft_op_t op = {.attended = true};
    for (int node = 0; node < weft_job.nnodes; node++)
      if (node != weft_job.node && weft_lost_runs(node)) weft_quiet_probe_node(c, node, &op);
    weft_op_wait_on(c, &op);
  }
  weft_endpoint_give_up(c->endpoint, posted);
}

WEFT_COLD void weft_quiet_wait_counter(weft_channel_t *c) {
  const uint64_t posted = count_posted(c);
  while (!has_counted(c, posted)) {
    uint64_t since = 0;
    WEFT_WAIT_ON(c, has_counted(c, posted) ||
                        (weft_unlikely(weft_job_changes() > 0) && is_hopeless(&since)));
    if (!has_counted(c, posted)) give_up(c, posted);
  }
}

/* libfabric is asked first: mostly there is nothing else to do, and this is the path that the SFI
 * paper counts. */
static inline void quiet_counter_of(weft_channel_t *c, struct fid_cntr *writes) {
  const uint64_t done = count_done(c, writes);
  if (done < count_posted(c)) weft_quiet_wait_counter(c);
  if (weft_stage_busy(c) || weft_observe(&c->endpoint->all.pending)) {
    quiet_rest(c);
    weft_quiet_wait_counter(c);
  }
}

void weft_quiet_counter(void) {
  quiet_counter_of(&weft_channels[0], weft_wire.writes);
}

void weft_quiet_counter_on(long on) {
  quiet_counter_of(weft_channel_of(on), weft_channel_of(on)->endpoint->writes);
}

/* ---- fence ----------------------------------------------------------------------------------- */

/* Also where another thread has taken a mark and still waits. */
static bool is_dirty(const weft_channel_t *c) {
  for (int w = 0; w < c->words; w++)
    if (weft_observe(&c->dirty[w])) return true;
  return weft_observe(&c->ending) != 0;
}

/* Packets keep their order, and later writes wait for those before the fence (weft_order_write). If
 * there are writes before it, packets stay behind them where the provider keeps them so, on one
 * connection; the helper sends what has aged from the port. Fetched results and reads are not
 * fence's business. Without gathering scalar puts wait for nothing, so all else must be there. */
void weft_quiet_fence_on(long on) {
  weft_channel_t *c = weft_channel_of(on);
  const bool ordered = weft_job.fabric.ordered_writes;
  if (weft_options.coalesce && (!is_dirty(c) || (ordered && c->endpoint == weft_job.port)))
    weft_order_fence(c);
  else if (weft_peek(&c->staging) || !ordered)
    weft_rma_quiet_on(on);
  else if (weft_stage_busy(c))
    weft_stage_quiet(c);
}

void weft_quiet_fence(void) {
  weft_quiet_fence_on(0);
}
