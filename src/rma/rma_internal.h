/*
 * What the files of this folder share. Prototypes stand under the file that defines them.
 */
#ifndef WEFT_RMA_INTERNAL_H
#define WEFT_RMA_INTERNAL_H

#include "port/port.h"
#include "rma/rma.h"
#include "weft/direct.h"

/* What the put path reads, in one place and nothing else. */
typedef struct weft_wire {
  struct fid_ep *ep;
  ssize_t (*inject_write)(struct fid_ep *ep, const void *buf, size_t len, fi_addr_t dest,
                          uint64_t addr, uint64_t key);
  uint64_t injected; /* COUNTER: writes posted by the scalar path */
  const weft_where_t *where;
  uint64_t *dirty; /* weft_channels[0].dirty */
  struct fid_cntr *writes;
  ssize_t (*readmsg)(struct fid_ep *ep, const struct fi_msg_rma *message, uint64_t flags);
} weft_wire_t;

extern weft_wire_t weft_wire __attribute__((visibility("hidden")));

/* Do fences, and later operations in order, wait for what is counted in it? NULL: it is left to
 * them. */
static inline bool weft_op_is_ordered(const weft_op_t *op) {
  return !op || !op->unordered;
}
/* After a write is posted: this PE's node has to be flushed. */
static inline void weft_quiet_mark(weft_channel_t *c, int pe) {
  const unsigned node = weft_job.where[pe].node;
  __atomic_fetch_or(&c->dirty[node / 64], (uint64_t)1 << node % 64, __ATOMIC_RELEASE);
}
/* After reads are posted, or a copy is staged, that nobody waits for at once: later operations may
 * pass them (order.c). Not before: a fence of another thread could take the mark and find nothing
 * to wait for. `mark`: the channel's `reading` or `copying`. */
static inline void weft_order_mark(weft_channel_t *c, bool *mark, int node) {
  weft_publish(mark, true);
  weft_channel_touch(c, node);
}
/* The table whose functions are those of the file, which have the names of its entries. */
#define WEFT_RMA_TABLE                                                                             \
  .p1 = p1, .p2 = p2, .p4 = p4, .p8 = p8, .put = put, .put_nbi = put_nbi,                          \
  .put_signal = put_signal, .get = get, .get_nbi = get_nbi, .amo = amo, .amo_post = amo_post,      \
  .amo_nbi = amo_nbi, .quiet = quiet, .fence = fence, .quiet_on = quiet_on, .fence_on = fence_on

/* ---- the tables, from the uppermost ---- */

/* ---- record.c: counts and times, then hands on to the present weft_direct ---- */
void weft_record_start(void);

/* ---- check.c: WEFT_CHECK=1 checks; then it works on the node or passes on to `below` ---- */
extern const struct weft_direct weft_checked;
int weft_check_start(const struct weft_direct *below);
void weft_check_stop(void);
/* An operation with this tag begins, and ends: its context's promise about threads is kept. */
void weft_check_enter(long on, const char *who);
void weft_check_leave(long on);
/* Is there such a PE, and has the context it? */
void weft_check_pe(long to, const char *who);

/* ---- turns.c: atomics with more PEs than processors ---- */
/* Changes the atomics of `table` where there are; `below` does those to other nodes. 0 or -ENOMEM.
 */
int weft_turns_start(struct weft_direct *table, const struct weft_direct *below);
void weft_turns_end(void);
/* An atomic on this node is done: a caller that only asks yields now and then. */
void weft_turns_look(enum weft_amo op, size_t width, uint64_t operand, uint64_t cond, uint64_t old);

/* ---- coalesced.c: small ones through the staging areas ---- */
extern const struct weft_direct weft_coalesced;

