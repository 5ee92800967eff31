/*
 * by_ref.c: get, send, sendget and is_present through references: chains of src/caf.
 */
#include <stdlib.h>
#include <string.h>

#include "caf/gfortran/abi.h"

/* A chain and what only this side needs of it. */
typedef struct reference {
  weft_caf_chain_t chain;
  char *base;
  size_t item; /* bytes of the last part's elements */
  int type;    /* of a static array at the end, else -1 */
  bool whole;  /* it ends with a whole allocatable component */
  bool scalar; /* all subscripts are single */
  const caf_reference_t *vectors[WEFT_CAF_RANK_MAX]; /* the parts with vector subscripts ... */
  int dimension[WEFT_CAF_RANK_MAX], nvectors;        /* ... and which subscript it is */
} reference_t;

static weft_caf_subscript_t vector_subscript(const caf_reference_t *part, int dimension) {
  const __typeof__(part->u.a.dim[0].v) *v = &part->u.a.dim[dimension].v;
  weft_caf_subscript_t s = {.mode = WEFT_CAF_VECTOR, .n = (int64_t)v->nvec};
  if (!weft_caf.check) return s;
  s.start = INT64_MAX, s.end = INT64_MIN;
  for (size_t i = 0; i < v->nvec; i++) {
    const int64_t index = gfc_index(v->vector, v->kind, i);
    if (index < s.start) s.start = index;
    if (index > s.end) s.end = index;
  }
  return s;
}

static void add_array(reference_t *r, const caf_reference_t *part) {
  weft_caf_step_t step = {.type = part->type == REF_ARRAY ? WEFT_CAF_ARRAY : WEFT_CAF_STATIC,
                          .item = part->item_size};
  while (step.rank < WEFT_CAF_RANK_MAX && part->u.a.mode[step.rank]) step.rank++;
  weft_caf_subscript_t *s = weft_caf_subscripts(weft_caf_chain_add(&r->chain, &step));
  for (int i = 0; i < step.rank; i++) {
    const int mode = part->u.a.mode[i];
    r->scalar &= mode == WEFT_CAF_SINGLE;
    r->whole &= mode == WEFT_CAF_FULL && part->u.a.dim[i].s.stride == 1;
    if (mode == WEFT_CAF_VECTOR) {
      s[i] = vector_subscript(part, i);
      r->vectors[r->nvectors] = part;
      r->dimension[r->nvectors++] = i;
    } else {
      s[i] = (weft_caf_subscript_t){.mode = (uint64_t)mode,
                                    .start = part->u.a.dim[i].s.start,
                                    .end = part->u.a.dim[i].s.end,
                                    .stride = part->u.a.dim[i].s.stride};
    }
  }
}

static void reference_open(reference_t *r, void *token, const caf_reference_t *part) {
  weft_caf_coarray_t *c = token;
  const weft_caf_descriptor_t *d = c->descriptor;
  r->chain.n = 0;
  r->chain.bounds = c->bounds ? c->bounds : d && d->base == c->base ? d : NULL;
  r->base = c->base;
  r->type = -1;
  r->whole = false;
  r->scalar = true;
  r->nvectors = 0;
  for (; part; part = part->next) {
    r->item = part->item_size;
    if (part->type == REF_COMPONENT) {
      const weft_caf_step_t step = {.type = WEFT_CAF_COMPONENT,
                                    .follow = part->u.c.token_offset != 0,
                                    .offset = part->u.c.offset,
                                    .item = (uint64_t)part->u.c.token_offset};
      weft_caf_chain_add(&r->chain, &step);
      r->whole = step.follow;
      r->type = -1;
    } else {
      add_array(r, part);
      r->type = part->type == REF_STATIC_ARRAY ? part->u.a.static_type : -1;
    }
  }
}

