/*
 * rma.c: what GASNet-1 has beside GASNet-EX's puts and gets: memset, and gets of values
 * with a handle.
 */
#include <stdlib.h>
#include <string.h>

#include "gasnet/ex/rma.h"

/* ---- memset: to another node it is puts from a filled buffer --------------------------------- */

enum { FILL_MAX = 1 << 16 };

static size_t fill_bytes(size_t n) {
  return n < FILL_MAX ? n : FILL_MAX;
}

static void *filled(int val, size_t n) {
  void *fill = malloc(fill_bytes(n));
  if (!fill) weft_fatal("gasnet_memset: no memory for %zu bytes", fill_bytes(n));
  return memset(fill, val, fill_bytes(n));
}

static void memset_here(const weft_gex_place_t *to, int val, size_t n) {
  memset(to->here, val, n);
  weft_gex_ordered();
}

WEFT_API gasnet_handle_t gasnet_memset_nb(gasnet_node_t node, void *dest, int val, size_t nbytes) {
  static const char who[] = "gasnet_memset_nb";
  const weft_gex_place_t to = weft_gex_find(WEFT_GASNET1_TM, node, dest, nbytes, who);
  WEFT_GEX_SPAN(WEFT_TRACE_PUT, who, nbytes, to);
  if (to.here || nbytes == 0) {
    if (to.here) memset_here(&to, val, nbytes);
    return GASNET_INVALID_HANDLE;
  }
  weft_gex_event_t *e = weft_gex_event_new();
  e->copy = filled(val, nbytes);
  for (size_t at = 0; at < nbytes; at += FILL_MAX)
    weft_rma_put_begin(to.pe, to.off + at, e->copy, fill_bytes(nbytes - at), &e->part[0], false);
  weft_gex_event_done(e);
  return weft_gex_event_root(e);
}

WEFT_API void gasnet_memset(gasnet_node_t node, void *dest, int val, size_t nbytes) {
  gex_Event_Wait(gasnet_memset_nb(node, dest, val, nbytes));
}

/* The buffer is waited for, as the source of any put_nbi that is not bulk. */
WEFT_API void gasnet_memset_nbi(gasnet_node_t node, void *dest, int val, size_t nbytes) {
  static const char who[] = "gasnet_memset_nbi";
  const weft_gex_place_t to = weft_gex_find(WEFT_GASNET1_TM, node, dest, nbytes, who);
  WEFT_GEX_SPAN(WEFT_TRACE_PUT, who, nbytes, to);
  if (to.here) {
    memset_here(&to, val, nbytes);
    return;
  }
  void *fill = filled(val, nbytes);
  for (size_t at = 0; at < nbytes; at += FILL_MAX) {
    const weft_gex_place_t part = {.pe = to.pe, .off = to.off + at};
    weft_gex_put_implicit(&part, fill, fill_bytes(nbytes - at), GEX_EVENT_NOW, false);
  }
  free(fill);
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
  weft_gex_wait_op(&e->part[0]);
  const gasnet_register_value_t value = e->value;
  weft_gex_event_free(e);
  return value;
}
