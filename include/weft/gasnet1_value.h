/*
 * weft/gasnet1_value.h: GASNet-1 1.8, puts and gets of values in registers: 1 to 8 bytes. Include
 * <gasnet.h> instead.
 */
#ifndef WEFT_GASNET1_VALUE_H
#define WEFT_GASNET1_VALUE_H

#include <weft/gasnet1_rma.h>

#define SIZEOF_GASNET_REGISTER_VALUE_T SIZEOF_GEX_RMA_VALUE_T

typedef struct weft_gasnet1_valget *gasnet_valget_handle_t;

WEFT_GEX_BEGIN
#ifdef __cplusplus
extern "C" {
#endif

WEFT_GEX_INLINE void gasnet_put_val(gasnet_node_t node, void *dest, gasnet_register_value_t value,
                                    size_t nbytes) {
  gex_RMA_PutBlockingVal(WEFT_GASNET1_TM, node, dest, value, nbytes, 0);
}
WEFT_GEX_INLINE gasnet_handle_t gasnet_put_nb_val(gasnet_node_t node, void *dest,
                                                  gasnet_register_value_t value, size_t nbytes) {
  return gex_RMA_PutNBVal(WEFT_GASNET1_TM, node, dest, value, nbytes, 0);
}
WEFT_GEX_INLINE void gasnet_put_nbi_val(gasnet_node_t node, void *dest,
                                        gasnet_register_value_t value, size_t nbytes) {
  gex_RMA_PutNBIVal(WEFT_GASNET1_TM, node, dest, value, nbytes, 0);
}
WEFT_GEX_INLINE gasnet_register_value_t gasnet_get_val(gasnet_node_t node, void *src,
                                                       size_t nbytes) {
  return gex_RMA_GetBlockingVal(WEFT_GASNET1_TM, node, src, nbytes, 0);
}

gasnet_valget_handle_t gasnet_get_nb_val(gasnet_node_t node, void *src, size_t nbytes);
gasnet_register_value_t gasnet_wait_syncnb_valget(gasnet_valget_handle_t handle);

#ifdef __cplusplus
}
#endif
WEFT_GEX_END

#endif
