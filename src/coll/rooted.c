/*
 * rooted: scatter and gather, where one member has everybody's blocks.
 */
#include "coll/coll_internal.h"

/* The root's blocks, where its node can read them; the root waits until that has been done. */
static void scatter_on_node(weft_coll_t *coll, char *dest, const char *source, size_t n, int root) {
  const size_t mine = (size_t)coll->me * n, all = (size_t)coll->set.size * n;
  const uint64_t gen = weft_coll_enter(coll);
  if (coll->me != root) {
    const weft_post_t *post = weft_coll_await(coll, root, gen);
    memcpy(dest, post->note ? weft_coll_peer(coll, root, post->note) + mine : post->data + mine, n);
    weft_coll_enter(coll);
    return;
  }
  weft_post_t *post = weft_coll_blank(coll, gen);
  const bool inside = all <= weft_coll_room();
  if (!inside && !weft_coll_readable(source, all))
    weft_fatal("scatter: source %p is not symmetric", (const void *)source);
  post->note = inside ? 0 : weft_job_offset(source);
  if (inside) memcpy(post->data, source, all);
  weft_coll_show(post, gen);
  if (dest != source + mine) memcpy(dest, source + mine, n);
  const uint64_t next = weft_coll_enter(coll);
  if (!inside) weft_coll_entered(coll, next);
}

void weft_coll_scatter(weft_coll_t *coll, void *dest, const void *source, size_t n, int root) {
  const char *blocks = source;
  if (n == 0) return;
  if (coll->area >= 0 && coll->members.nodes == 1) {
    scatter_on_node(coll, dest, source, n, root);
    return;
  }
  if (coll->me == root) {
    for (int k = 1; k < coll->set.size; k++) {
      const int i = (root + k) % coll->set.size;
      weft_rma_put(weft_set_world(&coll->set, i), weft_job_offset(dest), blocks + (size_t)i * n, n);
    }
    if (dest != blocks + (size_t)root * n) memcpy(dest, blocks + (size_t)root * n, n);
    weft_rma_quiet();
  }
  weft_coll_sync(coll);
}

void weft_coll_gather(weft_coll_t *coll, void *dest, const void *source, size_t n, int root) {
  const size_t at = (size_t)coll->me * n;
  if (n == 0) return;
  if (coll->me == root) {
    if ((char *)dest + at != source) memcpy((char *)dest + at, source, n);
  } else {
    weft_rma_put(weft_set_world(&coll->set, root), weft_job_offset(dest) + at, source, n);
  }
  if (coll->area >= 0 && coll->members.nodes == 1) {
    const uint64_t gen = weft_coll_enter(coll);
    if (coll->me == root) weft_coll_entered(coll, gen);
    return;
  }
  if (coll->me != root) weft_rma_quiet();
  weft_coll_sync(coll);
}
