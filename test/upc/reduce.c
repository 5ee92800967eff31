/*
 * Reductions and prefix reductions on random blocked arrays: any block size, phase, first thread
 * and length, threads without elements (trap 36), functions that do not commute, in the order of
 * elements (trap 37), logical operations on reals (trap 38). Against a loop over the elements.
 */
#include "runtime.h"

#include "check.h"

typedef long (*long_func)(long, long);
void upc_all_reduceL(pts dst, pts src, upc_op_t op, size_t nelems, size_t blk_size, long_func func,
                     upc_flag_t flags);
void upc_all_prefix_reduceL(pts dst, pts src, upc_op_t op, size_t nelems, size_t blk_size,
                            long_func func, upc_flag_t flags);
void upc_all_reduceD(pts dst, pts src, upc_op_t op, size_t nelems, size_t blk_size,
                     double (*func)(double, double), upc_flag_t flags);
void upc_all_prefix_reduceD(pts dst, pts src, upc_op_t op, size_t nelems, size_t blk_size,
                            double (*func)(double, double), upc_flag_t flags);
void upc_all_reduceC(pts dst, pts src, upc_op_t op, size_t nelems, size_t blk_size,
                     signed char (*func)(signed char, signed char), upc_flag_t flags);
void upc_all_reduceLD(pts dst, pts src, upc_op_t op, size_t nelems, size_t blk_size,
                      long double (*func)(long double, long double), upc_flag_t flags);

enum { FUNC = 1 << 16, NONCOMM = 1 << 17, MOST = 200 };
static pts src, dst;
static long result;
static unsigned seed = 5; /* of values, which thread 0 alone makes up */

static pts step(pts p, size_t i, size_t block, size_t size) {
  if (block == 0) return p + (pts)(i * size);
  return weft_upc_add(p, (weft_upc_i64)i, (weft_upc_i64)block, size);
}
static long add(long a, long b) {
  return a + b;
}
/* Associative, does not commute: x -> a x + b, one after the other, modulo a prime. */
static long join(long f, long g) {
  const long p = 65521, a = f >> 20, b = f & 0xfffff;
  return (a * (g >> 20) % p) << 20 | (a * (g & 0xfffff) + b) % p;
}
static double times(double a, double b) {
  return a * b;
}

static long combine(long a, long b, upc_op_t op) {
  switch (op) {
  case UPC_ADD:
  case FUNC: return a + b;
  case UPC_MULT: return (long)((unsigned long)a * (unsigned long)b);
  case UPC_AND: return a & b;
  case UPC_OR: return a | b;
  case UPC_XOR: return a ^ b;
  case UPC_LOGAND: return a && b;
  case UPC_LOGOR: return a || b;
  case UPC_MIN: return a < b ? a : b;
  case UPC_MAX: return a > b ? a : b;
  default: return join(a, b);
  }
}

static void longs(upc_op_t op, pts from, pts to, size_t n, size_t block) {
  const long_func func = op == FUNC ? add : op == NONCOMM ? join : NULL;
  const int home = (int)(n % (size_t)N);
  if (ME == 0)
    for (size_t i = 0; i < n; i++) {
      const long value = op == NONCOMM ? (rand_r(&seed) % 65521) | (rand_r(&seed) % 65521L) << 20
                                       : rand_r(&seed) % 1000 - 300;
      WEFT_UPC_PUT(long, weft_upc_flat(step(from, i, block, 8)), value);
    }
  BARRIER();
  upc_all_reduceL(at_thread(weft_upc_at(&result, 0, 0), home), from, op, n, block, func,
                  UPC_IN_NOSYNC | UPC_OUT_MYSYNC);
  upc_all_prefix_reduceL(to, from, op, n, block, func, UPC_IN_NOSYNC);
  if (ME == 0) {
    long sum = 0;
    for (size_t i = 0; i < n; i++) {
      const long value = WEFT_UPC_GET(long, weft_upc_flat(step(from, i, block, 8)));
      sum = i ? combine(sum, value, op) : value;
      CHECK_EQ(WEFT_UPC_GET(long, weft_upc_flat(step(to, i, block, 8))), sum);
    }
    CHECK_EQ(WEFT_UPC_GET_COPY(long, &result, home), sum);
  }
  BARRIER();
}

static void reals(pts from, pts to, size_t n, size_t block) {
  const pts where = at_thread(weft_upc_at(&result, 0, 0), 0);
  if (ME == 0)
    for (size_t i = 0; i < n; i++)
      WEFT_UPC_PUT(double, weft_upc_flat(step(from, i, block, 8)), i % 5 ? 2.0 : 0.5);
  BARRIER();
  upc_all_reduceD(where, from, UPC_LOGAND, n, block, NULL, 0);
  if (ME == 0 && n > 1) CHECK(WEFT_UPC_GET(double, where) == 1.0);
  upc_all_prefix_reduceD(to, from, FUNC, n, block, times, 0);
  if (ME == 0) {
    double product = 1;
    for (size_t i = 0; i < n; i++) {
      product *= i % 5 ? 2.0 : 0.5;
      CHECK(WEFT_UPC_GET(double, weft_upc_flat(step(to, i, block, 8))) == product);
    }
  }
  BARRIER();
}

static void widths(void) {
  upc_memset(at_thread(src, ME), 1, 64);
  BARRIER();
  upc_all_reduceC(weft_upc_at(&result, 0, 0), src, UPC_ADD, (size_t)N * 10, 10, NULL, 0);
  if (ME == 0) CHECK_EQ(*(signed char *)&result, (signed char)(N * 10));
  long double *mine = weft_upc_local(at_thread(src, ME));
  mine[0] = (long double)ME + 0.5L;
  upc_all_reduceLD(weft_upc_at(weft_upc_local(at_thread(dst, ME)), 0, 0), src, UPC_MAX, (size_t)N,
                   1, NULL, 0);
  if (ME == 0) CHECK(*(long double *)weft_upc_local(dst) == (long double)N - 0.5L);
  BARRIER();
}

int main(int argc, char **argv) {
  weft_upc_start(&argc, &argv);
  src = upc_all_alloc((size_t)N, MOST * 8), dst = upc_all_alloc((size_t)N, MOST * 8);
  srand(17);
  for (int round = 0; round < 44; round++) {
    const size_t block = (size_t)(rand() % 8), n = 1 + (size_t)(rand() % (block ? 60 : 30));
    const int first = rand() % N, phase = block ? rand() % (int)block : 0;
    const pts at = weft_upc_make((pts)first, (pts)phase, (pts)phase * 8);
    const upc_op_t op = round % 11 < 9 ? 1 << round % 11 : 1 << (16 + round % 11 - 9);
    longs(op, at + weft_upc_offset(src), at + weft_upc_offset(dst), n, block);
    if (round % 4 == 0) reals(at + weft_upc_offset(src), at + weft_upc_offset(dst), n, block);
  }
  widths();
  weft_upc_end(0);
}
