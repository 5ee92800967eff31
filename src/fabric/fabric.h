/*
 * fabric: libfabric, loaded only when a job has more than one node. Chooses a provider, opens
 * endpoints, and is the one place where back-pressure (FI_EAGAIN) and completions are handled.
 * Knows node numbers (address index = node) and slots, but no job, no heap, no
 * front end; two endpoints of one process can talk to each other, and a test does just that.
 */
#ifndef WEFT_FABRIC_H
#define WEFT_FABRIC_H

#include <rdma/fi_cm.h>
#include <rdma/fi_domain.h>
#include <rdma/fi_endpoint.h>
#include <rdma/fi_errno.h>
#include <rdma/fi_rma.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/base.h"
#include "fabric/links.h"

/* Linux hands on a TCP connection's bytes in loads of whole segments up to 64 KB: on an Ethernet of
 * 65,160 bytes. What is a little longer makes a load more, which costs 2.4 us: 64 KB and a head
 * take a third longer than a load. So what is cut anyway is cut into loads, with room for heads.
 * (A load of jumbo frames is shorter: there it changes nothing.) */
enum { WEFT_LOAD = 65024, WEFT_LOAD_HEADS = 64 };

/* ---- provider.c ------------------------------------------------------------------------------ */

/* How a put is known to have arrived. COUNTER: the provider counts a write when the target has it.
 * DELIVERY: it does so if it is asked to with each write (FI_DELIVERY_COMPLETE). FLUSH: it counts
 * when the data left, but a read does not pass it (FI_ORDER_RAW), so quiet reads one word back from
 * every node written to. */
typedef enum weft_completion {
  WEFT_COMPLETION_COUNTER,
  WEFT_COMPLETION_DELIVERY,
  WEFT_COMPLETION_FLUSH
} weft_completion_t;

/* When memory may be registered, or a region be closed, while others write: at any time; while the
 * provider looks at its connections, as it guards its regions by nothing but the lock that it has
 * then; or not at all. */
typedef enum weft_regions {
  WEFT_REGIONS_ANY_TIME,
  WEFT_REGIONS_DURING_LOOKS,
  WEFT_REGIONS_BEFORE_ALL
} weft_regions_t;

typedef struct weft_fabric {
  struct fi_info *info;
  struct fid_fabric *fabric;
  weft_completion_t completion;
  bool virtual_addresses; /* remote addresses are the target's virtual ones, not offsets in the
                             region */
  bool provider_keys;     /* the provider chooses memory keys, so they are exchanged */
  uint64_t key_mask;      /* the bits that a memory key may have */
  bool pins;              /* memory is pinned when it is registered, and must be writable then */
  weft_regions_t regions; /* when memory may be registered */
  bool ordered_writes;    /* a write is placed after earlier writes to the same target */
  bool notes;             /* a write can bring 8 bytes with it, which its target's poller reads */
  bool joins;             /* a write may come from two places */
  bool reads_by_message;  /* a read is a message there and one back, which the provider answers */
  bool large_in_order;    /* a large message is delivered before the next one to the same target */
  bool multi_receive;     /* several messages arrive in one buffer */
  bool room_first;        /* the least room for one is set before an endpoint is enabled */
  bool early_release;     /* such a buffer is released before all its messages are complete */
  bool sleeps_itself;     /* its file descriptor stays readable after the first completion, so we
                             sleep in the provider, or on that of its connections */
  size_t rma_max;         /* most bytes of one RMA operation */
  int contexts;           /* of one endpoint that post and complete apart; 1: none */
  const char *name;       /* of the provider */
} weft_fabric_t;

/* Load libfabric and choose, after weft_options_read. `provider` is matched exactly; `iface` (an
 * address or an interface name) may be NULL. `completion` is "auto" or how puts are to be known to
 * have arrived: "counter", "delivery" or "flush". 0 or a negative errno (logged). */
int weft_fabric_find(weft_fabric_t *fabric, const char *provider, const char *iface,
                     const char *completion);
/* Open what was found. 0 or a negative errno (logged). */
int weft_fabric_open(weft_fabric_t *fabric);
/* Does an option's value name a provider straight over TCP? Every message is one system call there,
 * and long ones are taken as they are. */
