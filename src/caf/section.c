/*
 * section.c: copies between sections of this process, in array element order, with whatever
 * conversion their elements need. Knows memory and types; no images.
 */
#include <string.h>

#include "caf/convert.h"

size_t weft_caf_elements(const weft_caf_section_t *s) {
  size_t n = 1;
  for (int d = 0; d < s->rank; d++) n *= s->dim[d].n;
  return n;
}

void weft_caf_reach(const weft_caf_section_t *s, ptrdiff_t *first, ptrdiff_t *end) {
  *first = 0;
  *end = 0;
  if (weft_caf_elements(s) == 0) return;
  *end = (ptrdiff_t)s->element.bytes;
  for (int d = 0; d < s->rank; d++) {
    const struct weft_caf_dim *dim = &s->dim[d];
    const size_t last = dim->n - 1, by = dim->places || !last ? 1 : last;
    ptrdiff_t low = weft_caf_place_in(dim, 0), high = low;
    for (size_t i = by; i <= last; i += by) {
      const ptrdiff_t at = weft_caf_place_in(dim, i);
      if (at < low) low = at;
      if (at > high) high = at;
    }
    *first += low;
    *end += high;
  }
}

void weft_caf_pack(weft_caf_section_t *packed, const weft_caf_section_t *like, char *at) {
  size_t step = packed->element.bytes; /* where there are no elements it may wrap */
  packed->at = at;
  packed->rank = like->rank;
  for (int d = 0; d < like->rank; d++) {
    packed->dim[d] = (struct weft_caf_dim){.n = like->dim[d].n, .step = (ptrdiff_t)step};
    step *= like->dim[d].n;
  }
}

/* A position in a section whose dimensions of one element are left out and whose dimensions that
 * continue each other are one. */
typedef struct walk {
  char *row;
  int rank;
  size_t i; /* in the innermost dimension */
  struct weft_caf_dim dim[WEFT_CAF_RANK_MAX];
  size_t index[WEFT_CAF_RANK_MAX];
} walk_t;

static void walk_open(walk_t *w, const weft_caf_section_t *s) {
  w->row = s->at;
  w->i = 0;
  w->rank = 0;
  for (int d = 0; d < s->rank; d++) {
    const struct weft_caf_dim *dim = &s->dim[d];
    struct weft_caf_dim *last = w->rank ? &w->dim[w->rank - 1] : NULL;
    if (dim->n == 1) {
      if (dim->places) w->row += dim->places[0];
    } else if (last && !last->places && !dim->places &&
               dim->step == last->step * (ptrdiff_t)last->n) {
      last->n *= dim->n;
    } else {
      w->index[w->rank] = 0;
      w->dim[w->rank++] = *dim;
    }
  }
  if (w->rank == 0) w->dim[w->rank++] = (struct weft_caf_dim){.n = 1, .step = 0};
  w->index[0] = 0;
  for (int d = 1; d < w->rank; d++)
    if (w->dim[d].places) w->row += w->dim[d].places[0];
}

/* The row is used up. */
static void walk_next(walk_t *w) {
  w->i = 0;
  for (int d = 1; d < w->rank; d++) {
    const struct weft_caf_dim *dim = &w->dim[d];
    w->row -= weft_caf_place_in(dim, w->index[d]);
    if (++w->index[d] == dim->n) w->index[d] = 0;
    w->row += weft_caf_place_in(dim, w->index[d]);
    if (w->index[d]) return;
  }
}

static char *walk_at(const walk_t *w) {
  return w->row + weft_caf_place_in(&w->dim[0], w->i);
}

/* Elements that lie evenly from here on. */
static size_t walk_run(const walk_t *w) {
  return w->dim[0].places ? 1 : w->dim[0].n - w->i;
}

static void walk_step(walk_t *w, size_t n) {
  w->i += n;
  if (w->i == w->dim[0].n) walk_next(w);
}

void weft_caf_copy(const weft_caf_section_t *to, const weft_caf_section_t *from) {
  size_t left = weft_caf_elements(to);
  if (left == 0 || weft_caf_elements(from) == 0) return;
  walk_t dest, source;
  weft_caf_convert_t convert;
  weft_caf_convert_open(&convert, &to->element, &from->element);
  walk_open(&dest, to);
  walk_open(&source, from);
  if (from->rank == 0) source.dim[0].n = left; /* again and again, 0 bytes further */
  while (left > 0) {
    const size_t here = walk_run(&dest), there = walk_run(&source);
    size_t n = here < there ? here : there;
    if (n > left) n = left;
    convert.run(&convert, walk_at(&dest), dest.dim[0].step, walk_at(&source), source.dim[0].step,
                n);
    walk_step(&dest, n);
    walk_step(&source, n);
    left -= n;
  }
}
