/*
 * A copy between two other PEs, whichever nodes they are on: what is there afterwards, and what
 * stays as it was. All PEs at once, each in a part of its own.
 */
#include <shmem.h>

#include "check.h"
#include "rma/rma.h"

enum { BYTES = 40000, PES = 16 };

static char source[PES][BYTES], dest[PES][BYTES];

static char pattern(int from, int by, size_t i) {
  return (char)(from * 31 + by * 7 + (int)i);
}

static void copies(int me, int npes) {
  weft_op_t op = {0};
  const int from = (me + 1) % npes, to = (me + 2) % npes;
  for (size_t i = 0; i < BYTES; i++) dest[me][i] = 0;
  for (int by = 0; by < npes; by++)
    for (size_t i = 0; i < BYTES; i++) source[by][i] = pattern(me, by, i);
  shmem_barrier_all();
  /* Small and large, at odd offsets; what is not named stays. */
  weft_rma_copy_begin(to, weft_job_offset(dest[me]) + 1, from, weft_job_offset(source[me]) + 1, 7,
                      &op);
  weft_rma_copy_begin(to, weft_job_offset(dest[me]) + 9, from, weft_job_offset(source[me]) + 9,
                      BYTES - 20, &op);
  weft_rma_copy_begin(to, weft_job_offset(dest[me]), from, weft_job_offset(source[me]), 0, &op);
  weft_op_wait(&op);
  shmem_quiet();
  static char there[BYTES];
  weft_rma_get(to, weft_job_offset(dest[me]), there, BYTES);
  for (size_t i = 0; i < BYTES; i++) {
    const bool copied = i > 0 && i != 8 && i < BYTES - 11;
    CHECK_EQ(there[i], copied ? pattern(from, me, i) : 0);
  }
  /* Both ends at one PE, and one over the other. */
  weft_rma_copy_begin(to, weft_job_offset(dest[me]) + 5, to, weft_job_offset(dest[me]), BYTES - 5,
                      &op);
  weft_op_wait(&op);
  shmem_quiet();
  static char moved[BYTES];
  weft_rma_get(to, weft_job_offset(dest[me]), moved, BYTES);
  CHECK(memcmp(moved, there, 5) == 0 && memcmp(moved + 5, there, BYTES - 5) == 0);
  shmem_barrier_all();
}

int main(void) {
  shmem_init();
  const int me = shmem_my_pe(), npes = shmem_n_pes();
  CHECK(npes <= PES);
  copies(me, npes);
  shmem_finalize();
  return 0;
}
