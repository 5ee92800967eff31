/*
 * shape: where the bytes of one side of a non-contiguous transfer lie, and a cursor that goes over
 * them in order. Evenly strided in any number of dimensions, a list of pieces, or a list of places
 * of one length. Addresses are numbers: of this process, or slot offsets of another PE. Knows no
 * PE, no network and no job.
 */
#ifndef WEFT_SHAPE_H
#define WEFT_SHAPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum weft_form { WEFT_STRIDED, WEFT_PIECES, WEFT_PLACES };

/* Laid out as GASNet's gex_Memvec_t. */
typedef struct weft_piece {
  uintptr_t at;
  size_t n;
} weft_piece_t;

/* A dimension of which there is only one, or that continues the one below it, is no dimension;
 * those that are left have 2 or more each, so with 40 there would be 2^40 blocks. */
enum { WEFT_DIMS_MAX = 40 };

typedef struct weft_shape {
  enum weft_form form;
  uintptr_t base;          /* STRIDED: the first byte; lists: added to every address in them */
  size_t run;              /* STRIDED, PLACES: bytes of each block */
  size_t n;                /* STRIDED: dimensions above the block; lists: entries */
  const size_t *count;     /* STRIDED: blocks or rows in dimension 0 (the innermost), 1, ... */
  const ptrdiff_t *stride; /* STRIDED: bytes from one to the next; may be negative or 0 */
  const weft_piece_t *pieces;
  const uintptr_t *places;
} weft_shape_t;

static inline weft_shape_t weft_shape_strided(uintptr_t base, size_t run, size_t dims,
                                              const size_t *count, const ptrdiff_t *stride) {
  return (weft_shape_t){
      .form = WEFT_STRIDED, .base = base, .run = run, .n = dims, .count = count, .stride = stride};
}
static inline weft_shape_t weft_shape_pieces(uintptr_t base, size_t n, const weft_piece_t *pieces) {
  return (weft_shape_t){.form = WEFT_PIECES, .base = base, .n = n, .pieces = pieces};
}
static inline weft_shape_t weft_shape_places(uintptr_t base, size_t run, size_t n,
                                             const uintptr_t *places) {
  return (weft_shape_t){.form = WEFT_PLACES, .base = base, .run = run, .n = n, .places = places};
}

/* Bytes of all blocks. */
size_t weft_shape_bytes(const weft_shape_t *shape);

/* A position in a shape. Of a strided one it keeps its own copy, in which dimensions that continue
 * each other are one; of a list it refers to the entries. */
typedef struct weft_cursor {
  enum weft_form form;
  uintptr_t at;  /* of the next byte */
  size_t left;   /* bytes from there to the end of the block; 0: no more blocks */
  size_t run;    /* of a whole block of the strided */
  size_t total;  /* bytes left in all */
  uintptr_t row; /* STRIDED: where the present block begins; lists: the base */
  size_t n;      /* STRIDED: dimensions; lists: entries after the present one */
  const weft_piece_t *pieces;
  const uintptr_t *places;
  size_t count[WEFT_DIMS_MAX], index[WEFT_DIMS_MAX];
  ptrdiff_t stride[WEFT_DIMS_MAX];
} weft_cursor_t;

/* At the beginning. */
void weft_cursor_open(weft_cursor_t *cursor, const weft_shape_t *shape);
/* n bytes (at most `left`) further. */
void weft_cursor_step(weft_cursor_t *cursor, size_t n);
/* n bytes (at most `total`) further. */
void weft_cursor_skip(weft_cursor_t *cursor, size_t n);
/* Bytes of a block, on average over all that is left. */
size_t weft_cursor_block(const weft_cursor_t *cursor);

/* Between a shape in this process and consecutive bytes; the cursor is moved on. Aligned scalars
 * are stored whole, since their owner may be polling them. */
void weft_cursor_pack(weft_cursor_t *from, void *to, size_t n);
void weft_cursor_unpack(weft_cursor_t *to, const void *from, size_t n);
/* Between two shapes in this process, all that is left of `to`. */
void weft_cursor_copy(weft_cursor_t *to, weft_cursor_t *from);

#endif
