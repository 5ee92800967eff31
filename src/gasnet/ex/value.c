/*
 * value.c: puts and gets of values in registers that the headers do not do inline. A value lies in
 * the caller's frame, so where a provider does not copy 8 bytes it is waited for.
 */
#include "gasnet/ex/rma.h"

WEFT_API gex_RMA_Value_t weft_gex_get_value(gex_TM_t tm, gex_Rank_t rank, void *src, size_t n) {
  gex_RMA_Value_t value = 0;
  weft_gex_get_as(tm, &value, rank, src, n, 0, "gex_RMA_GetBlockingVal");
  return value;
}

WEFT_API int weft_gex_put_value(gex_TM_t tm, gex_Rank_t rank, void *dest, gex_RMA_Value_t value,
                                size_t n, gex_Flags_t flags) {
  return weft_gex_put_as(tm, rank, dest, &value, n, flags, "gex_RMA_PutBlockingVal");
}

WEFT_API gex_Event_t weft_gex_put_nb_value(gex_TM_t tm, gex_Rank_t rank, void *dest,
                                           gex_RMA_Value_t value, size_t n, gex_Flags_t flags) {
  return weft_gex_put_nb_as(tm, rank, dest, &value, n, GEX_EVENT_NOW, flags, "gex_RMA_PutNBVal");
}

WEFT_API int weft_gex_put_nbi_value(gex_TM_t tm, gex_Rank_t rank, void *dest, gex_RMA_Value_t value,
                                    size_t n, gex_Flags_t flags) {
  static const char who[] = "gex_RMA_PutNBIVal";
  const weft_gex_place_t to = weft_gex_find(tm, rank, dest, n, who);
  return weft_gex_put_nbi_to(&to, &value, n, WEFT_GEX_HOW(GEX_EVENT_NOW, flags), who);
}

int weft_gex_put_nbi_value_at(gex_TM_t unused, unsigned long pe, uintptr_t off,
                              gex_RMA_Value_t value, size_t n) {
  static const char who[] = "gex_RMA_PutNBIVal";
  const weft_gex_place_t to = weft_gex_place_at((int)pe, off, n, who);
  (void)unused;
  return weft_gex_put_nbi_to(&to, &value, n, WEFT_GEX_HOW(GEX_EVENT_NOW, 0), who);
}

/* As weft_gex_put_nbi_away, and as short. */
WEFT_API int weft_gex_put_nbi_value_away(gex_TM_t unused, unsigned long pe, uintptr_t off,
                                         gex_RMA_Value_t value, size_t n) {
  if (weft_unlikely(n > weft_inject.max))
    return weft_gex_put_nbi_value_at(unused, pe, off, value, n);
  const weft_gex_injected_t put = {.data.value = value, .n = n, .pe = pe, .off = off};
  return weft_gex_injected(&put, weft_puts_inject(pe, off, &put.data.value, n), true);
}
