/*
 * weft/gasnet1_vis.h: the non-contiguous transfers that GASNet-1 had as a prototype
 * (gasnet_putv_bulk and relatives). Include <gasnet.h> instead.
 */
#ifndef WEFT_GASNET1_VIS_H
#define WEFT_GASNET1_VIS_H

#include <weft/gasnet1_job.h>

WEFT_GEX_BEGIN
#ifdef __cplusplus
extern "C" {
#endif

/* The three forms of each; gasnet_handle_t is gex_Event_t. */
#define WEFT_GASNET1_VIS(KIND, PUT, GET)                                                           \
  void gasnet_put##KIND##_bulk PUT;                                                                \
  gex_Event_t gasnet_put##KIND##_nb_bulk PUT;                                                      \
  void gasnet_put##KIND##_nbi_bulk PUT;                                                            \
  void gasnet_get##KIND##_bulk GET;                                                                \
  gex_Event_t gasnet_get##KIND##_nb_bulk GET;                                                      \
  void gasnet_get##KIND##_nbi_bulk GET;

WEFT_GASNET1_VIS(v,
                 (gex_Rank_t dstnode, size_t dstcount, gasnet_memvec_t const dstlist[],
                  size_t srccount, gasnet_memvec_t const srclist[]),
                 (size_t dstcount, gasnet_memvec_t const dstlist[], gex_Rank_t srcnode,
                  size_t srccount, gasnet_memvec_t const srclist[]))
WEFT_GASNET1_VIS(i,
                 (gex_Rank_t dstnode, size_t dstcount, void *const dstlist[], size_t dstlen,
                  size_t srccount, void *const srclist[], size_t srclen),
                 (size_t dstcount, void *const dstlist[], size_t dstlen, gex_Rank_t srcnode,
                  size_t srccount, void *const srclist[], size_t srclen))
/* count has stridelevels + 1 entries: count[0] is the bytes of a block. */
WEFT_GASNET1_VIS(s,
                 (gex_Rank_t dstnode, void *dstaddr, const size_t dststrides[], void *srcaddr,
                  const size_t srcstrides[], const size_t count[], size_t stridelevels),
                 (void *dstaddr, const size_t dststrides[], gex_Rank_t srcnode, void *srcaddr,
                  const size_t srcstrides[], const size_t count[], size_t stridelevels))

#ifdef __cplusplus
}
#endif
WEFT_GEX_END

#endif
