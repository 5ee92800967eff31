/* rma.c: OpenSHMEM 1.6 section 9.5: the symbols of put, get, p, g and their nonblocking forms,
 * which the headers also inline. */
#include "shmem/internal.h"

void weft_shmem_p_on(uintptr_t off, size_t width, uint64_t bits, long to) {
  /* little endian, as all our machines are */
  weft_direct.put(off, &bits, width, to, "shmem_ctx_p");
}

uint64_t weft_shmem_g_away(uintptr_t off, size_t width, long pe, const char *who) {
  uint64_t bits = 0;
  switch (width) {
  case 1: {
    uint8_t b;
    weft_direct.get(off, &b, 1, pe, who);
    return b;
  }
  case 2: {
    uint16_t h;
    weft_direct.get(off, &h, 2, pe, who);
    return h;
  }
  case 4: {
    uint32_t w;
    weft_direct.get(off, &w, 4, pe, who);
    return w;
  }
  default: weft_direct.get(off, &bits, 8, pe, who); return bits;
  }
}

uint32_t weft_shmem_g4_away(uintptr_t off, size_t width, long pe, const char *who) {
  return (uint32_t)weft_shmem_g_away(off, width, pe, who);
}

WEFT_SHMEM_RMA_HOT(WEFT_EMIT)
