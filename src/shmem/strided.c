/*
 * strided.c: OpenSHMEM 1.6 section 9.5: iput, iget, ibput, ibget. Strides count elements and may be
 * negative only by mistake. To another node a few blocks travel as single puts, which the runtime
 * gathers with others, and many as one strided transfer.
 */
#include "job/job.h"
#include "rma/rma.h"
#include "shmem/internal.h"
#include "trace/trace.h"

static weft_shape_t shape_of(uintptr_t base, size_t block, const size_t *nblocks,
                             const ptrdiff_t *stride) {
  return weft_shape_strided(base, block, 1, nblocks, stride);
}

static WEFT_COLD void put_strided(uintptr_t off, uintptr_t from, const ptrdiff_t *dst,
                                  const ptrdiff_t *sst, size_t block, const size_t *nblocks,
                                  long to, const char *who) {
  const weft_shape_t remote = shape_of(off, block, nblocks, dst),
                     local = shape_of(from, block, nblocks, sst);
  weft_rma_put_shape(&remote, &local, to, NULL, NULL, who);
}

static WEFT_COLD void get_strided(uintptr_t into, uintptr_t off, const ptrdiff_t *dst,
                                  const ptrdiff_t *sst, size_t block, const size_t *nblocks,
                                  long to, const char *who) {
  const weft_shape_t local = shape_of(into, block, nblocks, dst),
                     remote = shape_of(off, block, nblocks, sst);
  weft_rma_get_shape(&local, &remote, to, NULL, who);
}

/* The inline functions leave every call to these with WEFT_CHECK=1. */
static void check_strides(ptrdiff_t dst, ptrdiff_t sst, const char *who) {
  if (weft_unlikely(weft_options.check) && (dst < 1 || sst < 1))
    weft_fatal("%s: strides %td and %td: both must be 1 or more", who, dst, sst);
}

void weft_shmem_put_blocks(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst,
                           size_t bsize, size_t nblocks, size_t width, long to, const char *who) {
  const size_t block = bsize * width;
  const char *from = source;
  uintptr_t at;
  if (block == 0 || nblocks == 0) return;
  check_strides(dst, sst, who);
  WEFT_SPAN_TO(WEFT_TRACE_PUT, who, block * nblocks, weft_direct_pe(to),
               weft_direct_context(to));
  dst *= (ptrdiff_t)width;
  sst *= (ptrdiff_t)width;
  if (weft_direct_at(dest, weft_direct_pe(to), &at))
    weft_copy_strided((char *)at, from, dst, sst, block, nblocks);
  else if (dst == (ptrdiff_t)block && sst == dst)
    weft_direct.put(at, from, block * nblocks, to, who);
  else if (weft_rma_packs_puts(nblocks))
    put_strided(weft_job_offset(dest), (uintptr_t)from, &dst, &sst, block, &nblocks, to, who);
  else
    for (size_t i = 0; i < nblocks; i++, at += (uintptr_t)dst, from += sst)
      weft_direct.put(at, from, block, to, who);
}

void weft_shmem_get_blocks(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst,
                           size_t bsize, size_t nblocks, size_t width, long to, const char *who) {
  const size_t block = bsize * width;
  char *into = dest;
  uintptr_t at;
  if (block == 0 || nblocks == 0) return;
  check_strides(dst, sst, who);
  WEFT_SPAN_TO(WEFT_TRACE_GET, who, block * nblocks, weft_direct_pe(to),
               weft_direct_context(to));
  dst *= (ptrdiff_t)width;
  sst *= (ptrdiff_t)width;
  if (weft_direct_at(source, weft_direct_pe(to), &at)) {
    weft_copy_strided(into, (const char *)at, dst, sst, block, nblocks);
  } else if (dst == (ptrdiff_t)block && sst == dst) {
    weft_direct.get(at, into, block * nblocks, to, who);
  } else if (weft_rma_packs()) {
    get_strided((uintptr_t)into, weft_job_offset(source), &dst, &sst, block, &nblocks, to, who);
  } else {
    for (size_t i = 0; i < nblocks; i++, at += (uintptr_t)sst, into += dst)
      weft_direct.get_nbi(at, into, block, to, who);
    weft_direct.quiet_on(to);
  }
}

WEFT_SHMEM_RMA_STRIDED(WEFT_EMIT)
