/*
 * coll_ops.c: the arithmetic of reductions, one loop per type and operation: right[i] = left[i] op
 * right[i]. It knows arrays only.
 */
#include "gasnet/ex/team.h"

#define OP_ADD(a, b) ((a) + (b))
#define OP_MULT(a, b) ((a) * (b))
#define OP_MIN(a, b) ((a) < (b) ? (a) : (b))
#define OP_MAX(a, b) ((a) > (b) ? (a) : (b))
#define OP_AND(a, b) ((a) & (b))
#define OP_OR(a, b) ((a) | (b))
#define OP_XOR(a, b) ((a) ^ (b))

/* Sums of signed integers wrap. Memory is that of the program: it need not be aligned to the type,
 * on which no processor that Weft runs on insists. */
#define ANY(FN, D, T) FN(D, T, ADD) FN(D, T, MULT) FN(D, T, MIN) FN(D, T, MAX)
#define BITS(FN, D, T) FN(D, T, AND) FN(D, T, OR) FN(D, T, XOR)
#define LIST(FN)                                                                                   \
  ANY(FN, I32, int32_t)                                                                            \
  BITS(FN, I32, int32_t)                                                                           \
  ANY(FN, U32, uint32_t)                                                                           \
  BITS(FN, U32, uint32_t)                                                                          \
  ANY(FN, I64, int64_t)                                                                            \
  BITS(FN, I64, int64_t)                                                                           \
  ANY(FN, U64, uint64_t)                                                                           \
  BITS(FN, U64, uint64_t)                                                                          \
  ANY(FN, FLT, float)                                                                              \
  ANY(FN, DBL, double)

#define DEFINE(D, T, OP)                                                                           \
  __attribute__((no_sanitize("signed-integer-overflow", "alignment"))) static void D##_##OP(       \
      void *inout, const void *in, size_t n) {                                                     \
    const T *restrict a = in;                                                                      \
    T *restrict b = inout;                                                                         \
    for (size_t i = 0; i < n; i++) b[i] = (T)OP_##OP(a[i], b[i]);                                  \
  }
LIST(DEFINE)

weft_combine_t weft_gex_arithmetic(gex_DT_t dt, gex_OP_t op) {
#define FIND(D, T, OP)                                                                             \
  if (dt == GEX_DT_##D && op == GEX_OP_##OP) return D##_##OP;
  LIST(FIND)
  return NULL;
}

size_t weft_gex_width(gex_DT_t dt) {
  switch (dt) {
  case GEX_DT_I32:
  case GEX_DT_U32:
  case GEX_DT_FLT: return 4;
  case GEX_DT_I64:
  case GEX_DT_U64:
  case GEX_DT_DBL: return 8;
  }
  return 0;
}
