/* GASNet-1's barrier: names, anonymous ones, forced mismatch, split phases, and what they return.
 */
#define GASNET_SEQ
#include <gasnet.h>
#include <gasnet_coll.h>

#include "team.h"

enum { NAMED = 0, ANON = GASNET_BARRIERFLAG_ANONYMOUS, BAD = GASNET_BARRIERFLAG_MISMATCH };

static int barrier(int id, int flags, int wait_id, int wait_flags) {
  gasnet_barrier_notify(id, flags);
  return gasnet_barrier_wait(wait_id, wait_flags);
}

static void check_result(int anonymous, int name) {
  int id = -1;
  CHECK_EQ(gasnet_barrier_result(&id), anonymous);
  if (!anonymous) CHECK_EQ(id, name);
}

static int try_until(int id, int flags) {
  int rc;
  while ((rc = gasnet_barrier_try(id, flags)) == GASNET_ERR_NOT_READY) sched_yield();
  return rc;
}

/* One PE differs from the others. */
static void mixed(gex_Rank_t other) {
  const int I = me == other;
  CHECK_EQ(gasnet_barrier(5551212, I ? ANON : NAMED), GASNET_OK);
  check_result(size == 1, 5551212);
  CHECK_EQ(gasnet_barrier((int)0xcafef00d, I ? NAMED : ANON), GASNET_OK);
  check_result(0, (int)0xcafef00d);
  gasnet_barrier_notify(7, I ? ANON : NAMED);
  CHECK_EQ(gasnet_barrier_wait(8, NAMED), size == 1 ? GASNET_OK : GASNET_ERR_BARRIER_MISMATCH);
  CHECK_EQ(gasnet_barrier(I, NAMED), size == 1 ? GASNET_OK : GASNET_ERR_BARRIER_MISMATCH);
  gasnet_barrier_notify(1, I ? BAD : NAMED);
  CHECK_EQ(gasnet_barrier_wait(1, I ? BAD : NAMED), GASNET_ERR_BARRIER_MISMATCH);
  gasnet_barrier_notify(1, I ? BAD : ANON);
  CHECK_EQ(try_until(1, I ? BAD : ANON), GASNET_ERR_BARRIER_MISMATCH);
  CHECK_EQ(gasnet_barrier(0, GASNET_BARRIERFLAG_UNNAMED), GASNET_OK);
  check_result(1, 0);
}

/* Nobody is through before all have notified: what each put to the others before is there. */
static void split_phase(void) {
  gex_Segment_t segment;
  void *owner[64];
  CHECK_EQ(gex_Segment_Attach(&segment, all, GASNET_PAGESIZE), GASNET_OK);
  for (gex_Rank_t r = 0; r < size; r++)
    CHECK_EQ(gex_Segment_QueryBound(all, r, &owner[r], NULL, NULL), GASNET_OK);
  const volatile int *here = gex_Segment_QueryAddr(segment);
  for (int round = 1; round < 50; round++) {
    for (gex_Rank_t r = 0; r < size; r++)
      gex_RMA_PutBlocking(all, r, (int *)owner[r] + me, &round, sizeof round, 0);
    if ((gex_Rank_t)round % size == me) usleep(200);
    gasnet_barrier_notify(round, NAMED);
    CHECK_EQ(round % 2 ? try_until(round, NAMED) : gasnet_barrier_wait(round, NAMED), GASNET_OK);
    for (gex_Rank_t r = 0; r < size; r++) CHECK(here[r] == round || here[r] == round + 1);
  }
}

static void of_teams(void) {
  gasnet_team_handle_t team = gasnet_coll_team_split(GASNET_TEAM_ALL, me % 2, size - me, &all);
  const gex_Rank_t n = gasnet_coll_team_size(team);
  CHECK_EQ(n, (size + (me + 1) % 2) / 2);
  const gex_Rank_t rank = gasnet_coll_team_node2rank(team, me);
  CHECK_EQ(gasnet_coll_team_rank2node(team, (int)rank), me);
  CHECK_EQ(gasnet_coll_team_rank2node(team, 0), size - 1 - (size - 1 - me) % 2);
  for (int i = 0; i < 20; i++) {
    const bool differ = n > 1 && i % 3 == 0;
    int id = 0;
    gasnet_coll_barrier_notify(team, differ ? (int)rank : i, NAMED);
    if (i % 4 == 0) gasnet_barrier_notify(i, NAMED); /* both under way */
    CHECK_EQ(gasnet_coll_barrier_wait(team, differ ? (int)rank : i, NAMED),
             differ ? GASNET_ERR_BARRIER_MISMATCH : GASNET_OK);
    if (!differ) CHECK(gasnet_coll_barrier_result(team, &id) == 0 && id == i);
    if (i % 4 == 0) CHECK_EQ(try_until(i, NAMED), GASNET_OK);
  }
  gasnet_coll_barrier_notify(team, 0, ANON);
  int rc;
  while ((rc = gasnet_coll_barrier_try(team, 0, ANON)) == GASNET_ERR_NOT_READY) continue;
  CHECK_EQ(rc, GASNET_OK);
  CHECK_EQ(gasnet_coll_barrier(team, 3, NAMED), GASNET_OK);
}

int main(int argc, char **argv) {
  start(&argc, &argv);
  CHECK_EQ(barrier(1, NAMED, 1, NAMED), GASNET_OK);
  check_result(0, 1);
  CHECK_EQ(barrier(0, NAMED, 1, NAMED), GASNET_ERR_BARRIER_MISMATCH);
  CHECK_EQ(barrier(0, ANON, 9, NAMED), GASNET_OK); /* flags may differ since GASNet 1.20 */
  check_result(1, 0);
  CHECK_EQ(barrier(0, NAMED, 9, ANON), GASNET_OK);
  check_result(0, 0);
  CHECK_EQ(barrier((int)me, ANON, 0, ANON), GASNET_OK);
  CHECK_EQ(barrier(3, BAD, 3, BAD), GASNET_ERR_BARRIER_MISMATCH);
  CHECK_EQ(barrier(4, NAMED, 4, NAMED), GASNET_OK);
  for (gex_Rank_t other = 0; other < size; other++) mixed(other);
  split_phase();
  for (int i = 0; i < 100; i++) CHECK_EQ(gasnet_barrier(i, NAMED), GASNET_OK);
  of_teams();
  gasnet_exit(0);
}
