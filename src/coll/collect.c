/*
 * collect: where a member's part begins is a scan of the sizes; then every member puts its part to
 * all others.
 */
#include "coll/coll_internal.h"

#include <string.h>

/* The sum of the members' n before me (Hillis and Steele's scan, 1986). */
static size_t bytes_before(const weft_coll_t *coll, size_t n) {
  int64_t size = coll->set.size, me = coll->me;
  size_t sum = n;
  int word = WEFT_COLL_SCAN;
  for (int64_t distance = 1; distance < size; distance *= 2, word++) {
    if (me + distance < size) weft_coll_tell(coll, (int)(me + distance), word, sum + 1);
    if (me >= distance) sum += weft_coll_hear(coll, word) - 1;
  }
  return sum - n;
}

void weft_coll_collect(const weft_coll_t *coll, void *dest, const void *source, size_t n) {
  int64_t size = coll->set.size;
  size_t before = bytes_before(coll, n);
  uintptr_t off = weft_job_offset(dest) + before;
  weft_rma_check((char *)dest + before, n, "collect", "dest");
  if (n > 0 && (char *)dest + before != (const char *)source)
    memmove((char *)dest + before, source, n);
  if (size == 1) return;
  /* Beginning behind oneself, so that not all members put to the same one at a time. */
  if (n > 0) {
    for (int64_t i = 1; i < size; i++)
      weft_rma_put(weft_set_world(&coll->set, (int)((coll->me + i) % size)), off, source, n);
    weft_rma_quiet();
  }
  weft_coll_sync(coll);
}
