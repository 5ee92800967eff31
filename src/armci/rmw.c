/*
 * rmw.c: read, modify, write; atomic to one another wherever they come from.
 */
#include "armci/internal.h"

#include <string.h>

void weft_armci_rmw(enum weft_armci_rmw op, size_t width, void *local, void *remote, long extra,
                    int proc, const char *who) {
  const enum weft_amo amo = op == WEFT_ARMCI_SWAP ? WEFT_AMO_SWAP : WEFT_AMO_ADD;
  uint64_t operand = 0;
  weft_armci_check(proc, who);
  if (!local || !remote || (uintptr_t)remote % width)
    weft_fatal("%s: process %d, object %p of %zu bytes, own one %p: both must be there, and the "
               "object aligned",
               who, proc, remote, width, local);
  if (op == WEFT_ARMCI_SWAP)
    memcpy(&operand, local, width);
  else
    memcpy(&operand, &extra, width);
  uint64_t old;
  WEFT_SPAN_TO(WEFT_TRACE_ATOMIC, who, width, proc, 0);
  if (weft_unlikely(weft_options.check)) weft_armci_check_memory(proc, remote, width, who);
  char *here = weft_armci_here(proc, remote);
  if (here) {
    old = weft_data_apply(here, amo, width, operand, 0);
  } else {
    const uintptr_t off = weft_job_offset_of(proc, (uintptr_t)remote);
    weft_rma_order_next(proc, WEFT_NEXT_ATOMIC, width);
    old = weft_rma_amo(proc, off, amo, width, operand, 0);
  }
  memcpy(local, &old, width);
}
