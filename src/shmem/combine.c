/* combine.c: the arithmetic of reductions and scans: one loop per type and operation. */
#include "shmem/internal.h"

#define OP_and(a, b) ((a) & (b))
#define OP_or(a, b) ((a) | (b))
#define OP_xor(a, b) ((a) ^ (b))
#define OP_max(a, b) ((a) > (b) ? (a) : (b))
#define OP_min(a, b) ((a) < (b) ? (a) : (b))
#define OP_sum(a, b) ((a) + (b))
#define OP_prod(a, b) ((a) * (b))

#define COMBINE(N, T, op)                                                                          \
  void weft_combine_##N##_##op(void *inout, const void *in, size_t n) {                            \
    T *restrict a = inout;                                                                         \
    const T *restrict b = in;                                                                      \
    for (size_t i = 0; i < n; i++) a[i] = (T)OP_##op(a[i], b[i]);                                  \
  }

WEFT_COMBINE_LIST(COMBINE)
