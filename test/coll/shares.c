/*
 * weft_coll_share of a PE that is several ahead of the others, with numbers of broadcasts from just
 * below 2^32 on: each has a place of its own until all have met.
 */
#include "check.h"
#include "coll/coll.h"
#include "rma/rma.h"
#include "runtime/runtime.h"

enum { AHEAD = 6 };

static uint64_t gone_ahead; /* symmetric */

static void some(weft_team_t *world, uint64_t casts) {
  weft_coll_sync(world);
  world->casts = casts;
  if (weft_job.pe != 0) WEFT_WAIT_UNTIL(weft_observe(&gone_ahead) == casts);
  for (uint64_t i = 0; i < AHEAD; i++) {
    uint64_t word = weft_job.pe == 0 ? casts + i : 0;
    weft_coll_share(&word, sizeof word);
    CHECK_EQ(word, casts + i);
  }
  if (weft_job.pe != 0) return;
  weft_rma_quiet(); /* what was shared has arrived everywhere */
  for (int pe = 1; pe < weft_job.npes; pe++)
    weft_direct_put(&gone_ahead, &casts, sizeof casts, pe, "shares");
  weft_rma_quiet();
}

int main(void) {
  weft_runtime_start("shares");
  weft_team_t *world = weft_team_world();
  for (uint64_t casts = UINT32_MAX - 9; casts < (uint64_t)UINT32_MAX + 4; casts++)
    some(world, casts);
  weft_coll_sync(world);
  weft_runtime_imply_stop();
  weft_runtime_stop();
  return 0;
}
