/*
 * check.c: is the coarray allocated, is the image there? And with WEFT_CHECK=1: is what a statement
 * names inside it? In a procedure the coarray may be a dummy with other bounds, or of another
 * shape, under the same token: the bounds of its allocation say nothing of the procedure's indices.
 * Elements and sections come as an address, so of them the place is all that can be judged. Vector
 * subscripts come as indices.
 */
#include <stdio.h>
#include <string.h>

#include "caf/gfortran/abi.h"

/* ALLOCATE stores the token, DEALLOCATE takes it away, or only the memory. */
bool gfc_is_allocated(const weft_caf_coarray_t *c, const weft_caf_report_t *report) {
  if (weft_likely(c && c->base)) return true;
  weft_caf_fail(report, WEFT_CAF_WRONG, "the coarray is not allocated");
  return false;
}

bool gfc_is_lost(int image, const weft_caf_team_t *team, const int *stat) {
  const int images = team ? weft_caf_team_size(team) : weft_caf.images;
  return weft_caf.survive && !stat && (unsigned)image - 1 < (unsigned)images &&
         weft_caf_has_failed(team, image);
}

void gfc_check_index(ptrdiff_t index, int dimension, ptrdiff_t lower, ptrdiff_t upper) {
  char what[40] = "a coarray, of elements from 1,";
  if (index >= lower && index <= upper) return;
  if (dimension) snprintf(what, sizeof what, "dimension %d of a coarray", dimension);
  weft_caf_fail(&(weft_caf_report_t){0}, WEFT_CAF_WRONG, "Index '%td' of %s %s bound of %td", index,
                what, index < lower ? "below lower" : "above upper", index < lower ? lower : upper);
}

/* gfortran passes an allocatable coarray's own descriptor; else upper bounds are not in `d`. */
static bool is_whole(const weft_caf_coarray_t *c, const gfc_t *d) {
  const gfc_t *b = c->bounds;
  return b && d->rank == b->rank && d->base == c->base &&
         memcmp(d->dim, b->dim, sizeof d->dim[0] * (size_t)d->rank) == 0;
}

static void check_dimension(const caf_vector_t *v, int dimension, ptrdiff_t lower, ptrdiff_t upper,
                            size_t n) {
  for (size_t i = 0; i < v->nvec; i++)
    gfc_check_index(gfc_index(v->u.v.vector, v->u.v.kind, i), dimension, lower, upper);
  if (v->nvec) return;
  const ptrdiff_t stride = v->u.triplet.stride ? v->u.triplet.stride : 1;
  gfc_check_index(v->u.triplet.lower, dimension, lower, upper);
  gfc_check_index(v->u.triplet.lower + (ptrdiff_t)(n - 1) * stride, dimension, lower, upper);
}

void gfc_check(const weft_caf_coarray_t *c, const weft_caf_section_t *s, const gfc_t *d,
               const caf_vector_t *v) {
  const gfc_t *b = c->bounds;
  ptrdiff_t first, end;
  if (!weft_caf_elements(s) || !s->element.bytes) return;
  const bool whole = v && is_whole(c, d);
  for (int i = 0; v && i < d->rank; i++)
    check_dimension(&v[i], i + 1, d->dim[i].lower, whole ? d->dim[i].upper : PTRDIFF_MAX,
                    s->dim[i].n);
  weft_caf_reach(s, &first, &end);
  first += s->at - c->base;
  end += s->at - c->base;
  if (first >= 0 && end <= (ptrdiff_t)c->size) return;
  /* The line counts as the coarray was allocated. */
  const ptrdiff_t unit = (ptrdiff_t)(c->element ? c->element : s->element.bytes);
  const ptrdiff_t size = (ptrdiff_t)c->size / unit;
  const ptrdiff_t wrong = first < 0 ? -((unit - 1 - first) / unit) : (end + unit - 1) / unit - 1;
  const bool exact = b && b->rank == 1;
  const ptrdiff_t lower = exact ? b->dim[0].lower : 1;
  gfc_check_index(wrong + lower, exact, lower, lower + size - 1);
}
