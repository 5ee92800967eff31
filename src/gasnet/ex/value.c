/*
 * value.c: puts and gets of values in registers that the headers do not do inline. A value lies in
 * the caller's frame, so where a provider does not copy 8 bytes it is waited for.
 */
#include "gasnet/ex/rma.h"

WEFT_API gex_RMA_Value_t weft_gex_get_value(gex_TM_t tm, gex_Rank_t rank, void *src, size_t n) {
  static const char who[] = "gex_RMA_GetBlockingVal";
  const weft_gex_place_t from = weft_gex_find(tm, rank, src, n, who);
  gex_RMA_Value_t value = 0;
  WEFT_GEX_SPAN(WEFT_TRACE_GET, who, n, from);
  if (from.here)
    weft_gex_copy_from(&value, &from, n, who);
  else
    weft_gex_get_away(&value, &from, n, false);
  return value;
}

WEFT_API int weft_gex_put_value(gex_TM_t tm, gex_Rank_t rank, void *dest, gex_RMA_Value_t value,
                                size_t n, gex_Flags_t flags) {
  static const char who[] = "gex_RMA_PutBlockingVal";
  const weft_gex_place_t to = weft_gex_find(tm, rank, dest, n, who);
  WEFT_GEX_SPAN(WEFT_TRACE_PUT, who, n, to);
  if (!to.here) return weft_gex_put_away(&to, &value, n, flags & GEX_FLAG_IMMEDIATE);
  weft_gex_copy_to(&to, &value, n, who);
  return 0;
}

WEFT_API gex_Event_t weft_gex_put_nb_value(gex_TM_t tm, gex_Rank_t rank, void *dest,
                                           gex_RMA_Value_t value, size_t n, gex_Flags_t flags) {
  static const char who[] = "gex_RMA_PutNBVal";
  const weft_gex_place_t to = weft_gex_find(tm, rank, dest, n, who);
  WEFT_GEX_SPAN(WEFT_TRACE_PUT, who, n, to);
  if (!to.here)
    return weft_gex_put_event(&to, &value, n, GEX_EVENT_NOW, flags & GEX_FLAG_IMMEDIATE);
  weft_gex_copy_to(&to, &value, n, who);
  return GEX_EVENT_INVALID;
}

static int put_nbi(const weft_gex_place_t *to, gex_RMA_Value_t value, size_t n, gex_Flags_t flags) {
  static const char who[] = "gex_RMA_PutNBIVal";
  WEFT_GEX_SPAN(WEFT_TRACE_PUT, who, n, *to);
  if (!to->here)
    return weft_gex_put_implicit(to, &value, n, GEX_EVENT_NOW, flags & GEX_FLAG_IMMEDIATE);
  weft_gex_copy_to(to, &value, n, who);
  return 0;
}

WEFT_API int weft_gex_put_nbi_value(gex_TM_t tm, gex_Rank_t rank, void *dest, gex_RMA_Value_t value,
                                    size_t n, gex_Flags_t flags) {
  const weft_gex_place_t to = weft_gex_find(tm, rank, dest, n, "gex_RMA_PutNBIVal");
  return put_nbi(&to, value, n, flags);
}

int weft_gex_put_nbi_value_at(gex_TM_t unused, unsigned long pe, uintptr_t off,
                              gex_RMA_Value_t value, size_t n) {
  const weft_gex_place_t to = weft_gex_place_at((int)pe, off, n, "gex_RMA_PutNBIVal");
  (void)unused;
  return put_nbi(&to, value, n, 0);
}

/* As weft_gex_put_nbi_away, and as short. */
WEFT_API int weft_gex_put_nbi_value_away(gex_TM_t unused, unsigned long pe, uintptr_t off,
                                         gex_RMA_Value_t value, size_t n) {
  if (weft_unlikely(n > weft_inject.max))
    return weft_gex_put_nbi_value_at(unused, pe, off, value, n);
  const weft_gex_injected_t put = {.data.value = value, .n = n, .pe = pe, .off = off};
  return weft_gex_injected(&put, weft_puts_inject(pe, off, &put.data.value, n), true);
}
