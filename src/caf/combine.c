/*
 * combine.c: the operations of co_sum, co_min and co_max on each type: the floor's, chosen here.
 * Reals of 16 bytes may be of kind 10 or 16 (caf.h), which their bits tell.
 */
#include <stdlib.h>
#include <string.h>

#include "caf/internal.h"
#include "data/data.h"

static enum weft_type type_of(const weft_caf_element_t *e) {
  if (e->class == WEFT_CAF_INTEGER) return weft_data_integer((size_t)e->kind, true);
  if (e->class == WEFT_CAF_REAL) return e->kind == 4 ? WEFT_TYPE_FLOAT : WEFT_TYPE_DOUBLE;
  return e->kind == 4 ? WEFT_TYPE_COMPLEX_FLOAT : WEFT_TYPE_COMPLEX_DOUBLE;
}

#if defined(__x86_64__)
/* A number of kind 16 with the same last digits as one before tells nothing new; kind 10 often has
 * few digits. */
static bool tells(const uint64_t *digits, int n, uint64_t more) {
  for (int i = 0; i < n && (uint32_t)more; i++)
    if (digits[i] == more) return false;
  return true;
}

/* Kind 10 leaves the last six of its 16 bytes as they were, so they may look like the exponent of
 * kind 16. One in 500 numbers of kind 16 looks like one of kind 10 between 2^-64 and 2^64: not all
 * of four or more. */
WEFT_API bool weft_caf_are_real10(const void *left, const void *right, size_t n) {
  enum { BIAS = 16383, USUAL = 1100, COMMON = 64, MANY = 4 };
  uint64_t either[MANY]; /* the last digits of those that make sense as both */
  int found = 0;
  bool any16 = false;
  for (size_t i = 0; i < 2 * n; i++) {
    uint64_t half[2];
    memcpy(half, (const char *)(i < n ? left : right) + i % n * sizeof half, sizeof half);
    const int wide = abs((int)(half[1] >> 48 & 0x7fff) - BIAS);
    const int narrow = half[0] >> 63 ? abs((int)(half[1] & 0x7fff) - BIAS) : BIAS;
    if (wide >= USUAL && narrow < USUAL) return true;
    if (wide < USUAL && narrow >= COMMON) any16 = true;
    const bool both = wide < USUAL && narrow < COMMON;
    if (both && found < MANY && tells(either, found, half[0])) either[found++] = half[0];
  }
  return found == MANY && !any16;
}
#else
WEFT_API bool weft_caf_are_real10(const void *left, const void *right, size_t n) {
  (void)left, (void)right, (void)n;
  return false;
}
#endif

#define OPERATION(OP)                                                                              \
  static void OP##_numbers(const void *left, void *right, size_t n, const void *element) {         \
    weft_data_combine(type_of(element), WEFT_COMBINE_##OP)(right, left, n);                        \
  }                                                                                                \
  static void OP##_reals(const void *left, void *right, size_t n, const void *element) {           \
    const weft_caf_element_t *e = element;                                                         \
    n *= e->bytes / sizeof(real16_t);                                                              \
    const bool kind10 = weft_caf_are_real10(left, right, n);                                       \
    const enum weft_type type = kind10 ? WEFT_TYPE_LONG_DOUBLE : WEFT_TYPE_FLOAT128;               \
    weft_data_combine(type, WEFT_COMBINE_##OP)(right, left, n);                                    \
  }
OPERATION(sum)
OPERATION(min)
OPERATION(max)

#define STRINGS(OP)                                                                                \
  static void OP##_strings(const void *left, void *right, size_t n, const void *element) {         \
    const weft_caf_element_t *e = element;                                                         \
    const size_t length = e->bytes / (size_t)e->kind;                                              \
    if (e->kind == 1)                                                                              \
      weft_data_##OP##_strings(left, right, n, &length);                                           \
    else                                                                                           \
      weft_data_##OP##_wide_strings(left, right, n, &length);                                      \
  }
STRINGS(min)
STRINGS(max)

weft_caf_combine_t weft_caf_combine(enum weft_caf_op op, const weft_caf_element_t *e) {
  static const weft_caf_combine_t numbers[] = {sum_numbers, min_numbers, max_numbers};
  static const weft_caf_combine_t reals[] = {sum_reals, min_reals, max_reals};
  static const weft_caf_combine_t strings[] = {NULL, min_strings, max_strings};
  switch (e->class) {
  case WEFT_CAF_CHARACTER: return strings[op];
  case WEFT_CAF_INTEGER: return numbers[op];
  case WEFT_CAF_COMPLEX:
    if (op != WEFT_CAF_SUM) return NULL;
    break;
  case WEFT_CAF_REAL: break;
  default: return NULL;
  }
  return e->kind == 16 ? reals[op] : e->kind == 4 || e->kind == 8 ? numbers[op] : NULL;
}
