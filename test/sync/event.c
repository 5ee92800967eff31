/*
 * Counted events: posts of everyone add up, a wait takes what it waited for and leaves the rest,
 * and what was made visible before a post is there after the wait.
 */
#include <shmem.h>

#include "check.h"
#include "job/job.h"
#include "rma/rma.h"
#include "sync/sync.h"

enum { ROUNDS = 50 };

static int64_t event, other;
static long data[64];

int main(void) {
  shmem_init();
  const int me = shmem_my_pe(), npes = shmem_n_pes(), next = (me + 1) % npes;
  const uintptr_t off = weft_job_offset(&event), off2 = weft_job_offset(&other);
  CHECK_EQ(weft_event_count(next, off), 0);
  CHECK(!weft_event_try(off, 1));
  shmem_barrier_all();
  for (long i = 1; i <= ROUNDS; i++) {
    for (int k = 0; k < 64; k++) shmem_long_p(&data[k], i, next);
    weft_rma_quiet();
    weft_event_post(next, off);
    weft_event_wait(off, 1);
    for (int k = 0; k < 64; k++) CHECK_EQ(data[k], i);
    weft_event_post((me + npes - 1) % npes, off2); /* read: it may be overwritten */
    weft_event_wait(off2, i % 2);                  /* less than 1 is 1 */
  }
  shmem_barrier_all();
  for (int pe = 0; pe < npes; pe++)
    for (int i = 0; i < 3; i++) weft_event_post(pe, off);
  weft_event_wait(off, 2 * npes);
  CHECK_WITHIN(20, (shmem_fence(), weft_event_count(me, off) == npes));
  CHECK(!weft_event_try(off, npes + 1));
  shmem_barrier_all();
  CHECK_EQ(weft_event_count(next, off), npes);
  shmem_barrier_all();
  CHECK(weft_event_try(off, npes));
  shmem_finalize();
  return 0;
}
