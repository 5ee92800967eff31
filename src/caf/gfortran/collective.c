/*
 * collective.c: co_broadcast, co_sum, co_min, co_max, co_reduce.
 */
#include <string.h>

#include "caf/gfortran/abi.h"

enum { ERRMSG_MAX = 1 << 20 };

/* gfortran (12.2, and 16.2 by its source) passes most errmsg by value: in registers up to 16 bytes,
 * else on the stack, and then the next argument stands in errmsg's place. What is no address, or
 * may be text of one register, is no errmsg. Nor is it where the length is text, or anything at
 * all, of the second register: the first one's may look like an address. */
static weft_caf_report_t report_to(int *stat, char *errmsg, size_t errmsg_len) {
  if (!gfc_is_address((uintptr_t)errmsg) || errmsg_len <= sizeof errmsg || errmsg_len > ERRMSG_MAX)
    errmsg = NULL;
  return (weft_caf_report_t){.stat = stat, .errmsg = errmsg, .len = errmsg_len};
}

static bool is_length(size_t n, const gfc_t *a) {
  return n > 0 && (n == a->elem_len || 4 * n == a->elem_len);
}

/* So the length of characters is in errmsg's place, in its own, or behind it. A substring, which
 * comes with the element size of the whole, has less. *errmsg: no longer taken for an address where
 * it is not in its own. */
static int length_of(const gfc_t *a, char **errmsg, int a_len, size_t errmsg_len) {
  const size_t all = a->elem_len, first = (size_t)*errmsg, own = (unsigned)a_len;
  const bool kept = !*errmsg || gfc_is_address(first);
  if (a->type != GFC_CHARACTER) return 0;
  if (is_length(first, a) || (!kept && first < all)) {
    *errmsg = NULL;
    return (int)first;
  }
  if (is_length(own, a) || (kept && own > 0 && own < all)) return a_len;
  if (!is_length(errmsg_len, a)) {
    if (own < all) return a_len;
    if (errmsg_len > all) return (int)all;
  }
  *errmsg = NULL;
  return (int)errmsg_len;
}

/* Of a substring even less is told: kind 4 has numbers of characters, as text of kind 1 is not. No
 * more is read than the substring, and the word it starts in. */
static bool is_wide(const char *at, size_t n) {
  enum { LAST = 0x10ffff };
  uint32_t c;
  if ((uintptr_t)at % sizeof c) return false;
  do {
    memcpy(&c, at, sizeof c);
    at += sizeof c;
    n -= n < sizeof c ? n : sizeof c;
  } while (c <= LAST && n >= sizeof c);
  return c <= LAST;
}

static int kind_of(const gfc_t *a, size_t n) {
  if (n == 0 || n == a->elem_len || 4 * n > a->elem_len) return 1;
  return a->rank > 0 || !a->base || is_wide(a->base, n) ? 4 : 1;
}

/* gfortran passes no kind: the element's length tells it, but for characters, and n of these. */
static void describe(weft_caf_section_t *s, const gfc_t *a, size_t n) {
  static const int real_kinds[] = {[4] = 4, [8] = 8, [16] = 16};
  int kind = 0;
  switch (a->type) {
  case GFC_INTEGER:
  case GFC_LOGICAL: kind = (int)a->elem_len; break;
  case GFC_REAL: kind = a->elem_len <= 16 ? real_kinds[a->elem_len] : 0; break;
  case GFC_COMPLEX: kind = a->elem_len <= 32 ? real_kinds[a->elem_len / 2] : 0; break;
  case GFC_CHARACTER: kind = kind_of(a, n); break;
  default: break;
  }
  if (a->base) {
    gfc_section(s, a, kind);
  } else { /* an unallocated component: nothing is there, and the bounds mean nothing */
    s->at = NULL;
    s->element = gfc_element(a->type, kind, a->elem_len);
    s->rank = 1;
    s->dim[0] = (struct weft_caf_dim){.n = 0};
  }
  if (a->type == GFC_CHARACTER) s->element.bytes = n * (size_t)kind;
}

/* gfortran describes a component that is one character string, of an object with allocatable
 * components, as an array of one element, whose address is that of another descriptor beside this
 * one: the component's. */
static const gfc_t *described(const gfc_t *a) {
  enum { BESIDE = 1 << 16 };
  const gfc_t *inner = a->base;
  const uintptr_t apart = (uintptr_t)inner - (uintptr_t)a + BESIDE;
  if (a->type != GFC_CHARACTER || a->rank != 1 || a->dim[0].lower != 1 || a->dim[0].upper != 1 ||
      apart > 2 * BESIDE || (uintptr_t)inner % sizeof inner)
    return a;
  const bool is_one = inner->type == GFC_CHARACTER && inner->rank == 0 && inner->version == 0 &&
                      inner->elem_len == a->elem_len && inner->span == (ptrdiff_t)a->elem_len;
  return is_one && (!inner->base || gfc_is_address((uintptr_t)inner->base)) ? inner : a;
}

