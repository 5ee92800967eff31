/*
 * The loops that accumulate on this processor give the same bits as those that run on any: any
 * numbers and edges, every length, odd addresses, with a scale and without. (Where there is no
 * second set of loops these are the same.)
 */
#include "check.h"
#include "data/data.h"

enum { BYTES = 4096, ELEMENTS = 70 };

/* In one block, so that each accumulate is one call of its loop. */
static _Alignas(WEFT_BLOCK_BYTES) char sums[BYTES];
static char plain[BYTES], from[BYTES], scale[17];

/* Bytes of a real number, of which a complex element has two. */
static size_t real_width(weft_acc_type_t type) {
  return type == WEFT_ACC_FLOAT_COMPLEX || type == WEFT_ACC_DOUBLE_COMPLEX
             ? weft_acc_width(type) / 2
             : weft_acc_width(type);
}

static double value_of(const char *at, size_t width) {
  float single;
  double value;
  memcpy(width == 4 ? (void *)&single : (void *)&value, at, width);
  return width == 4 ? (double)single : value;
}

/* Any bits, or, every other time, a number that rounds, overflows, vanishes or cancels. */
static void fill(weft_acc_type_t type, char *at, size_t bytes) {
  static const double edges[] = {0, -0.0, 1, -1, 1.0 / 3, 1e300, -1e300, 1e-310, 1e38, 1e-40};
  const size_t width = real_width(type);
  for (size_t i = 0; i < bytes; i += width) {
    const double edge = edges[rand() % 10];
    const float single = (float)edge;
    for (size_t byte = 0; byte < width; byte++) at[i + byte] = (char)(rand() >> 8);
    if (type >= WEFT_ACC_FLOAT && rand() % 2)
      memcpy(at + i, width == 4 ? (const void *)&single : &edge, width);
  }
}

/* n elements. Of two NaNs either one may come out. */
static void compare(weft_acc_type_t type, size_t n, bool scaled) {
  const size_t element = weft_acc_width(type), width = real_width(type), bytes = n * element;
  const size_t room = bytes + 4 * element;
  weft_adder_t adder = {.type = type, .scale = scaled ? scale + 1 : NULL};
  fill(type, from + 1, room);
  fill(type, sums + 1, room);
  fill(type, scale + 1, element);
  memcpy(plain, sums, BYTES);
  weft_adder_add(&adder, sums + 1, from + 1, bytes);
  weft_adder_end(&adder);
  weft_acc_add_plain(type, plain + 1, from + 1, bytes, adder.scale);
  CHECK(memcmp(sums + 1 + bytes, plain + 1 + bytes, BYTES - 1 - bytes) == 0);
  for (const char *a = sums + 1, *b = plain + 1; a < sums + 1 + bytes; a += width, b += width) {
    const double x = value_of(a, width), y = value_of(b, width);
    CHECK(memcmp(a, b, width) == 0 || (type >= WEFT_ACC_FLOAT && x != x && y != y));
  }
}

int main(void) {
  for (int type = 0; type < WEFT_ACC_TYPES; type++)
    for (size_t n = 0; n <= ELEMENTS; n++)
      for (int turn = 0; turn < 20; turn++) compare(type, n, turn % 2);
  return 0;
}