/* The section where the chain has led, with the places of vector subscripts. */
static void section_open(weft_caf_section_t *s, const weft_caf_place_t *place, const reference_t *r,
                         const weft_caf_element_t *element) {
  weft_caf_place_section(place, element, s);
  for (int d = 0; d < s->rank; d++) {
    if (!place->dim[d].vector) continue;
    const int k = (int)place->dim[d].vector - 1;
    const __typeof__(r->vectors[k]->u.a.dim[0].v) *v = &r->vectors[k]->u.a.dim[r->dimension[k]].v;
    ptrdiff_t *places = weft_caf_need(malloc(v->nvec * sizeof *places), "a vector subscript");
    for (size_t i = 0; i < v->nvec; i++) {
      const int64_t index = gfc_index(v->vector, v->kind, i);
      if (__builtin_sub_overflow(index, place->dim[d].lower, &places[i]) ||
          __builtin_mul_overflow(places[i], place->dim[d].step, &places[i]) ||
          !weft_caf_is_place(places[i]))
        weft_caf_fatal("the vector subscript %lld of a component is no place in any memory",
                       (long long)index);
    }
    s->dim[d].places = places;
  }
}

/* PE of the image, or -1. */
static int find(const void *token, int image, int *stat) {
  const weft_caf_report_t report = {.stat = stat};
  if (!gfc_is_allocated(token, &report)) return -1;
  if (weft_likely(weft_caf_is_reached(image))) return weft_caf_pe(image);
  return weft_caf_find(NULL, image, &report);
}

/* A line, and the end, where the walk has met an index that leaves its array. */
static void check_outside(const weft_caf_place_t *place) {
  if (place->outcome == WEFT_CAF_OUTSIDE)
    gfc_check_index(place->outside.index, (int)place->outside.dimension, place->outside.lower,
                    place->outside.upper);
}

static bool found(const weft_caf_place_t *place, int image, int *stat) {
  static const char *const why[] = {
      [WEFT_CAF_NOTHING] = "the component is not allocated or associated",
      [WEFT_CAF_BROKEN] = "a component on the way is not allocated or associated",
      [WEFT_CAF_BAD] = "memory that cannot be reached, or subscripts that do not fit"};
  if (weft_likely(place->outcome == WEFT_CAF_FOUND)) return true;
  check_outside(place);
  if (place->outcome == WEFT_CAF_GONE) {
    weft_caf_fail(&(weft_caf_report_t){.stat = stat}, WEFT_CAF_FAILED_IMAGE, "image %d has failed",
                  image);
    return false;
  }
  weft_caf_fail(&(weft_caf_report_t){.stat = stat}, WEFT_CAF_WRONG, "a reference to image %d: %s",
                image, why[place->outcome & 3]);
  return false;
}

/* ---- get ------------------------------------------------------------------------------------- */

/* Make room for what is there, if it does not fit and may be moved; false: it does not fit. */
static bool fit(gfc_t *d, const weft_caf_section_t *remote, bool may_move, int *stat) {
  weft_caf_section_t local;
  local.rank = 1;
  local.dim[0].n = 0;
  if (d->base) gfc_section(&local, d, 0); /* else its bounds mean nothing */
  const size_t n = weft_caf_elements(remote);
  if (!d->base && !may_move && n == 0) return true; /* a temporary without elements */
  bool same = d->base && (d->rank != remote->rank || !may_move);
  if (!same && d->base) {
    same = true;
    for (int i = 0; i < d->rank; i++) same &= local.dim[i].n == remote->dim[i].n;
  }
  if (same && (weft_caf_elements(&local) == n || remote->rank == 0)) return true;
  if (!may_move || d->rank != remote->rank) {
    weft_caf_fail(&(weft_caf_report_t){.stat = stat}, WEFT_CAF_WRONG,
                  "a reference to a coarray has %zu elements where there is room for %zu", n,
                  weft_caf_elements(&local));
    return false;
  }
  size_t bytes;
  const bool too_many = __builtin_mul_overflow(n, d->elem_len, &bytes);
  free(d->base);
  d->base = too_many ? NULL : malloc(bytes + (bytes == 0));
  if (!d->base) {
    weft_caf_fail(&(weft_caf_report_t){.stat = stat}, WEFT_CAF_NO_MEMORY,
                  "Failed to allocate %zu elements", n);
    return false;
  }
  for (int i = 0; i < d->rank; i++) d->dim[i].lower = 1;
  weft_caf_bounds(d, remote);
  return true;
}

