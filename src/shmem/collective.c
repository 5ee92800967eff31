/*
 * collective.c: OpenSHMEM 1.6 section 9.10 over teams, and the extensions of shmemx.h. The
 * operations are src/coll's; here are the names and the arguments. Returns 0, or nonzero for a team
 * that cannot.
 */
#include <shmemx.h>

#include "job/job.h"
#include "rma/rma.h"
#include "runtime/runtime.h"
#include "shmem/internal.h"
#include "trace/trace.h"

/* With WEFT_CHECK=1: all members call the same function, with the same dest and values of what must
 * be equal. A dest that is not symmetric is told of by itself. */
static void check_same(weft_team_t *coll, const char *who, const void *dest, size_t a, size_t b,
                       size_t c) {
  if (weft_likely(!weft_options.check) || coll->set.size == 1) return;
  const bool is_place = weft_window_contains(&weft_job.window, dest, 1);
  const size_t arguments[] = {is_place ? weft_job_offset(dest) : 0, a, b, c};
  if (!weft_coll_same(coll, who, arguments, sizeof arguments))
    weft_fatal(
        "%s: another member of the team calls another function, or gives another size, root or "
        "stride, or another dest, or only one of the two is in place",
        who);
}

/* The last four are what all members must give alike. */
static weft_team_t *members(shmem_team_t team, const char *who, const void *dest, size_t a,
                            size_t b, size_t c) {
  weft_shmem_up(who);
  if (weft_unlikely(team == SHMEM_TEAM_INVALID)) {
    if (weft_options.check) weft_fatal("%s: the team is SHMEM_TEAM_INVALID", who);
    return NULL;
  }
  check_same(team->coll, who, dest, a, b, c);
  return team->coll;
}

/* Members put to dest: between nodes that of another address goes nowhere, and who waits for it
 * waits for ever. source is read where it is; private memory works, and is wrong. */
void weft_shmem_dest(const void *dest, size_t n, const char *who) {
  if (weft_options.check)
    weft_rma_check(dest, n, who, "dest");
  else if (weft_job.nnodes > 1 && n > 0 && !weft_window_contains(&weft_job.window, dest, n))
    weft_fatal("%s: dest %p (%zu bytes) is not symmetric", who, dest, n);
}

void weft_shmem_source(const void *source, size_t n, const char *who) {
  weft_rma_check(source, n, who, "source");
}

/* dest is source, or has nothing of it. */
void weft_shmem_apart(const void *dest, const void *source, size_t n, const char *who) {
  const uintptr_t d = (uintptr_t)dest, s = (uintptr_t)source;
  if (weft_unlikely(weft_options.check) && d != s && (d - s < n || s - d < n))
    weft_fatal("%s: source %p and dest %p overlap (%zu bytes)", who, source, dest, n);
}

static void check_root(const weft_team_t *coll, int root, const char *who) {
  if (weft_unlikely(root < 0 || root >= coll->set.size))
    weft_fatal("%s: root %d is out of range 0 to %d", who, root, coll->set.size - 1);
}

void weft_shmem_barrier_all(const char *who) {
  weft_shmem_up(who);
  WEFT_SPAN(WEFT_TRACE_COLLECTIVE, who, 0);
  weft_direct_quiet();
  check_same(weft_team_world(), who, NULL, 0, 0, 0);
  weft_coll_sync(weft_team_world());
}

void weft_shmem_sync_all(const char *who) {
  weft_shmem_up(who);
  WEFT_SPAN(WEFT_TRACE_COLLECTIVE, who, 0);
  check_same(weft_team_world(), who, NULL, 0, 0, 0);
  weft_coll_sync(weft_team_world());
}

int weft_shmem_team_sync(shmem_team_t team, const char *who) {
  weft_team_t *coll = members(team, who, NULL, 0, 0, 0);
  if (!coll) return 1;
  WEFT_SPAN(WEFT_TRACE_COLLECTIVE, who, 0);
  weft_coll_sync(coll);
  return coll->status;
}

int weft_shmem_broadcast(shmem_team_t team, void *dest, const void *source, size_t n, int root,
                         const char *who) {
  weft_team_t *coll = members(team, who, dest, n, (size_t)root, 0);
  if (!coll) return 1;
  WEFT_SPAN(WEFT_TRACE_COLLECTIVE, who, n);
  check_root(coll, root, who);
  weft_shmem_dest(dest, n, who);
  if (coll->me == root) weft_shmem_source(source, n, who);
  weft_coll_broadcast(coll, dest, source, n, root, true);
  return coll->status;
}

/* What each member brings is checked; where it ends up is known only to the operation. */
int weft_shmem_collect(shmem_team_t team, void *dest, const void *source, size_t n,
                       const char *who) {
  weft_team_t *coll = members(team, who, dest, 0, 0, 0);
  if (!coll) return 1;
  WEFT_SPAN(WEFT_TRACE_COLLECTIVE, who, n);
  weft_shmem_dest(dest, n, who);
  weft_shmem_source(source, n, who);
  weft_coll_collect(coll, dest, source, n);
  return coll->status;
}