CAF(void, co_broadcast,
    (gfc_t * outer, int source_image, int *stat, char *errmsg, size_t errmsg_len)) {
  const gfc_t *a = described(outer);
  weft_caf_section_t s;
  describe(&s, a, a->elem_len);
  s.element.class = WEFT_CAF_RAW;
  /* gfortran sets no span where it broadcasts an allocatable component; its elements are together.
   */
  if (a->rank == 1 && a->dim[0].lower == 1 && a->dim[0].stride == 1)
    s.dim[0].step = (ptrdiff_t)a->elem_len;
  const weft_caf_report_t report = report_to(stat, errmsg, errmsg_len);
  weft_caf_co_broadcast(&s, source_image, &report);
}

static void reduce(gfc_t *a, enum weft_caf_op op, int result_image, int a_len, const char *name,
                   const weft_caf_report_t *report) {
  weft_caf_section_t s;
  describe(&s, a, (size_t)a_len);
  const weft_caf_combine_t combine = weft_caf_combine(op, &s.element);
  if (combine)
    weft_caf_co_reduce(&s, result_image, op, combine, &s.element, report);
  else
    weft_caf_fail(report, WEFT_CAF_WRONG, "%s: not for this type", name);
}

CAF(void, co_sum, (gfc_t * a, int result_image, int *stat, char *errmsg, size_t errmsg_len)) {
  const weft_caf_report_t report = report_to(stat, errmsg, errmsg_len);
  reduce(a, WEFT_CAF_SUM, result_image, 0, "CO_SUM", &report);
}

CAF(void, co_min,
    (gfc_t * a, int result_image, int *stat, char *errmsg, int a_len, size_t errmsg_len)) {
  a_len = length_of(a, &errmsg, a_len, errmsg_len);
  const weft_caf_report_t report = report_to(stat, errmsg, errmsg_len);
  reduce(a, WEFT_CAF_MIN, result_image, a_len, "CO_MIN", &report);
}

CAF(void, co_max,
    (gfc_t * a, int result_image, int *stat, char *errmsg, int a_len, size_t errmsg_len)) {
  a_len = length_of(a, &errmsg, a_len, errmsg_len);
  const weft_caf_report_t report = report_to(stat, errmsg, errmsg_len);
  reduce(a, WEFT_CAF_MAX, result_image, a_len, "CO_MAX", &report);
}

/* ---- co_reduce ------------------------------------------------------------------------------- */

enum { ARG_VALUE = 4 }; /* of the flags; BYREF (1) comes with characters */

#if defined(__x86_64__)
typedef __float128 gfc_real16_t;
typedef _Complex float __attribute__((mode(TC))) gfc_complex16_t;
#else
typedef long double gfc_real16_t;
typedef long double _Complex gfc_complex16_t;
#endif

typedef struct user {
  void *op; /* the program's function */
  int flags, type, kind;
  size_t bytes;
  int length; /* characters */
} user_t;

/* y = op(x, y) for one element of type T, with arguments by reference or by value. */
#define APPLY(T)                                                                                   \
  do {                                                                                             \
    T r;                                                                                           \
    if (u->flags & ARG_VALUE) {                                                                    \
      T a, b;                                                                                      \
      memcpy(&a, x, sizeof a), memcpy(&b, y, sizeof b);                                            \
      r = ((T (*)(T, T))u->op)(a, b);                                                              \
    } else {                                                                                       \
      r = ((T (*)(const void *, const void *))u->op)(x, y);                                        \
    }                                                                                              \
    memcpy(y, &r, sizeof r);                                                                       \
  } while (0)

#if defined(__x86_64__)
/* A derived type comes back where a hidden first argument says, and that address with it. Up to 16
 * bytes do so only if the operation was compiled with -fpcc-struct-return: without, they come in
 * registers, which of them the type's components decide, and nobody tells those. Such an operation
 * takes `result` for its first operand, so it has to be a value of the type, and writes nothing. It
 * may return anything, even that address. What is as it was may have been written, too: then it
 * starts with a bit of each byte changed, and is the same as before only if it is not written.
 * (Bytes between components never are.) */