/* What came along with the walk. */
enum { ALONG = 8192 };

static weft_caf_element_t element_of(const reference_t *r, int type, int kind) {
  return gfc_element(r->type >= 0 ? r->type : type, kind, r->item);
}

CAF(void, get_by_ref,
    (void *token, int image, gfc_t *dst, caf_reference_t *refs, int dst_kind, int src_kind,
     bool may_require_tmp, bool dst_reallocatable, int *stat, int type)) {
  reference_t r;
  weft_caf_place_t place;
  weft_caf_section_t local, remote, packed;
  _Alignas(16) char along[ALONG];
  (void)may_require_tmp;
  const int pe = find(token, image, stat);
  if (pe < 0) return;
  reference_open(&r, token, refs);
  const weft_caf_element_t element = element_of(&r, type, src_kind);
  weft_caf_chain_walk(pe, r.base, &r.chain, &place, along, sizeof along, element.bytes, false);
  if (!found(&place, image, stat)) return;
  section_open(&remote, &place, &r, &element);
  if (fit(dst, &remote, dst_reallocatable, stat)) {
    gfc_section(&local, dst, dst_kind);
    if (place.moved) {
      packed.element = element;
      weft_caf_pack(&packed, &remote, along);
      weft_caf_copy(&local, &packed);
    } else {
      weft_caf_chain_get(pe, &local, &remote);
    }
    if (stat) *stat = 0;
  }
  gfc_release(&remote);
}

/* ---- send ------------------------------------------------------------------------------------ */

/* The elements of `local` as the other side has them, in `along` if they fit: their bytes, or 0. */
static size_t convert_along(const weft_caf_section_t *local, const weft_caf_element_t *element,
                            char *along) {
  weft_caf_section_t packed = {.element = *element};
  size_t bytes;
  if (__builtin_mul_overflow(weft_caf_elements(local), element->bytes, &bytes) || bytes > ALONG)
    return 0;
  weft_caf_pack(&packed, local, along);
  weft_caf_copy(&packed, local);
  return bytes;
}

/* Does what is there have the shape of what comes, or at least no more elements? */
static bool conforms(const weft_caf_section_t *remote, const weft_caf_section_t *local,
                     bool exactly) {
  const size_t there = weft_caf_elements(remote), here = weft_caf_elements(local);
  if (local->rank == 0) return true;
  if (!exactly || remote->rank != local->rank) return exactly ? there == here : there <= here;
  for (int d = 0; d < remote->rank; d++)
    if (remote->dim[d].n != local->dim[d].n) return false;
  return true;
}

