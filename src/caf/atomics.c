/*
 * atomics.c: atomic subroutines on integers and logicals of coarrays (Fortran 2018, 16.5). On the
 * node the processor's instructions, elsewhere the port's: they are atomic to each other.
 */
#include "data/data.h"
#include "caf/internal.h"

uint64_t weft_caf_atomic(int pe, void *object, enum weft_amo op, size_t width, uint64_t operand,
                         uint64_t compare) {
  uintptr_t at;
  if (weft_likely(weft_direct_at(object, pe, &at)))
    return weft_data_apply((void *)at, op, width, operand, compare);
  return weft_direct.amo(at, op, width, operand, compare, pe, "atomic subroutine");
}
