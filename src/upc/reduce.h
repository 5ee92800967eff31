/*
 * reduce: what reduce.c, ordered.c and fold.c share: a fold (type, operation, function), the parts
 * that travel, and which elements of a blocked array are this thread's.
 */
#ifndef WEFT_UPC_REDUCE_H
#define WEFT_UPC_REDUCE_H

#include "upc/internal.h"

enum { WEFT_UPC_FUNC = 1 << 16, WEFT_UPC_NONCOMM_FUNC = 1 << 17 }; /* of upc_collective.h */

struct weft_upc_fold;

/* ---- fold.c: arithmetic ---- */

typedef struct weft_upc_fold_type {
  size_t width;
  bool real;
  /* *value = *value op p[0] op ... p[n - 1] */
  void (*fold)(const struct weft_upc_fold *f, void *value, const void *p, size_t n);
  /* the same, and out[i] is what *value is after p[i] */
  void (*scan)(const struct weft_upc_fold *f, void *value, void *out, const void *p, size_t n);
} weft_upc_fold_type_t;

/* NULL: none of the types that reductions have. */
const weft_upc_fold_type_t *weft_upc_fold_type(upc_type_t type);

typedef struct weft_upc_fold {
  const weft_upc_fold_type_t *type;
  upc_op_t op;
  void (*func)(void); /* TYPE (*)(TYPE, TYPE) */
} weft_upc_fold_t;

/* The fold of some elements, if there were any. */
typedef struct weft_upc_part {
  union {
    long double widest;
    char bytes[16];
  } value;
  uint64_t present;
} weft_upc_part_t;

/* ---- reduce.c ---- */

/* An array of blocks dealt to threads: element i is at place i + phase, place p in block p / block,
 * block b on thread (first_thread + b) mod THREADS. This thread's are `column` + j * THREADS for j
 * < mine. */
typedef struct weft_upc_run {
  size_t phase, block, end; /* places phase to end are elements */
  size_t blocks;
  size_t first_thread, column, mine;
} weft_upc_run_t;

/* *right = *left op *right. */
void weft_upc_part_before(const weft_upc_fold_t *f, const weft_upc_part_t *left,
                          weft_upc_part_t *right);

/* Ends the job if there is no such operation on this type. */
void weft_upc_check_op(const weft_upc_fold_t *f, const char *who);

void weft_upc_reduce(const weft_upc_fold_t *f, weft_upc_ptr_t dst, weft_upc_ptr_t src,
                     size_t nelems, size_t block, upc_flag_t flags);
void weft_upc_prefix_reduce(const weft_upc_fold_t *f, weft_upc_ptr_t dst, weft_upc_ptr_t src,
                            size_t nelems, size_t block, upc_flag_t flags);

/* ---- ordered.c ---- */

/* So many parts sums[] must have room for. */
size_t weft_upc_ordered_room(const weft_upc_run_t *r);
/* Collective. sums[j]: this thread's j-th block. Afterwards what comes before that block, in the
 * order of elements; *total: of all blocks. */
void weft_upc_ordered(const weft_upc_fold_t *f, const weft_upc_run_t *r, weft_upc_part_t *sums,
                      weft_upc_part_t *total);

#endif
