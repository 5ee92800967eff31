/*
 * section.h: elements with Fortran's types, and sections of them in this process (section.c,
 * convert.c). Knows no images.
 */
#ifndef WEFT_CAF_SECTION_H
#define WEFT_CAF_SECTION_H

#include <stdbool.h>
#include <stddef.h>

#include "base/base.h"

enum { WEFT_CAF_RANK_MAX = 15 };

enum weft_caf_class {
  WEFT_CAF_RAW, /* bytes, copied */
  WEFT_CAF_INTEGER,
  WEFT_CAF_REAL,
  WEFT_CAF_COMPLEX,
  WEFT_CAF_CHARACTER
};

/* An element: kind is gfortran's, bytes the whole element's. */
typedef struct weft_caf_element {
  enum weft_caf_class class;
  int kind;
  size_t bytes;
} weft_caf_element_t;

/* Elements in array order: `n` of a dimension `step` bytes apart, or at at + places[i]. `at` is an
 * address of this process, or of another image as its owner or this image sees it. */
typedef struct weft_caf_section {
  char *at;
  weft_caf_element_t element;
  int rank;
  struct weft_caf_dim {
    size_t n;
    ptrdiff_t step;
    const ptrdiff_t *places;
  } dim[WEFT_CAF_RANK_MAX];
} weft_caf_section_t;

WEFT_API size_t weft_caf_elements(const weft_caf_section_t *section);
/* A place, in bytes, that some memory has: of so many dimensions sums do not overflow. */
static inline bool weft_caf_is_place(ptrdiff_t at) {
  const ptrdiff_t most = PTRDIFF_MAX / (WEFT_CAF_RANK_MAX + 1);
  return at >= -most && at <= most;
}
/* Bytes from `at` to the first element in memory, and to behind the last; 0 and 0 of a section
 * without elements. */
WEFT_API void weft_caf_reach(const weft_caf_section_t *section, ptrdiff_t *first, ptrdiff_t *end);
/* Places that another image sent may be any numbers: they wrap, as unsigned ones. */
static inline ptrdiff_t weft_caf_place_in(const struct weft_caf_dim *dim, size_t i) {
  return dim->places ? dim->places[i] : (ptrdiff_t)((size_t)dim->step * i);
}
/* Where the element index[from ...] lies, in bytes from `at`; the index is the next one's then. All
 * 0 at first, and again behind the last. */
static inline ptrdiff_t weft_caf_next(const weft_caf_section_t *s, size_t *index, int from) {
  size_t off = 0;
  for (int d = from; d < s->rank; d++) off += (size_t)weft_caf_place_in(&s->dim[d], index[d]);
  for (int d = from; d < s->rank && ++index[d] == s->dim[d].n; d++) index[d] = 0;
  return (ptrdiff_t)off;
}
/* Bytes that lie one behind the other: an element, with all of the dimensions below *beyond. */
static inline size_t weft_caf_run(const weft_caf_section_t *s, int *beyond) {
  size_t run = s->element.bytes;
  int d = 0;
  for (; d < s->rank && !s->dim[d].places; d++) {
    if (s->dim[d].step != (ptrdiff_t)run && s->dim[d].n != 1) break;
    run *= s->dim[d].n;
  }
  *beyond = d;
  return run;
}
/* to = from, converted; a `from` of rank 0 goes to every element. No overlap. Nothing is copied if
 * one of them has no elements. */
WEFT_API void weft_caf_copy(const weft_caf_section_t *to, const weft_caf_section_t *from);
/* The same elements one behind the other at `at`, in the same shape. */
WEFT_API void weft_caf_pack(weft_caf_section_t *packed, const weft_caf_section_t *like, char *at);

/* Can elements of one be stored as the other without conversion? */
static inline bool weft_caf_same(const weft_caf_element_t *a, const weft_caf_element_t *b) {
  return a->bytes == b->bytes && a->class == b->class && a->kind == b->kind;
}

#endif