int weft_shmem_fcollect(shmem_team_t team, void *dest, const void *source, size_t n,
                        const char *who) {
  weft_team_t *coll = members(team, who, dest, n, 0, 0);
  if (!coll) return 1;
  WEFT_SPAN(WEFT_TRACE_COLLECTIVE, who, n);
  weft_shmem_dest(dest, n * (size_t)coll->set.size, who);
  weft_shmem_source(source, n, who);
  weft_coll_fcollect(coll, dest, source, n);
  return coll->status;
}

int weft_shmem_reduce(shmem_team_t team, void *dest, const void *source, size_t nelems,
                      size_t width, weft_combine_t combine, const char *who) {
  weft_team_t *coll = members(team, who, dest, nelems, dest == source, 0);
  if (!coll) return 1;
  WEFT_SPAN(WEFT_TRACE_COLLECTIVE, who, nelems * width);
  weft_shmem_dest(dest, nelems * width, who);
  weft_shmem_source(source, nelems * width, who);
  weft_shmem_apart(dest, source, nelems * width, who);
  weft_coll_reduce(coll, dest, source, nelems, width, combine);
  return coll->status;
}

int weft_shmem_alltoall(shmem_team_t team, void *dest, const void *source, size_t n,
                        const char *who) {
  weft_team_t *coll = members(team, who, dest, n, 0, 0);
  if (!coll) return 1;
  WEFT_SPAN(WEFT_TRACE_COLLECTIVE, who, n * (size_t)coll->set.size);
  weft_shmem_dest(dest, n * (size_t)coll->set.size, who);
  weft_shmem_source(source, n * (size_t)coll->set.size, who);
  weft_coll_alltoall(coll, dest, source, n);
  return coll->status;
}

/* Elements of `width` bytes; the last block ends with an element, not with a stride. */
void weft_shmem_check_strides(const void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst,
                              size_t nelems, size_t width, int size, const char *who) {
  if (weft_unlikely(dst < 1 || sst < 1))
    weft_fatal("%s: strides %td and %td: both must be 1 or more", who, dst, sst);
  if (nelems == 0 || width == 0) return;
  const size_t last = nelems * (size_t)size - 1;
  weft_shmem_dest(dest, (last * (size_t)dst + 1) * width, who);
  weft_shmem_source(source, (last * (size_t)sst + 1) * width, who);
}

int weft_shmem_alltoalls(shmem_team_t team, void *dest, const void *source, ptrdiff_t dst,
                         ptrdiff_t sst, size_t nelems, size_t width, const char *who) {
  weft_team_t *coll = members(team, who, dest, nelems, (size_t)dst, (size_t)sst);
  if (!coll) return 1;
  WEFT_SPAN(WEFT_TRACE_COLLECTIVE, who, nelems * width * (size_t)coll->set.size);
  weft_shmem_check_strides(dest, source, dst, sst, nelems, width, coll->set.size, who);
  weft_coll_alltoalls(coll, dest, source, dst, sst, nelems, width);
  return coll->status;
}

int weft_shmem_scan(shmem_team_t team, void *dest, const void *source, size_t nelems, size_t width,
                    weft_combine_t combine, int inclusive, const char *who) {
  weft_team_t *coll = members(team, who, dest, nelems, dest == source, 0);
  if (!coll) return 1;
  WEFT_SPAN(WEFT_TRACE_COLLECTIVE, who, nelems * width);
  weft_shmem_dest(dest, nelems * width, who);
  weft_shmem_source(source, nelems * width, who);
  weft_shmem_apart(dest, source, nelems * width, who);
  weft_coll_scan(coll, dest, source, nelems, width, combine, inclusive);
  return coll->status;
}

int weft_shmem_scatter(shmem_team_t team, void *dest, const void *source, size_t n, int root,
                       const char *who) {
  weft_team_t *coll = members(team, who, dest, n, (size_t)root, 0);
  if (!coll) return 1;
  WEFT_SPAN(WEFT_TRACE_COLLECTIVE, who, n);
  check_root(coll, root, who);
  weft_shmem_dest(dest, n, who);
  if (coll->me == root) weft_shmem_source(source, n * (size_t)coll->set.size, who);
  weft_coll_scatter(coll, dest, source, n, root);
  return coll->status;
}

int weft_shmem_gather(shmem_team_t team, void *dest, const void *source, size_t n, int root,
                      const char *who) {
  weft_team_t *coll = members(team, who, dest, n, (size_t)root, 0);
  if (!coll) return 1;
  WEFT_SPAN(WEFT_TRACE_COLLECTIVE, who, n);
  check_root(coll, root, who);
  if (coll->me == root) weft_shmem_dest(dest, n * (size_t)coll->set.size, who);
  weft_shmem_source(source, n, who);
  weft_coll_gather(coll, dest, source, n, root);
  return coll->status;
}

WEFT_SHMEM_COLL(WEFT_EMIT)
WEFT_SHMEMX_COLL(WEFT_EMITX)
