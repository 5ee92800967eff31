/*
 * ad.h: what ad.c (domains, and what is done on this node at once) hands to ad_away.c (everything
 * else). The type is gone there: operands are bits.
 */
#ifndef WEFT_GASNET_AD_INTERNAL_H
#define WEFT_GASNET_AD_INTERNAL_H

#include "gasnet/ex/internal.h"
#include "weft/gex_ad.h"

struct weft_gex_ad {
  void *block; /* what was allocated: the object is at 0 or 64 in it */
  gex_TM_t tm;
  gex_DT_t dt;
  gex_OP_t ops;
  gex_Flags_t flags;
  bool yields; /* its team's ranks are PEs, and these are more than the processors */
  const void *cdata;
};

/* An operation as it was asked for. */
typedef struct weft_gex_amo {
  gex_AD_t ad;
  gex_DT_t dt;
  gex_OP_t op;
  gex_Rank_t rank;
  gex_Flags_t flags;
  uintptr_t target; /* as its owner sees it */
  void *result;
  uint64_t a, b; /* operands */
} weft_gex_amo_t;

/* ---- ad_away.c ---- */
gex_Event_t weft_gex_amo_nb(const weft_gex_amo_t *amo);
int weft_gex_amo_nbi(const weft_gex_amo_t *amo);

#endif
