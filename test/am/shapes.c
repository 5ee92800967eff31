/*
 * Cursors pass over the bytes of a shape in order, however they are stepped: strided in 0 to 5
 * dimensions with all kinds of strides, and lists. And accumulate adds, whatever the type.
 */
#include "data/data.h"

#include <complex.h>

#include "check.h"

enum { ROUNDS = 4000, MEMORY = 1 << 20, MOST = 8000 };

static uint32_t seed = 7;
static unsigned draw(unsigned n) {
  seed = seed * 1664525u + 1013904223u;
  return (seed >> 10) % n;
}

static char memory[MEMORY], packed[MOST], other[MEMORY];
static uintptr_t where[MOST]; /* of every byte, the slow way */
static size_t count[5];
static ptrdiff_t stride[5];
static weft_piece_t pieces[40];
static uintptr_t places[40];

/* A random shape over memory; how many bytes, whose places are in where[]. */
static size_t make(weft_shape_t *s, const char *base, size_t width) {
  const size_t run = width * (1 + draw(3)), dims = draw(6);
  size_t n = 0;
  switch (draw(3)) {
  case 0: {
    ptrdiff_t step = (ptrdiff_t)(run + width * draw(2));
    for (size_t d = 0; d < dims; d++) {
      count[d] = 1 + draw(3);
      stride[d] = draw(4) ? step : -step;
      step *= (ptrdiff_t)(count[d] + draw(2));
    }
    *s = weft_shape_strided((uintptr_t)base + MEMORY / 2, run, dims, count, stride);
    size_t index[6] = {0};
    while (index[dims] == 0) {
      uintptr_t at = s->base;
      for (size_t d = 0; d < dims; d++) at += (uintptr_t)(stride[d] * (ptrdiff_t)index[d]);
      for (size_t i = 0; i < run; i++) where[n++] = at + i;
      size_t d = 0;
      while (d < dims && ++index[d] == count[d]) index[d++] = 0;
      if (d == dims) break;
    }
    return n;
  }
  case 1:
    *s = weft_shape_pieces((uintptr_t)base, draw(40), pieces);
    for (size_t k = 0; k < s->n; k++) {
      pieces[k] = (weft_piece_t){k * 1000, width * draw(8)};
      for (size_t i = 0; i < pieces[k].n; i++) where[n++] = s->base + pieces[k].at + i;
    }
    return n;
  default:
    *s = weft_shape_places((uintptr_t)base, run, draw(40), places);
    for (size_t k = 0; k < s->n; k++) {
      places[k] = (40 - k) * 1000;
      for (size_t i = 0; i < run; i++) where[n++] = s->base + places[k] + i;
    }
    return n;
  }
}

static void check_cursor(void) {
  weft_shape_t s;
  weft_cursor_t c, to;
  const size_t n = make(&s, memory, 1 + draw(9)), skip = draw((unsigned)n + 1);
  CHECK_EQ(weft_shape_bytes(&s), n);
  weft_cursor_open(&c, &s);
  CHECK_EQ(c.total, n);
  weft_cursor_skip(&c, skip);
  for (size_t at = skip; at < n;) {
    const size_t part = 1 + draw((unsigned)(n - at));
    CHECK(c.left > 0 && c.at == where[at]);
    weft_cursor_pack(&c, packed, part);
    for (size_t i = 0; i < part; i++) CHECK(packed[i] == *(char *)where[at + i]);
    at += part;
  }
  CHECK_EQ(c.total + c.left, 0);
  /* And the other way, into a copy of the memory. */
  for (size_t i = 0; i < n; i++) packed[i] = (char)draw(256);
  s.base += (uintptr_t)(other - memory);
  weft_cursor_open(&to, &s);
  const size_t half = n / 2;
  weft_cursor_unpack(&to, packed, half);
  weft_cursor_unpack(&to, packed + half, n - half);
  for (size_t i = 0; i < n; i++) CHECK(((char *)where[i])[other - memory] == packed[i]);
}

static void check_copy(void) {
  static weft_cursor_t to, from;
  const size_t counts[2] = {5, 7};
  const ptrdiff_t near[2] = {8, 48}, far[2] = {24, 240};
  weft_shape_t a = weft_shape_strided((uintptr_t)memory, 8, 2, counts, far),
               b = weft_shape_strided((uintptr_t)other, 8, 2, counts, near);
  weft_cursor_open(&from, &a);
  weft_cursor_open(&to, &b);
  weft_cursor_copy(&to, &from);
  for (int i = 0; i < 7; i++)
    for (int j = 0; j < 5; j++)
      CHECK(!memcmp(other + i * 48 + j * 8, memory + i * 240 + j * 24, 8));
}

#define CHECK_ADD(T, kind, factor)                                                                 \
  do {                                                                                             \
    T to[6] = {1, 2, 3, 4, 5, 6}, from[6] = {7, 8, 9, 10, 11, 12}, by = factor;                    \
    CHECK_EQ(weft_acc_width(kind), sizeof(T));                                                     \
    weft_adder_t scaled = {.type = kind, .scale = &by}, plain = {.type = kind};                    \
    weft_adder_add(&scaled, to, from, sizeof to);                                                  \
    weft_adder_add(&plain, to, from, sizeof to);                                                   \
    for (int i = 0; i < 6; i++) CHECK(to[i] == (T)(i + 1) + (by + 1) * (T)(i + 7));                \
  } while (0)

int main(void) {
  for (int i = 0; i < MEMORY; i++) memory[i] = (char)draw(256);
  for (int i = 0; i < ROUNDS; i++) check_cursor();
  check_copy();
  CHECK_ADD(int32_t, WEFT_ACC_INT32, -3);
  CHECK_ADD(uint32_t, WEFT_ACC_INT32, 4000000000u);
  CHECK_ADD(int64_t, WEFT_ACC_INT64, -5);
  CHECK_ADD(float, WEFT_ACC_FLOAT, 0.5f);
  CHECK_ADD(double, WEFT_ACC_DOUBLE, -0.25);
  CHECK_ADD(float complex, WEFT_ACC_FLOAT_COMPLEX, 0.5f - 2 * I);
  CHECK_ADD(double complex, WEFT_ACC_DOUBLE_COMPLEX, 3 + 4 * I);
  return 0;
}
