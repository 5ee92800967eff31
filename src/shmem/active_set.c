/*
 * active_set.c: the deprecated collectives over PEs {PE_start, stride 1 << logPE_stride, PE_size}.
 * The program's pSync array is the set's synchronisation words.
 */
#include "job/job.h"
#include "rma/rma.h"
#include "shmem/internal.h"

_Static_assert(SHMEM_SYNC_SIZE >= WEFT_COLL_SYNC_WORDS, "pSync arrays are too small");

static weft_coll_t members(int start, int log_stride, int size, long *sync, const char *who) {
  weft_coll_t coll;
  weft_shmem_up(who);
  coll.set.start = start;
  coll.set.stride = 1 << log_stride;
  coll.set.size = size;
  coll.sync = weft_job_offset(sync);
  if (weft_unlikely(start < 0 || log_stride < 0 || log_stride > 30 || size < 1 ||
                    start + (size - 1L) * (1L << log_stride) >= weft_job_npes()))
    weft_fatal("%s: active set %d, %d, %d does not fit into %d PEs", who, start, log_stride, size,
               weft_job_npes());
  if (weft_unlikely(!weft_job_is_symmetric(sync, SHMEM_SYNC_SIZE * sizeof(long))))
    weft_fatal("%s: pSync %p is not symmetric", who, (void *)sync);
  coll.me = weft_set_index(&coll.set, weft_job_pe());
  if (weft_unlikely(coll.me < 0)) weft_fatal("%s: this PE is not in the active set", who);
  return coll;
}

#define MEMBERS members(start, log_stride, size, sync, who)

void weft_shmem_set_sync(int quiet, int start, int log_stride, int size, long *sync,
                         const char *who) {
  const weft_coll_t coll = MEMBERS;
  if (quiet) weft_direct_quiet();
  weft_coll_sync(&coll);
}

/* Unlike the team's, it leaves dest of the root alone. */
void weft_shmem_set_broadcast(void *dest, const void *source, size_t n, int root, int start,
                              int log_stride, int size, long *sync, const char *who) {
  const weft_coll_t coll = MEMBERS;
  if (weft_unlikely(root < 0 || root >= size))
    weft_fatal("%s: root %d is out of range 0 to %d", who, root, size - 1);
  weft_coll_sync(&coll);
  if (coll.me != root) weft_direct_get(dest, source, n, weft_set_world(&coll.set, root), who);
  weft_coll_sync(&coll);
}

void weft_shmem_set_collect(void *dest, const void *source, size_t n, int start, int log_stride,
                            int size, long *sync, const char *who) {
  const weft_coll_t coll = MEMBERS;
  weft_coll_collect(&coll, dest, source, n);
}

void weft_shmem_set_alltoalls(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst,
                              size_t nelems, size_t width, int contiguous, int start,
                              int log_stride, int size, long *sync, const char *who) {
  const weft_coll_t coll = MEMBERS;
  weft_shmem_exchange(&coll, dest, source, dst, sst, nelems, width, contiguous, who);
}

void weft_shmem_set_reduce(void *dest, const void *source, int nelems, size_t width,
                           weft_combine_t combine, int start, int log_stride, int size, long *sync,
                           const char *who) {
  const weft_coll_t coll = MEMBERS;
  if (nelems <= 0) return;
  weft_rma_check(dest, (size_t)nelems * width, who, "dest");
  weft_coll_reduce(&coll, dest, source, (size_t)nelems, width, combine);
}
