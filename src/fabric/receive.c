/*
 * Receive buffers. Where the provider can (FI_MULTI_RECV) a few large ones, slabs, are posted, in
 * each of which messages arrive one behind the other until there is no room for a largest one;
 * elsewhere a slab is one message's buffer. Knows completion entries, but not the messages'
 * meaning.
 */
#include <stdlib.h>
#include <string.h>

#include "fabric/fabric_internal.h"

enum { CHUNK = 64 }; /* descriptors of messages made at a time */

typedef struct weft_receive_chunk {
  struct weft_receive_chunk *next;
  weft_receive_t receives[CHUNK];
} chunk_t;

void weft_slab_mark(weft_op_t *op, size_t len) {
  (void)op;
  (void)len;
}

/* ---- descriptors: taken by the poller, given back by the thread that took the message ------- */

static void give_back(weft_endpoint_t *e, weft_receive_t *r) {
  r->next = weft_peek(&e->spare);
  while (!__atomic_compare_exchange_n(&e->spare, &r->next, r, true, __ATOMIC_RELEASE,
                                      __ATOMIC_RELAXED)) {
  }
}

/* As many as messages fit into the slabs, at the most. */
static void more_descriptors(weft_endpoint_t *e) {
  chunk_t *chunk = calloc(1, sizeof *chunk);
  if (!chunk) weft_fatal("no memory for messages of other nodes: this machine is out of memory");
  chunk->next = e->chunks;
  e->chunks = chunk;
  for (int i = 0; i < CHUNK; i++) give_back(e, &chunk->receives[i]);
}

/* Only the poller takes, so what it takes cannot come back in between (no ABA). */
static weft_receive_t *take(weft_endpoint_t *e) {
  if (!weft_observe(&e->spare)) more_descriptors(e);
  weft_receive_t *r = weft_observe(&e->spare);
  while (!__atomic_compare_exchange_n(&e->spare, &r, r->next, true, __ATOMIC_ACQUIRE,
                                      __ATOMIC_ACQUIRE)) {
  }
  return r;
}

/* ---- slabs ----------------------------------------------------------------------------------- */

static ssize_t post(weft_slab_t *slab) {
  weft_endpoint_t *e = slab->endpoint;
  struct iovec iov = {.iov_base = slab->data, .iov_len = e->slab_size};
  struct fi_msg msg = {
      .msg_iov = &iov, .iov_count = 1, .addr = FI_ADDR_UNSPEC, .context = &slab->op};
  slab->filled = slab->end = 0;
  slab->released = slab->broken = false;
  weft_poke(&slab->holders, 1);
  return fi_recvmsg(e->receiver, &msg,
                    FI_COMPLETION | (e->fabric->multi_receive ? FI_MULTI_RECV : 0));
}

/* Posting may need a completion to be read first: then a later poll does it. */
static void repost(weft_slab_t *slab) {
  weft_endpoint_t *e = slab->endpoint;
  const ssize_t rc = post(slab);
  if (weft_likely(rc >= 0)) return;
  if (rc != -FI_EAGAIN) {
    weft_endpoint_again(e, rc, "receive", 0);
    return;
  }
  slab->next = weft_peek(&e->deferred);
  while (!__atomic_compare_exchange_n(&e->deferred, &slab->next, slab, true, __ATOMIC_RELEASE,
                                      __ATOMIC_RELAXED)) {
  }
}

void weft_slab_repost_deferred(weft_endpoint_t *e) {
  weft_slab_t *slab = __atomic_exchange_n(&e->deferred, NULL, __ATOMIC_ACQUIRE);
  while (slab) {
    weft_slab_t *next = slab->next;
    repost(slab); /* or it is deferred again */
    slab = next;
  }
}

static void let_go(weft_slab_t *slab) {
  if (__atomic_fetch_sub(&slab->holders, 1, __ATOMIC_ACQ_REL) == 1) repost(slab);
}

typedef struct weft_slab_more {
  struct weft_slab_more *next;
  weft_slab_t slab;
  char *memory;
} more_t;

/* Slabs begin in the middle of a page: a message of 4 KB with its head ends 56 bytes behind the
 * beginning of one, and what comes next would lie where the kernel copies slowly (window/heap.h).
 * Of small ones only the first does: they take no room beyond their own. */
enum { PAGE = 4096 };
static char *room_for(size_t bytes) {
  return aligned_alloc(PAGE, weft_round_up(PAGE / 2 + bytes, PAGE));
}

static void prepare(weft_endpoint_t *e, weft_slab_t *slab, char *data) {
  *slab = (weft_slab_t){.op.done = weft_slab_mark, .endpoint = e, .data = data};
}