static bool is_returned(const user_t *u, const char *x, const char *y, char *result) {
  void *(*const op)(void *, const void *, const void *) = (__typeof__(op))u->op;
  memcpy(result, x, u->bytes);
  if (op(result, x, y) != result) return false;
  if (u->bytes > 16 || memcmp(result, x, u->bytes) != 0) return true;
  char before[u->bytes];
  for (size_t i = 0; i < u->bytes; i++) result[i] = before[i] = (char)(x[i] ^ 1);
  op(result, x, y);
  return memcmp(result, before, u->bytes) != 0;
}

static void apply_derived(const user_t *u, const char *x, char *y) {
  _Alignas(16) char result[u->bytes];
  if (u->flags & ARG_VALUE)
    weft_caf_fatal("co_reduce: how an operation on a type of %zu bytes takes its arguments cannot "
                   "be known; take VALUE out of it",
                   u->bytes);
  if (!is_returned(u, x, y, result))
    weft_caf_fatal("co_reduce: how an operation on a type of %zu bytes returns its result cannot "
                   "be known; compile it with -fpcc-struct-return, or pad the type to more than 16 "
                   "bytes",
                   u->bytes);
  memcpy(y, result, u->bytes);
}
#else
static void apply_derived(const user_t *u, const char *x, char *y) {
  (void)x, (void)y;
  weft_caf_fatal("co_reduce: how an operation on a derived type (here of %zu bytes) returns its "
                 "result is known on x86-64 only",
                 u->bytes);
}
#endif

/* Result and its length come first, the lengths of the arguments last. */
static void apply_characters(const user_t *u, const char *x, char *y) {
  const size_t n = (size_t)u->length;
  char result[u->bytes];
  ((void (*)(void *, size_t, const void *, const void *, size_t, size_t))u->op)(result, n, x, y, n,
                                                                                n);
  memcpy(y, result, u->bytes);
}

static void apply(const user_t *u, const char *x, char *y) {
  switch (u->type * 32 + u->kind) {
  case GFC_INTEGER * 32 + 1:
  case GFC_LOGICAL * 32 + 1: APPLY(int8_t); return;
  case GFC_INTEGER * 32 + 2:
  case GFC_LOGICAL * 32 + 2: APPLY(int16_t); return;
  case GFC_INTEGER * 32 + 4:
  case GFC_LOGICAL * 32 + 4: APPLY(int32_t); return;
  case GFC_INTEGER * 32 + 8:
  case GFC_LOGICAL * 32 + 8: APPLY(int64_t); return;
  case GFC_INTEGER * 32 + 16:
  case GFC_LOGICAL * 32 + 16: APPLY(__int128); return;
  case GFC_REAL * 32 + 4: APPLY(float); return;
  case GFC_REAL * 32 + 8: APPLY(double); return;
  case GFC_REAL * 32 + 10: APPLY(long double); return;
  case GFC_REAL * 32 + 16: APPLY(gfc_real16_t); return;
  case GFC_COMPLEX * 32 + 4: APPLY(float _Complex); return;
  case GFC_COMPLEX * 32 + 8: APPLY(double _Complex); return;
  case GFC_COMPLEX * 32 + 10: APPLY(long double _Complex); return;
  case GFC_COMPLEX * 32 + 16: APPLY(gfc_complex16_t); return;
  default: break;
  }
  if (u->type == GFC_CHARACTER)
    apply_characters(u, x, y);
  else if (u->type == GFC_DERIVED)
    apply_derived(u, x, y);
  else
    weft_caf_fatal("co_reduce: not for type %d of %zu bytes", u->type, u->bytes);
}

static void combine_user(const void *left, void *right, size_t n, const void *arg) {
  user_t u = *(const user_t *)arg;
  const char *x = left;
  char *y = right;
  if (u.kind == 16 && (u.type == GFC_REAL || u.type == GFC_COMPLEX) &&
      weft_caf_are_real10(x, y, n * (u.bytes / 16)))
    u.kind = 10;
  for (; n > 0; n--, x += u.bytes, y += u.bytes) apply(&u, x, y);
}

CAF(void, co_reduce,
    (gfc_t * a, void *op, int flags, int result_image, int *stat, char *errmsg, int a_len,
     size_t errmsg_len)) {
  weft_caf_section_t s;
  a_len = length_of(a, &errmsg, a_len, errmsg_len);
  const weft_caf_report_t report = report_to(stat, errmsg, errmsg_len);
  describe(&s, a, (size_t)a_len);
  user_t user = {.op = op,
                 .flags = flags,
                 .type = a->type,
                 .kind = s.element.kind,
                 .bytes = s.element.bytes,
                 .length = a_len};
  weft_caf_co_reduce(&s, result_image, WEFT_CAF_REDUCE, combine_user, &user, &report);
}
