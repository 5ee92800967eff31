/*
 * The calls of gfortran 8 to 14 that lead to chain.c: x[AWAY]%array(list, :) with elements of
 * several sizes is got, sent, asked for, or goes from there to there again. What such a call is
 * given, or makes, is all that it may write to.
 */
#include "by_ref.h"

#include <stdlib.h>
#include <string.h>

#include "caf/gfortran/abi.h"
#include "caf/internal.h"
#include "wire.h"

enum { IMAGE = 3, WORDS = 4, ROWS = 2, OBJECT = 3 * PAGE };
enum { GET, SEND, SENDGET, PRESENT };

void _gfortran_caf_get_by_ref(void *, int, gfc_t *, caf_reference_t *, int, int, bool, bool, int *,
                              int);
void _gfortran_caf_send_by_ref(void *, int, gfc_t *, caf_reference_t *, int, int, bool, bool, int *,
                               int);
void _gfortran_caf_sendget_by_ref(void *, int, caf_reference_t *, void *, int, caf_reference_t *,
                                  int, int, bool, int *, int *, int, int);
int _gfortran_caf_is_present(void *, int, caf_reference_t *);
uint64_t __wrap_weft_caf_component_for(int pe, uint64_t place, size_t size);
void __wrap_weft_caf_component_free_for(int pe, uint64_t p);
void __wrap_weft_job_exit(int status);

/* A component of that image has memory where the page elsewhere is. */
uint64_t __wrap_weft_caf_component_for(int pe, uint64_t place, size_t size) {
  (void)place;
  FUZZ_CHECK(pe == IMAGE - 1);
  return size <= PAGE ? (uint64_t)2 << 44 : 0;
}

void __wrap_weft_caf_component_free_for(int pe, uint64_t p) {
  (void)p;
  FUZZ_CHECK(pe == IMAGE - 1);
}

/* Of a call without stat=. */
void __wrap_weft_job_exit(int status) {
  weft_fatal("the job ended with status %d", status);
}

/* An array of this image with ROWS rows. */
static gfc_t describe(size_t bytes, int type) {
  const weft_caf_section_t like = {.rank = 2, .dim = {{.n = WORDS}, {.n = ROWS}}};
  gfc_t d = {.elem_len = bytes, .rank = 2, .type = (signed char)type};
  d.dim[0].lower = d.dim[1].lower = 1;
  weft_caf_bounds(&d, &like);
  d.base = calloc(WORDS * ROWS + 1, bytes);
  FUZZ_CHECK(d.base != NULL);
  return d;
}

/* It is all there. */
static void use(const gfc_t *d) {
  weft_caf_section_t s;
  size_t bytes;
  gfc_section(&s, d, 0);
  FUZZ_CHECK(!__builtin_mul_overflow(weft_caf_elements(&s), d->elem_len, &bytes));
  memset(d->base, 1, bytes);
}

void by_ref(unsigned how) {
  static const size_t sizes[] = {8, 0, 1, 16};
  static const int64_t list[WORDS] = {1, 3, 2, 3};
  static weft_caf_coarray_t coarray;
  const size_t there = sizes[how >> 4 & 3], here = sizes[how >> 6 & 3];
  const int type = there && here ? GFC_INTEGER : GFC_CHARACTER;
  const int kind = type == GFC_INTEGER ? (int)there : 1, own = type == GFC_INTEGER ? (int)here : 1;
  const bool may_move = how & 4, whole = how & 256;
  caf_reference_t array = {.type = REF_ARRAY, .item_size = there};
  caf_reference_t component = {.next = &array, .type = REF_COMPONENT, .item_size = there};
  int stat, other;
  component.u.c.token_offset = 64;
  array.u.a.mode[0] = array.u.a.mode[1] = WEFT_CAF_FULL;
  array.u.a.dim[0].s.stride = array.u.a.dim[1].s.stride = 1;
  if (!whole) {
    array.u.a.mode[0] = WEFT_CAF_VECTOR;
    array.u.a.dim[0].v.vector = (void *)(uintptr_t)list;
    array.u.a.dim[0].v.nvec = WORDS, array.u.a.dim[0].v.kind = 8;
  }
  caf_reference_t list_to = array, to = component; /* of sendget, with the other size */
  to.next = &list_to, to.item_size = list_to.item_size = here;
  coarray.base = (char *)weft_job.window.base + OBJECT;
  weft_caf.images = weft_caf.reach = PES, weft_caf.me = 1;
  weft_caf.check = how & 8;
  gfc_t d = describe(here, type);
  switch (how & 3) {
  case GET:
    _gfortran_caf_get_by_ref(&coarray, IMAGE, &d, &component, own, kind, false, may_move, &stat,
                             type);
    if (stat == 0) use(&d);
    break;
  case SEND:
    _gfortran_caf_send_by_ref(&coarray, IMAGE, &d, &component, kind, own, false, may_move, &stat,
                              type);
    break;
  case SENDGET:
    _gfortran_caf_sendget_by_ref(&coarray, IMAGE, &to, &coarray, IMAGE, &component, own, kind,
                                 false, &stat, &other, type, type);
    break;
  case PRESENT: _gfortran_caf_is_present(&coarray, IMAGE, &component); break;
  }
  free(d.base);
}
