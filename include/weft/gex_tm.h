/*
 * weft/gex_tm.h: teams of GASNet-EX. Include <gasnetex.h> instead.
 */
#ifndef WEFT_GEX_TM_H
#define WEFT_GEX_TM_H

#include <weft/gex_types.h>

WEFT_GEX_BEGIN
#ifdef __cplusplus
extern "C" {
#endif

/* ---- making and ending them; collective ---- */

size_t gex_TM_Split(gex_TM_t *new_tm_p, gex_TM_t parent_tm, int color, int key, void *scratch_addr,
                    size_t scratch_size, gex_Flags_t flags);
size_t gex_TM_Create(gex_TM_t *new_tms, size_t num_new_tms, gex_TM_t parent_tm,
                     gex_EP_Location_t *args, size_t numargs, gex_Addr_t *scratch_addrs,
                     size_t scratch_size, gex_Flags_t flags);
/* Of the proposal for memory kinds (GASNet-EX API: Memory Kinds, section 5.2): the same members
 * once more. */
size_t gex_TM_Dup(gex_TM_t *new_tm_p, gex_TM_t orig_tm, gex_Addr_t scratch_addr,
                  size_t scratch_size, gex_Flags_t flags);
int gex_TM_Destroy(gex_TM_t tm, gex_Memvec_t *scratch_p, gex_Flags_t flags);

/* ---- pairs of endpoints ---- */

gex_EP_Index_t gex_EP_QueryIndex(gex_EP_t ep);

WEFT_GEX_INLINE gex_TM_t gex_TM_Pair(gex_EP_t local_ep, gex_EP_Index_t remote_ep_index) {
  return (gex_TM_t)(1 | (uintptr_t)gex_EP_QueryIndex(local_ep) << 8 |
                    (uintptr_t)remote_ep_index << 20);
}

/* ---- queries ---- */

WEFT_GEX_INLINE gex_Rank_t gex_TM_QueryRank(gex_TM_t tm) {
  return tm->rank;
}
WEFT_GEX_INLINE gex_Rank_t gex_TM_QuerySize(gex_TM_t tm) {
  return tm->size;
}
WEFT_GEX_INLINE gex_EP_t gex_TM_QueryEP(gex_TM_t tm) {
  return tm->ep;
}
WEFT_GEX_INLINE gex_Flags_t gex_TM_QueryFlags(gex_TM_t tm) {
  return tm->flags;
}
WEFT_GEX_INLINE void *gex_TM_QueryCData(gex_TM_t tm) {
  return (void *)tm->cdata;
}
WEFT_GEX_INLINE void gex_TM_SetCData(gex_TM_t tm, const void *val) {
  tm->cdata = val;
}
gex_Client_t gex_TM_QueryClient(gex_TM_t tm);

gex_Rank_t gex_TM_TranslateRankToJobrank(gex_TM_t tm, gex_Rank_t rank);
gex_Rank_t gex_TM_TranslateJobrankToRank(gex_TM_t tm, gex_Rank_t jobrank);
gex_EP_Location_t gex_TM_TranslateRankToEP(gex_TM_t tm, gex_Rank_t rank, gex_Flags_t flags);

#ifdef __cplusplus
}
#endif
WEFT_GEX_END

#endif
