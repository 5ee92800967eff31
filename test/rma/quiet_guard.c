/*
 * A quiet that has taken the marks of several nodes and not yet asked all of them: a quiet of
 * another thread that comes in between finds no marks, and must still find something pending, even
 * if the first node has answered already. The first read is held up until it has.
 */
#include <shmem.h>

#include "check.h"
#include "rma/rma_internal.h"

static ssize_t (*read_message)(struct fid_ep *, const struct fi_msg_rma *, uint64_t);
static int held;
static long word;

static uint32_t pending(void) {
  return __atomic_load_n(&weft_job.endpoint.all.pending, __ATOMIC_ACQUIRE);
}

static ssize_t hold(struct fid_ep *ep, const struct fi_msg_rma *message, uint64_t flags) {
  const uint32_t before = pending(); /* with this read */
  const ssize_t rc = read_message(ep, message, flags);
  if (rc) return rc;
  WEFT_WAIT_ON(&weft_channels[0], pending() < before);
  CHECK(pending() > 0);
  held++;
  return rc;
}

int main(void) {
  shmem_init();
  if (shmem_my_pe() == 0) {
    read_message = weft_wire.readmsg;
    weft_wire.readmsg = hold;
    for (int round = 1; round <= 20; round++) {
      for (int pe = 1; pe < shmem_n_pes(); pe++) shmem_long_p(&word, round, pe);
      shmem_quiet();
      CHECK_EQ(pending(), 0);
      for (int pe = 1; pe < shmem_n_pes(); pe++) CHECK_EQ(shmem_long_g(&word, pe), round);
    }
    CHECK_EQ(held, 20);
    weft_wire.readmsg = read_message;
  }
  shmem_barrier_all();
  shmem_finalize();
  return 0;
}