bool weft_fabric_is_stream(const char *provider);
/* Before weft_fabric_find: messages of so many bytes will be usual; a provider that would fetch
 * them in two steps is told not to. */
void weft_fabric_expect(size_t bytes);
void weft_fabric_close(weft_fabric_t *fabric);

const char *weft_fabric_error(int rc);

/* ---- endpoint.c ------------------------------------------------------------------------------ */

/* Counts completions: of one operation, or of several that are waited for together. It is counted
 * up before an operation is posted and down when that is complete. At 0 the waiter may free its
 * memory: no other thread touches it after that. */
typedef struct weft_op {
  uint32_t pending; /* posted minus completed */
  bool attended;    /* the thread that posted polls until it is complete */
  bool unordered;   /* fences and the ordered class (rma/order.c) leave it to its owner */
  bool staged;      /* a part of it may not have left yet (port/stage.h) */
  void (*done)(struct weft_op *op,
               size_t len); /* may be NULL; runs in the poller, before counting */
} weft_op_t;

static inline void weft_op_up(weft_op_t *op) {
  __atomic_fetch_add(&op->pending, 1, __ATOMIC_RELAXED);
}
static inline void weft_op_down(weft_op_t *op) {
  __atomic_fetch_sub(&op->pending, 1, __ATOMIC_RELEASE);
}
static inline bool weft_op_is_done(const weft_op_t *op) {
  return weft_observe(&op->pending) == 0;
}

/* A posted receive buffer, in which one message arrives, or several (receive.c).
 * Invariant: holders = messages in it that were not given back, plus 1 until the provider is done
 * with it. When that becomes 0 it is posted again. */
typedef struct weft_slab {
  weft_op_t op;
  struct weft_endpoint *endpoint;
  struct weft_slab *next; /* waits to be posted */
  uint32_t holders;
  bool released;      /* the provider puts no further message into it */
  bool broken;        /* a message ended with its connection: its bytes are not known */
  bool replaced;      /* another one takes its place, and it is not posted again */
  size_t filled, end; /* bytes of the messages that arrived, and where the last of them ends */
  char *data;
} weft_slab_t;

/* An arrived message. Its data are aligned to 8 bytes if every message's length is a multiple of
 * 8. */
typedef struct weft_receive {
  struct weft_receive *next; /* in the endpoint's queue, or of those to be used again */
  weft_slab_t *slab;
  size_t len;
  char *data;
} weft_receive_t;

typedef struct weft_endpoint {
  const weft_fabric_t *fabric;
  struct fid_domain *domain;
  struct fid_av *av;
  struct fid_cq *cq;
  bool sleeps;             /* weft_endpoint_wait can */
  int fd;                  /* it sleeps on this, or in the provider if it is -1 */
  struct fid_cntr *writes; /* COUNTER only */
  struct fid_ep *ep;       /* posts */
  struct fid_ep *receiver; /* receives: mostly the same */
  struct fid_ep *scalable; /* of which the two are contexts, or NULL */
  bool owner;              /* of domain, table and scalable endpoint: not a further context */
  size_t inject_max;       /* bytes of fi_inject and inject_write */
  ssize_t (*inject_write)(struct fid_ep *ep, const void *data, size_t len, fi_addr_t to,
                          uint64_t addr, uint64_t key); /* is known to arrive by `completion` */
  weft_lock_t poll_lock; /* one poller at a time: a thread that finds it taken leaves it the work */
  weft_op_t all;         /* messages and RMA operations that are not waited for one by one */
  uint32_t apart;        /* operations under way that are counted in other ops, unless attended */
  uint32_t completed;    /* grows with every operation that is complete (port/watch.c) */
  uint64_t injected;     /* COUNTER: writes posted */
  uint64_t gone;         /* COUNTER: of these, to the dead, so the provider will never count them */
  uint64_t failed;       /* that it has reported; and that were given up, whether reported or not */
  uint64_t given_up;
  weft_receive_t *arrived, **arrived_tail;
  weft_receive_t *spare; /* descriptors of messages */
  struct weft_receive_chunk *chunks;
  weft_slab_t *slabs, *deferred;
  struct weft_slab_more *more; /* in the place of others */
  char *receive_memory;
  size_t nreceives, receive_size; /* as asked for; slabs may hold fewer */
  size_t nslabs, slab_size;
  struct fid_mr **regions;
  size_t nregions;
  const uint64_t *written; /* a bit for each of the first addresses: put to, and no quiet since */
  uint64_t nwritten;       /* how many */
  char flush_sink[64];
} weft_endpoint_t;

