/*
 * One reliable-datagram endpoint with its domain, address table, completion queue and receive
 * buffers.
 */
#include <poll.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include "boot/boot.h"
#include "fabric/fabric_internal.h"

static int step(const char *what, int rc) {
  if (rc < 0)
    weft_warn("libfabric: %s failed: %s; WEFT_PROVIDER chooses another provider", what,
              weft_fabric_error(rc));
  return rc;
}

static int post_receives(weft_endpoint_t *e, size_t n, size_t size) {
  return step("posting receive buffers", weft_slabs_open(e, n, size));
}

/* A slab is released when it cannot take a largest message; sockets' preset is 64 bytes. Only of an
 * endpoint that is enabled: shm segfaults otherwise. */
static int set_smallest_room(weft_endpoint_t *e, size_t receive_size) {
  if (!e->fabric->multi_receive) return 0;
  return step("FI_OPT_MIN_MULTI_RECV",
              fi_setopt(&e->receiver->fid, FI_OPT_ENDPOINT, FI_OPT_MIN_MULTI_RECV, &receive_size,
                        sizeof receive_size));
}

/* The queue, bound, and ready. */
static int enable(weft_endpoint_t *e, size_t receive_size, bool sleeper) {
  struct fi_cq_attr cq = {.format = FI_CQ_FORMAT_DATA,
                          .wait_obj = !sleeper                   ? FI_WAIT_NONE
                                      : e->fabric->sleeps_itself ? FI_WAIT_POLLFD
                                                                 : FI_WAIT_FD,
                          .size = 4096};
  struct fi_cntr_attr cntr = {.events = FI_CNTR_EVENTS_COMP};
  int rc;
  if ((rc = step("fi_cq_open", fi_cq_open(e->domain, &cq, &e->cq, NULL))) < 0) return rc;
  e->fd = -1;
  e->sleeps =
      sleeper && (e->fabric->sleeps_itself || fi_control(&e->cq->fid, FI_GETWAIT, &e->fd) == 0);
  /* Bound twice: one call with TRANSMIT | RECV | SELECTIVE_COMPLETION would suppress receive
   * completions too. */
  rc = step("fi_ep_bind", fi_ep_bind(e->ep, &e->cq->fid, FI_TRANSMIT | FI_SELECTIVE_COMPLETION));
  if (rc < 0) return rc;
  if ((rc = step("fi_ep_bind", fi_ep_bind(e->receiver, &e->cq->fid, FI_RECV))) < 0) return rc;
  /* A write counter only where it tells the truth: rxm emulates injects with a bounce buffer when
   * one is bound. */
  if (e->fabric->completion == WEFT_COMPLETION_COUNTER) {
    rc = step("fi_cntr_open", fi_cntr_open(e->domain, &cntr, &e->writes, NULL));
    if (rc < 0) return rc;
    if ((rc = step("fi_ep_bind", fi_ep_bind(e->ep, &e->writes->fid, FI_WRITE))) < 0) return rc;
  }
  if (e->scalable && e->owner && (rc = step("fi_enable", fi_enable(e->scalable))) < 0) return rc;
  if ((rc = step("fi_enable", fi_enable(e->ep))) < 0) return rc;
  if (e->receiver != e->ep && (rc = step("fi_enable", fi_enable(e->receiver))) < 0) return rc;
  return set_smallest_room(e, receive_size);
}

static int open_scalable(weft_endpoint_t *e, int contexts) {
  struct fi_info *info = e->fabric->info;
  info->ep_attr->tx_ctx_cnt = info->ep_attr->rx_ctx_cnt = (size_t)contexts;
  int rc = step("fi_scalable_ep", fi_scalable_ep(e->domain, info, &e->scalable, NULL));
  return rc < 0 ? rc
                : step("fi_scalable_ep_bind", fi_scalable_ep_bind(e->scalable, &e->av->fid, 0));
}

static int open_context(weft_endpoint_t *e, int index) {
  struct fi_info *info = e->fabric->info;
  int rc = step("fi_tx_context", fi_tx_context(e->scalable, index, info->tx_attr, &e->ep, NULL));
  return rc < 0 ? rc
                : step("fi_rx_context",
                       fi_rx_context(e->scalable, index, info->rx_attr, &e->receiver, NULL));
}

