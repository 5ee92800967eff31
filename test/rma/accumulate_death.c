/*
 * WEFT_ON_DEATH=continue: the last PE dies in the middle of an accumulate to PE 0 and to its own
 * neighbour. Others then accumulate there, from the node and from elsewhere: they take over what it
 * held, and lose nothing.
 */
#include "add_block.h"
#include "check.h"
#include "job/job.h"
#include "port/port.h"
#include "rma/rma.h"
#include "runtime/runtime.h"
#include "sync/sync.h"

static double sums[64];
static long counts[64];

int main(void) {
  double ones[64];
  weft_runtime_start("accumulate_death");
  const int me = weft_job_pe(), npes = weft_job_npes(), dies = npes - 1;
  const weft_set_t all = {.start = 0, .stride = 1, .size = npes};
  weft_meeting_t meeting = {.set = &all, .key = 7};
  for (int i = 0; i < 64; i++) ones[i] = 1;
  CHECK(weft_job_goes_on());
  weft_alive_meet(&meeting);
  if (me == dies) {
    for (int pe = 0; pe < npes; pe++)
      if (weft_job_slot(pe)) { /* holds the block of sums there */
        weft_adder_t adder = weft_rma_adder(pe, WEFT_ACC_DOUBLE, NULL);
        char *there = pe == me ? (char *)sums : weft_job_slot(pe) + weft_job_offset(sums);
        weft_adder_add(&adder, there, ones, sizeof ones);
        CHECK(adder.held && adder.held->holder == (uint32_t)weft_job.slot + 1);
      }
    kill(getpid(), SIGKILL);
  }
  WEFT_WAIT_ON(NULL, weft_job_has_failed(dies));
  for (int pe = 0; pe < dies; pe++) {
    add_block(pe, weft_job_offset(sums), ones, sizeof ones, WEFT_ACC_DOUBLE, NULL, NULL);
    weft_rma_amo(pe, weft_job_offset(counts), WEFT_AMO_ADD, sizeof(long), 1, 0);
  }
  weft_rma_quiet();
  CHECK_EQ(weft_alive_meet(&meeting).failed, 1);
  CHECK_EQ(counts[0], dies);
  for (int i = 0; i < 64; i++) CHECK_EQ((long)sums[i], dies + (weft_job_slot(dies) != NULL));
  if (me == 0) puts("right");
  weft_runtime_stop();
  return 0;
}
