/* amo.c: OpenSHMEM 1.6 section 9.7: the symbols of the atomic operations, which the headers also
 * inline. */
#include "shmem/internal.h"

uint64_t weft_shmem_amo_away(uintptr_t off, unsigned op_and_width, uint64_t operand, uint64_t cond,
                             long pe, const char *who) {
  return weft_direct.amo(off, (enum weft_amo)(op_and_width >> 4), op_and_width & 15, operand, cond,
                         pe, who);
}

uint32_t weft_shmem_amo4_away(uintptr_t off, unsigned op_and_width, uint64_t operand, uint64_t cond,
                              long pe, const char *who) {
  return (uint32_t)weft_shmem_amo_away(off, op_and_width, operand, cond, pe, who);
}

WEFT_SHMEM_AMO_HOT(WEFT_EMIT)
