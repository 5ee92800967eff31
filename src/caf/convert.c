/*
 * convert.c: loops over elements: numbers of any kind into numbers of any other, copies by size,
 * characters cut or padded. Compiled for vectors.
 */
#include "caf/convert.h"

#include <string.h>

#include "caf/internal.h"

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
enum { KINDS = 9 };

/* The list inside the list: a macro's own name is expanded only when the preprocessor looks again.
 */
#define AGAIN(...) __VA_ARGS__
#define LATER(NAME) NAME NOTHING
#define NOTHING
#define NUMBERS_NAME() NUMBERS

/* Memory has the layout of the types but not always their alignment. Where the steps are constants
 * the loop is one over vectors, or a memcpy. */
#define KERNEL(T, TO, F, FROM)                                                                     \
  static inline __attribute__((always_inline)) void loop_##F##_to_##T(                             \
      char *restrict to, ptrdiff_t ts, const char *restrict from, ptrdiff_t fs, size_t n) {        \
    for (size_t i = 0; i < n; i++) {                                                               \
      FROM x;                                                                                      \
      memcpy(&x, from + (ptrdiff_t)i * fs, sizeof x);                                              \
      const TO y = (TO)x;                                                                          \
      memcpy(to + (ptrdiff_t)i * ts, &y, sizeof y);                                                \
    }                                                                                              \
  }                                                                                                \
  static void from_##F##_to_##T(char *to, ptrdiff_t ts, const char *from, ptrdiff_t fs,            \
                                size_t n) {                                                        \
    if (ts == (ptrdiff_t)sizeof(TO) && fs == (ptrdiff_t)sizeof(FROM))                              \
      loop_##F##_to_##T(to, sizeof(TO), from, sizeof(FROM), n);                                    \
    else                                                                                           \
      loop_##F##_to_##T(to, ts, from, fs, n);                                                      \
  }
#define KERNELS_FROM(F, FROM, ...) LATER(NUMBERS_NAME)()(KERNEL, F, FROM)
AGAIN(NUMBERS(KERNELS_FROM, ))

#define NAME(T, TO, F) from_##F##_to_##T,
#define NAMES_FROM(F, FROM, ...) {LATER(NUMBERS_NAME)()(NAME, F)},
static const weft_caf_kernel_t kernels[KINDS][KINDS] = {AGAIN(NUMBERS(NAMES_FROM, ))};

/* A number's index; -1: none. */
static int number(const weft_caf_element_t *e) {
  static const int kinds[KINDS] = {1, 2, 4, 8, 16, 4, 8, 10, 16};
  const bool integer = e->class == WEFT_CAF_INTEGER;
  for (int k = integer ? 0 : 5; k < (integer ? 5 : KINDS); k++)
    if (kinds[k] == e->kind) return k;
  return -1;
}

static void run_kernel(const weft_caf_convert_t *c, char *to, ptrdiff_t ts, const char *from,
                       ptrdiff_t fs, size_t n) {
  c->kernel(to, ts, from, fs, n);
}

static void run_complex(const weft_caf_convert_t *c, char *to, ptrdiff_t ts, const char *from,
                        ptrdiff_t fs, size_t n) {
  char *imaginary = to + c->to.bytes / 2;
  c->kernel(to, ts, from, fs, n);
  if (c->from.class == WEFT_CAF_COMPLEX)
    c->kernel(imaginary, ts, from + c->from.bytes / 2, fs, n);
  else
    for (size_t i = 0; i < n; i++) memset(imaginary + (ptrdiff_t)i * ts, 0, c->to.bytes / 2);
}

/* Without a type: as many bytes as both have. */
static void run_bytes(const weft_caf_convert_t *c, char *to, ptrdiff_t ts, const char *from,
                      ptrdiff_t fs, size_t n) {
  const size_t bytes = c->to.bytes < c->from.bytes ? c->to.bytes : c->from.bytes;
  if (ts == fs && ts == (ptrdiff_t)bytes) {
    memcpy(to, from, n * bytes);
    return;
  }
  for (size_t i = 0; i < n; i++) memcpy(to + (ptrdiff_t)i * ts, from + (ptrdiff_t)i * fs, bytes);
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

/* ---- the choice of a loop -------------------------------------------------------------------- */

static bool is_number(const weft_caf_element_t *e) {
  return e->class == WEFT_CAF_INTEGER || e->class == WEFT_CAF_REAL || e->class == WEFT_CAF_COMPLEX;
}

void weft_caf_convert_open(weft_caf_convert_t *c, const weft_caf_element_t *to,
                           const weft_caf_element_t *from) {
  c->to = *to;
  c->from = *from;
  c->run = run_bytes;
  if (weft_caf_same(to, from)) {
    const int k = number(&(weft_caf_element_t){.class = WEFT_CAF_INTEGER, .kind = (int)to->bytes});
    if (k < 0) return;
    c->kernel = kernels[k][k];
    c->run = run_kernel;
  } else if (is_number(to) && is_number(from)) {
    const int t = number(to), f = number(from);
    if (t < 0 || f < 0) weft_fatal("no conversion from kind %d to kind %d", from->kind, to->kind);
    c->kernel = kernels[f][t];
    c->run = to->class == WEFT_CAF_COMPLEX ? run_complex : run_kernel;
  } else if (to->class == WEFT_CAF_CHARACTER && from->class == WEFT_CAF_CHARACTER) {
    c->run = run_characters;
  }
}
