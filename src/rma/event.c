/*
 * Operations on PEs of other nodes whose completion the caller counts, one by one or by thread:
 * what front ends with handles are made of. Straight to libfabric; small puts that nobody waits for
 * one by one go through the staging areas where these are used. Knows no handles, no front end.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>

#include "rma/rma_internal.h"

#define CHANNEL (&weft_channels[0])

/* Before it is posted. */
static void count_up(weft_op_t *op) {
  weft_poke(&op->alone, true);
  __atomic_fetch_add(&weft_job.endpoint.alone, 1, __ATOMIC_RELAXED);
  __atomic_fetch_add(&op->pending, 1, __ATOMIC_RELAXED);
}

/* It was not posted. */
static void count_down(weft_op_t *op) {
  __atomic_fetch_sub(&weft_job.endpoint.alone, 1, __ATOMIC_RELAXED);
  __atomic_fetch_sub(&op->pending, 1, __ATOMIC_RELEASE);
}

/* ---- one operation --------------------------------------------------------------------------- */

typedef struct rma {
  enum { READ, WRITE, WRITE_DELIVERED } kind;
  char *local;
  size_t n;
  int pe;
  uintptr_t off;
  weft_op_t *op;
} rma_t;

static ssize_t post(const rma_t *r) {
  struct fid_ep *ep = weft_job.endpoint.ep;
  const fi_addr_t node = weft_job.where[r->pe].node;
  const uint64_t addr = weft_job_remote_addr(r->pe, r->off), key = weft_job_remote_key(r->pe);
  if (r->kind == READ) return fi_read(ep, r->local, r->n, NULL, node, addr, key, r->op);
  if (weft_job.endpoint.writes)
    __atomic_fetch_add(&weft_job.endpoint.injected, 1, __ATOMIC_RELAXED);
  if (r->kind == WRITE) return fi_write(ep, r->local, r->n, NULL, node, addr, key, r->op);
  return weft_endpoint_try_deliver(&weft_job.endpoint, node, r->local, r->n, addr, key, r->op,
                                   r->n <= weft_rma_copied_max());
}

static bool begin_once(const rma_t *r, bool immediate) {
  count_up(r->op);
  for (;;) {
    const ssize_t rc = post(r);
    if (weft_likely(rc == 0)) return true;
    if (weft_job.endpoint.writes && r->kind != READ)
      __atomic_fetch_sub(&weft_job.endpoint.injected, 1, __ATOMIC_RELAXED);
    if (immediate && rc == -FI_EAGAIN) break;
    weft_endpoint_again(&weft_job.endpoint, rc, r->kind == READ ? "get" : "put",
                        weft_job.where[r->pe].node);
  }
  count_down(r->op);
  return false;
}

/* In parts of at most the provider's message size. */
static bool begin(rma_t r, bool immediate) {
  const size_t max = weft_job.endpoint.message_max;
  weft_helper_arm(CHANNEL);
  if (weft_likely(r.n <= max)) return r.n == 0 || begin_once(&r, immediate);
  if (immediate) return false;
  const rma_t all = r;
  for (size_t at = 0; at < all.n; at += r.n) {
    r = all, r.local += at, r.off += at;
    r.n = all.n - at < max ? all.n - at : max;
    begin_once(&r, false);
  }
  return true;
}

bool weft_rma_put_begin(int pe, uintptr_t off, const void *source, size_t n, weft_op_t *op,
                        bool immediate) {
  return begin((rma_t){WRITE_DELIVERED, (char *)(uintptr_t)source, n, pe, off, op}, immediate);
}

bool weft_rma_put_leave(int pe, uintptr_t off, const void *source, size_t n, weft_op_t *op,
                        bool immediate) {
  return begin((rma_t){WRITE, (char *)(uintptr_t)source, n, pe, off, op}, immediate);
}

bool weft_rma_get_begin(int pe, uintptr_t off, void *dest, size_t n, weft_op_t *op,
                        bool immediate) {
  return begin((rma_t){READ, dest, n, pe, off, op}, immediate);
}

bool weft_rma_flush_begin(int node, weft_op_t *op, bool immediate) {
  struct fi_msg_rma message;
  struct fi_rma_iov remote;
  weft_quiet_probe(&message, &remote, node);
  message.context = op;
  count_up(op);
  if (weft_quiet_post(CHANNEL, &message, immediate)) return true;
  count_down(op);
  return false;
}

/* ---- puts of one thread ---------------------------------------------------------------------- */

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
  op->alone = true; /* weft_puts_push_first counts them */
  puts->message.context = op;
  puts->ep = weft_wire.ep;
  puts->readmsg = weft_wire.readmsg;
}

