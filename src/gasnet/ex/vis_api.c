/*
 * vis_api.c: the public functions of GASNet-EX's VIS: each says what its shapes are.
 */
#include "gasnet/ex/vis.h"

static weft_shape_t vector(size_t count, const gex_Memvec_t *list) {
  return weft_shape_pieces(0, count, (const weft_piece_t *)(const void *)list);
}

static weft_shape_t indexed(size_t count, void *const *list, size_t length) {
  return weft_shape_places(0, length, count, (const uintptr_t *)(const void *)list);
}

static weft_shape_t strided(void *address, const ptrdiff_t *strides, size_t size,
                            const size_t *count, size_t levels) {
  return weft_shape_strided((uintptr_t)address, size, levels, count, strides);
}

/* The specification: then all other arguments, but the strides, are ignored. */
static bool is_empty(size_t size, const size_t *count, size_t levels) {
  if (size == 0) return true;
  for (size_t i = 0; i < levels; i++)
    if (count[i] == 0) return true;
  return false;
}

_Static_assert(sizeof(gex_Memvec_t) == sizeof(weft_piece_t) &&
                   offsetof(gex_Memvec_t, gex_len) == offsetof(weft_piece_t, n),
               "a piece is a gex_Memvec_t");

/* One form: EMPTY is what says that there is nothing to do. */
#define FORM(RET, FUNCTION, NAME, PARAMS, empty, is_put_, rank_, local_, remote_)                  \
  WEFT_API RET gex_VIS_##NAME PARAMS {                                                             \
    weft_gex_vis_t vis = {.is_put = is_put_,                                                       \
                          .tm = tm,                                                                \
                          .rank = rank_,                                                           \
                          .flags = flags,                                                          \
                          .local = local_,                                                         \
                          .remote = remote_,                                                       \
                          .who = "gex_VIS_" #NAME};                                                \
    if (empty) {                                                                                   \
      weft_gex_vis_nothing(&vis);                                                                  \
      return 0;                                                                                    \
    }                                                                                              \
    return FUNCTION(&vis);                                                                         \
  }
#define FORMS(NAME, PARAMS, ...)                                                                   \
  FORM(gex_Event_t, weft_gex_vis_nb, NAME##NB, PARAMS, __VA_ARGS__)                                \
  FORM(int, weft_gex_vis_nbi, NAME##NBI, PARAMS, __VA_ARGS__)                                      \
  FORM(int, weft_gex_vis_blocking, NAME##Blocking, PARAMS, __VA_ARGS__)

FORMS(VectorPut,
      (gex_TM_t tm, gex_Rank_t dstrank, size_t dstcount, gex_Memvec_t const dstlist[],
       size_t srccount, gex_Memvec_t const srclist[], gex_Flags_t flags),
      false, true, dstrank, vector(srccount, srclist), vector(dstcount, dstlist))
FORMS(VectorGet,
      (gex_TM_t tm, size_t dstcount, gex_Memvec_t const dstlist[], gex_Rank_t srcrank,
       size_t srccount, gex_Memvec_t const srclist[], gex_Flags_t flags),
      false, false, srcrank, vector(dstcount, dstlist), vector(srccount, srclist))
FORMS(IndexedPut,
      (gex_TM_t tm, gex_Rank_t dstrank, size_t dstcount, void *const dstlist[], size_t dstlen,
       size_t srccount, void *const srclist[], size_t srclen, gex_Flags_t flags),
      false, true, dstrank, indexed(srccount, srclist, srclen), indexed(dstcount, dstlist, dstlen))
FORMS(IndexedGet,
      (gex_TM_t tm, size_t dstcount, void *const dstlist[], size_t dstlen, gex_Rank_t srcrank,
       size_t srccount, void *const srclist[], size_t srclen, gex_Flags_t flags),
      false, false, srcrank, indexed(dstcount, dstlist, dstlen), indexed(srccount, srclist, srclen))

#define LOCAL(side) strided(side##addr, side##strides, elemsz, count, stridelevels)
FORMS(StridedPut,
      (gex_TM_t tm, gex_Rank_t dstrank, void *dstaddr, const ptrdiff_t dststrides[], void *srcaddr,
       const ptrdiff_t srcstrides[], size_t elemsz, const size_t count[], size_t stridelevels,
       gex_Flags_t flags),
      is_empty(elemsz, count, stridelevels), true, dstrank, LOCAL(src), LOCAL(dst))
FORMS(StridedGet,
      (gex_TM_t tm, void *dstaddr, const ptrdiff_t dststrides[], gex_Rank_t srcrank, void *srcaddr,
       const ptrdiff_t srcstrides[], size_t elemsz, const size_t count[], size_t stridelevels,
       gex_Flags_t flags),
      is_empty(elemsz, count, stridelevels), false, srcrank, LOCAL(dst), LOCAL(src))
