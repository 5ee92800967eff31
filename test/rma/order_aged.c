/*
 * The ordered class where packets could pass one another: a record that the node's helper sends on
 * its own connection, when it has been staged for a while, and large packets. Nothing that is to
 * stay behind leaves while such a packet is under way; accumulates go on behind accumulates.
 */
#include "check.h"

#include <unistd.h>

#include "flow/flow.h"
#include "port/stage.h"
#include "rma/noncontig.h"
#include "rma/rma.h"
#include "runtime/runtime.h"

enum { WORDS = 5000, ROUNDS = 20, LARGE = 2000 /* words; one packet of 16 KB */, FEW = 50 };

static uint64_t *word;
static long *sums, mine[WORDS];

/* This PE takes no answers in here but where it waits. The third put gathers behind the first two;
 * order is asked for before the helper sees it, and the atomic comes after that. */
static void behind_aged(int to, int round) {
  const weft_stage_t *stage = &weft_channels[0].stages[weft_job_node_of(to)];
  for (uint64_t k = 1; k <= 3; k++) weft_rma_put(to, weft_job_offset(word), &k, sizeof k);
  weft_rma_order_next(to, WEFT_NEXT_ATOMIC, 8);
  usleep(3000);
  weft_stage_post_now(&weft_channels[0], to, weft_job_offset(word), WEFT_AMO_SET, 8,
                      100 + (uint64_t)round);
  CHECK(!weft_stage_loose(stage) || weft_stage_under_way(stage) == 1);
  weft_rma_quiet();
  CHECK_EQ(weft_rma_amo(to, weft_job_offset(word), WEFT_AMO_FETCH, 8, 0, 0), 100 + round);
}

static void add(int to, size_t n) {
  const ptrdiff_t step = sizeof(long);
  const weft_shape_t there = weft_shape_strided(weft_job_offset(sums), sizeof(long), 1, &n, &step),
                     here = weft_shape_strided((uintptr_t)mine, sizeof(long), 1, &n, &step);
  weft_rma_order_shape(to, &there, &here, true);
  weft_rma_acc_shape(&there, &here, WEFT_ACC_INT64, NULL, to, NULL, NULL, "test");
}

static void add_behind_add(int to, int round) {
  const weft_stage_t *stage = &weft_channels[0].stages[weft_job_node_of(to)];
  long first;
  for (int i = 0; i < WORDS; i++) mine[i] = i;
  weft_rma_fence_pe(to);
  add(to, WORDS);
  add(to, WORDS);
  CHECK_EQ(weft_stage_loose(stage), weft_job.fabric.large_in_order ? 0 : (unsigned)WEFT_LOOSE_ADD);
  CHECK_EQ(weft_stage_under_way(stage), 2);
  add(to, WORDS);
  weft_rma_order_next(to, WEFT_NEXT_GET, 8);
  weft_rma_get(to, weft_job_offset(&sums[WORDS - 1]), &first, sizeof first);
  CHECK_EQ(first, (long)(3 * (round + 1)) * (WORDS - 1));
}

/* The large accumulate asks for its answer, the small one does not: a put that has to stay behind
 * the large one, but not behind the small one, begins when the large one's answer has come. */
static void put_behind_adds(int to) {
  const size_t n = FEW;
  const ptrdiff_t step = 2 * sizeof(long);
  const weft_shape_t there = weft_shape_strided(weft_job_offset(sums), sizeof(long), 1, &n, &step),
                     here = weft_shape_strided((uintptr_t)mine, sizeof(long), 1, &n, &step);
  long got[2 * FEW];
  weft_rma_fence_pe(to);
  weft_rma_get(to, weft_job_offset(sums), got, sizeof got);
  const long before = got[2 * FEW - 1];
  add(to, LARGE);
  add(to, FEW);
  weft_rma_order_shape(to, &there, &here, false);
  weft_rma_put_shape(&there, &here, to, NULL, NULL, "test");
  weft_rma_order_next(to, WEFT_NEXT_GET, sizeof got);
  weft_rma_get(to, weft_job_offset(sums), got, sizeof got);
  for (int i = 0; i < FEW; i++) CHECK_EQ(got[2 * i], mine[2 * i]);
  CHECK_EQ(got[2 * FEW - 1], before + mine[2 * FEW - 1]);
}

int main(void) {
  weft_runtime_start("test");
  word = weft_symmetric_alloc(64, sizeof *word, "test");
  sums = weft_symmetric_alloc(64, WORDS * sizeof *sums, "test");
  memset(sums, 0, WORDS * sizeof *sums);
  weft_coll_sync(weft_team_world());
  if (weft_job.pe == 1) /* not the one that has the port, so nobody else takes its answers */
    for (int round = 0; round < ROUNDS; round++) {
      behind_aged(weft_job.npes - 1, round);
      add_behind_add(weft_job.npes - 1, round);
      put_behind_adds(weft_job.npes - 1);
    }
  weft_coll_sync(weft_team_world());
  weft_runtime_stop();
  return 0;
}
