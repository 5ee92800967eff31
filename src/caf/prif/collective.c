/*
 * collective.c: collective subroutines (PRIF 0.8, collectives). Knows the array descriptors that
 * gfortran and flang pass to C: both begin alike, and the version tells them apart.
 */
#include "caf/prif/glue.h"

typedef struct descriptor {
  void *base;
  size_t bytes; /* of an element */
  int version;  /* gfortran's is 1 */
  int8_t rank;
  int8_t flang_type;     /* gfortran: whether it is a pointer */
  int16_t gfortran_type; /* a class, and a kind above it */
  struct {
    ptrdiff_t lower, extent, step;
  } dim[];
} descriptor_t;

_Static_assert(offsetof(descriptor_t, dim) == 24, "descriptor");
_Static_assert(offsetof(descriptor_t, gfortran_type) == 22, "descriptor");

enum { GFORTRAN = 1 };

static enum weft_caf_class class_in_gfortran(int type) {
  static const enum weft_caf_class classes[] = {WEFT_CAF_RAW,     WEFT_CAF_INTEGER,
                                                WEFT_CAF_INTEGER, WEFT_CAF_REAL,
                                                WEFT_CAF_COMPLEX, WEFT_CAF_CHARACTER};
  const unsigned code = (unsigned)type & 0xff;
  return code < WEFT_ARRAY_LEN(classes) ? classes[code] : WEFT_CAF_RAW;
}

/* Half-precision and unsigned types are not there. */
static enum weft_caf_class class_in_flang(int type) {
  enum {
    INT_FIRST = 1,
    INT_LAST = 24,
    FLOAT = 27,
    FLOAT128 = 31,
    FLOAT_COMPLEX = 34,
    FLOAT128_COMPLEX = 38,
    CHAR = 40,
    CHAR32 = 44
  };
  if (type >= INT_FIRST && type <= INT_LAST) return WEFT_CAF_INTEGER;
  if (type >= FLOAT && type <= FLOAT128) return WEFT_CAF_REAL;
  if (type >= FLOAT_COMPLEX && type <= FLOAT128_COMPLEX) return WEFT_CAF_COMPLEX;
  return type == CHAR || type == CHAR32 ? WEFT_CAF_CHARACTER : WEFT_CAF_RAW;
}

static int kind_of(const descriptor_t *d, enum weft_caf_class class) {
  enum { CHAR32 = 44, KIND = 8 };
  if (class == WEFT_CAF_COMPLEX) return (int)(d->bytes / 2);
  if (class != WEFT_CAF_CHARACTER) return (int)d->bytes;
  if (d->version == GFORTRAN) return d->gfortran_type >> KIND == 4 ? 4 : 1;
  return d->flang_type == CHAR32 ? 4 : 1;
}

static void describe(weft_caf_section_t *s, const descriptor_t *d) {
  const enum weft_caf_class class =
      d->version == GFORTRAN ? class_in_gfortran(d->gfortran_type) : class_in_flang(d->flang_type);
  s->at = d->base;
  s->element = (weft_caf_element_t){.class = class, .kind = kind_of(d, class), .bytes = d->bytes};
  s->rank = d->rank;
  for (int i = 0; i < d->rank; i++)
    s->dim[i] = (struct weft_caf_dim){.n = d->dim[i].extent > 0 ? (size_t)d->dim[i].extent : 0,
                                      .step = d->dim[i].step};
  if (!d->base) { /* not allocated: take part with nothing */
    s->rank = 1;
    s->dim[0] = (struct weft_caf_dim){.n = 0};
  }
}

static void describe_block(weft_caf_section_t *s, void *at, size_t element, size_t n) {
  *s = (weft_caf_section_t){
      .at = at, .element = {.class = WEFT_CAF_RAW, .bytes = element}, .rank = 1};
  s->dim[0] = (struct weft_caf_dim){.n = n, .step = (ptrdiff_t)element};
}

/* op: 0 sum, 1 min, 2 max. result_image 0: on all images. */
int weft_prif_co_combine(int op, const void *a, int result_image) {
  static const char *const names[] = {"prif_co_sum", "prif_co_min", "prif_co_max"};
  static const enum weft_caf_op ops[] = {WEFT_CAF_SUM, WEFT_CAF_MIN, WEFT_CAF_MAX};
  weft_caf_section_t s;
  weft_prif_team_of(NULL, names[op]);
  describe(&s, a);
  const weft_caf_combine_t combine = weft_caf_combine(ops[op], &s.element);
  if (!combine) return weft_prif_fail(PRIF_WRONG, "%s: not for this type", names[op]);
  weft_caf_co_reduce(&s, result_image, ops[op], combine, &s.element, weft_prif_report());
  return weft_prif_code();
}

static int broadcast(weft_caf_section_t *s, int source_image) {
  weft_prif_team_of(NULL, "prif_co_broadcast");
  s->element.class = WEFT_CAF_RAW;
  weft_caf_co_broadcast(s, source_image, weft_prif_report());
  return weft_prif_code();
}

int weft_prif_co_broadcast(const void *a, int source_image) {
  weft_caf_section_t s;
  describe(&s, a);
  return broadcast(&s, source_image);
}

int weft_prif_co_broadcast_block(void *a, size_t n, int source_image) {
  weft_caf_section_t s;
  describe_block(&s, a, 1, n);
  return broadcast(&s, source_image);
}

/* ---- co_reduce ------------------------------------------------------------------------------- */

/* arg2[i] = op(arg1[i], arg2[i]) */
typedef void (*wrapper_t)(const void *arg1, void *arg2, size_t n, void *cdata);

typedef struct operation {
  wrapper_t wrapper;
  void *cdata;
} operation_t;

static void combine_by_wrapper(const void *left, void *right, size_t n, const void *arg) {
  const operation_t *op = arg;
  op->wrapper(left, right, n, op->cdata);
}

static int reduce(weft_caf_section_t *s, wrapper_t wrapper, void *cdata, int result_image) {
  operation_t op = {.wrapper = wrapper, .cdata = cdata};
  weft_prif_team_of(NULL, "prif_co_reduce");
  s->element.class = WEFT_CAF_RAW;
  weft_caf_co_reduce(s, result_image, WEFT_CAF_REDUCE, combine_by_wrapper, &op, weft_prif_report());
  return weft_prif_code();
}

int weft_prif_co_reduce(const void *a, wrapper_t wrapper, void *cdata, int result_image) {
  weft_caf_section_t s;
  describe(&s, a);
  return reduce(&s, wrapper, cdata, result_image);
}

int weft_prif_co_reduce_block(void *a, size_t element, size_t n, wrapper_t wrapper, void *cdata,
                              int result_image) {
  weft_caf_section_t s;
  describe_block(&s, a, element, n);
  return reduce(&s, wrapper, cdata, result_image);
}
