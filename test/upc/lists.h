/*
 * Berkeley's transfers of what does not lie together, and the waits for what was begun, as
 * generated code sees them.
 */
#ifndef TEST_UPC_LISTS_H
#define TEST_UPC_LISTS_H

#include "runtime.h"

typedef struct weft_upc_transfer *handle;
typedef struct piece {
  uintptr_t at;
  size_t n;
} piece;
#define BOTH(name, ...)                                                                            \
  void bupc_##name(__VA_ARGS__);                                                                   \
  handle bupc_##name##_async(__VA_ARGS__);
#define FORMS(kind)                                                                                \
  BOTH(kind##_vlist, size_t, const piece *, size_t, const piece *)                                 \
  BOTH(kind##_ilist, size_t, const uintptr_t *, size_t, size_t, const uintptr_t *, size_t)         \
  BOTH(kind##_fstrided, uintptr_t, size_t, size_t, size_t, uintptr_t, size_t, size_t, size_t)      \
  BOTH(kind##_strided, uintptr_t, const size_t *, uintptr_t, const size_t *, const size_t *, size_t)
FORMS(memcpy)
FORMS(memput)
FORMS(memget)
void upc_sync(handle h);
void bupc_waitsync_all(handle *h, size_t n);
void bupc_waitsync_some(handle *h, size_t n);
int bupc_trysync_all(handle *h, size_t n);

#endif