/* Room for nreceives messages of receive_size bytes, the largest, is posted; there may be many more
 * small ones in it, and what does not fit waits with the provider. `sleeper`: weft_endpoint_wait
 * will be called, which makes each poll dearer. `contexts`: the number (at most the fabric's) that
 * can be opened, this one included. */
int weft_endpoint_open(weft_endpoint_t *endpoint, const weft_fabric_t *fabric, size_t nreceives,
                       size_t receive_size, bool sleeper, int contexts);
/* Context `index` (from 1) of `main`, with queues, counter and receive buffers of its own. An
 * endpoint that knows main by an address index reaches it at weft_endpoint_context_index. */
int weft_endpoint_open_context(weft_endpoint_t *endpoint, const weft_endpoint_t *main, int index);
enum { WEFT_CONTEXT_BITS = 6 };
static inline fi_addr_t weft_endpoint_context_index(fi_addr_t main, int index) {
  return fi_rx_addr(main, index, WEFT_CONTEXT_BITS);
}
void weft_endpoint_close(weft_endpoint_t *endpoint);

/* The address others insert; `*len` in: room, out: used. */
int weft_endpoint_address(weft_endpoint_t *endpoint, void *address, size_t *len);
/* Insert one address. The table's indices count up from 0 in order of insertion. */
int weft_endpoint_insert(weft_endpoint_t *endpoint, const void *address, fi_addr_t *index);

/* Register [base, base + len) under `key` (the provider's own key is returned when it insists). */
int weft_endpoint_register(weft_endpoint_t *endpoint, void *base, size_t len, uint64_t *key);
/* The same for a while, for writes only; NULL: it could not be done. Any thread may call; both may
 * poll the endpoint. */
struct fid_mr *weft_endpoint_lend(weft_endpoint_t *endpoint, void *base, size_t len, uint64_t *key);
void weft_endpoint_take_back(weft_endpoint_t *endpoint, struct fid_mr *lent);

/* Read completions: operations are counted down, messages are queued. Returns the number of
 * completions read; 0 also when another thread is polling. A failed operation is fatal with one
 * line. */
int weft_endpoint_poll(weft_endpoint_t *endpoint);
/* Does a thread poll it just now? */
static inline bool weft_endpoint_is_polled(const weft_endpoint_t *endpoint) {
  return weft_peek(&endpoint->poll_lock.held);
}
/* For a loop that looks at completions only: the processor is given away where there were none. */
void weft_endpoint_poll_or_yield(weft_endpoint_t *endpoint);
/* Take the oldest arrived message, or NULL. Only the thread that holds the endpoint's service may
 * call it. */
weft_receive_t *weft_endpoint_take(weft_endpoint_t *endpoint);
/* Done with it: its buffer is posted again when nothing else is in it. Any thread. */
void weft_endpoint_repost(weft_receive_t *receive);

/* Is the op another than the endpoint's own, of a thread that may not be polling? */
static inline bool weft_endpoint_is_apart(const weft_endpoint_t *e, const weft_op_t *op) {
  return op != &e->all && !op->attended;
}

/* Sleep until weft_endpoint_poll has something to do, at most so many milliseconds. False: that
 * time passed, or the endpoint was not opened for a sleeper and it did not sleep. */
bool weft_endpoint_wait(weft_endpoint_t *endpoint, int ms);
/* Find the descriptor of the connections, in a millisecond or more. If it is found
 * (weft_endpoint_waits_bare), weft_endpoint_wait sleeps on it from then on: it takes nothing from
 * the provider, and what another thread takes does not wake it. */
void weft_endpoint_wait_bare(weft_endpoint_t *endpoint);
static inline bool weft_endpoint_waits_bare(const weft_endpoint_t *endpoint) {
  return weft_peek(&endpoint->fd) >= 0;
}

/* The function that the poller gives the notes of writes to this process's endpoints. Set it before
 * such writes can arrive. */
