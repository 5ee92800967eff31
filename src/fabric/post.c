/*
 * Posting: sends, writes and reads. An operation is counted before the provider has it, as a poller
 * may count it down at once. Writes and reads of any length go in parts.
 */
#include <sys/uio.h>

#include "fabric/fabric_internal.h"

/* `op` NULL: it is injected. */
static inline void count_up(weft_endpoint_t *e, weft_op_t *op, bool write) {
  if (op) weft_endpoint_count_up(e, op);
  if (write && e->writes) __atomic_fetch_add(&e->injected, 1, __ATOMIC_RELAXED);
}

bool weft_endpoint_try_send(weft_endpoint_t *e, uint64_t to, const void *data, size_t len,
                            weft_op_t *op) {
  if (len <= e->inject_max) op = NULL;
  count_up(e, op, false);
  const ssize_t rc = op ? fi_send(e->ep, data, len, NULL, to, op) : fi_inject(e->ep, data, len, to);
  return weft_likely(rc == 0) || weft_endpoint_not_taken(e, rc, op, false, "send", to);
}

static ssize_t deliver(struct fid_ep *ep, const void *data, size_t len, fi_addr_t to, uint64_t addr,
                       uint64_t key, uint64_t flags, void *context) {
  void *no_descriptor[1] = {NULL};
  const struct iovec local = {.iov_base = (void *)(uintptr_t)data, .iov_len = len};
  const struct fi_rma_iov remote = {.addr = addr, .len = len, .key = key};
  const struct fi_msg_rma message = {.msg_iov = &local,
                                     .desc = no_descriptor,
                                     .iov_count = 1,
                                     .addr = to,
                                     .rma_iov = &remote,
                                     .rma_iov_count = 1,
                                     .context = context};
  return fi_writemsg(ep, &message, flags | FI_DELIVERY_COMPLETE);
}

/* Delivery is asked for with each write: net's fi_write passes over the endpoint's own flag. */
static inline ssize_t write_to(weft_endpoint_t *e, uint64_t to, const void *data, size_t len,
                               uint64_t addr, uint64_t key, weft_op_t *op) {
  return weft_unlikely(e->fabric->completion == WEFT_COMPLETION_DELIVERY)
             ? deliver(e->ep, data, len, to, addr, key, FI_COMPLETION, op)
             : fi_write(e->ep, data, len, NULL, to, addr, key, op);
}

bool weft_endpoint_try_write(weft_endpoint_t *e, uint64_t to, const void *data, size_t len,
                             uint64_t addr, uint64_t key, weft_op_t *op) {
  count_up(e, op, true);
  const ssize_t rc = write_to(e, to, data, len, addr, key, op);
  return weft_likely(rc == 0) || weft_endpoint_not_taken(e, rc, op, true, "put", to);
}

/* net and tcp report it also without FI_COMPLETION: to nobody. */
ssize_t weft_inject_delivered(struct fid_ep *ep, const void *data, size_t len, fi_addr_t to,
                              uint64_t addr, uint64_t key) {
  static weft_op_t nobody = {.attended = true};
  return deliver(ep, data, len, to, addr, key, FI_INJECT, &nobody);
}