static int open_single(weft_endpoint_t *e) {
  int rc = step("fi_endpoint", fi_endpoint(e->domain, e->fabric->info, &e->ep, NULL));
  e->receiver = e->ep;
  return rc < 0 ? rc : step("fi_ep_bind", fi_ep_bind(e->ep, &e->av->fid, 0));
}

int weft_endpoint_open(weft_endpoint_t *e, const weft_fabric_t *fabric, size_t nreceives,
                       size_t receive_size, bool sleeper, int contexts) {
  struct fi_info *info = fabric->info;
  struct fi_av_attr av = {.type = FI_AV_TABLE,
                          .rx_ctx_bits = fabric->contexts > 1 ? WEFT_CONTEXT_BITS : 0};
  int rc;
  *e = (weft_endpoint_t){.fabric = fabric, .owner = true, .inject_max = info->tx_attr->inject_size};
  e->arrived_tail = &e->arrived;
  if ((rc = step("fi_domain", fi_domain(fabric->fabric, info, &e->domain, NULL))) < 0) return rc;
  if ((rc = step("fi_av_open", fi_av_open(e->domain, &av, &e->av, NULL))) < 0) goto fail;
  if (contexts > 1) {
    if ((rc = open_scalable(e, contexts)) < 0 || (rc = open_context(e, 0)) < 0) goto fail_unready;
  } else {
    if ((rc = open_single(e)) < 0) goto fail_unready;
  }
  if ((rc = enable(e, receive_size, sleeper)) < 0) goto fail_unready;
  if ((rc = post_receives(e, nreceives, receive_size)) < 0) goto fail;
  return 0;

fail_unready: /* fi_close of an endpoint that was never enabled segfaults in rxm and net: leave it
               */
  e->ep = e->receiver = e->scalable = NULL;
fail:
  weft_endpoint_close(e);
  return rc;
}

int weft_endpoint_open_context(weft_endpoint_t *e, const weft_endpoint_t *main, int index) {
  int rc;
  *e = (weft_endpoint_t){.fabric = main->fabric,
                         .domain = main->domain,
                         .av = main->av,
                         .scalable = main->scalable,
                         .inject_max = main->inject_max};
  e->arrived_tail = &e->arrived;
  if ((rc = open_context(e, index)) < 0 || (rc = enable(e, main->receive_size, false)) < 0) {
    e->ep = e->receiver = NULL;
    weft_endpoint_close(e);
    return rc;
  }
  rc = post_receives(e, main->nreceives, main->receive_size);
  if (rc < 0) weft_endpoint_close(e);
  return rc;
}

void weft_endpoint_close(weft_endpoint_t *e) {
  if (e->receiver && e->receiver != e->ep) fi_close(&e->receiver->fid);
  if (e->ep) fi_close(&e->ep->fid);
  if (e->scalable && e->owner) fi_close(&e->scalable->fid);
  for (size_t i = 0; i < e->nregions; i++) fi_close(&e->regions[i]->fid);
  if (e->writes) fi_close(&e->writes->fid);
  if (e->cq) fi_close(&e->cq->fid);
  if (e->av && e->owner) fi_close(&e->av->fid);
  if (e->domain && e->owner) fi_close(&e->domain->fid);
  free(e->regions);
  weft_slabs_close(e);
  *e = (weft_endpoint_t){0};
}

/* Natively or under rxm. */
static bool is_over_tcp(const weft_fabric_t *fabric) {
  return strncmp(fabric->name, "tcp", 3) == 0 || strncmp(fabric->name, "net", 3) == 0;
}

static bool has_tcp_addresses(const weft_endpoint_t *e) {
  const uint32_t format = e->fabric->info->addr_format;
  return format == FI_SOCKADDR_IN || format == FI_SOCKADDR_IN6 || format == FI_SOCKADDR;
}

int weft_endpoint_address(weft_endpoint_t *e, void *address, size_t *len) {
  const int rc =
      step("fi_getname", fi_getname(e->scalable ? &e->scalable->fid : &e->ep->fid, address, len));
  if (rc == 0 && has_tcp_addresses(e)) weft_links_know_own(address);
  return rc;
}

int weft_endpoint_insert(weft_endpoint_t *e, const void *address, fi_addr_t *index) {
  int n = fi_av_insert(e->av, address, 1, index, 0, NULL);
  if (n == 1 && has_tcp_addresses(e)) weft_links_know(address);
  return n == 1 ? 0 : step("fi_av_insert", n < 0 ? n : -EINVAL);
}

