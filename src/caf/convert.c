/*
 * convert.c: loops over elements: copies by size, numbers of any kind into numbers of any other,
 * characters cut or padded. Compiled for vectors.
 */
#include "caf/convert.h"

#include <string.h>

#include "caf/internal.h"

/* ---- copies ---------------------------------------------------------------------------------- */

#define COPY(BYTES, T)                                                                             \
  static void copy_##BYTES(const weft_caf_convert_t *c, char *to, ptrdiff_t ts, const char *from,  \
                           ptrdiff_t fs, size_t n) {                                               \
    (void)c;                                                                                       \
    if (ts == BYTES && fs == BYTES && n > 1) {                                                     \
      memcpy(to, from, n * BYTES);                                                                 \
      return;                                                                                      \
    }                                                                                              \
    for (size_t i = 0; i < n; i++) {                                                               \
      T x;                                                                                         \
      memcpy(&x, from + (ptrdiff_t)i * fs, BYTES);                                                 \
      memcpy(to + (ptrdiff_t)i * ts, &x, BYTES);                                                   \
    }                                                                                              \
  }
COPY(1, uint8_t)
COPY(2, uint16_t)
COPY(4, uint32_t)
COPY(8, uint64_t)
COPY(16, unsigned __int128)

static void copy_bytes(const weft_caf_convert_t *c, char *to, ptrdiff_t ts, const char *from,
                       ptrdiff_t fs, size_t n) {
  const size_t bytes = c->to.bytes < c->from.bytes ? c->to.bytes : c->from.bytes;
  if (ts == fs && ts == (ptrdiff_t)bytes) {
    memcpy(to, from, n * bytes);
    return;
  }
  for (size_t i = 0; i < n; i++) memcpy(to + (ptrdiff_t)i * ts, from + (ptrdiff_t)i * fs, bytes);
}

/* ---- numbers --------------------------------------------------------------------------------- */

/* Kinds by index: integers 1 2 4 8 16, reals 4 8 10 16. */
#define NUMBERS(DO, ...)                                                                           \
  DO(0, int8_t, __VA_ARGS__)                                                                       \
  DO(1, int16_t, __VA_ARGS__)                                                                      \
  DO(2, int32_t, __VA_ARGS__)                                                                      \
  DO(3, int64_t, __VA_ARGS__)                                                                      \
  DO(4, integer16_t, __VA_ARGS__)                                                                  \
  DO(5, float, __VA_ARGS__)                                                                        \
  DO(6, double, __VA_ARGS__)                                                                       \
  DO(7, real10_t, __VA_ARGS__)                                                                     \
  DO(8, real16_t, __VA_ARGS__)
#define NUMBERS_AGAIN(DO, ...)                                                                     \
  DO(0, int8_t, __VA_ARGS__)                                                                       \
  DO(1, int16_t, __VA_ARGS__)                                                                      \
  DO(2, int32_t, __VA_ARGS__)                                                                      \
  DO(3, int64_t, __VA_ARGS__)                                                                      \
  DO(4, integer16_t, __VA_ARGS__)                                                                  \
  DO(5, float, __VA_ARGS__)                                                                        \
  DO(6, double, __VA_ARGS__)                                                                       \
  DO(7, real10_t, __VA_ARGS__)                                                                     \
  DO(8, real16_t, __VA_ARGS__)
enum { KINDS = 9 };

/* Memory has the layout of the types but not always their alignment. */
#define KERNEL(F, FROM, T, TO)                                                                     \
  static void from_##F##_to_##T(char *to, ptrdiff_t ts, const char *from, ptrdiff_t fs,            \
                                size_t n) {                                                        \
    if (ts == (ptrdiff_t)sizeof(TO) && fs == (ptrdiff_t)sizeof(FROM)) {                            \
      for (size_t i = 0; i < n; i++) {                                                             \
        FROM x;                                                                                    \
        memcpy(&x, from + i * sizeof x, sizeof x);                                                 \
        const TO y = (TO)x;                                                                        \
        memcpy(to + i * sizeof y, &y, sizeof y);                                                   \
      }                                                                                            \
      return;                                                                                      \
    }                                                                                              \
    for (size_t i = 0; i < n; i++) {                                                               \
      FROM x;                                                                                      \
      memcpy(&x, from + (ptrdiff_t)i * fs, sizeof x);                                              \
      const TO y = (TO)x;                                                                          \
      memcpy(to + (ptrdiff_t)i * ts, &y, sizeof y);                                                \
    }                                                                                              \
  }
