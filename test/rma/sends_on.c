/*
 * A PE that does nothing but send, and looks for room only, never at its port: its helper rests
 * while the PE sends, but serves those who need the port.
 */
#include <shmem.h>

#include "check.h"
#include "port/port.h"
#include "rma/rma.h"

enum { WORDS = 131072, ROUNDS = 20, FEW = 4 /* under way: answers go behind them */ };

static long source[WORDS], dest[WORDS], asked;
static uint64_t *came; /* counted by these puts alone */

static uint64_t send_on(int other) {
  uint64_t n = 0;
  weft_op_t op = {0};
  for (; weft_observe(&asked) < ROUNDS; n++) {
    weft_rma_put_count_begin(other, weft_job_offset(dest), source, sizeof source,
                             weft_job_offset(came), &op);
    while (weft_observe(&op.pending) > FEW) weft_endpoint_poll_or_yield(&weft_job.endpoint);
  }
  weft_op_wait(&op);
  return n;
}

int main(void) {
  shmem_init();
  const int me = shmem_my_pe(), other = 1 - me;
  uint64_t sent = 0;
  came = shmem_calloc(1, sizeof *came);
  if (me == 0)
    sent = send_on(other);
  else
    for (int i = 0; i < ROUNDS; i++) CHECK_EQ(shmem_long_atomic_fetch_add(&asked, 1, other), i);
  shmem_barrier_all();
  if (me == 0) CHECK(shmem_uint64_g(came, other) == sent);
  shmem_barrier_all();
  shmem_finalize();
  return 0;
}
