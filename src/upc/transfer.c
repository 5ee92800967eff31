/*
 * transfer.c: UPC 1.3, 7.2.5: memory transfer, and what the other files of this folder move bytes
 * with. Relaxed: a thread sees its own in order.
 */
#include "upc/internal.h"

/* ---- between this thread and a place ---- */

void weft_upc_put(weft_upc_place_t to, const void *source, size_t n) {
  char *here = weft_upc_address(to);
  if (here) {
    weft_direct_copy(here, source, n);
  } else if (n > 0) {
    weft_rma_order_next(to.thread, WEFT_NEXT_PUT, n);
    weft_rma_put(to.thread, to.off, source, n);
  }
}

void weft_upc_get(void *dest, weft_upc_place_t from, size_t n) {
  const char *here = weft_upc_address(from);
  if (here) {
    memcpy(dest, here, n);
  } else if (n > 0) {
    weft_rma_order_next(from.thread, WEFT_NEXT_GET, n);
    weft_rma_get(from.thread, from.off, dest, n);
  }
}

void weft_upc_put_begin(weft_upc_place_t to, const void *source, size_t n, weft_op_t *op) {
  char *here = weft_upc_address(to);
  if (here) {
    weft_direct_copy(here, source, n);
  } else if (n > 0) {
    weft_rma_order_next(to.thread, WEFT_NEXT_PUT, n);
    weft_rma_put_begin(to.thread, to.off, source, n, op, false);
  }
}

void weft_upc_get_begin(void *dest, weft_upc_place_t from, size_t n, weft_op_t *op) {
  const char *here = weft_upc_address(from);
  if (here) {
    memcpy(dest, here, n);
  } else if (n > 0) {
    weft_rma_order_next(from.thread, WEFT_NEXT_GET, n);
    weft_rma_get_begin(from.thread, from.off, dest, n, op, false);
  }
}

/* ---- between places: the bytes do not pass through here if neither is here ---- */

void weft_upc_copy_begin(weft_upc_place_t to, weft_upc_place_t from, size_t n, weft_op_t *op) {
  const char *source = weft_upc_address(from);
  char *dest = weft_upc_address(to);
  if (source) {
    weft_upc_put_begin(to, source, n, op);
  } else if (dest) {
    weft_upc_get_begin(dest, from, n, op);
  } else if (n > 0) {
    weft_rma_order(from.thread);
    weft_rma_order(to.thread);
    weft_rma_copy_begin(to.thread, to.off, from.thread, from.off, n, op);
  }
}

void weft_upc_fill_begin(weft_upc_place_t to, int byte, size_t n, weft_op_t *op) {
  char *here = weft_upc_address(to);
  if (here) {
    memset(here, byte, n);
  } else if (n > 0) {
    weft_rma_order(to.thread);
    weft_rma_fill_begin(to.thread, to.off, byte, n, op);
  }
}

/* ---- 7.2.5 ---- */

WEFT_API void upc_memcpy(weft_upc_ptr_t dst, weft_upc_ptr_t src, size_t n) {
  if (n == 0) return;
  const weft_upc_place_t to = weft_upc_checked(dst, n, "upc_memcpy");
  const weft_upc_place_t from = weft_upc_checked(src, n, "upc_memcpy");
  WEFT_SPAN_TO(WEFT_TRACE_PUT, "upc_memcpy", n, to.thread, 0);
  weft_op_t op = {0};
  const char *source = weft_upc_address(from);
  if (source) {
    weft_upc_put(to, source, n); /* may still be on its way, as a put may */
    return;
  }
  weft_upc_copy_begin(to, from, n, &op);
  weft_op_wait(&op);
}

WEFT_API void upc_memget(void *dst, weft_upc_ptr_t src, size_t n) {
  if (n == 0) return;
  const weft_upc_place_t from = weft_upc_checked(src, n, "upc_memget");
  WEFT_SPAN_TO(WEFT_TRACE_GET, "upc_memget", n, from.thread, 0);
  weft_upc_get(dst, from, n);
}

WEFT_API void upc_memput(weft_upc_ptr_t dst, const void *src, size_t n) {
  if (n == 0) return;
  const weft_upc_place_t to = weft_upc_checked(dst, n, "upc_memput");
  WEFT_SPAN_TO(WEFT_TRACE_PUT, "upc_memput", n, to.thread, 0);
  weft_upc_put(to, src, n);
}

WEFT_API void upc_memset(weft_upc_ptr_t dst, int c, size_t n) {
  if (n == 0) return;
  const weft_upc_place_t to = weft_upc_checked(dst, n, "upc_memset");
  weft_op_t op = {0};
  WEFT_SPAN_TO(WEFT_TRACE_PUT, "upc_memset", n, to.thread, 0);
  weft_upc_fill_begin(to, c, n, &op);
  weft_op_wait(&op);
}
