/*
 * rma.c: what GASNet-1 has beside GASNet-EX's puts and gets: memset, and gets of values
 * with a handle.
 */
#include <string.h>

#include "gasnet/ex/rma.h"

/* ---- memset ---------------------------------------------------------------------------------- */

/* Begun where `op` counts it, unless it is done: on this node. */
static bool fill(gasnet_node_t node, void *dest, int val, size_t n, weft_op_t *op,
                 const char *who) {
  const weft_gex_place_t to = weft_gex_find(WEFT_GASNET1_TM, node, dest, n, who);
  WEFT_GEX_SPAN(WEFT_TRACE_PUT, who, n, to);
  if (!to.here && n) {
    weft_rma_fill_begin(to.pe, to.off, val, n, op);
    return true;
  }
  if (to.here) memset(to.here, val, n);
  weft_gex_ordered();
  return false;
}

WEFT_API gasnet_handle_t gasnet_memset_nb(gasnet_node_t node, void *dest, int val, size_t nbytes) {
  weft_gex_event_t *e = weft_gex_event_new();
  const bool begun = fill(node, dest, val, nbytes, &e->part[0], "gasnet_memset_nb");
  weft_gex_event_done(e);
  if (begun) return weft_gex_event_root(e);
  weft_gex_event_free(e);
  return GASNET_INVALID_HANDLE;
}

WEFT_API void gasnet_memset(gasnet_node_t node, void *dest, int val, size_t nbytes) {
  gex_Event_Wait(gasnet_memset_nb(node, dest, val, nbytes));
}

WEFT_API void gasnet_memset_nbi(gasnet_node_t node, void *dest, int val, size_t nbytes) {
  fill(node, dest, val, nbytes, weft_gex_nbi_op(GEX_EC_PUT), "gasnet_memset_nbi");
}

/* ---- gets of values with a handle: an event that has room for one ---------------------------- */

WEFT_API gasnet_valget_handle_t gasnet_get_nb_val(gasnet_node_t node, void *src, size_t nbytes) {
  static const char who[] = "gasnet_get_nb_val";
  const weft_gex_place_t from = weft_gex_find(WEFT_GASNET1_TM, node, src, nbytes, who);
  WEFT_GEX_SPAN(WEFT_TRACE_GET, who, nbytes, from);
  weft_gex_event_t *e = weft_gex_event_new();
  e->value = 0;
  if (from.here)
    weft_gex_copy_from(&e->value, &from, nbytes, who);
  else
    weft_rma_get_begin(from.pe, from.off, &e->value, nbytes, &e->part[0], false);
  weft_gex_event_done(e);
  return (gasnet_valget_handle_t)e;
}

WEFT_API gasnet_register_value_t gasnet_wait_syncnb_valget(gasnet_valget_handle_t handle) {
  weft_gex_event_t *e = (weft_gex_event_t *)handle;
  weft_op_wait(&e->part[0]);
  const gasnet_register_value_t value = e->value;
  weft_gex_event_free(e);
  return value;
}