/* ---- plain.c: straight to libfabric ---- */
extern const struct weft_direct weft_plain_flush, weft_plain_counter;
/* the same where remote addresses or keys have to be looked up */
extern const struct weft_direct weft_plain_general_flush, weft_plain_general_counter;
void weft_plain_put(uintptr_t off, const void *source, size_t n, long to, const char *who);
void weft_plain_put_nbi(uintptr_t off, const void *source, size_t n, long to, const char *who);
void weft_plain_get(uintptr_t off, void *dest, size_t n, long to, const char *who);
void weft_plain_get_nbi(uintptr_t off, void *dest, size_t n, long to, const char *who);

/* ---- scalar.c: shmem_p straight to libfabric, one function per width; FLUSH marks the PE,
 * COUNTER counts ---- */
#define WEFT_SCALAR_DECLARE(name, T)                                                               \
  void name(const void *dest, T value, long pe, const uintptr_t *disp, uintptr_t off)
WEFT_SCALAR_DECLARE(weft_p1_flush, uint8_t);
WEFT_SCALAR_DECLARE(weft_p2_flush, uint16_t);
WEFT_SCALAR_DECLARE(weft_p4_flush, uint32_t);
WEFT_SCALAR_DECLARE(weft_p8_flush, uint64_t);
WEFT_SCALAR_DECLARE(weft_p1_counter, uint8_t);
WEFT_SCALAR_DECLARE(weft_p2_counter, uint16_t);
WEFT_SCALAR_DECLARE(weft_p4_counter, uint32_t);
WEFT_SCALAR_DECLARE(weft_p8_counter, uint64_t);

/* ---- closed.c: no job is up; one node, where only bad arguments come to the table ---- */
extern const struct weft_direct weft_closed, weft_local;
bool weft_is_closed(void);
/* The job ends with a line: `who` is called too early, too late or with what is not symmetric. */
void weft_closed_refuse(const char *who, uintptr_t off, long to) __attribute__((noreturn, cold));

/* ---- completion and order, and operations by slot offset ---- */

/* ---- quiet.c: what was written and is not known to have arrived ---- */
void weft_quiet_start(void);
/* A read of 8 bytes of a node, which returns after what was written before on the same connection;
 * all but the context. `remote` is what the message points to. */
void weft_quiet_probe(struct fi_msg_rma *message, struct fi_rma_iov *remote, int node);
/* Post that read, counted in `op`. */
void weft_quiet_probe_node(weft_channel_t *c, int node, weft_op_t *op);
/* COUNTER: wait until the provider has counted every write of the channel. */
void weft_quiet_wait_counter(weft_channel_t *c);
bool weft_quiet_has_counted(weft_channel_t *c);
void weft_quiet_flush(void);
void weft_quiet_flush_on(long on);
void weft_quiet_counter(void);
void weft_quiet_counter_on(long on);
void weft_quiet_fence(void);
void weft_quiet_fence_on(long on);

/* ---- order.c ---- */
/* Would a packed transfer with the node have to wait now? add: an accumulate. */
bool weft_order_waits(weft_channel_t *c, int node, bool add);
/* Copies between other PEs that were begun are done. */
void weft_order_end_copies(weft_channel_t *c, int node);
/* What is staged leaves, and no record that is staged later passes it. */
void weft_order_fence(weft_channel_t *c);
/* Before a write: it must not pass packets that were sent before a fence. */
void weft_order_fenced(weft_channel_t *c, int node);
static inline void weft_order_write(weft_channel_t *c, int node) {
  if (weft_unlikely(weft_peek(&c->fenced) % 2)) weft_order_fenced(c, node);
}

/* ---- begin.c ---- */
/* An unordered get of another node's, by the provider. */
void weft_rma_read_begin(int pe, uintptr_t off, void *dest, size_t n, weft_op_t *op);

/* ---- noncontig_direct.c: to and from PEs of other nodes ---- */
void weft_noncontig_put(weft_channel_t *c, const weft_shape_t *remote, const weft_shape_t *local,
                        int pe, weft_op_t *lc, weft_op_t *rc);
void weft_noncontig_get(weft_channel_t *c, const weft_shape_t *local, const weft_shape_t *remote,
                        int pe, weft_op_t *rc);

#endif