int weft_endpoint_register(weft_endpoint_t *e, void *base, size_t len, uint64_t *key) {
  struct fid_mr *mr;
  struct fid_mr **regions = realloc(e->regions, (e->nregions + 1) * sizeof *regions);
  if (!regions) return -ENOMEM;
  e->regions = regions;
  int rc = fi_mr_reg(e->domain, base, len, FI_REMOTE_READ | FI_REMOTE_WRITE, 0, *key, 0, &mr, NULL);
  if (rc == 0 && (e->fabric->info->domain_attr->mr_mode & FI_MR_ENDPOINT)) {
    rc = fi_mr_bind(mr, &e->ep->fid, 0);
    if (rc == 0) rc = fi_mr_enable(mr);
  }
  if (rc < 0) {
    weft_warn("cannot register %zu MB with %s: %s; lower SHMEM_SYMMETRIC_SIZE and "
              "WEFT_PRIVATE_SIZE, or raise ulimit -l",
              len >> 20, e->fabric->name, weft_fabric_error(rc));
    return rc;
  }
  e->regions[e->nregions++] = mr;
  *key = fi_mr_key(mr);
  return 0;
}

/* ---- completions ----------------------------------------------------------------------------- */

/* Set where the job goes on without its dead: an operation to a node that is gone counts as done,
 * as the provider would try for ever to reach it. The layers above know that the node is gone. */
static weft_fabric_is_gone_t forgives;

void weft_fabric_forgive(weft_fabric_is_gone_t is_gone) {
  forgives = is_gone;
}

void weft_fabric_let_launcher_speak(void) {
  /* Not equal in all processes: the first one that says the line ends the others. */
  const int ms = 1000 + getpid() % 16 * 60;
  weft_log_set_delay(ms);
  usleep((useconds_t)ms * 1000);
  weft_log_set_delay(0);
}

void weft_fabric_lose(const char *format, ...) {
  char line[WEFT_BOOT_LOST_MAX];
  va_list args;
  va_start(args, format);
  vsnprintf(line, sizeof line, format, args);
  va_end(args);
  if (weft_boot_tell_lost(line)) weft_end_job(1);
  weft_fatal("%s", line);
}

/* Errors that a lost connection causes, and an argument never does. */
static bool is_of_connection(int error) {
  switch (error < 0 ? -error : error) {
  case ECANCELED:
  case ECONNABORTED:
  case ECONNREFUSED:
  case ECONNRESET:
  case EHOSTUNREACH:
  case ENETUNREACH:
  case ENOTCONN:
  case EPIPE:
  case ESHUTDOWN:
  case ETIMEDOUT: return true;
  default: return false;
  }
}

bool weft_endpoint_name(weft_endpoint_t *e, fi_addr_t whose, char text[WEFT_LINK_NAME]) {
  uint8_t address[WEFT_ADDRESS_MAX];
  size_t len = sizeof address;
  if (!has_tcp_addresses(e)) return false;
  if (whose == FI_ADDR_UNSPEC
          ? fi_getname(e->scalable ? &e->scalable->fid : &e->ep->fid, address, &len)
          : fi_av_lookup(e->av, whose, address, &len))
    return false;
  weft_links_name(address, text);
  return true;
}

/* Why an operation to `node` (FI_ADDR_UNSPEC: it is not known) may have failed with `error`: a lost
 * connection, if one was seen or the error says so, named by its two ends; else `otherwise`. */
static const char *reason(weft_endpoint_t *e, int error, fi_addr_t node, char text[256],
                          const char *otherwise) {
  const bool of_connection = is_of_connection(error);
  weft_link_report_t r;
  if (!weft_links_lost(of_connection, &r)) {
    if (!of_connection) return otherwise;
    if (!weft_endpoint_name(e, FI_ADDR_UNSPEC, r.ours))
      snprintf(r.ours, sizeof r.ours, "its own end unknown");
    if (node == FI_ADDR_UNSPEC || !weft_endpoint_name(e, node, r.theirs))
      snprintf(r.theirs, sizeof r.theirs, "another");
  }
  snprintf(text, 256, "the connection between this process (%s) and %s was lost", r.ours, r.theirs);
  return text;
}

