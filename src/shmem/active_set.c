/*
 * active_set.c: the deprecated collectives over PEs {PE_start, stride 1 << logPE_stride, PE_size}.
 * A set and pSync that were used before have become a set with an area (src/coll/active.c); others
 * are plain ones, on the program's pSync array.
 */
#include "job/job.h"
#include "rma/rma.h"
#include "shmem/internal.h"
#include "trace/trace.h"

_Static_assert(SHMEM_SYNC_SIZE >= WEFT_COLL_SYNC_WORDS, "pSync arrays are too small");

/* NULL: a member had failed before the set was first used with this pSync, and it is not for a
 * barrier, which is one of the living. */
static weft_team_t *members(int start, int log_stride, int size, const long *sync,
                            weft_team_t *plain, bool barrier, const char *who) {
  bool whole;
  weft_shmem_up(who);
  if (weft_unlikely(start < 0 || log_stride < 0 || log_stride > 30 || size < 1 ||
                    start + (size - 1L) * (1L << log_stride) >= weft_job_npes()))
    weft_fatal("%s: active set %d, %d, %d does not fit into %d PEs", who, start, log_stride, size,
               weft_job_npes());
  const weft_set_t set = {.start = start, .stride = 1 << log_stride, .size = size};
  const uintptr_t words = weft_job_offset(sync);
  weft_team_t *kept = weft_coll_active(&set, words);
  if (weft_likely(kept != NULL)) return kept;
  if (weft_unlikely(!weft_job_is_symmetric(sync, SHMEM_SYNC_SIZE * sizeof(long))))
    weft_fatal("%s: pSync %p is not symmetric", who, (const void *)sync);
  const int me = weft_set_index(&set, weft_job_pe());
  if (weft_unlikely(me < 0)) weft_fatal("%s: this PE is not in the active set", who);
  if (weft_unlikely(weft_job_goes_on())) {
    weft_team_t *living = weft_coll_active_living(&set, words, &whole);
    return whole || barrier ? living : NULL;
  }
  weft_coll_plain(plain, &set, me, words);
  return plain;
}

#define MEMBERS(coll, barrier)                                                                     \
  weft_team_t plain, *coll = members(start, log_stride, size, sync, &plain, barrier, who)

/* All PEs. When one has no room for another active set, all forget theirs: here nobody is using
 * one, unless it has threads. The members agree on two bits: there is room; sets may be forgotten.
 * Once they are forgotten, this set's area and posts may go to another set. So all wait until
 * everyone has read the outcome. */
static void meet_all(weft_team_t *coll) {
  enum { ROOM = 1, MAY = 2 };
  const bool threads = weft_peek(&weft_shmem_threads) >= SHMEM_THREAD_MULTIPLE;
  const unsigned mine = (weft_coll_active_full() ? 0 : ROOM) | (threads ? 0 : MAY);
  if (weft_likely(weft_coll_meet(coll, mine) != MAY)) return;
  weft_coll_sync(coll);
  weft_coll_active_forget();
}

void weft_shmem_set_sync(int quiet, int start, int log_stride, int size, long *sync,
                         const char *who) {
  MEMBERS(coll, true);
  WEFT_SPAN(WEFT_TRACE_COLLECTIVE, who, 0);
  if (quiet) weft_direct_quiet();
  if (size == weft_job_npes() && coll != &plain && !weft_job_goes_on())
    meet_all(coll);
  else
    weft_coll_sync(coll);
}

/* Unlike the team's, it leaves dest of the root alone. */
void weft_shmem_set_broadcast(void *dest, const void *source, size_t n, int root, int start,
                              int log_stride, int size, long *sync, const char *who) {
  MEMBERS(coll, false);
  if (weft_unlikely(!coll)) return;
  WEFT_SPAN(WEFT_TRACE_COLLECTIVE, who, n);
  if (weft_unlikely(root < 0 || root >= size))
    weft_fatal("%s: root %d is out of range 0 to %d", who, root, size - 1);
  weft_shmem_dest(dest, n, who);
  if (coll->me == root) weft_shmem_source(source, n, who);
  weft_coll_broadcast(coll, dest, source, n, root, false);
}

void weft_shmem_set_collect(void *dest, const void *source, size_t n, int start, int log_stride,
                            int size, long *sync, const char *who) {
  MEMBERS(coll, false);
  if (weft_unlikely(!coll)) return;
  WEFT_SPAN(WEFT_TRACE_COLLECTIVE, who, n);
  weft_shmem_dest(dest, n, who);
  weft_shmem_source(source, n, who);
  weft_coll_collect(coll, dest, source, n);
}

void weft_shmem_set_fcollect(void *dest, const void *source, size_t n, int start, int log_stride,
                             int size, long *sync, const char *who) {
  MEMBERS(coll, false);
  if (weft_unlikely(!coll)) return;
  WEFT_SPAN(WEFT_TRACE_COLLECTIVE, who, n);
  weft_shmem_dest(dest, n * (size_t)size, who);
  weft_shmem_source(source, n, who);
  weft_coll_fcollect(coll, dest, source, n);
}

void weft_shmem_set_alltoalls(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst,
                              size_t nelems, size_t width, int contiguous, int start,
                              int log_stride, int size, long *sync, const char *who) {
  MEMBERS(coll, false);
  if (weft_unlikely(!coll)) return;
  WEFT_SPAN(WEFT_TRACE_COLLECTIVE, who, nelems * width * (size_t)size);
  weft_shmem_check_strides(dest, source, dst, sst, nelems, width, size, who);
  if (contiguous)
    weft_coll_alltoall(coll, dest, source, nelems * width);
  else
    weft_coll_alltoalls(coll, dest, source, dst, sst, nelems, width);
}

void weft_shmem_set_reduce(void *dest, const void *source, int nelems, size_t width,
                           weft_combine_t combine, int start, int log_stride, int size, long *sync,
                           const char *who) {
  MEMBERS(coll, false);
  if (weft_unlikely(!coll)) return;
  WEFT_SPAN(WEFT_TRACE_COLLECTIVE, who, nelems > 0 ? (size_t)nelems * width : 0);
  if (nelems <= 0) return;
  weft_shmem_dest(dest, (size_t)nelems * width, who);
  weft_shmem_source(source, (size_t)nelems * width, who);
  weft_shmem_apart(dest, source, (size_t)nelems * width, who);
  weft_coll_reduce(coll, dest, source, (size_t)nelems, width, combine);
}
