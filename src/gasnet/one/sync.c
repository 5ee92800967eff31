/*
 * sync.c: GASNet-1's try functions: a poll, then the test of GASNet-EX.
 */
#include "gasnet/ex/internal.h"

WEFT_API int gasnet_try_syncnb(gasnet_handle_t handle) {
  weft_gex_poll();
  return gex_Event_Test(handle);
}

WEFT_API int gasnet_try_syncnb_some(gasnet_handle_t *handles, size_t numhandles) {
  weft_gex_poll();
  return gex_Event_TestSome(handles, numhandles, 0);
}

WEFT_API int gasnet_try_syncnb_all(gasnet_handle_t *handles, size_t numhandles) {
  weft_gex_poll();
  return gex_Event_TestAll(handles, numhandles, 0);
}

/* What is not on its way yet is pushed before the poll, which may then bring the answer. */
static int try_nbi(gex_EC_t categories) {
  gex_NBI_Test(categories, 0);
  weft_gex_poll();
  return gex_NBI_Test(categories, 0);
}

WEFT_API int gasnet_try_syncnbi_puts(void) {
  return try_nbi(GEX_EC_PUT);
}

WEFT_API int gasnet_try_syncnbi_gets(void) {
  return try_nbi(GEX_EC_GET);
}

WEFT_API int gasnet_try_syncnbi_all(void) {
  return try_nbi(GEX_EC_ALL);
}
