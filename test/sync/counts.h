/*
 * What the tests of locks share: where a symmetric object is, and a count that is right at the end
 * only if each PE was alone with it.
 */
#ifndef WEFT_TEST_COUNTS_H
#define WEFT_TEST_COUNTS_H

#include "job/job.h"
#include "rma/rma.h"

/* Its slot offset. */
static inline uintptr_t at(const void *p) {
  return weft_job_offset(p);
}

static inline void raise_by_one(long *count, int pe) {
  long have;
  weft_rma_get(pe, at(count), &have, sizeof have);
  have++;
  weft_rma_put(pe, at(count), &have, sizeof have);
  weft_rma_quiet();
}

#endif
