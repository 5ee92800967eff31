/*
 * weft/gasnet1_rma.h: GASNet-1 1.8, put, get and memset. Include <gasnet.h> instead.
 *
 * A node is a PE: the team is the first one, for which a null pointer stands here, so that its test
 * costs nothing. Alignment is of no account, so bulk differs only in when the source of a
 * nonblocking put is free: at once, or with the operation.
 */
#ifndef WEFT_GASNET1_RMA_H
#define WEFT_GASNET1_RMA_H

#include <weft/gasnet1_job.h>
#include <weft/gex_rma.h>

WEFT_GEX_BEGIN
#ifdef __cplusplus
extern "C" {
#endif

#define WEFT_GASNET1_TM ((gex_TM_t)0)

/* ---- blocking -------------------------------------------------------------------------------- */

WEFT_GEX_INLINE void gasnet_put(gasnet_node_t node, void *dest, const void *src, size_t nbytes) {
  gex_RMA_PutBlocking(WEFT_GASNET1_TM, node, dest, src, nbytes, 0);
}
WEFT_GEX_INLINE void gasnet_put_bulk(gasnet_node_t node, void *dest, const void *src,
                                     size_t nbytes) {
  gex_RMA_PutBlocking(WEFT_GASNET1_TM, node, dest, src, nbytes, 0);
}
WEFT_GEX_INLINE void gasnet_get(void *dest, gasnet_node_t node, void *src, size_t nbytes) {
  gex_RMA_GetBlocking(WEFT_GASNET1_TM, dest, node, src, nbytes, 0);
}
WEFT_GEX_INLINE void gasnet_get_bulk(void *dest, gasnet_node_t node, void *src, size_t nbytes) {
  gex_RMA_GetBlocking(WEFT_GASNET1_TM, dest, node, src, nbytes, 0);
}
void gasnet_memset(gasnet_node_t node, void *dest, int val, size_t nbytes);

/* ---- with a handle --------------------------------------------------------------------------- */

WEFT_GEX_INLINE gasnet_handle_t gasnet_put_nb(gasnet_node_t node, void *dest, const void *src,
                                              size_t nbytes) {
  return gex_RMA_PutNB(WEFT_GASNET1_TM, node, dest, src, nbytes, GEX_EVENT_NOW, 0);
}
WEFT_GEX_INLINE gasnet_handle_t gasnet_put_nb_bulk(gasnet_node_t node, void *dest, const void *src,
                                                   size_t nbytes) {
  return gex_RMA_PutNB(WEFT_GASNET1_TM, node, dest, src, nbytes, GEX_EVENT_DEFER, 0);
}
WEFT_GEX_INLINE gasnet_handle_t gasnet_get_nb(void *dest, gasnet_node_t node, void *src,
                                              size_t nbytes) {
  return gex_RMA_GetNB(WEFT_GASNET1_TM, dest, node, src, nbytes, 0);
}
WEFT_GEX_INLINE gasnet_handle_t gasnet_get_nb_bulk(void *dest, gasnet_node_t node, void *src,
                                                   size_t nbytes) {
  return gex_RMA_GetNB(WEFT_GASNET1_TM, dest, node, src, nbytes, 0);
}
gasnet_handle_t gasnet_memset_nb(gasnet_node_t node, void *dest, int val, size_t nbytes);

/* ---- with an implicit handle ----------------------------------------------------------------- */

WEFT_GEX_INLINE void gasnet_put_nbi(gasnet_node_t node, void *dest, const void *src,
                                    size_t nbytes) {
  gex_RMA_PutNBI(WEFT_GASNET1_TM, node, dest, src, nbytes, GEX_EVENT_NOW, 0);
}
WEFT_GEX_INLINE void gasnet_put_nbi_bulk(gasnet_node_t node, void *dest, const void *src,
                                         size_t nbytes) {
  gex_RMA_PutNBI(WEFT_GASNET1_TM, node, dest, src, nbytes, GEX_EVENT_DEFER, 0);
}
WEFT_GEX_INLINE void gasnet_get_nbi(void *dest, gasnet_node_t node, void *src, size_t nbytes) {
  gex_RMA_GetNBI(WEFT_GASNET1_TM, dest, node, src, nbytes, 0);
}
WEFT_GEX_INLINE void gasnet_get_nbi_bulk(void *dest, gasnet_node_t node, void *src, size_t nbytes) {
  gex_RMA_GetNBI(WEFT_GASNET1_TM, dest, node, src, nbytes, 0);
}
void gasnet_memset_nbi(gasnet_node_t node, void *dest, int val, size_t nbytes);

#ifdef __cplusplus
}
#endif
WEFT_GEX_END

#endif
