/*
 * reduce: up a binomial tree to member 0, chunk by chunk through the parents' scratch, then down
 * again by broadcast. One order of combining for everyone: all members get the same bits.
 *
 * The scratch is one per PE for all sets, so a child fills a buffer of its parent only after the
 * parent, inside this very reduction, has given it a credit for it. There are two buffers: one
 * fills while the other is combined.
 */
#include "coll/coll_internal.h"

#include <string.h>

/* Message number i of those that a parent receives: chunk i / children, from child i % children, in
 * buffer i % 2. The child numbered k is the parent + 2^k. */
typedef struct reduction {
  const weft_coll_t *coll;
  char *acc; /* dest: this PE's part, then the sum of its subtree */
  size_t bytes, chunk;
  uint64_t chunks;
  int children;
} reduction_t;

/* How many children member v of a tree of `size` has. */
static int children_of(int64_t v, int64_t size) {
  int k = 0;
  for (int64_t bit = 1; bit < size && !(v & bit) && v + bit < size; bit *= 2) k++;
  return k;
}

static size_t chunk_bytes(const reduction_t *r, uint64_t c) {
  size_t from = c * r->chunk;
  return r->bytes - from < r->chunk ? r->bytes - from : r->chunk;
}

/* Half of the scratch, in whole cache lines. */
static size_t buffer_bytes(void) {
  return weft_job.layout.coll_scratch_size / 128 * 64;
}

static uintptr_t buffer_off(int buffer) {
  return weft_job.layout.coll_scratch + (uintptr_t)buffer * buffer_bytes();
}

/* Let the sender of message i fill its buffer. */
static void give_credit(const reduction_t *r, uint64_t i) {
  if (i >= r->chunks * (uint64_t)r->children) return;
  int child = r->coll->me + (1 << i % (uint64_t)r->children);
  weft_coll_tell(r->coll, child, WEFT_COLL_CREDIT + (int)(i & 1), 1);
}

static void receive_chunk(const reduction_t *r, uint64_t c, size_t width, weft_combine_t combine) {
  for (int k = 0; k < r->children; k++) {
    uint64_t i = c * (uint64_t)r->children + (uint64_t)k;
    int buffer = (int)(i & 1);
    weft_coll_hear(r->coll, WEFT_COLL_ARRIVED + buffer);
    combine(r->acc + c * r->chunk, weft_job_own() + buffer_off(buffer), chunk_bytes(r, c) / width);
    give_credit(r, i + 2);
  }
}

static void send_chunk(const reduction_t *r, uint64_t c) {
  int me = r->coll->me, parent = me & (me - 1);
  int siblings = children_of(parent, r->coll->set.size), k = __builtin_ctz((unsigned)me);
  int buffer = (int)((c * (uint64_t)siblings + (uint64_t)k) & 1);
  weft_coll_hear(r->coll, WEFT_COLL_CREDIT + buffer);
  weft_rma_put(weft_set_world(&r->coll->set, parent), buffer_off(buffer), r->acc + c * r->chunk,
               chunk_bytes(r, c));
  weft_coll_tell(r->coll, parent, WEFT_COLL_ARRIVED + buffer, 1);
}

void weft_coll_reduce(const weft_coll_t *coll, void *dest, const void *source, size_t nelems,
                      size_t width, weft_combine_t combine) {
  reduction_t r = {.coll = coll, .acc = dest, .bytes = nelems * width};
  if (nelems == 0) return;
  if (dest != source) memmove(dest, source, r.bytes);
  if (coll->set.size == 1) return;
  r.chunk = buffer_bytes() / width * width;
  if (r.chunk == 0)
    weft_fatal("WEFT_COLL_SCRATCH=%zu is too small for a reduction",
               (size_t)weft_job.layout.coll_scratch_size);
  r.chunks = (r.bytes + r.chunk - 1) / r.chunk;
  r.children = children_of(coll->me, coll->set.size);
  give_credit(&r, 0);
  give_credit(&r, 1);
  for (uint64_t c = 0; c < r.chunks; c++) {
    receive_chunk(&r, c, width, combine);
    if (coll->me != 0) send_chunk(&r, c);
  }
  weft_coll_spread(coll, dest, r.bytes, 0);
  weft_coll_sync(coll);
}