/* Where a message was broken and release comes early, it cannot be told when the slab's other
 * messages are complete; so it is left to them. */
static WEFT_COLD void replace(weft_slab_t *slab) {
  weft_endpoint_t *e = slab->endpoint;
  more_t *more = calloc(1, sizeof *more);
  if (!more || !(more->memory = room_for(e->slab_size)))
    weft_fatal("no memory for messages of other nodes: this machine is out of memory");
  prepare(e, &more->slab, more->memory + PAGE / 2);
  more->next = e->more;
  e->more = more;
  slab->replaced = true;
  repost(&more->slab);
}

/* Has the provider no more use for the slab? Some providers release it before all its messages are
 * complete; then the messages lie back to back, and all are when no gap is left. */
static void settle(weft_slab_t *slab) {
  const bool early = slab->endpoint->fabric->early_release;
  if (!slab->released || slab->replaced) return;
  if (early && slab->broken)
    replace(slab);
  else if (!early || slab->filled == slab->end)
    let_go(slab);
}

void weft_slab_event(weft_slab_t *slab, const struct fi_cq_data_entry *entry) {
  weft_endpoint_t *e = slab->endpoint;
  const bool multi = e->fabric->multi_receive;
  /* A release may come with the last message or by itself, and then it has no length. */
  if (!multi || !(entry->flags & FI_MULTI_RECV) || entry->len > 0) {
    weft_receive_t *r = take(e);
    *r = (weft_receive_t){.slab = slab, .len = entry->len, .data = multi ? entry->buf : slab->data};
    const size_t end = (size_t)(r->data - slab->data) + r->len;
    slab->filled += r->len;
    if (end > slab->end) slab->end = end;
    __atomic_fetch_add(&slab->holders, 1, __ATOMIC_RELAXED);
    weft_poke(e->arrived_tail, r);
    e->arrived_tail = &r->next;
  }
  if (!multi || (entry->flags & FI_MULTI_RECV)) slab->released = true;
  settle(slab);
}

WEFT_COLD void weft_slab_break(weft_slab_t *slab, uint64_t flags) {
  slab->broken = true;
  if (!slab->endpoint->fabric->multi_receive || (flags & FI_MULTI_RECV)) slab->released = true;
  settle(slab);
}

void weft_endpoint_repost(weft_receive_t *r) {
  weft_slab_t *slab = r->slab;
  give_back(slab->endpoint, r);
  let_go(slab);
}

/* Bytes of a slab. Straight over TCP what finds no room waits in its socket: so there is room for
 * one largest message and some small ones, and these go round in memory that the processor's cache
 * holds. */
static size_t slab_size(const weft_endpoint_t *e, size_t messages, size_t receive_size) {
  enum { SMALL = 16384 };
  if (!e->fabric->multi_receive) return messages * receive_size;
  const size_t size = (messages < 2 ? 2 : messages) * receive_size, least = receive_size + SMALL;
  return weft_fabric_is_stream(e->fabric->name) && least < size ? least : size;
}

/* How many. Where none is left a connection stops until there is one again, which takes system
 * calls: so straight over TCP there are more than small messages in flight fill. */
static size_t slab_count(const weft_endpoint_t *e, size_t messages) {
  if (!e->fabric->multi_receive) return messages;
  if (messages < 8) return 2;
  return weft_fabric_is_stream(e->fabric->name) ? 16 : 4;
}

int weft_slabs_open(weft_endpoint_t *e, size_t nreceives, size_t receive_size) {
  enum { LARGE = 65536 };
  const size_t n = slab_count(e, nreceives);
  e->nreceives = nreceives;
  e->receive_size = receive_size;
  e->nslabs = n;
  e->slab_size = slab_size(e, nreceives / n, receive_size);
  e->slabs = calloc(n, sizeof *e->slabs);
  const size_t each = e->slab_size < LARGE ? e->slab_size : weft_round_up(e->slab_size, PAGE);
  e->receive_memory = room_for(n * each);
  if (!e->slabs || !e->receive_memory) return -ENOMEM;
  for (size_t i = 0; i < n; i++) {
    weft_slab_t *slab = &e->slabs[i];
    prepare(e, slab, e->receive_memory + PAGE / 2 + i * each);
    ssize_t rc;
    do rc = post(slab);
    while (rc == -FI_EAGAIN);
    if (rc < 0) return (int)rc;
  }
  return 0;
}

void weft_slabs_close(weft_endpoint_t *e) {
  free(e->slabs);
  free(e->receive_memory);
  for (chunk_t *chunk; (chunk = e->chunks); free(chunk)) e->chunks = chunk->next;
  for (more_t *more; (more = e->more); free(more)) {
    e->more = more->next;
    free(more->memory);
  }
}