static WEFT_COLD void report_failure(weft_endpoint_t *e) {
  struct fi_cq_err_entry error = {0};
  char text[128] = "", why[256];
  if (fi_cq_readerr(e->cq, &error, 0) < 0) return;
  weft_op_t *op = error.op_context;
  if (forgives) {
    if (!(error.flags & FI_RECV) && op && op->done != weft_slab_mark) {
      if (weft_endpoint_is_apart(e, op)) __atomic_fetch_sub(&e->apart, 1, __ATOMIC_RELAXED);
      if (op->done) op->done(op, 0);
      weft_op_down(op);
    }
    return;
  }
  /* Receive buffers are cancelled when a connection or the endpoint goes; nothing else may be. */
  if (error.err == FI_ECANCELED && ((error.flags & FI_RECV) || !op || op->done == weft_slab_mark))
    return;
  fi_cq_strerror(e->cq, error.prov_errno, error.err_data, text, sizeof text);
  weft_fabric_let_launcher_speak();
  weft_fabric_lose("an operation over %s failed: %s%s%s: %s", e->fabric->name,
                   weft_fabric_error(error.err), *text ? ", " : "", text,
                   reason(e, error.err, FI_ADDR_UNSPEC, why,
                          "a remote address that is not symmetric, or a node that is gone? "
                          "WEFT_CHECK=1 checks addresses"));
}

static weft_fabric_hears_t hears;

void weft_fabric_hear(weft_fabric_hears_t hear) {
  hears = hear;
}

int weft_endpoint_poll(weft_endpoint_t *e) {
  struct fi_cq_data_entry entry[16];
  if (!weft_lock_try(&e->poll_lock)) return 0;
  ssize_t n = fi_cq_read(e->cq, entry, 16);
  if (weft_unlikely(n == -FI_EAVAIL)) report_failure(e);
  for (ssize_t i = 0; i < n; i++) {
    weft_op_t *op = entry[i].op_context;
    /* The note of a write, which belongs to no op. (A message with data, as a stranger might send
     * it, is treated as any message.) */
    if (weft_unlikely((entry[i].flags & (FI_REMOTE_CQ_DATA | FI_RECV)) == FI_REMOTE_CQ_DATA)) {
      if (hears) hears(entry[i].data);
      continue;
    }
    if (op->done == weft_slab_mark) {
      weft_slab_event((weft_slab_t *)op, &entry[i]);
      continue;
    }
    if (op->done) op->done(op, entry[i].len);
    if (weft_endpoint_is_apart(e, op)) __atomic_fetch_sub(&e->apart, 1, __ATOMIC_RELAXED);
    weft_poke(&e->completed, e->completed + 1);
    weft_op_down(op);
  }
  if (weft_unlikely(weft_peek(&e->deferred) != NULL)) weft_slab_repost_deferred(e);
  weft_unlock(&e->poll_lock);
  return n > 0 ? (int)n : 0;
}

void weft_endpoint_poll_or_yield(weft_endpoint_t *e) {
  if (weft_endpoint_poll(e) == 0) sched_yield();
}

weft_receive_t *weft_endpoint_take(weft_endpoint_t *e) {
  if (!weft_peek(&e->arrived))
    return NULL; /* what another poller adds just now is seen next time */
  weft_lock(&e->poll_lock);
  weft_receive_t *first = e->arrived;
  if (first) {
    weft_poke(&e->arrived, first->next); /* the helper looks without the lock */
    if (!e->arrived) e->arrived_tail = &e->arrived;
  }
  weft_unlock(&e->poll_lock);
  return first;
}

/* ---- posting --------------------------------------------------------------------------------- */

/* The first operation makes the connection. Until there is one the provider has no room, for ever
 * if the network between the two is closed. (Where there is one, the other end is slow, or
 * port/watch.c finds what happened to the link.) */
static WEFT_COLD void check_reach(weft_endpoint_t *e, uint64_t to) {
  enum { PAUSE_NS = 100000000 }; /* after a longer pause it is another operation */
  static __thread struct {
    const weft_endpoint_t *e;
    uint64_t to, since, last;
  } again;
  const uint64_t now = weft_clock_ns(), pause = now - again.last;
  char address[WEFT_ADDRESS_MAX];
  size_t len = sizeof address;
  again.last = now;
  if (again.e != e || again.to != to || pause > PAUSE_NS) {
    again.e = e, again.to = to, again.since = now;
    return;
  }
  if (weft_options.link_timeout == 0 || !has_tcp_addresses(e) ||
      now - again.since < (uint64_t)weft_options.link_timeout * 1000000000)
    return;
  again.since = now;
  if (fi_av_lookup(e->av, to, address, &len) == 0 && !weft_links_reach(address))
    weft_fabric_lose("no connection to node %llu over %s within %d s: is the network between them "
                     "open? WEFT_IFACE chooses the interface, WEFT_LINK_TIMEOUT this time",
                     (unsigned long long)to, e->fabric->name, weft_options.link_timeout);
}