bool weft_endpoint_try_deliver(weft_endpoint_t *e, uint64_t to, const void *data, size_t len,
                               uint64_t addr, uint64_t key, weft_op_t *op, bool copied) {
  count_up(e, op, true);
  const uint64_t flags = FI_COMPLETION | (copied ? FI_INJECT : 0);
  const ssize_t rc = deliver(e->ep, data, len, to, addr, key, flags, op);
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
  const ssize_t rc = e->inject_write(e->ep, data, len, to, addr, key);
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

/* A place lies so much further in its page than another. */
static inline bool is_further(uint64_t by, uint64_t most) {
  enum { PAGE = 4096 };
  return by % PAGE >= 1 && by % PAGE <= most;
}

/* The kernel would copy all of it slowly behind the provider's head, here or there, and each write
 * in front moves what follows by its head. (Where the kernel's place is 32 to 63 bytes further it
 * is slow at times, but not where the receiver's is: window/heap.h.) */
enum { PIECE = WEFT_PIECE_APART, WRITE_HEAD = 40, NOTE_HEAD = 48 };
static size_t bytes_apart(const weft_endpoint_t *e, const void *data, uint64_t addr, size_t len,
                          size_t head, const weft_op_t *op) {
  enum { LARGE = 65536, MOST = 3, HERE = 63, THERE = 31 };
  if (weft_likely(len < LARGE) || op->done || !weft_fabric_is_stream(e->fabric->name)) return 0;
  for (uint64_t k = 0; k <= MOST; k++, head += WRITE_HEAD)
    if (!is_further(head - (uintptr_t)data, HERE) && !is_further(addr - head, THERE))
      return k * PIECE;
  return 0;
}

size_t weft_endpoint_apart(const weft_endpoint_t *e, const void *data, uint64_t addr, size_t len,
                           const weft_op_t *op) {
  return bytes_apart(e, data, addr, len, WRITE_HEAD, op);
}

/* Bytes of the part that begins at `at`; the first `apart` leave in pieces. */
static inline size_t write_part(const weft_endpoint_t *e, size_t apart, size_t len, size_t at) {
  return at < apart ? PIECE : part_of(e, len - at);
}

bool weft_endpoint_try_front(weft_endpoint_t *e, uint64_t to, const void *data, size_t len,
                             uint64_t addr, uint64_t key, weft_op_t *op) {
  count_up(e, op, true);
  weft_sends_in_front(data);
  const ssize_t rc = write_to(e, to, data, len, addr, key, op);
  weft_sends_in_front(NULL);
  return weft_likely(rc == 0) || weft_endpoint_not_taken(e, rc, op, true, "put", to);
}

/* [0, end) of a write whose first bytes leave apart. */
static void write_parts(weft_endpoint_t *e, uint64_t to, const char *data, size_t apart, size_t end,
                        uint64_t addr, uint64_t key, weft_op_t *op) {
  for (size_t at = 0, n; at < end; at += n) {
    n = write_part(e, apart, end, at);
    while (!(at < apart ? weft_endpoint_try_front : weft_endpoint_try_write)(e, to, data + at, n,
                                                                             addr + at, key, op))
      continue;
  }
}

void weft_endpoint_write(weft_endpoint_t *e, uint64_t to, const void *data, size_t len,
                         uint64_t addr, uint64_t key, weft_op_t *op) {
  const size_t apart = bytes_apart(e, data, addr, len, WRITE_HEAD, op);
  write_parts(e, to, data, apart, len, addr, key, op);
}

/* Of several parts the last one brings the note: writes are placed in order. */
void weft_endpoint_write_note(weft_endpoint_t *e, uint64_t to, const void *data, size_t len,
                              uint64_t addr, uint64_t key, uint64_t note, weft_op_t *op) {
  const size_t apart = bytes_apart(e, data, addr, len, NOTE_HEAD, op);
  const size_t last = apart + (len - apart - 1) / e->fabric->rma_max * e->fabric->rma_max;
  write_parts(e, to, data, apart, last, addr, key, op);
  while (!try_write_note(e, to, (const char *)data + last, len - last, addr + last, key, note, op))
    continue;
}

void weft_endpoint_write_note_joined(weft_endpoint_t *e, uint64_t to, const struct iovec from[2],
                                     uint64_t addr, uint64_t key, uint64_t note, weft_op_t *op) {
  void *no_descriptors[2] = {NULL, NULL};
  const struct fi_rma_iov remote = {
      .addr = addr, .len = from[0].iov_len + from[1].iov_len, .key = key};
  const struct fi_msg_rma message = {.msg_iov = from,
                                     .desc = no_descriptors,
                                     .iov_count = 2,
                                     .addr = to,
                                     .rma_iov = &remote,
                                     .rma_iov_count = 1,
                                     .context = op,
                                     .data = note};
  ssize_t rc;
  do {
    count_up(e, op, true);
    rc = fi_writemsg(e->ep, &message, FI_COMPLETION | FI_REMOTE_CQ_DATA);
  } while (weft_unlikely(rc != 0) && !weft_endpoint_not_taken(e, rc, op, true, "put", to));
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
