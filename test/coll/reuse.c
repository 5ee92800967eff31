/*
 * Areas that one set leaves and another takes: sets of changing members that have done different
 * numbers of operations, so that what they left in their flags differs from PE to PE; kept sets of
 * the plain kind among them.
 */
#include "sets.h"

enum { ROUNDS = 120 };

static void sum_u64(void *inout, const void *in, size_t n) {
  for (size_t i = 0; i < n; i++) ((uint64_t *)inout)[i] += ((const uint64_t *)in)[i];
}

/* As many operations as the set is old and large. */
static void use(weft_team_t *c, int round) {
  const uint64_t size = (uint64_t)c->set.size, want = size * (size - 1) / 2;
  for (int k = 0; k < round % 7 * c->set.size % 5 + 1; k++) {
    uint64_t *at = (uint64_t *)(void *)region[k % REGIONS] + round * 4, mine = (uint64_t)c->me;
    weft_coll_broadcast(c, at, &mine, 8, k % c->set.size, true);
    CHECK_EQ(at[0], k % c->set.size);
    weft_coll_reduce(c, at + 1, &mine, 1, 8, sum_u64);
    CHECK_EQ(at[1], want);
  }
  weft_coll_sync(c);
}

static void one(int round) {
  const int n = weft_job.npes, size = round * 5 % n + 1, start = round * 3 % (n - size + 1);
  const weft_set_t members = {
      .start = round % 2 ? start + size - 1 : start, .stride = round % 2 ? -1 : 1, .size = size};
  const int me = weft_set_index(&members, weft_job.pe);
  weft_team_t *team;
  CHECK_EQ(weft_team_create(weft_team_world(), me < 0 ? NULL : &members, true, &team), 0);
  CHECK((team == NULL) == (me < 0));
  if (me < 0) return;
  use(team, round);
  weft_team_free(team);
}

/* A set of the plain kind becomes one with an area, and all are forgotten in between. */
static void kept(int round) {
  const int n = weft_job.npes, size = round % n + 1;
  const weft_set_t members = {.start = round % (n - size + 1), .stride = 1, .size = size};
  const uintptr_t words = sync_area + (uintptr_t)(round % 3) * WEFT_COLL_SYNC_WORDS * 8;
  const int me = weft_set_index(&members, weft_job.pe);
  for (int k = 0; k < 2 && me >= 0; k++) {
    weft_team_t plain, *c = weft_coll_active(&members, words);
    CHECK(k == 0 || size == 1 || c != NULL);
    if (!c) weft_coll_plain(c = &plain, &members, me, words);
    use(c, round);
  }
  weft_coll_sync(weft_team_world());
  if (round % 9 == 8) weft_coll_active_forget();
  weft_coll_sync(weft_team_world());
}

int main(void) {
  start();
  clear(REGION - BEHIND);
  for (int round = 0; round < (weft_job.nnodes > 1 ? ROUNDS / 3 : ROUNDS); round++) {
    one(round);
    kept(round);
  }
  weft_runtime_stop();
  return 0;
}
