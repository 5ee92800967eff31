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
    weft_upc_order(to.thread, weft_upc_way_of(n));
    weft_rma_put(to.thread, to.off, source, n);
  }
}

void weft_upc_get(void *dest, weft_upc_place_t from, size_t n) {
  const char *here = weft_upc_address(from);
  if (here) {
    memcpy(dest, here, n);
  } else if (n > 0) {
    weft_upc_order(from.thread, WEFT_UPC_WAY_NONE);
    weft_rma_get(from.thread, from.off, dest, n);
  }
}

void weft_upc_put_begin(weft_upc_place_t to, const void *source, size_t n, weft_op_t *op) {
  char *here = weft_upc_address(to);
  if (here) {
    weft_direct_copy(here, source, n);
  } else if (n > 0) {
    weft_upc_order(to.thread, WEFT_UPC_WAY_WRITTEN);
    weft_rma_put_begin(to.thread, to.off, source, n, op, false);
  }
}

void weft_upc_get_begin(void *dest, weft_upc_place_t from, size_t n, weft_op_t *op) {
  const char *here = weft_upc_address(from);
  if (here) {
    memcpy(dest, here, n);
  } else if (n > 0) {
    weft_upc_order(from.thread, WEFT_UPC_WAY_NONE);
    weft_rma_get_begin(from.thread, from.off, dest, n, op, false);
  }
}

bool weft_upc_test_op(weft_op_t *op) {
  return !weft_observe(&op->pending);
}

void weft_upc_wait_op(weft_op_t *op) {
  if (weft_upc_test_op(op)) return;
  weft_wait_t wait = weft_wait_begin();
  while (!weft_upc_test_op(op)) weft_wait_step(&wait);
}

/* ---- between two places ---- */

/* Through this process, in pieces: the next is on its way while one leaves. */

enum { PIECE = 64 << 10 };

static void relay(weft_upc_place_t to, weft_upc_place_t from, size_t n) {
  weft_op_t arrived[2] = {{0}}, left[2] = {{0}};
  const size_t pieces = (n + PIECE - 1) / PIECE;
  char *room = malloc(n < PIECE ? n : (size_t)2 * PIECE);
  if (!room) weft_fatal("upc_memcpy: no memory to pass %zu bytes on", n);
  for (size_t k = 0; k <= pieces; k++) {
    if (k < pieces) {
      const size_t at = k * PIECE, size = n - at < PIECE ? n - at : PIECE;
      weft_upc_wait_op(&left[k % 2]);
      weft_upc_get_begin(room + k % 2 * PIECE, (weft_upc_place_t){from.thread, from.off + at}, size,
                         &arrived[k % 2]);
    }
    if (k > 0) {
      const size_t last = k - 1, at = last * PIECE, size = n - at < PIECE ? n - at : PIECE;
      weft_upc_wait_op(&arrived[last % 2]);
      weft_upc_put_begin((weft_upc_place_t){to.thread, to.off + at}, room + last % 2 * PIECE, size,
                         &left[last % 2]);
    }
  }
  weft_upc_wait_op(&left[0]);
  weft_upc_wait_op(&left[1]);
  free(room);
}

WEFT_API void upc_memcpy(weft_upc_ptr_t dst, weft_upc_ptr_t src, size_t n) {
  if (n == 0) return;
  const weft_upc_place_t to = weft_upc_checked(dst, n, "upc_memcpy");
  const weft_upc_place_t from = weft_upc_checked(src, n, "upc_memcpy");
  WEFT_SPAN_TO(WEFT_TRACE_PUT, "upc_memcpy", n, to.thread, 0);
  const char *source = weft_upc_address(from);
  char *dest = weft_upc_address(to);
  if (source)
    weft_upc_put(to, source, n);
  else if (dest)
    weft_upc_get(dest, from, n);
  else
    relay(to, from, n);
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

/* To another node all bytes are sent, from one piece of memory. */
WEFT_API void upc_memset(weft_upc_ptr_t dst, int c, size_t n) {
  if (n == 0) return;
  const weft_upc_place_t to = weft_upc_checked(dst, n, "upc_memset");
  WEFT_SPAN_TO(WEFT_TRACE_PUT, "upc_memset", n, to.thread, 0);
  char *here = weft_upc_address(to);
  if (here) {
    memset(here, c, n);
    return;
  }
  const size_t piece = n < PIECE ? n : PIECE;
  char *source = malloc(piece);
  if (!source) weft_fatal("upc_memset: no memory for %zu bytes", piece);
  memset(source, c, piece);
  weft_op_t op = {0};
  for (size_t at = 0; at < n; at += piece)
    weft_upc_put_begin((weft_upc_place_t){to.thread, to.off + at}, source,
                       n - at < piece ? n - at : piece, &op);
  weft_upc_wait_op(&op);
  free(source);
}
