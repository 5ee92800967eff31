/*
 * combine: how elements of arrays are combined, for reductions of every front end: one table, type
 * x operation. Part of data's interface (data.h includes it).
 */
#ifndef WEFT_DATA_COMBINE_H
#define WEFT_DATA_COMBINE_H

#include <stddef.h>
#include <stdint.h>

/* Combine n elements: inout[i] = inout[i] op in[i]. */
typedef void (*weft_combine_t)(void *inout, const void *in, size_t n);

/* 16 bytes by IEEE 754; where that is no long double the compiler has another name. */
#ifdef __x86_64__
typedef __float128 weft_float128_t;
#else
typedef long double weft_float128_t;
#endif

/* name, C type, what it has: INTEGER, REAL, COMPLEX */
#define WEFT_TYPE_LIST(FN)                                                                         \
  FN(I8, int8_t, INTEGER)                                                                          \
  FN(I16, int16_t, INTEGER)                                                                        \
  FN(I32, int32_t, INTEGER)                                                                        \
  FN(I64, int64_t, INTEGER)                                                                        \
  FN(I128, __int128, INTEGER)                                                                      \
  FN(U8, uint8_t, INTEGER)                                                                         \
  FN(U16, uint16_t, INTEGER)                                                                       \
  FN(U32, uint32_t, INTEGER)                                                                       \
  FN(U64, uint64_t, INTEGER)                                                                       \
  FN(U128, unsigned __int128, INTEGER)                                                             \
  FN(FLOAT, float, REAL)                                                                           \
  FN(DOUBLE, double, REAL)                                                                         \
  FN(LONG_DOUBLE, long double, REAL)                                                               \
  FN(FLOAT128, weft_float128_t, REAL)                                                              \
  FN(COMPLEX_FLOAT, float _Complex, COMPLEX)                                                       \
  FN(COMPLEX_DOUBLE, double _Complex, COMPLEX)                                                     \
  FN(COMPLEX_LONG_DOUBLE, long double _Complex, COMPLEX)

enum weft_type {
#define WEFT_TYPE_ENUM(name, T, has) WEFT_TYPE_##name,
  WEFT_TYPE_LIST(WEFT_TYPE_ENUM) WEFT_TYPES
};

/* Integers have all; reals all but the bits; complex numbers sum and prod. Sums and products of
 * integers wrap. The logical ones take what is not 0 for true, and make 1 of it. absmin and absmax
 * are those of the magnitudes. */
enum weft_combine {
  WEFT_COMBINE_sum,
  WEFT_COMBINE_prod,
  WEFT_COMBINE_min,
  WEFT_COMBINE_max,
  WEFT_COMBINE_absmin,
  WEFT_COMBINE_absmax,
  WEFT_COMBINE_land,
  WEFT_COMBINE_lor,
  WEFT_COMBINE_lxor,
  WEFT_COMBINE_and,
  WEFT_COMBINE_or,
  WEFT_COMBINE_xor,
  WEFT_COMBINES
};

/* The table for this processor; the plain one until the library's constructor has run. */
extern const weft_combine_t (*weft_combine_table)[WEFT_COMBINES]
    __attribute__((visibility("hidden")));

/* NULL: there is no such operation on such a type. Elements need not be aligned. */
static inline weft_combine_t weft_data_combine(enum weft_type type, enum weft_combine op) {
  return weft_combine_table[type][op];
}
/* The entry of the plain table, which runs on any processor: a test compares the two. */
weft_combine_t weft_data_combine_plain(enum weft_type type, enum weft_combine op);
/* Bytes of an element. */
size_t weft_data_width(enum weft_type type);
/* The integer type of `width` bytes: 1, 2, 4, 8 or 16. */
enum weft_type weft_data_integer(size_t width, int is_signed);

/* Of a C type. */
#define WEFT_TYPE_OF(T)                                                                            \
  _Generic((T){0},                                                                                 \
      char: weft_data_integer(sizeof(T), (char)-1 < 0),                                            \
      signed char: WEFT_TYPE_I8,                                                                   \
      short: WEFT_TYPE_I16,                                                                        \
      int: WEFT_TYPE_I32,                                                                          \
      long: weft_data_integer(sizeof(T), 1),                                                       \
      long long: WEFT_TYPE_I64,                                                                    \
      unsigned char: WEFT_TYPE_U8,                                                                 \
      unsigned short: WEFT_TYPE_U16,                                                               \
      unsigned: WEFT_TYPE_U32,                                                                     \
      unsigned long: weft_data_integer(sizeof(T), 0),                                              \
      unsigned long long: WEFT_TYPE_U64,                                                           \
      float: WEFT_TYPE_FLOAT,                                                                      \
      double: WEFT_TYPE_DOUBLE,                                                                    \
      long double: WEFT_TYPE_LONG_DOUBLE,                                                          \
      float _Complex: WEFT_TYPE_COMPLEX_FLOAT,                                                     \
      double _Complex: WEFT_TYPE_COMPLEX_DOUBLE,                                                   \
      long double _Complex: WEFT_TYPE_COMPLEX_LONG_DOUBLE)

/* Character strings, of as many characters each as *length says, by the order of their codes: the
 * lesser or greater of left and right becomes right, element by element (coll's user functions).
 * One byte per character; _wide: four, which need be aligned. */
void weft_data_min_strings(const void *left, void *right, size_t count, const void *length);
void weft_data_max_strings(const void *left, void *right, size_t count, const void *length);
void weft_data_min_wide_strings(const void *left, void *right, size_t count, const void *length);
void weft_data_max_wide_strings(const void *left, void *right, size_t count, const void *length);

#endif
