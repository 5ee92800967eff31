/*
 * combine.c: the operations of co_sum, co_min and co_max on each type. Compiled for vectors.
 */
#include <complex.h>
#include <string.h>

#include "caf/internal.h"

#define LOOP(NAME, T, EXPRESSION)                                                                  \
  static void NAME(const void *left, void *right, size_t n, const void *arg) {                     \
    const T *x = left;                                                                             \
    T *y = right;                                                                                  \
    (void)arg;                                                                                     \
    for (size_t i = 0; i < n; i++) y[i] = EXPRESSION;                                              \
  }
#define LOOPS(T)                                                                                   \
  LOOP(sum_##T, T, (T)(x[i] + y[i]))                                                               \
  LOOP(min_##T, T, y[i] < x[i] ? y[i] : x[i])                                                      \
  LOOP(max_##T, T, y[i] > x[i] ? y[i] : x[i])
LOOPS(int8_t)
LOOPS(int16_t)
LOOPS(int32_t)
LOOPS(int64_t)
LOOPS(integer16_t)
LOOPS(float)
LOOPS(double)
LOOPS(real10_t)
LOOPS(real16_t)

/* Of either kind (caf.h). */
#define EITHER(OP)                                                                                 \
  static void OP##_real(const void *left, void *right, size_t n, const void *arg) {                \
    char *y = right;                                                                               \
    for (const char *x = left; n > 0; n--, x += sizeof(real16_t), y += sizeof(real16_t))           \
      if (weft_caf_is_real10(x) || weft_caf_is_real10(y))                                          \
        OP##_real10_t(x, y, 1, arg);                                                               \
      else                                                                                         \
        OP##_real16_t(x, y, 1, arg);                                                               \
  }
EITHER(sum)
EITHER(min)
EITHER(max)

/* The two parts one after the other. */
#define SUM_PAIRS(T)                                                                               \
  static void sum_complex_##T(const void *left, void *right, size_t n, const void *arg) {          \
    sum_##T(left, right, 2 * n, arg);                                                              \
  }
SUM_PAIRS(float)
SUM_PAIRS(double)
SUM_PAIRS(real)

static int compare(const char *x, const char *y, const weft_caf_element_t *e) {
  if (e->kind == 1) return memcmp(x, y, e->bytes);
  for (size_t i = 0; i < e->bytes; i += 4) {
    uint32_t a, b;
    memcpy(&a, x + i, 4);
    memcpy(&b, y + i, 4);
    if (a != b) return a < b ? -1 : 1;
  }
  return 0;
}

static void choose(const weft_caf_element_t *e, const char *x, char *y, size_t n, int sign) {
  for (; n > 0; n--, x += e->bytes, y += e->bytes)
    if (sign * compare(x, y, e) > 0) memcpy(y, x, e->bytes);
}
static void min_characters(const void *left, void *right, size_t n, const void *arg) {
  choose(arg, left, right, n, -1);
}
static void max_characters(const void *left, void *right, size_t n, const void *arg) {
  choose(arg, left, right, n, 1);
}

#define ROW(T) {sum_##T, min_##T, max_##T}
static const struct {
  enum weft_caf_class class;
  int kind;
  weft_caf_combine_t combine[3];
} table[] = {{WEFT_CAF_INTEGER, 1, ROW(int8_t)},
             {WEFT_CAF_INTEGER, 2, ROW(int16_t)},
             {WEFT_CAF_INTEGER, 4, ROW(int32_t)},
             {WEFT_CAF_INTEGER, 8, ROW(int64_t)},
             {WEFT_CAF_INTEGER, 16, ROW(integer16_t)},
             {WEFT_CAF_REAL, 4, ROW(float)},
             {WEFT_CAF_REAL, 8, ROW(double)},
             {WEFT_CAF_REAL, 16, ROW(real)},
             {WEFT_CAF_COMPLEX, 4, {sum_complex_float, NULL, NULL}},
             {WEFT_CAF_COMPLEX, 8, {sum_complex_double, NULL, NULL}},
             {WEFT_CAF_COMPLEX, 16, {sum_complex_real, NULL, NULL}},
             {WEFT_CAF_CHARACTER, 1, {NULL, min_characters, max_characters}},
             {WEFT_CAF_CHARACTER, 4, {NULL, min_characters, max_characters}}};

weft_caf_combine_t weft_caf_combine(enum weft_caf_op op, const weft_caf_element_t *e) {
  for (size_t i = 0; i < WEFT_ARRAY_LEN(table); i++)
    if (table[i].class == e->class && table[i].kind == e->kind) return table[i].combine[op];
  return NULL;
}
