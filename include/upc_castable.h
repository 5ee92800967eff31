/*
 * upc_castable.h: UPC 1.3, optional library: local pointers to memory of other threads. All that
 * threads of a node share is castable, and nothing of other nodes. UPC text: only upcc reads it.
 */
#ifndef WEFT_UPC_CASTABLE_H
#define WEFT_UPC_CASTABLE_H

#ifndef __UPC__
#error "upc_castable.h is for UPC programs: compile with upcc"
#endif

#include <stddef.h>

#define UPC_CASTABLE_ALL_ALLOC (1 << 0)
#define UPC_CASTABLE_GLOBAL_ALLOC (1 << 1)
#define UPC_CASTABLE_ALLOC (1 << 2)
#define UPC_CASTABLE_STATIC (1 << 3)
#define UPC_CASTABLE_ALL                                                                           \
  (UPC_CASTABLE_ALL_ALLOC | UPC_CASTABLE_GLOBAL_ALLOC | UPC_CASTABLE_ALLOC | UPC_CASTABLE_STATIC)

typedef struct weft_upc_thread_info {
  int guaranteedCastable;
  int probablyCastable;
} upc_thread_info_t;

/* Null if *ptr is on another node. */
extern void *upc_cast(const shared void *ptr);
extern upc_thread_info_t upc_thread_info(size_t threadId);

#endif
