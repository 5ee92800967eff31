/*
 * check.c: WEFT_CHECK=1: is what a statement names inside the coarray? The compiler passes no
 * bounds of static coarrays, and often an offset in place of subscripts: an index that is wrong in
 * one dimension but stays inside is not always found.
 */
#include <stdio.h>

#include "caf/gfortran/abi.h"

void gfc_check_index(ptrdiff_t index, int dimension, ptrdiff_t lower, ptrdiff_t upper) {
  char what[40] = "a coarray, of elements from 1,";
  if (index >= lower && index <= upper) return;
  if (dimension) snprintf(what, sizeof what, "dimension %d of a coarray", dimension);
  weft_caf_fail(&(weft_caf_report_t){0}, WEFT_CAF_WRONG, "Index '%td' of %s %s bound of %td", index,
                what, index < lower ? "below lower" : "above upper", index < lower ? lower : upper);
}

static void check_dimension(const caf_vector_t *v, int dimension, ptrdiff_t lower, ptrdiff_t upper,
                            size_t n) {
  for (size_t i = 0; i < v->nvec; i++)
    gfc_check_index(gfc_index(v->u.v.vector, v->u.v.kind, i), dimension, lower, upper);
  if (v->nvec || !n) return;
  const ptrdiff_t stride = v->u.triplet.stride ? v->u.triplet.stride : 1;
  gfc_check_index(v->u.triplet.lower, dimension, lower, upper);
  gfc_check_index(v->u.triplet.lower + (ptrdiff_t)(n - 1) * stride, dimension, lower, upper);
}

/* Subscripts, from the place of the first element; then those at the end of each dimension. */
static void check_place(const weft_caf_coarray_t *c, const weft_caf_section_t *s, const gfc_t *b) {
  const ptrdiff_t unit = b->span > 0 ? b->span : (ptrdiff_t)b->elem_len;
  ptrdiff_t left = (s->at - c->base) / unit, index[WEFT_CAF_RANK_MAX];
  for (int d = b->rank - 1; d >= 0; left %= b->dim[d--].stride) index[d] = left / b->dim[d].stride;
  for (int i = 0; i < s->rank; i++) {
    int d = b->rank - 1;
    while (d > 0 && s->dim[i].step % (b->dim[d].stride * unit)) d--;
    index[d] += (ptrdiff_t)(s->dim[i].n - 1) * s->dim[i].step / (b->dim[d].stride * unit);
    gfc_check_index(b->dim[d].lower + index[d], d + 1, b->dim[d].lower, b->dim[d].upper);
  }
}

void gfc_check(const weft_caf_coarray_t *c, const weft_caf_section_t *s, const gfc_t *d,
               const caf_vector_t *v) {
  const gfc_t *b = c->bounds;
  ptrdiff_t first, end;
  if (!weft_caf_elements(s) || !s->element.bytes) return;
  if (b && b->rank > 0 && !v && s->at >= c->base && c->size) check_place(c, s, b);
  if (b && v && b->rank == d->rank)
    for (int i = 0; i < d->rank; i++)
      check_dimension(&v[i], i + 1, b->dim[i].lower, b->dim[i].upper, s->dim[i].n);
  weft_caf_reach(s, &first, &end);
  first += s->at - c->base;
  end += s->at - c->base;
  if (first >= 0 && end <= (ptrdiff_t)c->size) return;
  const ptrdiff_t unit = (ptrdiff_t)(c->element ? c->element : s->element.bytes);
  const ptrdiff_t size = (ptrdiff_t)c->size / unit;
  const ptrdiff_t wrong = first < 0 ? -((unit - 1 - first) / unit) : (end + unit - 1) / unit - 1;
  const bool exact = b && b->rank == 1;
  const ptrdiff_t lower = exact ? b->dim[0].lower : 1;
  gfc_check_index(wrong + lower, exact, lower, lower + size - 1);
}
