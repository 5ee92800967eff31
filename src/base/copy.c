/*
 * Copying blocks from one evenly strided place to another.
 */
#include <string.h>

#include "base/base.h"

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
    for (i = 0; i < nblocks; i++, dest += dst, source += sst) memcpy(dest, source, block);
  }
#undef COPY
}