void weft_puts_detach(weft_puts_t *puts) {
  free(puts->more);
  free(puts->staged);
  free(puts->awaited);
  free(puts->tickets);
  *puts = (weft_puts_t){0};
}

/* The first node's flush stands ready; there is mostly no other. */
static void mark(weft_puts_t *puts, int node) {
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

static void stage(weft_puts_t *puts, int pe, uintptr_t off, const void *source, size_t n) {
  const int node = weft_job.where[pe].node;
  if (!puts->staged) {
    puts->staged = bits_new();
    puts->awaited = bits_new();
    puts->tickets = memory((size_t)weft_job.nnodes, sizeof *puts->tickets);
  }
  weft_stage_put(CHANNEL, pe, off, source, n);
  set_bit(puts->staged, node);
  puts->any_staged = true;
}

static bool inject(int pe, uintptr_t off, const void *source, size_t n, bool immediate) {
  weft_endpoint_t *e = &weft_job.endpoint;
  const fi_addr_t node = weft_job.where[pe].node;
  for (;;) {
    if (e->writes) __atomic_fetch_add(&e->injected, 1, __ATOMIC_RELAXED);
    const ssize_t rc = fi_inject_write(e->ep, source, n, node, weft_job_remote_addr(pe, off),
                                       weft_job_remote_key(pe));
    if (weft_likely(rc == 0)) return true;
    if (e->writes) __atomic_fetch_sub(&e->injected, 1, __ATOMIC_RELAXED);
    if (immediate && rc == -FI_EAGAIN) return false;
    weft_endpoint_again(e, rc, "put", node);
  }
}

bool weft_puts_put(weft_puts_t *puts, int pe, uintptr_t off, const void *source, size_t n,
                   bool immediate) {
  if (!immediate && !puts->straight && n <= weft_peek(&CHANNEL->small_max)) {
    stage(puts, pe, off, source, n);
    return true;
  }
  if (!inject(pe, off, source, n, immediate)) return false;
  mark(puts, weft_job.where[pe].node);
  weft_helper_arm(CHANNEL);
  return true;
}

struct weft_inject weft_inject;

void weft_rma_inject_start(bool allowed) {
  const weft_job_t *j = &weft_job;
  weft_inject = (struct weft_inject){0};
  if (!allowed || j->nnodes == 1 || weft_options.coalesce || weft_wire.writes || j->region_base ||
      j->region_key)
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

/* Counted late, for the sake of the path before: for a moment there may be one less than none. */
void weft_puts_pushed_first(weft_puts_t *puts, ssize_t rc) {
  if (weft_unlikely(rc != 0) &&
      weft_endpoint_again(&weft_job.endpoint, rc, "flush", puts->message.addr))
    weft_quiet_post(CHANNEL, &puts->message, false);
  __atomic_fetch_add(&weft_job.endpoint.alone, 1, __ATOMIC_RELAXED);
  puts->first = false;
}

/* What could not be posted stays marked. */
static bool push_more(weft_puts_t *puts, bool immediate) {
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

static void push_staged(weft_puts_t *puts) {
  for (int word = 0; word * 64 < weft_job.nnodes; word++) {
    for (uint64_t *bits = &puts->staged[word]; *bits; *bits &= *bits - 1) {
      const int node = word * 64 + __builtin_ctzll(*bits);
      puts->tickets[node] = weft_stage_send_to(CHANNEL, node);
      set_bit(puts->awaited, node);
    }
  }
  puts->any_staged = false;
  puts->any_awaited = true;
}

bool weft_puts_push(weft_puts_t *puts, bool immediate) {
  if (puts->any_staged) push_staged(puts);
  if (puts->first) {
    weft_op_t *op = puts->message.context;
    count_up(op);
    if (!weft_quiet_post(CHANNEL, &puts->message, immediate)) {
      count_down(op);
      return false;
    }
    puts->first = false;
  }
  return !puts->any_more || push_more(puts, immediate);
}

bool weft_puts_answered(weft_puts_t *puts) {
  if (!puts->any_awaited) return true;
  for (int word = 0; word * 64 < weft_job.nnodes; word++) {
    for (uint64_t *bits = &puts->awaited[word]; *bits; *bits &= *bits - 1) {
      const int node = word * 64 + __builtin_ctzll(*bits);
      if (!weft_stage_all_answered(CHANNEL, node, puts->tickets[node])) return false;
    }
  }
  puts->any_awaited = false;
  return true;
}
