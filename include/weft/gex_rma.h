/*
 * weft/gex_rma.h: puts and gets of GASNet-EX, contiguous and of values. Include <gasnetex.h>
 * instead.
 *
 * On this node an operation is a copy, done when the call returns: nothing is counted and the event
 * is GEX_EVENT_INVALID. GEX_FLAG_PEER_NEVER_* would save nothing.
 */
#ifndef WEFT_GEX_RMA_H
#define WEFT_GEX_RMA_H

#include <weft/gex_event.h>
#include <weft/gex_types.h>

WEFT_GEX_BEGIN
#ifdef __cplusplus
extern "C" {
#endif

/* ---- what the inline functions leave to the library ------------------------------------------ */

int weft_gex_put(gex_TM_t tm, gex_Rank_t rank, void *dest, const void *src, size_t n,
                 gex_Flags_t flags);
int weft_gex_get(gex_TM_t tm, void *dest, gex_Rank_t rank, void *src, size_t n, gex_Flags_t flags);
gex_Event_t weft_gex_put_nb(gex_TM_t tm, gex_Rank_t rank, void *dest, const void *src, size_t n,
                            gex_Event_t *lc_opt, gex_Flags_t flags);
gex_Event_t weft_gex_get_nb(gex_TM_t tm, void *dest, gex_Rank_t rank, void *src, size_t n,
                            gex_Flags_t flags);
int weft_gex_put_nbi(gex_TM_t tm, gex_Rank_t rank, void *dest, const void *src, size_t n,
                     unsigned long how);
int weft_gex_get_nbi(gex_TM_t tm, void *dest, gex_Rank_t rank, void *src, size_t n,
                     gex_Flags_t flags);
gex_RMA_Value_t weft_gex_get_value(gex_TM_t tm, gex_Rank_t rank, void *src, size_t n);
int weft_gex_put_value(gex_TM_t tm, gex_Rank_t rank, void *dest, gex_RMA_Value_t value, size_t n,
                       gex_Flags_t flags);
gex_Event_t weft_gex_put_nb_value(gex_TM_t tm, gex_Rank_t rank, void *dest, gex_RMA_Value_t value,
                                  size_t n, gex_Flags_t flags);
int weft_gex_put_nbi_value(gex_TM_t tm, gex_Rank_t rank, void *dest, gex_RMA_Value_t value,
                           size_t n, gex_Flags_t flags);

/* Without a stub of the linker's between. */
#if defined(__has_attribute)
#if __has_attribute(noplt)
#define WEFT_GEX_CALLED_AT_ONCE __attribute__((noplt))
#endif
#endif
#ifndef WEFT_GEX_CALLED_AT_ONCE
#define WEFT_GEX_CALLED_AT_ONCE
#endif

/* The PE is not here, or operations are checked; its slot offset is known, n is a small constant
 * but 0, and no flags are given. The unused argument keeps the others where they are. */
int weft_gex_put_nbi_away(gex_TM_t unused, unsigned long pe, uintptr_t off, const void *src,
                          size_t n) WEFT_GEX_CALLED_AT_ONCE;
int weft_gex_put_nbi_value_away(gex_TM_t unused, unsigned long pe, uintptr_t off,
                                gex_RMA_Value_t value, size_t n) WEFT_GEX_CALLED_AT_ONCE;
#define WEFT_GEX_IS_SHORT(nbytes, flags)                                                           \
  (__builtin_constant_p(nbytes) && (nbytes)-1 < 8 && __builtin_constant_p(flags) && !(flags))

/* One of GEX_EVENT_NOW, DEFER and GROUP, and flags, in one register. */
#define WEFT_GEX_HOW(lc_opt, flags)                                                                \
  ((unsigned long)(uintptr_t)(lc_opt) | (unsigned long)(flags) << 2)

/* Is it one of the constants, no pointer to a variable? */
#define WEFT_GEX_LC_IS_POINTER(lc_opt) ((uintptr_t)(lc_opt) > (uintptr_t)GEX_EVENT_GROUP)

/* The memory of a rank that shares the node: true and its address here, or false. */
WEFT_DIRECT_INLINE int weft_gex_near(gex_TM_t tm, gex_Rank_t rank, const void *address,
                                     uintptr_t *at) {
  return __builtin_expect(WEFT_GEX_IS_WORLD(tm) && weft_gex_at(address, (long)rank, at), 1);
}

/* The low n bytes of a value; little endian, as all our machines are. */
WEFT_DIRECT_INLINE void weft_gex_store_value(void *at, gex_RMA_Value_t value, size_t n) {
  if (__builtin_constant_p(n))
    memcpy(at, &value, n);
  else
    weft_direct_store(at, &value, n);
}

/* ---- blocking -------------------------------------------------------------------------------- */

WEFT_GEX_INLINE int gex_RMA_PutBlocking(gex_TM_t tm, gex_Rank_t rank, void *dest, const void *src,
                                        size_t nbytes, gex_Flags_t flags) {
  uintptr_t at;
  if (!weft_gex_near(tm, rank, dest, &at)) return weft_gex_put(tm, rank, dest, src, nbytes, flags);
  weft_direct_copy((void *)at, src, nbytes);
  weft_gex_ordered();
  return 0;
}

WEFT_GEX_INLINE int gex_RMA_GetBlocking(gex_TM_t tm, void *dest, gex_Rank_t rank, void *src,
                                        size_t nbytes, gex_Flags_t flags) {
  uintptr_t at;
  if (!weft_gex_near(tm, rank, src, &at)) return weft_gex_get(tm, dest, rank, src, nbytes, flags);
  weft_direct_fetch(dest, (const void *)at, nbytes);
  weft_gex_ordered();
  return 0;
}

/* ---- with an event --------------------------------------------------------------------------- */

WEFT_GEX_INLINE gex_Event_t gex_RMA_PutNB(gex_TM_t tm, gex_Rank_t rank, void *dest, const void *src,
                                          size_t nbytes, gex_Event_t *lc_opt, gex_Flags_t flags) {
  uintptr_t at;
  if (!weft_gex_near(tm, rank, dest, &at))
    return weft_gex_put_nb(tm, rank, dest, src, nbytes, lc_opt, flags);
  weft_direct_copy((void *)at, src, nbytes);
  if (WEFT_GEX_LC_IS_POINTER(lc_opt)) *lc_opt = GEX_EVENT_INVALID;
  return GEX_EVENT_INVALID;
}

WEFT_GEX_INLINE gex_Event_t gex_RMA_GetNB(gex_TM_t tm, void *dest, gex_Rank_t rank, void *src,
                                          size_t nbytes, gex_Flags_t flags) {
  uintptr_t at;
  if (!weft_gex_near(tm, rank, src, &at))
    return weft_gex_get_nb(tm, dest, rank, src, nbytes, flags);
  weft_direct_fetch(dest, (const void *)at, nbytes);
  return GEX_EVENT_INVALID;
}

/* ---- with an implicit event ------------------------------------------------------------------ */

WEFT_GEX_INLINE int gex_RMA_PutNBI(gex_TM_t tm, gex_Rank_t rank, void *dest, const void *src,
                                   size_t nbytes, gex_Event_t *lc_opt, gex_Flags_t flags) {
  const unsigned long how = WEFT_GEX_HOW(lc_opt, flags);
  uintptr_t at;
  if (__builtin_expect(!WEFT_GEX_IS_WORLD(tm), 0))
    return weft_gex_put_nbi(tm, rank, dest, src, nbytes, how);
  if (__builtin_expect(!weft_gex_at(dest, (long)rank, &at), 0))
    return WEFT_GEX_IS_SHORT(nbytes, flags) ? weft_gex_put_nbi_away(tm, rank, at, src, nbytes)
                                            : weft_gex_put_nbi(tm, rank, dest, src, nbytes, how);
  weft_direct_copy((void *)at, src, nbytes);
  return 0;
}

WEFT_GEX_INLINE int gex_RMA_GetNBI(gex_TM_t tm, void *dest, gex_Rank_t rank, void *src,
                                   size_t nbytes, gex_Flags_t flags) {
  uintptr_t at;
  if (!weft_gex_near(tm, rank, src, &at))
    return weft_gex_get_nbi(tm, dest, rank, src, nbytes, flags);
  weft_direct_fetch(dest, (const void *)at, nbytes);
  return 0;
}

/* ---- values: nbytes is 1 to 8 ---------------------------------------------------------------- */

WEFT_GEX_INLINE gex_RMA_Value_t gex_RMA_GetBlockingVal(gex_TM_t tm, gex_Rank_t rank, void *src,
                                                       size_t nbytes, gex_Flags_t flags) {
  gex_RMA_Value_t value = 0;
  uintptr_t at;
  (void)flags;
  if (!weft_gex_near(tm, rank, src, &at)) return weft_gex_get_value(tm, rank, src, nbytes);
  weft_direct_fetch(&value, (const void *)at, nbytes);
  weft_gex_ordered();
  return value;
}

WEFT_GEX_INLINE int gex_RMA_PutBlockingVal(gex_TM_t tm, gex_Rank_t rank, void *dest,
                                           gex_RMA_Value_t value, size_t nbytes,
                                           gex_Flags_t flags) {
  uintptr_t at;
  if (!weft_gex_near(tm, rank, dest, &at))
    return weft_gex_put_value(tm, rank, dest, value, nbytes, flags);
  weft_gex_store_value((void *)at, value, nbytes);
  weft_gex_ordered();
  return 0;
}

WEFT_GEX_INLINE gex_Event_t gex_RMA_PutNBVal(gex_TM_t tm, gex_Rank_t rank, void *dest,
                                             gex_RMA_Value_t value, size_t nbytes,
                                             gex_Flags_t flags) {
  uintptr_t at;
  if (!weft_gex_near(tm, rank, dest, &at))
    return weft_gex_put_nb_value(tm, rank, dest, value, nbytes, flags);
  weft_gex_store_value((void *)at, value, nbytes);
  return GEX_EVENT_INVALID;
}

WEFT_GEX_INLINE int gex_RMA_PutNBIVal(gex_TM_t tm, gex_Rank_t rank, void *dest,
                                      gex_RMA_Value_t value, size_t nbytes, gex_Flags_t flags) {
  uintptr_t at;
  if (__builtin_expect(!WEFT_GEX_IS_WORLD(tm), 0))
    return weft_gex_put_nbi_value(tm, rank, dest, value, nbytes, flags);
  if (__builtin_expect(!weft_gex_at(dest, (long)rank, &at), 0))
    return WEFT_GEX_IS_SHORT(nbytes, flags)
               ? weft_gex_put_nbi_value_away(tm, rank, at, value, nbytes)
               : weft_gex_put_nbi_value(tm, rank, dest, value, nbytes, flags);
  weft_gex_store_value((void *)at, value, nbytes);
  return 0;
}

#ifdef __cplusplus
}
#endif
WEFT_GEX_END

#endif
