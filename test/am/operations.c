/*
 * What every atomic operation does to a word, for both widths: the old value comes back, the new
 * one is right for unsigned, signed and real readings of the same bits, and the neighbours stay.
 */
#include "am/am.h"
#include "check.h"

typedef struct guarded {
  uint64_t before, word, after;
} guarded_t;

static uint64_t bits(size_t width, double real) {
  float narrow = (float)real;
  uint32_t low;
  uint64_t all;
  memcpy(&low, &narrow, 4);
  memcpy(&all, &real, 8);
  return width == 4 ? low : all;
}

static void check(enum weft_amo op, size_t width, uint64_t old, uint64_t operand, uint64_t cond,
                  uint64_t want) {
  const uint64_t mask = width == 4 ? UINT32_MAX : UINT64_MAX, guard = 0x5555aaaa5555aaaa;
  guarded_t g = {guard, (guard & ~mask) | (old & mask), guard};
  const uint64_t got = weft_data_apply(&g.word, op, width, operand & mask, cond & mask);
  if (op != WEFT_AMO_SET) CHECK_EQ(got, old & mask);
  CHECK_EQ(g.word, (guard & ~mask) | (want & mask));
  CHECK(g.before == guard && g.after == guard);
}

static void integers(size_t w) {
  const uint64_t minus = (uint64_t)-7;
  check(WEFT_AMO_FETCH, w, 9, 5, 0, 9);
  check(WEFT_AMO_SET, w, 9, 5, 0, 5);
  check(WEFT_AMO_SWAP, w, 9, 5, 0, 5);
  check(WEFT_AMO_CSWAP, w, 9, 5, 9, 5);
  check(WEFT_AMO_CSWAP, w, 9, 5, 8, 9);
  check(WEFT_AMO_ADD, w, 9, minus, 0, 2);
  check(WEFT_AMO_AND, w, 12, 10, 0, 8);
  check(WEFT_AMO_OR, w, 12, 10, 0, 14);
  check(WEFT_AMO_XOR, w, 12, 10, 0, 6);
  check(WEFT_AMO_MULT, w, minus, 6, 0, (uint64_t)-42);
  check(WEFT_AMO_MIN, w, minus, 6, 0, 6);
  check(WEFT_AMO_MAX, w, minus, 6, 0, minus);
  check(WEFT_AMO_MIN_S, w, minus, 6, 0, minus);
  check(WEFT_AMO_MAX_S, w, minus, 6, 0, 6);
  check(WEFT_AMO_MIN_S, w, 6, minus, 0, minus);
}

static void reals(size_t w) {
  const uint64_t a = bits(w, -2.5), b = bits(w, 0.75);
  check(WEFT_AMO_ADD_R, w, a, b, 0, bits(w, -1.75));
  check(WEFT_AMO_MULT_R, w, a, b, 0, bits(w, -1.875));
  check(WEFT_AMO_MIN_R, w, a, b, 0, a);
  check(WEFT_AMO_MAX_R, w, a, b, 0, b);
  check(WEFT_AMO_MIN_R, w, b, a, 0, a);
  check(WEFT_AMO_MAX_R, w, b, a, 0, b);
}

int main(void) {
  for (size_t width = 4; width <= 8; width += 4) {
    integers(width);
    reals(width);
  }
  return 0;
}
