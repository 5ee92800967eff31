/*
 * One reliable-datagram endpoint with its domain, address table, completion queue and receive
 * buffers.
 */
#include <poll.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

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

/* A slab is released when it cannot take a largest message; sockets' preset is 64 bytes. In
 * libfabric 2 rxm and shm take the size over where the endpoint is enabled; in libfabric 1 shm has
 * nowhere to keep it before, and segfaults. */
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
  if (e->fabric->completion != WEFT_COMPLETION_FLUSH) {
    rc = step("fi_cntr_open", fi_cntr_open(e->domain, &cntr, &e->writes, NULL));
    if (rc < 0) return rc;
    if ((rc = step("fi_ep_bind", fi_ep_bind(e->ep, &e->writes->fid, FI_WRITE))) < 0) return rc;
  }
  if (e->fabric->room_first && (rc = set_smallest_room(e, receive_size)) < 0) return rc;
  if (e->scalable && e->owner && (rc = step("fi_enable", fi_enable(e->scalable))) < 0) return rc;
  if ((rc = step("fi_enable", fi_enable(e->ep))) < 0) return rc;
  if (e->receiver != e->ep && (rc = step("fi_enable", fi_enable(e->receiver))) < 0) return rc;
  e->inject_write = e->fabric->completion == WEFT_COMPLETION_DELIVERY ? weft_inject_delivered
                                                                      : e->ep->rma->inject;
  return e->fabric->room_first ? 0 : set_smallest_room(e, receive_size);
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

int weft_endpoint_address(weft_endpoint_t *e, void *address, size_t *len) {
  const int rc =
      step("fi_getname", fi_getname(e->scalable ? &e->scalable->fid : &e->ep->fid, address, len));
  if (rc == 0 && weft_endpoint_has_tcp_addresses(e)) weft_links_know_own(address);
  return rc;
}

int weft_endpoint_insert(weft_endpoint_t *e, const void *address, fi_addr_t *index) {
  int n = fi_av_insert(e->av, address, 1, index, 0, NULL);
  if (n == 1 && weft_endpoint_has_tcp_addresses(e)) weft_links_know(address);
  return n == 1 ? 0 : step("fi_av_insert", n < 0 ? n : -EINVAL);
}

static int register_region(weft_endpoint_t *e, void *base, size_t len, uint64_t access,
                           uint64_t *key, struct fid_mr **mr) {
  int rc = fi_mr_reg(e->domain, base, len, access, 0, *key, 0, mr, NULL);
  if (rc < 0) return rc;
  if (e->fabric->info->domain_attr->mr_mode & FI_MR_ENDPOINT) {
    rc = fi_mr_bind(*mr, &e->ep->fid, 0);
    if (rc == 0) rc = fi_mr_enable(*mr);
    if (rc < 0) {
      fi_close(&(*mr)->fid);
      return rc;
    }
  }
  *key = fi_mr_key(*mr);
  return 0;
}

int weft_endpoint_register(weft_endpoint_t *e, void *base, size_t len, uint64_t *key) {
  struct fid_mr *mr;
  struct fid_mr **regions = realloc(e->regions, (e->nregions + 1) * sizeof *regions);
  if (!regions) return -ENOMEM;
  e->regions = regions;
  const int rc = register_region(e, base, len, FI_REMOTE_READ | FI_REMOTE_WRITE, key, &mr);
  if (rc < 0) {
    weft_warn("cannot register %zu MB with %s: %s; lower SHMEM_SYMMETRIC_SIZE and "
              "WEFT_PRIVATE_SIZE, or raise ulimit -l",
              len >> 20, e->fabric->name, weft_fabric_error(rc));
    return rc;
  }
  e->regions[e->nregions++] = mr;
  return 0;
}

typedef struct lending {
  weft_endpoint_t *endpoint;
  void *base;
  size_t len;
  uint64_t *key;
  struct fid_mr *mr;
} lending_t;

static void lend(void *arg) {
  lending_t *l = arg;
  if (register_region(l->endpoint, l->base, l->len, FI_REMOTE_WRITE, l->key, &l->mr) < 0)
    l->mr = NULL;
}

struct fid_mr *weft_endpoint_lend(weft_endpoint_t *e, void *base, size_t len, uint64_t *key) {
  lending_t l = {.endpoint = e, .base = base, .len = len, .key = key};
  switch (e->fabric->regions) {
  case WEFT_REGIONS_ANY_TIME: lend(&l); break;
  case WEFT_REGIONS_DURING_LOOKS: weft_looks_during(e, lend, &l); break;
  case WEFT_REGIONS_BEFORE_ALL: break;
  }
  return l.mr;
}

static void take_back(void *lent) {
  fi_close(lent);
}

void weft_endpoint_take_back(weft_endpoint_t *e, struct fid_mr *lent) {
  if (e->fabric->regions == WEFT_REGIONS_DURING_LOOKS)
    weft_looks_during(e, take_back, &lent->fid);
  else
    take_back(&lent->fid);
}

/* ---- completions ----------------------------------------------------------------------------- */

static weft_fabric_hears_t hears;

void weft_fabric_hear(weft_fabric_hears_t hear) {
  hears = hear;
}

/* A note came, with a write, which belongs to no op. (A message with data, as a stranger might send
 * it, is treated as any message. Over sockets own writes too are said to have had data.) */
static inline bool is_note(uint64_t flags) {
  return (flags & (FI_REMOTE_CQ_DATA | FI_RECV | FI_WRITE)) == FI_REMOTE_CQ_DATA;
}

int weft_endpoint_poll(weft_endpoint_t *e) {
  struct fi_cq_data_entry entry[16];
  if (!weft_lock_try(&e->poll_lock)) return 0;
  ssize_t n = fi_cq_read(e->cq, entry, 16);
  if (weft_unlikely(n == -FI_EAVAIL)) weft_endpoint_report_failure(e);
  for (ssize_t i = 0; i < n; i++) {
    weft_op_t *op = entry[i].op_context;
    if (weft_unlikely(is_note(entry[i].flags))) {
      if (hears) hears(entry[i].data);
      continue;
    }
    if (op->done == weft_slab_mark) {
      weft_slab_event((weft_slab_t *)op, &entry[i]);
      continue;
    }
    if (op->done) op->done(op, entry[i].len);
    weft_poke(&e->completed, e->completed + 1);
    weft_endpoint_count_down(e, op);
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

static bool sleep_until_more(weft_endpoint_t *e, int ms) {
  struct fid *fids[1] = {&e->cq->fid};
  const int fd = weft_peek(&e->fd);
  /* To read no completion is to wait for one. */
  if (e->fabric->sleeps_itself && fd < 0)
    return fi_cq_sread(e->cq, NULL, 0, NULL, ms) != -FI_EAGAIN;
  if (!e->fabric->sleeps_itself && fi_trywait(e->fabric->fabric, fids, 1) != 0) return true;
  return poll(&(struct pollfd){.fd = fd, .events = POLLIN}, 1, ms) > 0;
}

bool weft_endpoint_wait(weft_endpoint_t *e, int ms) {
  if (weft_peek(&e->arrived) || weft_peek(&e->deferred)) return true;
  if (!e->sleeps) return false;
  const bool more = sleep_until_more(e, weft_looks_sleep(ms));
  weft_looks_wake();
  return more;
}
