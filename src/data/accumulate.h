/*
 * accumulate: to[i] += scale * from[i], atomic for each element against every other accumulate,
 * whichever process of the node makes it. Knows no PE and no job: the locks that exclude others are
 * the caller's.
 */
#ifndef WEFT_ACCUMULATE_H
#define WEFT_ACCUMULATE_H

#include <stddef.h>
#include <stdint.h>

#include "base/base.h"
#include "data/shape.h"

/* Element types. Unsigned integers are added as signed ones are. */
typedef enum weft_acc_type {
  WEFT_ACC_INT32,
  WEFT_ACC_INT64,
  WEFT_ACC_FLOAT,
  WEFT_ACC_DOUBLE,
  WEFT_ACC_FLOAT_COMPLEX,
  WEFT_ACC_DOUBLE_COMPLEX,
  WEFT_ACC_TYPES
} weft_acc_type_t;

size_t weft_acc_width(weft_acc_type_t type);

/* n bytes of elements by the loop that runs on any processor, without locks: a test compares it
 * with the one that this processor takes. scale: one element, NULL for 1. */
void weft_acc_add_plain(weft_acc_type_t type, void *to, const void *from, size_t n,
                        const void *scale);

/* The memory that accumulates go to is divided into blocks, and a block has a lock, which it shares
 * with others. An adder holds the lock of the block that it adds to. */
enum { WEFT_BLOCK_BYTES = 8192 };

/* The memory of one slot as this process sees it, and its locks. */
typedef struct weft_acc_locks {
  weft_block_lock_t *lock;          /* WEFT_BLOCK_LOCKS of them; NULL: nobody else adds */
  uintptr_t origin;                 /* the address where block 0 begins */
  uint32_t me;                      /* as weft_node_lock_t has it */
  void (*wait)(weft_node_lock_t *); /* returns with the lock taken */
} weft_acc_locks_t;

/* An accumulate under way. It may keep the lock of the last block from one call to the next. */
typedef struct weft_adder {
  weft_acc_locks_t locks;
  weft_acc_type_t type; /* checked by whoever made this */
  const void *scale; /* one element, NULL for 1 */
  uintptr_t at;      /* number of the block whose lock is held */
  weft_node_lock_t *held; /* NULL: none */
} weft_adder_t;

/* n bytes of whole elements. Elements and scale may lie at any address. Integers that are aligned
 * are added by atomics of the CPU, and so are atomic against these, too. */
void weft_adder_add(weft_adder_t *adder, void *to, const void *from, size_t n);
/* The same for what a cursor passes; its blocks are whole elements. */
void weft_adder_pass(weft_adder_t *adder, weft_cursor_t *to, const void *from, size_t n);
/* Always, in the end. */
static inline void weft_adder_end(weft_adder_t *adder) {
  if (adder->held) weft_node_unlock(adder->held);
}

#endif
