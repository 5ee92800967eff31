/*
 * strided.c: OpenSHMEM 1.6 section 9.5: iput, iget, ibput, ibget. Strides count elements and may be
 * negative only by mistake. Off-node blocks travel as single puts, which the runtime gathers, or as
 * gets that are all under way together.
 */
#include "shmem/internal.h"
#include "trace/trace.h"

void weft_shmem_put_blocks(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst,
                           size_t bsize, size_t nblocks, size_t width, long to, const char *who) {
  const size_t block = bsize * width;
  const char *from = source;
  uintptr_t at;
  if (block == 0 || nblocks == 0) return;
  WEFT_SPAN_TO(WEFT_TRACE_PUT, who, block * nblocks, weft_direct_pe(to),
               (int)((unsigned long)to >> 40));
  dst *= (ptrdiff_t)width;
  sst *= (ptrdiff_t)width;
  if (weft_direct_at(dest, weft_direct_pe(to), &at))
    weft_copy_strided((char *)at, from, dst, sst, block, nblocks);
  else if (dst == (ptrdiff_t)block && sst == dst)
    weft_direct.put(at, from, block * nblocks, to, who);
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
  WEFT_SPAN_TO(WEFT_TRACE_GET, who, block * nblocks, weft_direct_pe(to),
               (int)((unsigned long)to >> 40));
  dst *= (ptrdiff_t)width;
  sst *= (ptrdiff_t)width;
  if (weft_direct_at(source, weft_direct_pe(to), &at)) {
    weft_copy_strided(into, (const char *)at, dst, sst, block, nblocks);
  } else if (dst == (ptrdiff_t)block && sst == dst) {
    weft_direct.get(at, into, block * nblocks, to, who);
  } else {
    for (size_t i = 0; i < nblocks; i++, at += (uintptr_t)sst, into += dst)
      weft_direct.get_nbi(at, into, block, to, who);
    weft_direct.quiet_on(to);
  }
}

WEFT_SHMEM_RMA_STRIDED(WEFT_EMIT)
