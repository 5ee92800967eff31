/*
 * One block of elements is added to a PE's, as ARMCI does it: by an adder on the node, and else as
 * a shape.
 */
#ifndef WEFT_TEST_ADD_BLOCK_H
#define WEFT_TEST_ADD_BLOCK_H

#include "rma/rma.h"

/* rc: when all is done; NULL: by the next quiet. */
static inline void add_block(int pe, uintptr_t off, const void *source, size_t n,
                             weft_acc_type_t type, const void *scale, weft_op_t *rc) {
  char *here = weft_job_here(pe, off);
  if (here) {
    weft_adder_t adder = weft_rma_adder(pe, type, scale);
    weft_adder_add(&adder, here, source, n);
    weft_adder_end(&adder);
    return;
  }
  const weft_shape_t remote = weft_shape_strided(off, n, 0, NULL, NULL);
  const weft_shape_t local = weft_shape_strided((uintptr_t)source, n, 0, NULL, NULL);
  weft_rma_acc_shape(&remote, &local, type, scale, pe, NULL, rc, "accumulate");
}

#endif