/* Every write that was taken had a connection. Where there is none when the next operation has to
 * wait, it was lost; the provider makes a new one, but what was written before is gone, and nothing
 * fails for it. The provider may only be busy, and each look takes a while: a fiftieth of the time
 * at the most. */
WEFT_COLD void weft_endpoint_check_written(weft_endpoint_t *e, ssize_t rc, uint64_t to) {
  enum { PAUSE_NS = 1000000, SHARE = 50 };
  static __thread uint64_t next;
  char address[WEFT_ADDRESS_MAX], why[256];
  size_t len = sizeof address;
  const uint64_t now = weft_clock_ns();
  if (rc != -FI_EAGAIN || forgives || now < next || !is_over_tcp(e->fabric)) return;
  const bool there = fi_av_lookup(e->av, to, address, &len) != 0 || weft_links_used(address);
  const uint64_t rest = SHARE * (weft_clock_ns() - now);
  next = now + (rest < PAUSE_NS ? PAUSE_NS : rest);
  if (there) return;
  weft_fabric_let_launcher_speak();
  weft_fabric_lose("a quiet over %s cannot tell what was put before it: %s", e->fabric->name,
                   reason(e, ECONNRESET, to, why, ""));
}

/* Was something put there that no quiet has followed yet? */
static bool is_written(const weft_endpoint_t *e, uint64_t to) {
  return to < e->nwritten && weft_peek(&e->written[to / 64]) >> to % 64 & 1;
}

bool weft_endpoint_again(weft_endpoint_t *e, ssize_t rc, const char *what, uint64_t to) {
  if (weft_likely(rc >= 0)) return false;
  if (weft_unlikely(forgives != NULL) && (rc != -FI_EAGAIN || forgives(e, to))) return false;
  if (rc != -FI_EAGAIN) {
    char why[256];
    weft_fabric_let_launcher_speak();
    weft_fabric_lose(
        "%s to node %llu over %s failed: %s: %s", what, (unsigned long long)to, e->fabric->name,
        weft_fabric_error((int)rc),
        reason(e, (int)rc, to, why, "is the node gone? WEFT_CHECK=1 checks arguments"));
  }
  if (is_written(e, to)) weft_endpoint_check_written(e, rc, to);
  check_reach(e, to);
  weft_endpoint_poll_or_yield(e);
  return true;
}

/* Before an operation is posted; `op` NULL: it is injected. */
static inline void count_up(weft_endpoint_t *e, weft_op_t *op, bool write) {
  if (op) weft_endpoint_count_up(e, op);
  if (write && e->writes) __atomic_fetch_add(&e->injected, 1, __ATOMIC_RELAXED);
}

WEFT_COLD bool weft_endpoint_not_taken(weft_endpoint_t *e, ssize_t rc, weft_op_t *op, bool write,
                                       const char *what, uint64_t to) {
  if (op) {
    if (weft_endpoint_is_apart(e, op)) __atomic_fetch_sub(&e->apart, 1, __ATOMIC_RELAXED);
    weft_op_down(op);
  }
  if (write && e->writes) __atomic_fetch_sub(&e->injected, 1, __ATOMIC_RELAXED);
  return !weft_endpoint_again(e, rc, what, to);
}

bool weft_endpoint_try_send(weft_endpoint_t *e, uint64_t to, const void *data, size_t len,
                            weft_op_t *op) {
  if (len <= e->inject_max) op = NULL;
  count_up(e, op, false);
  const ssize_t rc = op ? fi_send(e->ep, data, len, NULL, to, op) : fi_inject(e->ep, data, len, to);
  return weft_likely(rc == 0) || weft_endpoint_not_taken(e, rc, op, false, "send", to);
}

bool weft_endpoint_try_write(weft_endpoint_t *e, uint64_t to, const void *data, size_t len,
                             uint64_t addr, uint64_t key, weft_op_t *op) {
  count_up(e, op, true);
  const ssize_t rc = fi_write(e->ep, data, len, NULL, to, addr, key, op);
  return weft_likely(rc == 0) || weft_endpoint_not_taken(e, rc, op, true, "put", to);
}

