/*
 * nb.c: UPC 1.3, upc_nb.h: transfers that are begun and completed later. On the node they are
 * complete at once; to another node a handle is one of the floor's operations. No fence, barrier or
 * strict access completes them.
 */
#include "upc/internal.h"

typedef struct weft_upc_transfer {
  weft_op_t op;
  struct weft_upc_transfer *next;
} *upc_handle_t;

static struct {
  upc_handle_t free; /* handles to be used again */
  struct weft_upc_transfer implicit;
} nb;

static upc_handle_t take(void) {
  upc_handle_t handle = nb.free;
  if (handle)
    nb.free = handle->next;
  else
    handle = calloc(1, sizeof *handle);
  if (!handle) weft_fatal("upc_nb.h: no memory for a handle");
  return handle;
}

/* The handle, or the complete one if nothing is left to wait for. */
static upc_handle_t give(upc_handle_t handle) {
  if (!weft_op_test(&handle->op)) return handle;
  handle->next = nb.free;
  nb.free = handle;
  return NULL;
}

/* ---- begin: counted in t ---- */

static void get(upc_handle_t t, void *dst, weft_upc_ptr_t src, size_t n, const char *who) {
  if (n == 0) return;
  const weft_upc_place_t from = weft_upc_checked(src, n, who);
  WEFT_SPAN_TO(WEFT_TRACE_GET, who, n, from.thread, 0);
  weft_upc_get_begin(dst, from, n, &t->op);
}

static void put(upc_handle_t t, weft_upc_ptr_t dst, const void *src, size_t n, const char *who) {
  if (n == 0) return;
  const weft_upc_place_t to = weft_upc_checked(dst, n, who);
  WEFT_SPAN_TO(WEFT_TRACE_PUT, who, n, to.thread, 0);
  weft_upc_put_begin(to, src, n, &t->op);
}

static void copy(upc_handle_t t, weft_upc_ptr_t dst, weft_upc_ptr_t src, size_t n,
                 const char *who) {
  if (n == 0) return;
  const weft_upc_place_t to = weft_upc_checked(dst, n, who);
  const weft_upc_place_t from = weft_upc_checked(src, n, who);
  WEFT_SPAN_TO(WEFT_TRACE_PUT, who, n, to.thread, 0);
  weft_upc_copy_begin(to, from, n, &t->op);
}

static void set(upc_handle_t t, weft_upc_ptr_t dst, int c, size_t n, const char *who) {
  if (n == 0) return;
  const weft_upc_place_t to = weft_upc_checked(dst, n, who);
  WEFT_SPAN_TO(WEFT_TRACE_PUT, who, n, to.thread, 0);
  weft_upc_fill_begin(to, c, n, &t->op);
}

/* ---- explicit handles ---- */

WEFT_API upc_handle_t upc_memcpy_nb(weft_upc_ptr_t dst, weft_upc_ptr_t src, size_t n) {
  upc_handle_t t = take();
  copy(t, dst, src, n, "upc_memcpy_nb");
  return give(t);
}

WEFT_API upc_handle_t upc_memget_nb(void *dst, weft_upc_ptr_t src, size_t n) {
  upc_handle_t t = take();
  get(t, dst, src, n, "upc_memget_nb");
  return give(t);
}

WEFT_API upc_handle_t upc_memput_nb(weft_upc_ptr_t dst, const void *src, size_t n) {
  upc_handle_t t = take();
  put(t, dst, src, n, "upc_memput_nb");
  return give(t);
}

WEFT_API upc_handle_t upc_memset_nb(weft_upc_ptr_t dst, int c, size_t n) {
  upc_handle_t t = take();
  set(t, dst, c, n, "upc_memset_nb");
  return give(t);
}

WEFT_API void upc_sync(upc_handle_t handle) {
  if (!handle) return;
  WEFT_SPAN(WEFT_TRACE_WAIT, "upc_sync", 0);
  weft_op_wait(&handle->op);
  give(handle);
}

WEFT_API int upc_sync_attempt(upc_handle_t handle) {
  if (!handle) return 1;
  weft_upc_poll();
  return give(handle) == NULL;
}

/* ---- implicit ---- */

WEFT_API void upc_memcpy_nbi(weft_upc_ptr_t dst, weft_upc_ptr_t src, size_t n) {
  copy(&nb.implicit, dst, src, n, "upc_memcpy_nbi");
}

WEFT_API void upc_memget_nbi(void *dst, weft_upc_ptr_t src, size_t n) {
  get(&nb.implicit, dst, src, n, "upc_memget_nbi");
}

WEFT_API void upc_memput_nbi(weft_upc_ptr_t dst, const void *src, size_t n) {
  put(&nb.implicit, dst, src, n, "upc_memput_nbi");
}

WEFT_API void upc_memset_nbi(weft_upc_ptr_t dst, int c, size_t n) {
  set(&nb.implicit, dst, c, n, "upc_memset_nbi");
}

WEFT_API void upc_synci(void) {
  WEFT_SPAN(WEFT_TRACE_WAIT, "upc_synci", 0);
  weft_op_wait(&nb.implicit.op);
}

WEFT_API int upc_synci_attempt(void) {
  if (weft_op_test(&nb.implicit.op)) return 1;
  weft_upc_poll();
  return weft_op_test(&nb.implicit.op);
}