#define KERNELS_FROM(F, FROM, ...) NUMBERS_AGAIN(KERNEL_TO, F, FROM)
#define KERNEL_TO(T, TO, F, FROM) KERNEL(F, FROM, T, TO)
NUMBERS(KERNELS_FROM, )

#define NAME_TO(T, TO, F) from_##F##_to_##T,
#define NAMES_FROM(F, FROM, ...) {NUMBERS_AGAIN(NAME_TO, F)},
static const weft_caf_kernel_t kernels[KINDS][KINDS] = {NUMBERS(NAMES_FROM, )};

/* A number's index; -1: none. */
static int number(const weft_caf_element_t *e) {
  static const int kinds[KINDS] = {1, 2, 4, 8, 16, 4, 8, 10, 16};
  const bool integer = e->class == WEFT_CAF_INTEGER;
  for (int k = integer ? 0 : 5; k < (integer ? 5 : KINDS); k++)
    if (kinds[k] == e->kind) return k;
  return -1;
}

static void run_numbers(const weft_caf_convert_t *c, char *to, ptrdiff_t ts, const char *from,
                        ptrdiff_t fs, size_t n) {
  c->kernel(to, ts, from, fs, n);
  if (c->to.class != WEFT_CAF_COMPLEX) return;
  char *imaginary = to + c->to.bytes / 2;
  if (c->from.class == WEFT_CAF_COMPLEX)
    c->kernel(imaginary, ts, from + c->from.bytes / 2, fs, n);
  else
    for (size_t i = 0; i < n; i++) memset(imaginary + (ptrdiff_t)i * ts, 0, c->to.bytes / 2);
}

/* ---- characters ------------------------------------------------------------------------------ */

static uint32_t character(const char *at, int kind, size_t i) {
  uint32_t x;
  if (kind == 1) return (unsigned char)at[i];
  memcpy(&x, at + 4 * i, 4);
  return x;
}

static void run_characters(const weft_caf_convert_t *c, char *to, ptrdiff_t ts, const char *from,
                           ptrdiff_t fs, size_t n) {
  const size_t room = c->to.bytes / (size_t)c->to.kind;
  const size_t length = c->from.bytes / (size_t)c->from.kind;
  for (size_t i = 0; i < n; i++, to += ts, from += fs) {
    size_t k = 0;
    if (c->to.kind == 1 && c->from.kind == 1) {
      k = room < length ? room : length;
      memcpy(to, from, k);
      memset(to + k, ' ', room - k);
      continue;
    }
    for (; k < room; k++) {
      uint32_t x = k < length ? character(from, c->from.kind, k) : ' ';
      if (c->to.kind == 1)
        to[k] = x > 255 ? '?' : (char)x;
      else
        memcpy(to + 4 * k, &x, 4);
    }
  }
}

/* ---- which ----------------------------------------------------------------------------------- */

static bool is_number(const weft_caf_element_t *e) {
  return e->class == WEFT_CAF_INTEGER || e->class == WEFT_CAF_REAL || e->class == WEFT_CAF_COMPLEX;
}

void weft_caf_convert_open(weft_caf_convert_t *c, const weft_caf_element_t *to,
                           const weft_caf_element_t *from) {
  c->to = *to;
  c->from = *from;
  c->run = copy_bytes;
  if (weft_caf_same(to, from)) {
    switch (to->bytes) {
    case 1: c->run = copy_1; break;
    case 2: c->run = copy_2; break;
    case 4: c->run = copy_4; break;
    case 8: c->run = copy_8; break;
    case 16: c->run = copy_16; break;
    default: break;
    }
  } else if (is_number(to) && is_number(from)) {
    const int t = number(to), f = number(from);
    if (t < 0 || f < 0) weft_fatal("no conversion from kind %d to kind %d", from->kind, to->kind);
    c->kernel = kernels[f][t];
    c->run = run_numbers;
  } else if (to->class == WEFT_CAF_CHARACTER && from->class == WEFT_CAF_CHARACTER) {
    c->run = run_characters;
  }
}
