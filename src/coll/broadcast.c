/*
 * broadcast: a binomial tree of direct puts into dest (OpenSHMEM 1.6, 9.9: dest is ready on all
 * members before any calls).
 */
#include "coll/coll_internal.h"

#include <string.h>

/* Members are renumbered from the root: v's parent is v without its lowest bit, its children v +
 * every lower power of two. */
void weft_coll_spread(const weft_coll_t *coll, void *dest, size_t n, int root) {
  int64_t size = coll->set.size, v = (coll->me - root + size) % size, bit = 1;
  uintptr_t off = weft_job_offset(dest);
  while (bit < size && !(v & bit)) bit *= 2;
  if (v) weft_coll_hear(coll, WEFT_COLL_BROADCAST);
  /* The largest subtree first: it has the longest way to go. */
  for (bit /= 2; bit > 0; bit /= 2) {
    int child;
    if (v + bit >= size) continue;
    child = (int)((v + bit + root) % size);
    weft_rma_put(weft_set_world(&coll->set, child), off, dest, n);
    weft_coll_tell(coll, child, WEFT_COLL_BROADCAST, 1);
  }
}

void weft_coll_broadcast(const weft_coll_t *coll, void *dest, const void *source, size_t n,
                         int root) {
  if (n == 0) return;
  if (coll->me == root && dest != source) memmove(dest, source, n);
  if (coll->set.size == 1) return;
  weft_coll_spread(coll, dest, n, root);
  weft_coll_sync(coll);
}

void weft_coll_share(void *p, size_t n) {
  static unsigned turn;
  char *own = (char *)weft_job.window.base + weft_job.layout.coll_sync + WEFT_WORLD_SHARE +
              (turn++ & 1) * WEFT_COLL_SHARE_MAX;
  if (n > WEFT_COLL_SHARE_MAX) weft_fatal("weft_coll_share: %zu bytes are too many", n);
  weft_coll_broadcast(weft_coll_world(), own, p, n, 0);
  memcpy(p, own, n);
}
