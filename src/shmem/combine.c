/* combine.c: the arithmetic of reductions and scans: one loop per type and operation. */
#include "shmem/internal.h"

/* clang-format takes these three for C++ operators. */
/* clang-format off */
#define and(a, b) ((a) & (b))
#define or(a, b) ((a) | (b))
#define xor(a, b) ((a) ^ (b))
/* clang-format on */
#define max(a, b) ((a) > (b) ? (a) : (b))
#define min(a, b) ((a) < (b) ? (a) : (b))
#define sum(a, b) ((a) + (b))
#define prod(a, b) ((a) * (b))

#define COMBINE(N, T, op)                                                                          \
  void weft_combine_##N##_##op(void *inout, const void *in, size_t n) {                            \
    T *restrict a = inout;                                                                         \
    const T *restrict b = in;                                                                      \
    for (size_t i = 0; i < n; i++) a[i] = (T)op(a[i], b[i]);                                       \
  }

WEFT_COMBINE_LIST(COMBINE)