typedef void (*weft_fabric_hears_t)(uint64_t note);
void weft_fabric_hear(weft_fabric_hears_t hear);

/* ---- door.c ---------------------------------------------------------------------------------- */

/* Is it asked of whoever connects to the endpoint, which is open, that they know the secret? Over
 * TCP, where the provider's calls pass by here. */
bool weft_fabric_has_door(weft_endpoint_t *endpoint);
/* From now on it is asked, on all connections that are made or taken later; both ends must do so.
 * NULL: no more. 0 or -ENOMEM. */
int weft_fabric_shut_door(const weft_secret_t *secret);
/* Connections that were refused, so far. */
unsigned weft_fabric_refused(void);

/* ---- failure.c ------------------------------------------------------------------------------- */

/* Natively or under rxm. */
bool weft_fabric_is_over_tcp(const weft_fabric_t *fabric);

/* The one place where back-pressure is handled: called with the status that a posting returned, it
 * polls and returns whether to try again, or ends the job. */
bool weft_endpoint_again(weft_endpoint_t *endpoint, ssize_t rc, const char *what, uint64_t to);

/* Before that, where an operation was not taken that follows writes to the same target: ends the
 * job if these went over a connection that is gone. */
void weft_endpoint_check_written(weft_endpoint_t *endpoint, ssize_t rc, uint64_t to);
/* What libfabric returned was not 0: the counts are taken back, and it is polled. Returns false. */
bool weft_endpoint_not_taken(weft_endpoint_t *endpoint, ssize_t rc, weft_op_t *op, bool write,
                             const char *what, uint64_t to);
/* Do its addresses say host and port? */
bool weft_endpoint_has_tcp_addresses(const weft_endpoint_t *endpoint);
/* Host and port of the endpoint with a number of the table, or (FI_ADDR_UNSPEC) of this one. False:
 * the provider has no such addresses. */
bool weft_endpoint_name(weft_endpoint_t *endpoint, fi_addr_t whose, char text[WEFT_LINK_NAME]);

/* From now on the job goes on without its dead: an operation that fails because its target is gone
 * counts as done. is_gone says so of an address of the endpoint, or (FI_ADDR_UNSPEC) of any;
 * `failed`: an operation has failed, or else the provider has no room. A death is told so much
 * later at the most than the connections that it broke. */
enum { WEFT_DEATH_TOLD_NS = 2000000000 };
typedef bool (*weft_fabric_is_gone_t)(const weft_endpoint_t *e, uint64_t to, bool failed);
void weft_fabric_forgive(weft_fabric_is_gone_t is_gone);

/* COUNTER: of the first `posted` writes all to the living are complete. What the counter lacks of
 * them was to the dead, and is waited for no more. */
void weft_endpoint_give_up(weft_endpoint_t *endpoint, uint64_t posted);

/* Called before the line about a lost node: if a process there has died, the launcher names it and
 * ends the job meanwhile. Takes a second. */
void weft_fabric_let_launcher_speak(void);
/* End the job with this line about a lost connection. Under weftrun the line is said once, however
 * many processes call this, and not if a PE's death explains it; under other launchers each says
 * it. */
void weft_fabric_lose(const char *format, ...)
    __attribute__((noreturn, cold, format(printf, 1, 2)));

/* ---- post.c ---------------------------------------------------------------------------------- */

/* Posting. Each is one attempt: true when the provider has taken the operation; false, and nothing
 * was done but a poll, where it has no room just now. `op` is counted up before and down at
 * completion. Only these functions count, besides the two shortest paths (rma/scalar.c,
 * rma/puts.c).
 */
/* Injects what is small enough; then the data may change at once and `op` is not used. */
bool weft_endpoint_try_send(weft_endpoint_t *endpoint, uint64_t to, const void *data, size_t len,
                            weft_op_t *op);
/* len is at most the fabric's rma_max. */
bool weft_endpoint_try_write(weft_endpoint_t *endpoint, uint64_t to, const void *data, size_t len,
                             uint64_t addr, uint64_t key, weft_op_t *op);
/* Of a large write straight over TCP: the bytes at its beginning that should leave in writes of
 * their own, of WEFT_PIECE_APART each, so that the kernel takes no longer for the rest, for where
 * data lie in a page. Mostly 0, also for an op that is told of each part and expects one. Posted by
 * _try_front these need not be a packet of their own; the rest must follow at once. */