bool weft_endpoint_try_deliver(weft_endpoint_t *e, uint64_t to, const void *data, size_t len,
                               uint64_t addr, uint64_t key, weft_op_t *op, bool copied) {
  void *no_descriptor[1] = {NULL};
  const struct iovec local = {.iov_base = (void *)(uintptr_t)data, .iov_len = len};
  const struct fi_rma_iov remote = {.addr = addr, .len = len, .key = key};
  const struct fi_msg_rma message = {.msg_iov = &local,
                                     .desc = no_descriptor,
                                     .iov_count = 1,
                                     .addr = to,
                                     .rma_iov = &remote,
                                     .rma_iov_count = 1,
                                     .context = op};
  count_up(e, op, true);
  const ssize_t rc =
      fi_writemsg(e->ep, &message, FI_COMPLETION | FI_DELIVERY_COMPLETE | (copied ? FI_INJECT : 0));
  return weft_likely(rc == 0) || weft_endpoint_not_taken(e, rc, op, true, "put", to);
}

bool weft_endpoint_try_probe(weft_endpoint_t *e, const struct fi_msg_rma *message) {
  weft_op_t *op = message->context;
  count_up(e, op, false);
  const ssize_t rc = fi_readmsg(e->ep, message, FI_COMPLETION);
  if (weft_likely(rc == 0)) return true;
  weft_endpoint_check_written(e, rc, message->addr);
  return weft_endpoint_not_taken(e, rc, op, false, "flush", message->addr);
}

bool weft_endpoint_try_inject_write(weft_endpoint_t *e, uint64_t to, const void *data, size_t len,
                                    uint64_t addr, uint64_t key) {
  count_up(e, NULL, true);
  const ssize_t rc = fi_inject_write(e->ep, data, len, to, addr, key);
  return weft_likely(rc == 0) || weft_endpoint_not_taken(e, rc, NULL, true, "put", to);
}

static bool try_write_note(weft_endpoint_t *e, uint64_t to, const void *data, size_t len,
                           uint64_t addr, uint64_t key, uint64_t note, weft_op_t *op) {
  if (len <= e->inject_max) op = NULL;
  count_up(e, op, true);
  const ssize_t rc = op ? fi_writedata(e->ep, data, len, NULL, note, to, addr, key, op)
                        : fi_inject_writedata(e->ep, data, len, note, to, addr, key);
  return weft_likely(rc == 0) || weft_endpoint_not_taken(e, rc, op, true, "put", to);
}

void weft_endpoint_send(weft_endpoint_t *e, uint64_t to, const void *data, size_t len,
                        weft_op_t *op) {
  while (!weft_endpoint_try_send(e, to, data, len, op)) continue;
}

void weft_endpoint_inject(weft_endpoint_t *e, uint64_t to, const void *data, size_t len) {
  while (!weft_endpoint_try_send(e, to, data, len, NULL)) continue;
}

void weft_endpoint_inject_write(weft_endpoint_t *e, uint64_t to, const void *data, size_t len,
                                uint64_t addr, uint64_t key) {
  while (!weft_endpoint_try_inject_write(e, to, data, len, addr, key)) continue;
}

static inline size_t part_of(const weft_endpoint_t *e, size_t left) {
  return left < e->fabric->rma_max ? left : e->fabric->rma_max;
}

/* The kernel copies slowly to a place that lies so much further in its page (window/heap.h). */
static inline bool is_slow(uint64_t further) {
  enum { PAGE = 4096, FROM = 1, TO = 31 };
  return further % PAGE >= FROM && further % PAGE <= TO;
}

/* Of a large write straight over TCP, the bytes that leave in writes of their own, PIECE in each,
 * as all of it would be copied slowly behind the provider's head, here or there. Each write in
 * front moves what follows by its head. 0: mostly, where up to MOST do not help, and for an op that
 * is told of each part, as it expects one. */
enum { PIECE = 64, WRITE_HEAD = 40, NOTE_HEAD = 48 };
static size_t bytes_apart(const weft_endpoint_t *e, const void *data, uint64_t addr, size_t len,
                          size_t head, const weft_op_t *op) {
  enum { LARGE = 65536, MOST = 3 };
  if (weft_likely(len < LARGE) || op->done || !weft_fabric_is_stream(e->fabric->name)) return 0;
  for (uint64_t k = 0; k <= MOST; k++, head += WRITE_HEAD)
    if (!is_slow(head - (uintptr_t)data) && !is_slow(addr - head)) return k * PIECE;
  return 0;
}

