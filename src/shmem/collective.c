/*
 * collective.c: OpenSHMEM 1.6 section 9.10 over teams. Broadcast, reduce and collect are
 * src/coll's; the rest is made of puts, gets and synchronisation. Returns 0, or nonzero for a team
 * that cannot.
 *
 * What may be assumed on entry: source is ready on its own PE only; dest is ready on all members
 * before any calls.
 */
#include <stdlib.h>

#include "rma/rma.h"
#include "shmem/internal.h"

static const weft_coll_t *members(shmem_team_t team, const char *who) {
  weft_shmem_up(who);
  if (weft_unlikely(team == SHMEM_TEAM_INVALID)) {
    if (weft_options.check) weft_fatal("%s: the team is SHMEM_TEAM_INVALID", who);
    return NULL;
  }
  return team->coll;
}

void weft_shmem_barrier_all(const char *who) {
  weft_shmem_up(who);
  weft_direct_quiet();
  weft_coll_sync(weft_coll_world());
}

void weft_shmem_sync_all(const char *who) {
  weft_shmem_up(who);
  weft_coll_sync(weft_coll_world());
}

int weft_shmem_team_sync(shmem_team_t team, const char *who) {
  const weft_coll_t *coll = members(team, who);
  if (!coll) return 1;
  weft_coll_sync(coll);
  return 0;
}

int weft_shmem_broadcast(shmem_team_t team, void *dest, const void *source, size_t n, int root,
                         const char *who) {
  const weft_coll_t *coll = members(team, who);
  if (!coll) return 1;
  if (weft_unlikely(root < 0 || root >= coll->set.size))
    weft_fatal("%s: root %d is out of range 0 to %d", who, root, coll->set.size - 1);
  weft_rma_check(dest, n, who, "dest");
  if (n) weft_coll_broadcast(coll, dest, source, n, root);
  return 0;
}

int weft_shmem_collect(shmem_team_t team, void *dest, const void *source, size_t n,
                       const char *who) {
  const weft_coll_t *coll = members(team, who);
  if (!coll) return 1;
  weft_coll_collect(coll, dest, source, n);
  return 0;
}

int weft_shmem_reduce(shmem_team_t team, void *dest, const void *source, size_t nelems,
                      size_t width, weft_combine_t combine, const char *who) {
  const weft_coll_t *coll = members(team, who);
  if (!coll) return 1;
  weft_rma_check(dest, nelems * width, who, "dest");
  if (nelems) weft_coll_reduce(coll, dest, source, nelems, width, combine);
  return 0;
}

/* ---- all to all ------------------------------------------------------------------------------ */

/* Each member begins with its right neighbour, so that nobody is written to by all at once. */
void weft_shmem_exchange(const weft_coll_t *coll, void *dest, const void *source, ptrdiff_t dst,
                         ptrdiff_t sst, size_t nelems, size_t width, bool contiguous,
                         const char *who) {
  const ptrdiff_t to_block = (ptrdiff_t)(nelems * width) * (contiguous ? 1 : dst);
  const ptrdiff_t from_block = (ptrdiff_t)(nelems * width) * (contiguous ? 1 : sst);
  char *to = (char *)dest + coll->me * to_block;
  for (int k = 1; k <= coll->set.size && nelems; k++) {
    const int i = (coll->me + k) % coll->set.size;
    const long world = weft_set_world(&coll->set, i);
    const char *from = (const char *)source + i * from_block;
    if (contiguous)
      weft_direct_put(to, from, nelems * width, world, who);
    else
      weft_shmem_put_blocks(to, from, dst, sst, 1, nelems, width, world, who);
  }
  weft_direct_quiet();
  weft_coll_sync(coll);
}

int weft_shmem_alltoall(shmem_team_t team, void *dest, const void *source, size_t n,
                        const char *who) {
  const weft_coll_t *coll = members(team, who);
  if (!coll) return 1;
  weft_shmem_exchange(coll, dest, source, 1, 1, n, 1, true, who);
  return 0;
}

int weft_shmem_alltoalls(shmem_team_t team, void *dest, const void *source, ptrdiff_t dst,
                         ptrdiff_t sst, size_t nelems, size_t width, const char *who) {
  const weft_coll_t *coll = members(team, who);
  if (!coll) return 1;
  weft_shmem_exchange(coll, dest, source, dst, sst, nelems, width, false, who);
  return 0;
}

/* ---- scans ----------------------------------------------------------------------------------- */

/* Member i combines the sources of members 0 to i, or to i - 1 and then member 0 gets zeros (all
 * types' zero is zero bytes). In order, so that sums of reals are the same on every run. dest may
 * be source: it is written when all members have read. */
int weft_shmem_scan(shmem_team_t team, void *dest, const void *source, size_t nelems, size_t width,
                    weft_combine_t combine, int inclusive, const char *who) {
  const weft_coll_t *coll = members(team, who);
  const size_t n = nelems * width;
  if (!coll) return 1;
  if (n == 0) return 0;
  char *sum = calloc(2, n), *part = sum + n;
  if (!sum) weft_fatal("%s: no memory for %zu bytes", who, 2 * n);
  weft_coll_sync(coll);
  const int last = coll->me - !inclusive;
  for (int i = 0; i <= last; i++) {
    weft_direct_get(i ? part : sum, source, n, weft_set_world(&coll->set, i), who);
    if (i) combine(sum, part, nelems);
  }
  weft_coll_sync(coll);
  memcpy(dest, sum, n);
  free(sum);
  return 0;
}

WEFT_SHMEM_COLL(WEFT_EMIT)