enum { WEFT_PIECE_APART = 64 };
size_t weft_endpoint_apart(const weft_endpoint_t *endpoint, const void *data, uint64_t addr,
                           size_t len, const weft_op_t *op);
bool weft_endpoint_try_front(weft_endpoint_t *endpoint, uint64_t to, const void *data, size_t len,
                             uint64_t addr, uint64_t key, weft_op_t *op);
/* A write whose completion says that the data is at the target, also where the provider's other
 * completions do not. `copied`: the source may change at once (len at most what it injects). */
bool weft_endpoint_try_deliver(weft_endpoint_t *endpoint, uint64_t to, const void *data, size_t len,
                               uint64_t addr, uint64_t key, weft_op_t *op, bool copied);
/* A read that is made up already; its context is the op. */
bool weft_endpoint_try_probe(weft_endpoint_t *endpoint, const struct fi_msg_rma *message);
bool weft_endpoint_try_inject_write(weft_endpoint_t *endpoint, uint64_t to, const void *data,
                                    size_t len, uint64_t addr, uint64_t key);
/* Before an operation is posted, as a poller may count it down at once. */
static inline void weft_endpoint_count_up(weft_endpoint_t *e, weft_op_t *op) {
  weft_op_up(op);
  if (weft_endpoint_is_apart(e, op)) __atomic_fetch_add(&e->apart, 1, __ATOMIC_RELAXED);
}
/* When it is complete, or was not taken. The op first, and it may be used again at once: so where
 * `apart` is 0, the ops are done. */
static inline void weft_endpoint_count_down(weft_endpoint_t *e, weft_op_t *op) {
  const bool apart = weft_endpoint_is_apart(e, op);
  weft_op_down(op);
  if (apart) __atomic_fetch_sub(&e->apart, 1, __ATOMIC_RELEASE);
}
/* Inline: a get is this and a wait. */
static inline bool weft_endpoint_try_read(weft_endpoint_t *e, uint64_t from, void *data, size_t len,
                                          uint64_t addr, uint64_t key, weft_op_t *op) {
  weft_endpoint_count_up(e, op);
  const ssize_t rc = fi_read(e->ep, data, len, NULL, from, addr, key, op);
  return weft_likely(rc == 0) || weft_endpoint_not_taken(e, rc, op, false, "get", from);
}
/* As try_*, until the provider has taken it. Writes and reads may have any length. */
void weft_endpoint_send(weft_endpoint_t *endpoint, uint64_t to, const void *data, size_t len,
                        weft_op_t *op);
void weft_endpoint_inject(weft_endpoint_t *endpoint, uint64_t to, const void *data, size_t len);
void weft_endpoint_write(weft_endpoint_t *endpoint, uint64_t to, const void *data, size_t len,
                         uint64_t addr, uint64_t key, weft_op_t *op);
void weft_endpoint_deliver(weft_endpoint_t *endpoint, uint64_t to, const void *data, size_t len,
                           uint64_t addr, uint64_t key, weft_op_t *op);
void weft_endpoint_read(weft_endpoint_t *endpoint, uint64_t from, void *data, size_t len,
                        uint64_t addr, uint64_t key, weft_op_t *op);
void weft_endpoint_inject_write(weft_endpoint_t *endpoint, uint64_t to, const void *data,
                                size_t len, uint64_t addr, uint64_t key);
/* A write (len is not 0) behind whose data `note` is heard at the target (weft_fabric_hear). What
 * is small enough is injected: then the data may change at once and `op` is not used. Only where
 * the fabric has notes. */
void weft_endpoint_write_note(weft_endpoint_t *endpoint, uint64_t to, const void *data, size_t len,
                              uint64_t addr, uint64_t key, uint64_t note, weft_op_t *op);
/* The same from two places, whose bytes (more than inject_max, at most rma_max) lie one behind the
 * other at the target. Only where the fabric has notes and joins. */
void weft_endpoint_write_note_joined(weft_endpoint_t *endpoint, uint64_t to,
                                     const struct iovec from[2], uint64_t addr, uint64_t key,
                                     uint64_t note, weft_op_t *op);

#endif
