/*
 * describe.c: what gfortran passes, as sections of src/caf.
 */
#include <stdlib.h>
#include <string.h>

#include "caf/gfortran/abi.h"

weft_caf_element_t gfc_element(int type, int kind, size_t bytes) {
  static const enum weft_caf_class classes[] = {[GFC_INTEGER] = WEFT_CAF_INTEGER,
                                                [GFC_LOGICAL] = WEFT_CAF_INTEGER,
                                                [GFC_REAL] = WEFT_CAF_REAL,
                                                [GFC_COMPLEX] = WEFT_CAF_COMPLEX,
                                                [GFC_CHARACTER] = WEFT_CAF_CHARACTER};
  weft_caf_element_t e = {.class = WEFT_CAF_RAW, .kind = kind, .bytes = bytes};
  if (type > 0 && type <= GFC_CHARACTER) e.class = classes[type];
  if (e.class == WEFT_CAF_RAW) e.kind = 0;
  return e;
}

static ptrdiff_t span(const gfc_t *d) {
  return d->span > 0 ? d->span : (ptrdiff_t)d->elem_len;
}

/* Bounds of an array without elements may be any that another image has sent: they wrap. */
static size_t extent(ptrdiff_t lower, ptrdiff_t upper) {
  return upper < lower ? 0 : (size_t)upper - (size_t)lower + 1;
}

static void dimensions(weft_caf_section_t *s, const gfc_t *d) {
  const size_t unit = (size_t)span(d);
  s->rank = d->rank;
  for (int i = 0; i < d->rank; i++)
    s->dim[i] = (struct weft_caf_dim){.n = extent(d->dim[i].lower, d->dim[i].upper),
                                      .step = (ptrdiff_t)((size_t)d->dim[i].stride * unit)};
}

void gfc_section(weft_caf_section_t *s, const gfc_t *d, int kind) {
  s->at = d->base;
  s->element = gfc_element(d->type, kind, d->elem_len);
  dimensions(s, d);
}

/* The descriptor may be one of rank 1, which is shorter than gfc_t. */
void gfc_integers(gfc_t *d, void *at, size_t bytes, size_t n, ptrdiff_t lower) {
  const weft_caf_section_t s = {.rank = 1, .dim = {{.n = n}}};
  d->base = at;
  d->elem_len = bytes;
  d->version = 0;
  d->rank = 1;
  d->type = GFC_INTEGER;
  d->attribute = 0;
  d->dim[0].lower = lower;
  weft_caf_bounds(d, &s);
}

ptrdiff_t gfc_index(const void *vector, int kind, size_t i) {
  switch (kind) {
  case 1: return ((const int8_t *)vector)[i];
  case 2: return ((const int16_t *)vector)[i];
  case 4: return ((const int32_t *)vector)[i];
  case 8: return (ptrdiff_t)((const int64_t *)vector)[i];
  case 16: return (ptrdiff_t)((const __int128 *)vector)[i];
  default: weft_caf_fatal("a vector subscript of kind %d", kind);
  }
}

static struct weft_caf_dim subscripts(const caf_vector_t *v, ptrdiff_t lower, ptrdiff_t step,
                                      char **at) {
  struct weft_caf_dim dim = {.n = v->nvec};
  if (v->nvec) {
    ptrdiff_t *places = weft_caf_need(malloc(v->nvec * sizeof *places), "a vector subscript");
    for (size_t i = 0; i < v->nvec; i++)
      places[i] = (gfc_index(v->u.v.vector, v->u.v.kind, i) - lower) * step;
    dim.places = places;
    return dim;
  }
  const ptrdiff_t stride = v->u.triplet.stride ? v->u.triplet.stride : 1;
  const ptrdiff_t count = (v->u.triplet.upper - v->u.triplet.lower + stride) / stride;
  dim.n = count > 0 ? (size_t)count : 0;
  dim.step = stride * step;
  *at += (v->u.triplet.lower - lower) * step;
  return dim;
}

void gfc_remote(weft_caf_section_t *s, char *at, const gfc_t *d, const caf_vector_t *v, int kind) {
  s->at = at;
  s->element = gfc_element(d->type, kind, d->elem_len);
  dimensions(s, d);
  if (!v) return;
  for (int i = 0; i < d->rank; i++)
    s->dim[i] = subscripts(&v[i], d->dim[i].lower, s->dim[i].step, &s->at);
}

void gfc_release(weft_caf_section_t *s) {
  for (int i = 0; i < s->rank; i++) free((void *)(uintptr_t)s->dim[i].places);
}
