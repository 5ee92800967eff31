/*
 * weft/gasnet1_sync.h: GASNet-1 1.8, synchronisation of nonblocking operations. Include <gasnet.h>
 * instead. A handle is an event of GASNet-EX, so any thread may sync it. try_ polls first, but for
 * those that say _nopoll.
 */
#ifndef WEFT_GASNET1_SYNC_H
#define WEFT_GASNET1_SYNC_H

#include <weft/gasnet1_rma.h>

WEFT_GEX_BEGIN
#ifdef __cplusplus
extern "C" {
#endif

/* ---- handles --------------------------------------------------------------------------------- */

WEFT_GEX_INLINE void gasnet_wait_syncnb(gasnet_handle_t handle) {
  gex_Event_Wait(handle);
}
WEFT_GEX_INLINE void gasnet_wait_syncnb_some(gasnet_handle_t *handles, size_t numhandles) {
  gex_Event_WaitSome(handles, numhandles, 0);
}
WEFT_GEX_INLINE void gasnet_wait_syncnb_all(gasnet_handle_t *handles, size_t numhandles) {
  gex_Event_WaitAll(handles, numhandles, 0);
}
int gasnet_try_syncnb(gasnet_handle_t handle);
int gasnet_try_syncnb_some(gasnet_handle_t *handles, size_t numhandles);
int gasnet_try_syncnb_all(gasnet_handle_t *handles, size_t numhandles);
WEFT_GEX_INLINE int gasnet_try_syncnb_nopoll(gasnet_handle_t handle) {
  return gex_Event_Test(handle);
}
WEFT_GEX_INLINE int gasnet_try_syncnb_some_nopoll(gasnet_handle_t *handles, size_t numhandles) {
  return gex_Event_TestSome(handles, numhandles, 0);
}
WEFT_GEX_INLINE int gasnet_try_syncnb_all_nopoll(gasnet_handle_t *handles, size_t numhandles) {
  return gex_Event_TestAll(handles, numhandles, 0);
}

/* ---- implicit handles: all puts, gets or both of this thread --------------------------------- */

WEFT_GEX_INLINE void gasnet_wait_syncnbi_puts(void) {
  gex_NBI_Wait(GEX_EC_PUT, 0);
}
WEFT_GEX_INLINE void gasnet_wait_syncnbi_gets(void) {
  gex_NBI_Wait(GEX_EC_GET, 0);
}
WEFT_GEX_INLINE void gasnet_wait_syncnbi_all(void) {
  gex_NBI_Wait(GEX_EC_ALL, 0);
}
int gasnet_try_syncnbi_puts(void);
int gasnet_try_syncnbi_gets(void);
int gasnet_try_syncnbi_all(void);

WEFT_GEX_INLINE void gasnet_begin_nbi_accessregion(void) {
  gex_NBI_BeginAccessRegion(0);
}
WEFT_GEX_INLINE gasnet_handle_t gasnet_end_nbi_accessregion(void) {
  return gex_NBI_EndAccessRegion(0);
}

#ifdef __cplusplus
}
#endif
WEFT_GEX_END

#endif
