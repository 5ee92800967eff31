/*
 * weft/gex_vis.h: GASNet-EX 0.19, "Vector/Indexed/Strided (VIS)": non-contiguous transfers. Include
 * <gasnet_vis.h> instead.
 */
#ifndef WEFT_GEX_VIS_H
#define WEFT_GEX_VIS_H

#include <weft/gex_types.h>

WEFT_GEX_BEGIN
#ifdef __cplusplus
extern "C" {
#endif

/* Each has three forms: NB returns an event; NBI and Blocking return 0, or 1 if they did nothing
 * because of GEX_FLAG_IMMEDIATE. All lists and arrays are read before the call returns. */
#define WEFT_GEX_VIS(NAME, PARAMS)                                                                 \
  gex_Event_t gex_VIS_##NAME##NB PARAMS;                                                           \
  int gex_VIS_##NAME##NBI PARAMS;                                                                  \
  int gex_VIS_##NAME##Blocking PARAMS;

WEFT_GEX_VIS(VectorPut,
             (gex_TM_t tm, gex_Rank_t dstrank, size_t dstcount, gex_Memvec_t const dstlist[],
              size_t srccount, gex_Memvec_t const srclist[], gex_Flags_t flags))
WEFT_GEX_VIS(VectorGet,
             (gex_TM_t tm, size_t dstcount, gex_Memvec_t const dstlist[], gex_Rank_t srcrank,
              size_t srccount, gex_Memvec_t const srclist[], gex_Flags_t flags))
WEFT_GEX_VIS(IndexedPut, (gex_TM_t tm, gex_Rank_t dstrank, size_t dstcount, void *const dstlist[],
                          size_t dstlen, size_t srccount, void *const srclist[], size_t srclen,
                          gex_Flags_t flags))
WEFT_GEX_VIS(IndexedGet, (gex_TM_t tm, size_t dstcount, void *const dstlist[], size_t dstlen,
                          gex_Rank_t srcrank, size_t srccount, void *const srclist[], size_t srclen,
                          gex_Flags_t flags))
/* count and the strides have stridelevels entries, the innermost dimension first. */
WEFT_GEX_VIS(StridedPut,
             (gex_TM_t tm, gex_Rank_t dstrank, void *dstaddr, const ptrdiff_t dststrides[],
              void *srcaddr, const ptrdiff_t srcstrides[], size_t elemsz, const size_t count[],
              size_t stridelevels, gex_Flags_t flags))
WEFT_GEX_VIS(StridedGet,
             (gex_TM_t tm, void *dstaddr, const ptrdiff_t dststrides[], gex_Rank_t srcrank,
              void *srcaddr, const ptrdiff_t srcstrides[], size_t elemsz, const size_t count[],
              size_t stridelevels, gex_Flags_t flags))

/* This thread's next put, if it is not immediate, ends with a Medium of no arguments to `handler`
 * of its target, even if it has no bytes. handler 0: not any more. */
#define GEX_VIS_MAX_PEERCOMPLETION ((size_t)512)
void gex_VIS_SetPeerCompletionHandler(gex_AM_Index_t handler, const void *source_addr,
                                      size_t nbytes, gex_Flags_t flags);

#ifdef __cplusplus
}
#endif
WEFT_GEX_END

#endif
