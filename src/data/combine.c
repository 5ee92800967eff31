/*
 * combine.c: the arithmetic of reductions and scans, one loop per type and operation; on x86_64 a
 * second one for processors with AVX2, with the same results (of two NaNs either one). It knows
 * arrays only.
 */
#include "data/combine.h"

#include <string.h>

/* An unsigned number is asked whether it is below 0, like any other. */
#pragma GCC diagnostic ignored "-Wtype-limits"

#define OP_sum(a, b) ((a) + (b))
#define OP_prod(a, b) ((a) * (b))
#define OP_min(a, b) ((a) < (b) ? (a) : (b))
#define OP_max(a, b) ((a) > (b) ? (a) : (b))
#define ABS(a) ((a) < 0 ? -(a) : (a))
#define OP_absmin(a, b) OP_min(ABS(a), ABS(b))
#define OP_absmax(a, b) OP_max(ABS(a), ABS(b))
#define OP_land(a, b) ((a) != 0 && (b) != 0)
#define OP_lor(a, b) ((a) != 0 || (b) != 0)
#define OP_lxor(a, b) (((a) != 0) != ((b) != 0))
#define OP_and(a, b) ((a) & (b))
#define OP_or(a, b) ((a) | (b))
#define OP_xor(a, b) ((a) ^ (b))

#define COMPLEX(FN, N, T) FN(N, T, sum) FN(N, T, prod)
#define REAL(FN, N, T)                                                                             \
  COMPLEX(FN, N, T)                                                                                \
  FN(N, T, min)                                                                                    \
  FN(N, T, max)                                                                                    \
  FN(N, T, absmin)                                                                                 \
  FN(N, T, absmax)                                                                                 \
  FN(N, T, land)                                                                                   \
  FN(N, T, lor)                                                                                    \
  FN(N, T, lxor)
#define INTEGER(FN, N, T) REAL(FN, N, T) FN(N, T, and) FN(N, T, or) FN(N, T, xor)

/* Memory is the program's: it need not be aligned to the type. */
#define LOOP(name, T, op, ...)                                                                     \
  __attribute__((no_sanitize("signed-integer-overflow") __VA_ARGS__)) static void name(            \
      void *inout, const void *in, size_t n) {                                                     \
    typedef T __attribute__((aligned(1), may_alias)) any_t;                                        \
    any_t *restrict a = inout;                                                                     \
    const any_t *restrict b = in;                                                                  \
    for (size_t i = 0; i < n; i++) a[i] = (T)OP_##op(a[i], b[i]);                                  \
  }
#define TABLE(LOOPS, ENTRIES, name)                                                                \
  WEFT_TYPE_LIST(LOOPS)                                                                            \
  static const weft_combine_t name[WEFT_TYPES][WEFT_COMBINES] = {WEFT_TYPE_LIST(ENTRIES)};

#define COMBINE(N, T, op) LOOP(N##_##op, T, op)
#define COMBINES(N, T, has) has(COMBINE, N, T)
#define ENTRY(N, T, op) [WEFT_COMBINE_##op] = N##_##op,
#define ENTRIES(N, T, has) [WEFT_TYPE_##N] = {has(ENTRY, N, T)},
TABLE(COMBINES, ENTRIES, plain)

const weft_combine_t (*weft_combine_table)[WEFT_COMBINES] = plain;

#ifdef __x86_64__
#define COMBINE_AVX2(N, T, op) LOOP(N##_##op##_avx2, T, op, , target("avx2"))
#define COMBINES_AVX2(N, T, has) has(COMBINE_AVX2, N, T)
#define ENTRY_AVX2(N, T, op) [WEFT_COMBINE_##op] = N##_##op##_avx2,
#define ENTRIES_AVX2(N, T, has) [WEFT_TYPE_##N] = {has(ENTRY_AVX2, N, T)},
TABLE(COMBINES_AVX2, ENTRIES_AVX2, by_avx2)

__attribute__((constructor)) static void look(void) {
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx2")) weft_combine_table = by_avx2;
}
#endif

weft_combine_t weft_data_combine_plain(enum weft_type type, enum weft_combine op) {
  return plain[type][op];
}

size_t weft_data_width(enum weft_type type) {
#define WIDTH(N, T, has) sizeof(T),
  static const uint8_t widths[] = {WEFT_TYPE_LIST(WIDTH)};
  return widths[type];
}

enum weft_type weft_data_integer(size_t width, int is_signed) {
  const enum weft_type first = is_signed ? WEFT_TYPE_I8 : WEFT_TYPE_U8;
  return first + (enum weft_type)__builtin_ctzl(width);
}

/* ---- strings --------------------------------------------------------------------------------- */

static int compare_wide(const uint32_t *a, const uint32_t *b, size_t n) {
  for (size_t i = 0; i < n; i++)
    if (a[i] != b[i]) return a[i] < b[i] ? -1 : 1;
  return 0;
}

/* sign: 1 for the greater, -1 for the lesser. */
static void strings(const char *left, char *right, size_t count, size_t length, int sign) {
  for (; count > 0; count--, left += length, right += length)
    if ((sign > 0 ? memcmp(left, right, length) : memcmp(right, left, length)) > 0)
      memcpy(right, left, length);
}

static void wide_strings(const uint32_t *left, uint32_t *right, size_t count, size_t length,
                         int sign) {
  for (; count > 0; count--, left += length, right += length)
    if (compare_wide(left, right, length) * sign > 0) memcpy(right, left, length * 4);
}

void weft_data_min_strings(const void *left, void *right, size_t count, const void *length) {
  strings(left, right, count, *(const size_t *)length, -1);
}

void weft_data_max_strings(const void *left, void *right, size_t count, const void *length) {
  strings(left, right, count, *(const size_t *)length, 1);
}

void weft_data_min_wide_strings(const void *left, void *right, size_t count, const void *length) {
  wide_strings(left, right, count, *(const size_t *)length, -1);
}

void weft_data_max_wide_strings(const void *left, void *right, size_t count, const void *length) {
  wide_strings(left, right, count, *(const size_t *)length, 1);
}