static void send(int pe, int image, const reference_t *r, const weft_caf_section_t *local,
                 const weft_caf_element_t *element, int type, bool may_move, int *stat) {
  weft_caf_place_t place;
  weft_caf_section_t remote = {.rank = 0};
  _Alignas(16) char along[ALONG];
  const bool one = local->rank > 0 || r->scalar;
  const size_t n = one && !weft_caf_is_near(pe) ? convert_along(local, element, along) : 0;
  weft_caf_chain_walk(pe, r->base, &r->chain, &place, n ? along : NULL, n, element->bytes, true);
  may_move &= r->whole && place.descriptor;
  bool make = place.outcome == WEFT_CAF_NOTHING && may_move;
  if (place.outcome == WEFT_CAF_GONE && !stat) return; /* as gfc_is_lost */
  if (!make && !found(&place, image, stat)) return;
  if (!make) {
    section_open(&remote, &place, r, element);
    make = may_move && !conforms(&remote, local, true);
  }
  if (make) {
    gfc_release(&remote);
    place.moved = 0; /* as many elements in another shape */
    if (!weft_caf_chain_allocate(pe, &place, local, element->bytes, type)) {
      weft_caf_fail(&(weft_caf_report_t){.stat = stat}, WEFT_CAF_NO_MEMORY,
                    "Failed to allocate a component of image %d", image);
      return;
    }
    section_open(&remote, &place, r, element);
  }
  if (!place.moved && !conforms(&remote, local, false))
    weft_caf_fail(&(weft_caf_report_t){.stat = stat}, WEFT_CAF_WRONG,
                  "a reference to image %d has %zu elements, and %zu are to be stored", image,
                  weft_caf_elements(&remote), weft_caf_elements(local));
  else if (!place.moved)
    weft_caf_chain_put(pe, &remote, local);
  else
    weft_caf_good(&(weft_caf_report_t){.stat = stat});
  gfc_release(&remote);
}

CAF(void, send_by_ref,
    (void *token, int image, gfc_t *src, caf_reference_t *refs, int dst_kind, int src_kind,
     bool may_require_tmp, bool dst_reallocatable, int *stat, int type)) {
  reference_t r;
  weft_caf_section_t local;
  (void)may_require_tmp;
  if (token && gfc_is_lost(image, NULL, stat)) return;
  const int pe = find(token, image, stat);
  if (pe < 0) return;
  if (stat) *stat = 0;
  reference_open(&r, token, refs);
  const weft_caf_element_t element = element_of(&r, type, dst_kind);
  gfc_section(&local, src, src_kind);
  send(pe, image, &r, &local, &element, type, dst_reallocatable, stat);
}

CAF(void, sendget_by_ref,
    (void *dst_token, int dst_image, caf_reference_t *dst_refs, void *src_token, int src_image,
     caf_reference_t *src_refs, int dst_kind, int src_kind, bool may_require_tmp, int *dst_stat,
     int *src_stat, int dst_type, int src_type)) {
  reference_t to, from;
  weft_caf_place_t place;
  weft_caf_section_t remote, here;
  (void)may_require_tmp;
  if (gfc_is_lost(src_image, NULL, src_stat) || gfc_is_lost(dst_image, NULL, dst_stat)) return;
  const int source = find(src_token, src_image, src_stat);
  const int target = find(dst_token, dst_image, dst_stat);
  if (source < 0 || target < 0) return;
  reference_open(&from, src_token, src_refs);
  const weft_caf_element_t got = element_of(&from, src_type, src_kind);
  weft_caf_chain_walk(source, from.base, &from.chain, &place, NULL, 0, got.bytes, false);
  if (!found(&place, src_image, src_stat)) return;
  section_open(&remote, &place, &from, &got);
  char *memory = weft_caf_bounce(&here, &remote);
  weft_caf_chain_get(source, &here, &remote);
  gfc_release(&remote);
  if (src_stat) *src_stat = 0;
  if (dst_stat) *dst_stat = 0;
  reference_open(&to, dst_token, dst_refs);
  const weft_caf_element_t put = element_of(&to, dst_type, dst_kind);
  send(target, dst_image, &to, &here, &put, dst_type, true, dst_stat);
  free(memory);
}

CAF(int, is_present, (void *token, int image, caf_reference_t *refs)) {
  reference_t r;
  weft_caf_place_t place;
  if (!token) return 0; /* the coarray itself is not allocated */
  const int pe = find(token, image, NULL);
  reference_open(&r, token, refs);
  weft_caf_chain_walk(pe, r.base, &r.chain, &place, NULL, 0, r.item, false);
  check_outside(&place);
  return place.outcome == WEFT_CAF_FOUND;
}
