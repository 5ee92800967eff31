/*
 * transfer.c: UPC 1.3, 7.2.5: memory transfer, and the functions by which the other files of
 * this folder move bytes. Relaxed: a thread sees its own accesses in order.
 */
#include "upc/internal.h"

/* ---- between this thread and a place ---- */

void weft_upc_put(weft_upc_place_t to, const void *source, size_t n, weft_op_t *op) {
  char *here = weft_upc_address(to);
  if (here) {
    weft_direct_copy(here, source, n);
  } else if (n > 0) {
    weft_rma_put_behind(to.thread, to.off, source, n, NULL, op);
  }
}

void weft_upc_get(void *dest, weft_upc_place_t from, size_t n, weft_op_t *op) {
  const char *here = weft_upc_address(from);
  if (here) {
    weft_direct_fetch(dest, here, n);
  } else if (n > 0) {
    weft_rma_get_behind(from.thread, from.off, dest, n, op);
  }
}

/* ---- between places: the bytes do not pass through here if neither is here ---- */

/* A put from here may still be on its way on return, as puts may. */
static void copy_bytes(weft_upc_place_t to, weft_upc_place_t from, size_t n, weft_op_t *op) {
  const char *source = weft_upc_address(from);
  char *dest = weft_upc_address(to);
  weft_op_t own = {0};
  if (source) {
    weft_upc_put(to, source, n, op);
  } else if (dest) {
    weft_upc_get(dest, from, n, op);
  } else {
    weft_rma_order(from.thread);
    weft_rma_order(to.thread);
    weft_rma_copy_begin(to.thread, to.off, from.thread, from.off, n, op ? op : &own);
    if (!op) weft_op_wait(&own);
  }
}

static void fill_bytes(weft_upc_place_t to, int byte, size_t n, weft_op_t *op) {
  char *here = weft_upc_address(to);
  weft_op_t own = {0};
  if (here) {
    memset(here, byte, n);
  } else {
    weft_rma_order(to.thread);
    weft_rma_fill_begin(to.thread, to.off, byte, n, op ? op : &own);
    if (!op) weft_op_wait(&own);
  }
}

/* ---- for 7.2.5 and nb.c: checked and traced ---- */

void weft_upc_memget(void *dst, weft_upc_ptr_t src, size_t n, weft_op_t *op, const char *who) {
  if (n == 0) return;
  const weft_upc_place_t from = weft_upc_checked(src, n, who);
  WEFT_SPAN_TO(WEFT_TRACE_GET, who, n, from.thread, 0);
  weft_upc_get(dst, from, n, op);
}

void weft_upc_memput(weft_upc_ptr_t dst, const void *src, size_t n, weft_op_t *op,
                     const char *who) {
  if (n == 0) return;
  const weft_upc_place_t to = weft_upc_checked(dst, n, who);
  WEFT_SPAN_TO(WEFT_TRACE_PUT, who, n, to.thread, 0);
  weft_upc_put(to, src, n, op);
}

void weft_upc_memcpy(weft_upc_ptr_t dst, weft_upc_ptr_t src, size_t n, weft_op_t *op,
                     const char *who) {
  if (n == 0) return;
  const weft_upc_place_t to = weft_upc_checked(dst, n, who);
  const weft_upc_place_t from = weft_upc_checked(src, n, who);
  WEFT_SPAN_TO(WEFT_TRACE_PUT, who, n, to.thread, 0);
  copy_bytes(to, from, n, op);
}

void weft_upc_memset(weft_upc_ptr_t dst, int c, size_t n, weft_op_t *op, const char *who) {
  if (n == 0) return;
  const weft_upc_place_t to = weft_upc_checked(dst, n, who);
  WEFT_SPAN_TO(WEFT_TRACE_PUT, who, n, to.thread, 0);
  fill_bytes(to, c, n, op);
}

/* ---- 7.2.5 ---- */

WEFT_API void upc_memcpy(weft_upc_ptr_t dst, weft_upc_ptr_t src, size_t n) {
  weft_upc_memcpy(dst, src, n, NULL, "upc_memcpy");
}

WEFT_API void upc_memget(void *dst, weft_upc_ptr_t src, size_t n) {
  weft_upc_memget(dst, src, n, NULL, "upc_memget");
}

WEFT_API void upc_memput(weft_upc_ptr_t dst, const void *src, size_t n) {
  weft_upc_memput(dst, src, n, NULL, "upc_memput");
}

WEFT_API void upc_memset(weft_upc_ptr_t dst, int c, size_t n) {
  weft_upc_memset(dst, c, n, NULL, "upc_memset");
}
