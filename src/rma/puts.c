/*
 * Puts of one thread that are waited for together: what implicit handles are made of. Straight to
 * libfabric, with a mark per node that was written to (COUNTER: one mark); or through the staging
 * areas where these are used.
 */
#include <stdlib.h>
#include <string.h>

#include "rma/rma_internal.h"

#define CHANNEL (&weft_channels[0])

static void *memory(size_t n, size_t size) {
  void *p = calloc(n, size);
  if (!p) weft_fatal("no memory to keep a thread's puts to %d nodes apart", weft_job.nnodes);
  return p;
}

static uint64_t *bits_new(void) {
  return memory((size_t)(weft_job.nnodes + 63) / 64, sizeof(uint64_t));
}

static void set_bit(uint64_t *bits, int node) {
  bits[node / 64] |= (uint64_t)1 << node % 64;
}

void weft_puts_attach(weft_puts_t *puts, weft_op_t *op) {
  puts->message.context = op;
  puts->ep = weft_wire.ep;
  puts->readmsg = weft_wire.readmsg;
}

void weft_puts_detach(weft_puts_t *puts) {
  free(puts->more);
  *puts = (weft_puts_t){0};
}

/* The first node's flush stands ready; there is mostly no other. Where reads are not kept behind
 * writes a flush says nothing, and the provider counts: for all nodes together. */
static void mark(weft_puts_t *puts, int node) {
  if (weft_unlikely(weft_wire.writes != NULL)) {
    puts->any_more = true;
    return;
  }
  if (puts->message.addr != (fi_addr_t)node || !puts->message.msg_iov) {
    if (puts->first) {
      if (!puts->more) puts->more = bits_new();
      set_bit(puts->more, node);
      puts->any_more = true;
      return;
    }
    void *op = puts->message.context;
    weft_quiet_probe(&puts->message, &puts->remote, node);
    puts->message.context = op;
  }
  puts->first = true;
}

void weft_puts_mark(weft_puts_t *puts, int pe) {
  mark(puts, weft_job.where[pe].node);
}

static bool inject(int pe, uintptr_t off, const void *source, size_t n, bool immediate) {
  while (!weft_endpoint_try_inject_write(&weft_job.endpoint, weft_job.where[pe].node, source, n,
                                         weft_job_remote_addr(pe, off), weft_job_remote_key(pe)))
    if (immediate) return false;
  return true;
}

bool weft_puts_put(weft_puts_t *puts, int pe, uintptr_t off, const void *source, size_t n,
                   bool immediate) {
  if (weft_likely(n <= weft_peek(&CHANNEL->small_max)))
    return weft_stage_put_begin(CHANNEL, pe, off, source, n, puts->message.context, immediate);
  if (!inject(pe, off, source, n, immediate)) return false;
  mark(puts, weft_job.where[pe].node);
  weft_helper_arm(CHANNEL);
  return true;
}

struct weft_inject weft_inject;

void weft_rma_inject_start(bool allowed) {
  const weft_job_t *j = &weft_job;
  weft_inject = (struct weft_inject){0};
  if (!allowed || j->nnodes == 1 || weft_options.coalesce || weft_wire.writes || j->region_base)
    return;
  weft_inject = (struct weft_inject){
      .max = weft_rma_copied_max(), .ep = weft_wire.ep, .write = weft_wire.inject_write};
}

void weft_puts_injected(weft_puts_t *puts, ssize_t rc, int pe, uintptr_t off, const void *source,
                        size_t n) {
  const int node = weft_job.where[pe].node;
  if (weft_unlikely(rc != 0) && weft_endpoint_again(&weft_job.endpoint, rc, "put", (uint64_t)node))
    inject(pe, off, source, n, false);
  mark(puts, node);
}

/* Counted after the post, which saves the path before it an instruction: for a moment the count may
 * be -1. */
void weft_puts_pushed_first(weft_puts_t *puts, ssize_t rc) {
  weft_endpoint_t *e = &weft_job.endpoint;
  puts->first = false;
  __atomic_fetch_add(&e->apart, 1, __ATOMIC_RELAXED);
  if (weft_likely(rc == 0)) return;
  weft_op_t *op = puts->message.context;
  weft_endpoint_check_written(e, rc, puts->message.addr);
  weft_endpoint_again(e, rc, "flush", puts->message.addr);
  while (!weft_endpoint_try_probe(e, &puts->message)) continue;
  weft_endpoint_count_down(e, op);
}

/* They are there when this is true. */
static bool is_counted(bool immediate) {
  if (!immediate) weft_quiet_wait_counter(CHANNEL);
  return !immediate || weft_quiet_has_counted(CHANNEL);
}

/* What could not be posted stays marked. */
static bool push_more(weft_puts_t *puts, bool immediate) {
  if (weft_wire.writes) {
    puts->any_more = !is_counted(immediate);
    return !puts->any_more;
  }
  for (int word = 0; word * 64 < weft_job.nnodes; word++) {
    uint64_t *bits = &puts->more[word];
    for (; *bits; *bits &= *bits - 1)
      if (!weft_rma_flush_begin(word * 64 + __builtin_ctzll(*bits), puts->message.context,
                                immediate))
        return false;
  }
  puts->any_more = false;
  return true;
}

bool weft_puts_push(weft_puts_t *puts, bool immediate) {
  weft_op_release(puts->message.context);
  if (puts->first) {
    while (!weft_endpoint_try_probe(CHANNEL->endpoint, &puts->message))
      if (immediate) return false;
    puts->first = false;
  }
  return !puts->any_more || push_more(puts, immediate);
}
