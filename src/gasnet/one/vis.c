/*
 * vis.c: the non-contiguous transfers of GASNet-1's prototype, which are GASNet-EX's on the
 * primordial team.
 */
#include "gasnet/ex/internal.h"
#include "gasnet_vis.h"
#include "weft/gasnet1_vis.h"

static const gex_Memvec_t *list_of(const gasnet_memvec_t *list) {
  return (const gex_Memvec_t *)(const void *)list;
}
_Static_assert(sizeof(gex_Memvec_t) == sizeof(gasnet_memvec_t) &&
                   offsetof(gex_Memvec_t, gex_len) == offsetof(gasnet_memvec_t, len),
               "the two lists are laid out alike");

static const ptrdiff_t *strides_of(const size_t *strides) {
  return (const ptrdiff_t *)(const void *)strides;
}

#define FORMS(NAME, EX, PARAMS, ...)                                                               \
  WEFT_API void gasnet_##NAME##_bulk PARAMS {                                                      \
    gex_VIS_##EX##Blocking(weft_gex.tm0, __VA_ARGS__, 0);                                          \
  }                                                                                                \
  WEFT_API gex_Event_t gasnet_##NAME##_nb_bulk PARAMS {                                            \
    return gex_VIS_##EX##NB(weft_gex.tm0, __VA_ARGS__, 0);                                         \
  }                                                                                                \
  WEFT_API void gasnet_##NAME##_nbi_bulk PARAMS {                                                  \
    gex_VIS_##EX##NBI(weft_gex.tm0, __VA_ARGS__, 0);                                               \
  }

FORMS(putv, VectorPut,
      (gex_Rank_t dstnode, size_t dstcount, gasnet_memvec_t const dstlist[], size_t srccount,
       gasnet_memvec_t const srclist[]),
      dstnode, dstcount, list_of(dstlist), srccount, list_of(srclist))
FORMS(getv, VectorGet,
      (size_t dstcount, gasnet_memvec_t const dstlist[], gex_Rank_t srcnode, size_t srccount,
       gasnet_memvec_t const srclist[]),
      dstcount, list_of(dstlist), srcnode, srccount, list_of(srclist))
FORMS(puti, IndexedPut,
      (gex_Rank_t dstnode, size_t dstcount, void *const dstlist[], size_t dstlen, size_t srccount,
       void *const srclist[], size_t srclen),
      dstnode, dstcount, dstlist, dstlen, srccount, srclist, srclen)
FORMS(geti, IndexedGet,
      (size_t dstcount, void *const dstlist[], size_t dstlen, gex_Rank_t srcnode, size_t srccount,
       void *const srclist[], size_t srclen),
      dstcount, dstlist, dstlen, srcnode, srccount, srclist, srclen)
FORMS(puts, StridedPut,
      (gex_Rank_t dstnode, void *dstaddr, const size_t dststrides[], void *srcaddr,
       const size_t srcstrides[], const size_t count[], size_t stridelevels),
      dstnode, dstaddr, strides_of(dststrides), srcaddr, strides_of(srcstrides), count[0],
      count + 1, stridelevels)
FORMS(gets, StridedGet,
      (void *dstaddr, const size_t dststrides[], gex_Rank_t srcnode, void *srcaddr,
       const size_t srcstrides[], const size_t count[], size_t stridelevels),
      dstaddr, strides_of(dststrides), srcnode, srcaddr, strides_of(srcstrides), count[0],
      count + 1, stridelevels)
