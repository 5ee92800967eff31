/*
 * Atomics: every operation of every type against plain arithmetic, alone; and under contention.
 * Compare and swap by value on reals, without phases on pointers, and nothing written if it fails
 * (traps 7, 39).
 */
#include "runtime.h"

#include "check.h"

enum { GET = 1 << 9, SET = 1 << 10, CSWAP = 1 << 11, SUB = 1 << 12, INC = 1 << 13, DEC = 1 << 14 };
enum { ALL = UPC_ADD | UPC_MULT | UPC_MIN | UPC_MAX | GET | SET | CSWAP | SUB | INC | DEC };
enum { BITS = UPC_AND | UPC_OR | UPC_XOR };

static long cell[2];

#define EACH_BIT(T, d, p)                                                                          \
  ONE(T, d, p, UPC_AND, (T)5, (T)13, (T)(5 & 13))                                                  \
  ONE(T, d, p, UPC_OR, (T)5, (T)8, (T)(5 | 8))                                                     \
  ONE(T, d, p, UPC_XOR, (T) - 1, (T)8, (T)((T) - 1 ^ (T)8))
#define ONE(T, d, p, op, before, operand, want)                                                    \
  {                                                                                                \
    T was = 0, a = (operand), start = (before);                                                    \
    upc_atomic_strict(d, NULL, SET, p, &start, NULL);                                              \
    upc_atomic_relaxed(d, &was, op, p, (op) == INC || (op) == DEC ? NULL : &a, NULL);              \
    CHECK(was == start);                                                                           \
    upc_atomic_relaxed(d, &was, GET, p, NULL, NULL);                                               \
    CHECK(was == (want));                                                                          \
    upc_atomic_relaxed(d, NULL, SET, p, &start, NULL);                                             \
    upc_atomic_relaxed(d, NULL, op, p, (op) == INC || (op) == DEC ? NULL : &a, NULL);              \
    upc_atomic_strict(d, &was, GET, p, NULL, NULL);                                                \
    CHECK(was == (want));                                                                          \
  }
#define NONE(T, d, p)
#define EACH(T, TYPE, ops, MORE)                                                                   \
  {                                                                                                \
    const pts d = upc_all_atomicdomain_alloc(TYPE, ALL | (ops), 0);                                \
    for (int t = 0; t < N; t++) {                                                                  \
      const pts p = at_thread(weft_upc_at(cell, 0, 0), t);                                         \
      BARRIER();                                                                                   \
      if (ME != (t + 1) % N) continue;                                                             \
      ONE(T, d, p, UPC_ADD, (T)7, (T) - 3, (T)4)                                                   \
      ONE(T, d, p, SUB, (T)7, (T) - 3, (T)10)                                                      \
      ONE(T, d, p, UPC_MULT, (T)7, (T) - 3, (T)((T)7 * (T) - 3))                                   \
      ONE(T, d, p, INC, (T)7, (T)0, (T)8)                                                          \
      ONE(T, d, p, DEC, (T)0, (T)0, (T) - 1)                                                       \
      ONE(T, d, p, UPC_MIN, (T)7, (T) - 3, (T) - 3 < (T)7 ? (T) - 3 : (T)7)                        \
      ONE(T, d, p, UPC_MAX, (T)7, (T) - 3, (T) - 3 > (T)7 ? (T) - 3 : (T)7)                        \
      ONE(T, d, p, SET, (T)7, (T)9, (T)9)                                                          \
      MORE(T, d, p)                                                                                \
    }                                                                                              \
    BARRIER();                                                                                     \
    upc_all_atomicdomain_free(d);                                                                  \
  }

static void compare(void) {
  const pts real = upc_all_atomicdomain_alloc(UPC_DOUBLE, CSWAP | GET | SET, 0);
  const pts pointer = upc_all_atomicdomain_alloc(UPC_PTS, CSWAP | GET | SET, 0);
  const pts p = at_thread(weft_upc_at(cell, 0, 0), N - 1);
  CHECK(real != pointer);
  if (ME == 0) {
    double zero = 0.0, minus = -0.0, two = 2, three = 3, was;
    upc_atomic_relaxed(real, NULL, SET, p, &minus, NULL);
    upc_atomic_relaxed(real, &was, CSWAP, p, &zero, &two); /* -0.0 == 0.0 */
    upc_atomic_relaxed(real, &was, CSWAP, p, &three, &zero);
    CHECK(was == 2);
    upc_atomic_relaxed(real, &was, GET, p, NULL, NULL);
    CHECK(was == 2);
    pts here = weft_upc_make(1, 3, 800), same = weft_upc_make(1, 0, 800), other = 4096, got;
    upc_atomic_relaxed(pointer, NULL, SET, p, &here, NULL);
    upc_atomic_relaxed(pointer, &got, CSWAP, p, &same, &other);
    CHECK_EQ(got, here);
    upc_atomic_relaxed(pointer, &got, CSWAP, p, &same, &here);
    CHECK_EQ(got, other);
  }
  CHECK(upc_atomic_isfast(UPC_LONG, UPC_ADD, weft_upc_at(cell, ME, 0)));
  CHECK(!upc_atomic_isfast(UPC_SHORT, UPC_ADD, p));
  BARRIER();
}

static void contention(void) {
  enum { TIMES = 200 };
  const pts d = upc_all_atomicdomain_alloc(UPC_UINT64, UPC_ADD | INC | GET | CSWAP, 2);
  const pts p = at_thread(weft_upc_at(cell + 1, 0, 0), N / 2);
  uint64_t was, three = 3;
  for (int i = 0; i < TIMES; i++) {
    upc_atomic_relaxed(d, i % 2 ? &was : NULL, UPC_ADD, p, &three, NULL);
    upc_atomic_relaxed(d, NULL, INC, p, NULL, NULL);
    uint64_t seen, next;
    upc_atomic_relaxed(d, &was, GET, p, NULL, NULL);
    do {
      seen = was, next = seen + 1;
      upc_atomic_relaxed(d, &was, CSWAP, p, &seen, &next);
    } while (was != seen);
  }
  BARRIER();
  upc_atomic_strict(d, &was, GET, p, NULL, NULL);
  CHECK_EQ(was, 5 * TIMES * (uint64_t)N);
}

int main(int argc, char **argv) {
  weft_upc_start(&argc, &argv);
  EACH(int, UPC_INT, BITS, EACH_BIT)
  EACH(unsigned, UPC_UINT, BITS, EACH_BIT)
  EACH(long, UPC_LONG, BITS, EACH_BIT)
  EACH(unsigned long, UPC_ULONG, BITS, EACH_BIT)
  EACH(int32_t, UPC_INT32, BITS, EACH_BIT)
  EACH(uint32_t, UPC_UINT32, BITS, EACH_BIT)
  EACH(int64_t, UPC_INT64, BITS, EACH_BIT)
  EACH(uint64_t, UPC_UINT64, BITS, EACH_BIT)
  EACH(float, UPC_FLOAT, 0, NONE)
  EACH(double, UPC_DOUBLE, 0, NONE)
  compare();
  contention();
  weft_upc_end(0);
}
