/*
 * Copying: some KB at a time where libc's memcpy is slow at it, and blocks from one evenly strided
 * place to another.
 */
#include <string.h>

#include "base/base.h"
#include "weft/direct.h"

#if defined(__x86_64__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
typedef char vector_t __attribute__((vector_size(32), aligned(1), may_alias));

/* n >= 160. Stores are aligned but for the first and the last, which overlap others: so none ends
 * inside an aligned word, as in memcpy. */
__attribute__((target("avx"))) static void move(char *dest, const char *source, size_t n) {
  enum { V = sizeof(vector_t), STEP = 4 * V };
  char *const end = dest + n;
  const char *const source_end = source + n;
  const size_t head = V - ((uintptr_t)dest & (V - 1));
  *(vector_t *)dest = *(const vector_t *)source;
  dest += head, source += head;
  for (; end - dest > STEP; dest += STEP, source += STEP) {
    const vector_t *from = (const vector_t *)source;
    vector_t *to = (vector_t *)dest;
    const vector_t a = from[0], b = from[1], c = from[2], d = from[3];
    to[0] = a, to[1] = b, to[2] = c, to[3] = d;
  }
  const vector_t *from = (const vector_t *)(source_end - STEP);
  vector_t *to = (vector_t *)(end - STEP);
  const vector_t a = from[0], b = from[1], c = from[2], d = from[3];
  to[0] = a, to[1] = b, to[2] = c, to[3] = d;
}

static bool moves; /* this processor does better by `move` */

__attribute__((constructor)) static void look(void) {
  __builtin_cpu_init();
  moves = __builtin_cpu_is("amd") && __builtin_cpu_supports("avx");
}

WEFT_API void weft_direct_move(void *dest, const void *source, size_t n) {
  if (weft_likely(moves))
    move(dest, source, n);
  else
    memcpy(dest, source, n);
}
#else
WEFT_API void weft_direct_move(void *dest, const void *source, size_t n) {
  memcpy(dest, source, n);
}
#endif

void weft_copy_strided(char *dest, const char *source, ptrdiff_t dst, ptrdiff_t sst, size_t block,
                       size_t nblocks) {
  size_t i;
#define COPY(T)                                                                                    \
  for (i = 0; i < nblocks; i++, dest += dst, source += sst) memcpy(dest, source, sizeof(T))
  switch (block) { /* a constant size makes a load and a store */
  case 1: COPY(uint8_t); break;
  case 2: COPY(uint16_t); break;
  case 4: COPY(uint32_t); break;
  case 8: COPY(uint64_t); break;
  case 16: COPY(uint64_t[2]); break;
  default:
    for (i = 0; i < nblocks; i++, dest += dst, source += sst)
      weft_direct_memcpy(dest, source, block);
  }
#undef COPY
}
