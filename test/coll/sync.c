/*
 * Synchronisation and agreement: nobody leaves before all have entered; bits reach everybody; data
 * shared by the world; different collectives of overlapping sets, one after another, a thousand
 * times with changing roots.
 */
#include "sets.h"

static uint64_t *counter;

static void sync_holds(weft_team_t *c) {
  uint64_t base = weft_peek(counter), seen;
  for (uint64_t k = 1; k <= 30; k++) {
    weft_publish(counter, k);
    weft_coll_sync(c);
    for (int m = 0; m < c->set.size; m++) {
      weft_rma_get(weft_set_world(&c->set, m), weft_job_offset(counter), &seen, 8);
      CHECK(seen == k || seen == k + 1);
    }
  }
  weft_coll_sync(c); /* all have looked */
  weft_publish(counter, base);
  weft_coll_sync(c);
}

static void agreement(void) {
  for (int k = 0; k < 100; k++) {
    const int odd = weft_job.pe == k % weft_job.npes;
    CHECK_EQ(weft_coll_agree(1), 1);
    CHECK_EQ(weft_coll_agree(!odd), 0);
    CHECK_EQ(weft_coll_agree(0), 0);
    CHECK_EQ(weft_coll_meet(weft_team_world(), odd ? 2 : 3), 2);
    CHECK_EQ(weft_coll_meet(weft_team_world(), odd ? 1 : 3), 1);
  }
}

/* Private memory, and a PE that is slow to look at what it got. */
static void shares(void) {
  char got[WEFT_COLL_SHARE_MAX], want[WEFT_COLL_SHARE_MAX];
  for (int k = 0; k < 100; k++) {
    memset(want, k, sizeof want);
    memset(got, weft_job.pe == 0 ? k : 200, sizeof got);
    weft_coll_share(got, k % 2 ? sizeof got : 8);
    CHECK(!memcmp(got, want, k % 2 ? sizeof got : 8));
  }
}

static void sum_u64(void *inout, const void *in, size_t n) {
  for (size_t i = 0; i < n; i++) ((uint64_t *)inout)[i] += ((const uint64_t *)in)[i];
}

static void medley(weft_team_t *c, uint64_t *at, int round) {
  uint64_t mine = (uint64_t)(c->me + 1);
  const uint64_t size = (uint64_t)c->set.size;
  const int root = round % c->set.size;
  weft_coll_reduce(c, at, &mine, 1, 8, sum_u64);
  weft_coll_broadcast(c, at + 1, &mine, 8, root, true);
  if (round % 3 == 0) weft_coll_sync(c);
  weft_coll_collect(c, at + 2, &mine, c->me == root ? 8 : 0);
  weft_coll_broadcast(c, at + 3, &mine, 8, c->set.size - 1 - root, true);
  CHECK_EQ(at[0], size * (size + 1) / 2);
  CHECK_EQ(at[1], root + 1);
  CHECK_EQ(at[2], root + 1);
  CHECK_EQ(at[3], c->set.size - root);
}

/* The last member is late: the others are as far ahead as they may be. */
static void late(weft_team_t *c) {
  for (uint64_t k = 0; k < 40; k++) {
    uint64_t *at = (uint64_t *)(void *)region[2] + k, mine = k + 5;
    const int last = c->set.size - 1;
    if (c->me == last && k % 20 == 0) usleep(20000);
    weft_coll_broadcast(c, at, &mine, 8, last > 0 ? (int)k % last : 0, true);
    CHECK_EQ(*at, k + 5);
  }
}

/* One after another without anything in between; a box of its own for each round. */
static void back_to_back(void) {
  weft_team_t *world = weft_team_world();
  const int rounds = weft_job.nnodes > 1 ? 100 : 1000;
  for (int round = 0; round < rounds; round++)
    medley(world, (uint64_t *)(void *)region[1] + round * 4, round);
}

int main(void) {
  start();
  counter = symmetric(8);
  *counter = 0;
  agreement();
  shares();
  for (int s = 0; s < sets; s++)
    if (set[s]) sync_holds(set[s]);
  clear(REGION - BEHIND);
  for (int round = 0; round < 12; round++)
    for (int s = 0; s < sets; s++)
      if (set[s]) medley(set[s], (uint64_t *)(void *)region[0] + s * 100 + round * 4, round);
  late(weft_team_world());
  late(set[0]);
  back_to_back();
  agreement();
  weft_runtime_stop();
  return 0;
}
