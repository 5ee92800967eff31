/*
 * The usual choices: where PEs share processors two on a node go by the rules of three, and nothing
 * else differs.
 * test: unit
 */
#include "check.h"
#include "coll/choose.h"
#include "job/job.h"

static void load(int crowd) {
  weft_job.crowd = crowd;
  weft_choose_sort(weft_choose_load(NULL));
}

static void same_beside(int members) {
  static int chosen[WEFT_OPS][24];
  for (int crowd = 1; crowd <= 2; crowd++) {
    load(crowd);
    for (int op = 0; op < WEFT_OPS; op++)
      for (int bit = 0; bit < 24; bit++) {
        const int way = weft_choose(op, members, (size_t)1 << bit);
        if (crowd == 1)
          chosen[op][bit] = way;
        else
          CHECK_EQ(way, chosen[op][bit]);
      }
  }
}

int main(void) {
  load(1);
  CHECK_EQ(weft_choose(WEFT_OP_BROADCAST, 2, 2048), WEFT_ALG_PULL);
  CHECK_EQ(weft_choose(WEFT_OP_REDUCE, 2, 512), WEFT_ALG_SLICES);
  CHECK_EQ(weft_choose(WEFT_OP_ALLTOALL, 2, 64), WEFT_ALG_WRITE);
  load(2);
  CHECK_EQ(weft_choose(WEFT_OP_BROADCAST, 2, 2048), WEFT_ALG_POST);
  CHECK_EQ(weft_choose(WEFT_OP_BROADCAST, 2, 8192), WEFT_ALG_POST);
  CHECK_EQ(weft_choose(WEFT_OP_BROADCAST, 2, 16384), WEFT_ALG_PULL);
  CHECK_EQ(weft_choose(WEFT_OP_BROADCAST_INSIDE, 2, 32768), WEFT_ALG_POST);
  CHECK_EQ(weft_choose(WEFT_OP_REDUCE, 2, 512), WEFT_ALG_POST);
  CHECK_EQ(weft_choose(WEFT_OP_REDUCE, 2, 2048), WEFT_ALG_SLICES);
  CHECK_EQ(weft_choose(WEFT_OP_ALLTOALL, 2, 64), WEFT_ALG_WRITE);
  CHECK_EQ(weft_choose(WEFT_OP_REDUCE_NODES, 2, 65536), WEFT_ALG_SLICES);
  CHECK_EQ(weft_choose(WEFT_OP_REDUCE_NODES, 2, 32768), WEFT_ALG_DOUBLING);
  CHECK_EQ(weft_choose(WEFT_OP_REDUCE_NODES, 3, 32768), WEFT_ALG_SLICES);
  for (int members = 3; members <= 64; members++) same_beside(members);
  return 0;
}
