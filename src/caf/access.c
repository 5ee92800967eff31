/*
 * access.c: sections of coarrays on other images (Fortran 2018, 9.6). On the node elements are
 * copied and converted in one pass; to other nodes what travels has the remote elements' type, as
 * the shapes of src/rma, so that halo sections are packed into one message. Puts stay open until
 * image control; what follows them to the same image takes effect behind them (weft_rma_order).
 */
#include <stdlib.h>
#include <string.h>

#include "caf/internal.h"
#include "rma/rma.h"
#include "trace/trace.h"

void weft_caf_quiet(void) {
  weft_direct_quiet();
}

void weft_caf_get_away(int pe, const void *object, void *to, size_t n) {
  WEFT_SPAN_TO(WEFT_TRACE_GET, "coarray get", n, pe, 0);
  if (n == 0) return; /* characters of length 0 */
  weft_rma_check(object, n, "coarray get", "source");
  weft_rma_get_behind(pe, weft_job_offset(object), to, n, NULL);
}

void weft_caf_put_away(int pe, void *object, const void *from, size_t n) {
  WEFT_SPAN_TO(WEFT_TRACE_PUT, "coarray put", n, pe, 0);
  weft_rma_check(object, n, "coarray put", "dest");
  if (n > 0) weft_rma_put_behind(pe, weft_job_offset(object), from, n, NULL, NULL);
}

/* ---- shapes ---------------------------------------------------------------------------------- */

/* A section as src/rma wants it. */
typedef struct shape {
  weft_shape_t shape;
  size_t count[WEFT_CAF_RANK_MAX];
  ptrdiff_t stride[WEFT_CAF_RANK_MAX];
  uintptr_t *places;
} shape_t;

static bool has_places(const weft_caf_section_t *s) {
  for (int d = 0; d < s->rank; d++)
    if (s->dim[d].places) return true;
  return false;
}

/* Every element's offset, in array order. */
static uintptr_t *list_places(const weft_caf_section_t *s, size_t n) {
  size_t index[WEFT_CAF_RANK_MAX] = {0};
  uintptr_t *places = weft_caf_need(malloc(n * sizeof *places), "a coarray section");
  for (size_t i = 0; i < n; i++) places[i] = (uintptr_t)weft_caf_next(s, index, 0);
  return places;
}

/* `base`: the address, or the slot offset. */
static void shape_open(shape_t *to, const weft_caf_section_t *s, uintptr_t base) {
  to->places = NULL;
  if (has_places(s)) {
    const size_t n = weft_caf_elements(s);
    to->places = list_places(s, n);
    to->shape = weft_shape_places(base, s->element.bytes, n, to->places);
    return;
  }
  for (int d = 0; d < s->rank; d++) {
    to->count[d] = s->dim[d].n;
    to->stride[d] = s->dim[d].step;
  }
  to->shape = weft_shape_strided(base, s->element.bytes, (size_t)s->rank, to->count, to->stride);
}

static void shape_close(shape_t *s) {
  free(s->places);
}

/* Does it go into one piece of memory? */
bool weft_caf_is_block(const weft_caf_section_t *s) {
  ptrdiff_t step = (ptrdiff_t)s->element.bytes;
  for (int d = 0; d < s->rank; d++) {
    if (s->dim[d].places || (s->dim[d].n != 1 && s->dim[d].step != step)) return false;
    step *= (ptrdiff_t)s->dim[d].n;
  }
  return true;
}

/* Of another node. */
static void move_off(int pe, const weft_caf_section_t *remote, const weft_caf_section_t *local,
                     bool write) {
  const size_t bytes = weft_caf_elements(remote) * remote->element.bytes;
  if (weft_caf_is_block(local) && weft_caf_is_block(remote)) {
    if (write)
      weft_caf_put_away(pe, remote->at, local->at, bytes);
    else
      weft_caf_get_away(pe, remote->at, local->at, bytes);
    return;
  }
  shape_t here, there;
  shape_open(&here, local, (uintptr_t)local->at);
  shape_open(&there, remote, weft_job_offset(remote->at));
  weft_rma_order_shape(pe, &there.shape, &here.shape, false);
  if (write)
    weft_rma_put_shape(&there.shape, &here.shape, pe, NULL, NULL, "coarray put");
  else
    weft_rma_get_shape(&here.shape, &there.shape, pe, NULL, "coarray get");
  shape_close(&here);
  shape_close(&there);
}

/* ---- get and put ----------------------------------------------------------------------------- */

char *weft_caf_bounce(weft_caf_section_t *packed, const weft_caf_section_t *like) {
  const size_t bytes = weft_caf_elements(like) * like->element.bytes;
  char *memory = weft_caf_need(malloc(bytes), "a coarray section");
  packed->element = like->element;
  weft_caf_pack(packed, like, memory);
  return memory;
}

static bool may_share(const weft_caf_section_t *a, const weft_caf_section_t *b) {
  ptrdiff_t a_first, a_end, b_first, b_end;
  weft_caf_reach(a, &a_first, &a_end);
  weft_caf_reach(b, &b_first, &b_end);
  return (intptr_t)a->at + a_first < (intptr_t)b->at + b_end &&
         (intptr_t)b->at + b_first < (intptr_t)a->at + a_end;
}

static void copy(const weft_caf_section_t *to, const weft_caf_section_t *from, bool overlap) {
  weft_caf_section_t bounce;
  if (!overlap || from->rank == 0 || !may_share(to, from)) {
    weft_caf_copy(to, from);
    return;
  }
  char *memory = weft_caf_bounce(&bounce, from);
  weft_caf_copy(&bounce, from);
  weft_caf_copy(to, &bounce);
  free(memory);
}

static void move(int pe, const weft_caf_section_t *remote, const weft_caf_section_t *local,
                 bool overlap, bool write) {
  uintptr_t at;
  overlap &= pe == weft_job_pe();
  if (weft_caf_elements(remote) == 0 || weft_caf_elements(local) == 0) return;
  const bool alike = weft_caf_same(&local->element, &remote->element) &&
                     (local->rank == 0) == (remote->rank == 0) && !overlap;
  if (weft_likely(weft_direct_at(remote->at, pe, &at))) {
    if (alike && weft_caf_is_block(local) && weft_caf_is_block(remote)) {
      const size_t bytes = weft_caf_elements(remote) * remote->element.bytes;
      if (write)
        weft_direct_copy((void *)at, local->at, bytes);
      else
        weft_direct_fetch(local->at, (const void *)at, bytes);
      return;
    }
    weft_caf_section_t there = *remote;
    there.at = (char *)at;
    copy(write ? &there : local, write ? local : &there, overlap);
    return;
  }
  if (alike) {
    move_off(pe, remote, local, write);
    return;
  }
  weft_caf_section_t bounce;
  char *memory = weft_caf_bounce(&bounce, remote);
  if (write) weft_caf_copy(&bounce, local);
  move_off(pe, remote, &bounce, write);
  if (!write) weft_caf_copy(local, &bounce);
  free(memory);
}

void weft_caf_get(int pe, const weft_caf_section_t *local, const weft_caf_section_t *remote,
                  bool overlap) {
  move(pe, remote, local, overlap, false);
}

void weft_caf_put(int pe, const weft_caf_section_t *remote, const weft_caf_section_t *local,
                  bool overlap) {
  move(pe, remote, local, overlap, true);
}
