/*
 * nb.c: UPC 1.3, upc_nb.h: transfers that are begun and completed later. On the node they are
 * complete at once; to another node a handle is one of the floor's operations. No fence, barrier or
 * strict access completes them, and they are in no order among themselves.
 */
#include "upc/internal.h"

static struct {
  upc_handle_t free; /* handles to be used again */
  weft_op_t implicit;
  upc_handle_t region; /* open: what is begun without a handle is counted in it */
} nb = {.implicit = {.unordered = true}};

upc_handle_t weft_upc_take_handle(void) {
  upc_handle_t handle = nb.free;
  if (handle)
    nb.free = handle->next;
  else
    handle = calloc(1, sizeof *handle);
  if (!handle) weft_fatal("upc_nb.h: no memory for a handle");
  handle->op.unordered = true;
  return handle;
}

upc_handle_t weft_upc_give_handle(upc_handle_t handle) {
  if (!weft_op_is_done(&handle->op)) return handle;
  handle->next = nb.free;
  nb.free = handle;
  return NULL;
}

static weft_op_t *implicit(void) {
  return nb.region ? &nb.region->op : &nb.implicit;
}

/* ---- the four transfers, with a handle and without ---- */

#define TRANSFER(name, DST, SRC)                                                                   \
  WEFT_API upc_handle_t upc_##name##_nb(DST dst, SRC src, size_t n) {                              \
    upc_handle_t handle = weft_upc_take_handle();                                                  \
    weft_upc_##name(dst, src, n, &handle->op, "upc_" #name "_nb");                                 \
    return weft_upc_give_handle(handle);                                                           \
  }                                                                                                \
  WEFT_API void upc_##name##_nbi(DST dst, SRC src, size_t n) {                                     \
    weft_upc_##name(dst, src, n, implicit(), "upc_" #name "_nbi");                                 \
  }
TRANSFER(memcpy, weft_upc_ptr_t, weft_upc_ptr_t)
TRANSFER(memget, void *, weft_upc_ptr_t)
TRANSFER(memput, weft_upc_ptr_t, const void *)
TRANSFER(memset, weft_upc_ptr_t, int)

/* ---- completion ---- */

WEFT_API void upc_sync(upc_handle_t handle) {
  if (!handle) return;
  WEFT_SPAN(WEFT_TRACE_WAIT, "upc_sync", 0);
  weft_op_wait(&handle->op);
  weft_upc_give_handle(handle);
}

WEFT_API int upc_sync_attempt(upc_handle_t handle) {
  if (!handle) return 1;
  weft_op_release(&handle->op);
  weft_upc_poll();
  return weft_upc_give_handle(handle) == NULL;
}

WEFT_API void upc_synci(void) {
  WEFT_SPAN(WEFT_TRACE_WAIT, "upc_synci", 0);
  weft_op_wait(&nb.implicit);
}

WEFT_API int upc_synci_attempt(void) {
  weft_op_release(&nb.implicit);
  weft_upc_poll();
  return weft_op_is_done(&nb.implicit);
}

/* ---- Berkeley's: regions, and waits for several ---- */

WEFT_API void bupc_begin_accessregion(void) {
  if (nb.region) weft_fatal("bupc_begin_accessregion: the region before it was not ended");
  nb.region = weft_upc_take_handle();
}

WEFT_API upc_handle_t bupc_end_accessregion(void) {
  const upc_handle_t region = nb.region;
  if (!region) weft_fatal("bupc_end_accessregion: no region was begun");
  nb.region = NULL;
  return weft_upc_give_handle(region);
}

/* What is complete becomes the complete handle. Are all, and has one come in? */
static bool test_each(upc_handle_t *handles, size_t n, bool *some) {
  bool all = true;
  *some = false;
  for (size_t i = 0; i < n; i++) {
    if (!handles[i]) continue;
    weft_op_release(&handles[i]->op);
    handles[i] = weft_upc_give_handle(handles[i]);
    if (handles[i])
      all = false;
    else
      *some = true;
  }
  return all;
}

WEFT_API int bupc_trysync_all(upc_handle_t *handles, size_t n) {
  bool some;
  weft_upc_poll();
  return test_each(handles, n, &some);
}

WEFT_API int bupc_trysync_some(upc_handle_t *handles, size_t n) {
  bool some;
  weft_upc_poll();
  return test_each(handles, n, &some) || some;
}

WEFT_API void bupc_waitsync_all(upc_handle_t *handles, size_t n) {
  for (size_t i = 0; i < n; i++) upc_sync(handles[i]), handles[i] = NULL;
}

WEFT_API void bupc_waitsync_some(upc_handle_t *handles, size_t n) {
  bool some;
  WEFT_SPAN(WEFT_TRACE_WAIT, "bupc_waitsync_some", 0);
  WEFT_WAIT_UNTIL(test_each(handles, n, &some) || some);
}
