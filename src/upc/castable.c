/*
 * castable.c: UPC 1.3, upc_castable.h: local pointers to memory of other threads. The slots of a
 * node's threads are mapped whole, so all four kinds of memory are castable on the node, and none
 * elsewhere.
 */
#include "upc/internal.h"

enum { ALL_REGIONS = 15 }; /* UPC_CASTABLE_ALL of upc_castable.h, which is UPC text */

struct weft_upc_thread_info {
  int guaranteedCastable;
  int probablyCastable;
};

WEFT_API void *upc_cast(weft_upc_ptr_t ptr) {
  if (ptr == 0) return NULL;
  return weft_upc_address(weft_upc_checked(ptr, 1, "upc_cast"));
}

WEFT_API struct weft_upc_thread_info upc_thread_info(size_t thread) {
  weft_upc_up("upc_thread_info");
  const bool here = thread < (size_t)weft_job_npes() && weft_job_slot((int)thread);
  return (struct weft_upc_thread_info){here ? ALL_REGIONS : 0, here ? ALL_REGIONS : 0};
}