/* Bytes of the part that begins at `at`; the first `apart` leave in pieces. */
static inline size_t write_part(const weft_endpoint_t *e, size_t apart, size_t len, size_t at) {
  return at < apart ? PIECE : part_of(e, len - at);
}

void weft_endpoint_write(weft_endpoint_t *e, uint64_t to, const void *data, size_t len,
                         uint64_t addr, uint64_t key, weft_op_t *op) {
  const size_t apart = bytes_apart(e, data, addr, len, WRITE_HEAD, op);
  for (size_t at = 0, n; at < len; at += n) {
    n = write_part(e, apart, len, at);
    while (!weft_endpoint_try_write(e, to, (const char *)data + at, n, addr + at, key, op))
      continue;
  }
}

/* Of several parts the last one brings the note: writes are placed in order. */
void weft_endpoint_write_note(weft_endpoint_t *e, uint64_t to, const void *data, size_t len,
                              uint64_t addr, uint64_t key, uint64_t note, weft_op_t *op) {
  const size_t apart = bytes_apart(e, data, addr, len, NOTE_HEAD, op);
  const size_t last = apart + (len - apart - 1) / e->fabric->rma_max * e->fabric->rma_max;
  for (size_t at = 0, n; at < last; at += n) {
    n = write_part(e, apart, last, at);
    while (!weft_endpoint_try_write(e, to, (const char *)data + at, n, addr + at, key, op))
      continue;
  }
  while (!try_write_note(e, to, (const char *)data + last, len - last, addr + last, key, note, op))
    continue;
}

void weft_endpoint_deliver(weft_endpoint_t *e, uint64_t to, const void *data, size_t len,
                           uint64_t addr, uint64_t key, weft_op_t *op) {
  const size_t apart = bytes_apart(e, data, addr, len, WRITE_HEAD, op);
  for (size_t at = 0, n; at < len; at += n) {
    n = write_part(e, apart, len, at);
    while (!weft_endpoint_try_deliver(e, to, (const char *)data + at, n, addr + at, key, op, false))
      continue;
  }
}

void weft_endpoint_read(weft_endpoint_t *e, uint64_t from, void *data, size_t len, uint64_t addr,
                        uint64_t key, weft_op_t *op) {
  for (size_t at = 0, n; at < len; at += n) {
    n = part_of(e, len - at);
    while (!weft_endpoint_try_read(e, from, (char *)data + at, n, addr + at, key, op)) continue;
  }
}

/* net's queue sleeps on a descriptor of all connections and on sockets by which it tells itself of
 * completions, at two system calls each. The first one is enough where all that has come is read
 * before. -1: there is none. */
static int connections_of(struct fid_cq *cq) {
  enum { MOST = 8, TRIES = 10 };
  struct pollfd fds[MOST];
  struct stat kind;
  for (int try = 0; try < TRIES; try++) {
    struct fi_wait_pollfd all = {.nfds = MOST, .fd = fds};
    fi_cq_sread(cq, NULL, 0, NULL, 1); /* puts the list together, unless 1 ms has passed by then */
    if (fi_control(&cq->fid, FI_GETWAIT, &all) < 0) break;
    for (size_t i = 0; i < all.nfds; i++)
      if (fstat(fds[i].fd, &kind) == 0 && !S_ISSOCK(kind.st_mode)) return fds[i].fd;
  }
  return -1;
}

void weft_endpoint_wait_bare(weft_endpoint_t *e) {
  if (e->sleeps && e->fabric->sleeps_itself) weft_poke(&e->fd, connections_of(e->cq));
}

bool weft_endpoint_wait(weft_endpoint_t *e, int ms) {
  struct fid *fids[1] = {&e->cq->fid};
  const int fd = weft_peek(&e->fd);
  if (weft_peek(&e->arrived) || weft_peek(&e->deferred)) return true;
  if (!e->sleeps) return false;
  /* To read no completion is to wait for one. */
  if (e->fabric->sleeps_itself && fd < 0)
    return fi_cq_sread(e->cq, NULL, 0, NULL, ms) != -FI_EAGAIN;
  if (!e->fabric->sleeps_itself && fi_trywait(e->fabric->fabric, fids, 1) != 0) return true;
  return poll(&(struct pollfd){.fd = fd, .events = POLLIN}, 1, ms) > 0;
}
