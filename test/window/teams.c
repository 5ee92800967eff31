/*
 * Symmetric memory of teams: sibling and nested teams have memory at a time at one offset on their
 * members, nothing overlaps, it is given back one by one or all together, and can be had again;
 * where one member has no room nobody gets any.
 */
#include <shmem.h>

#include "check.h"
#include "coll/coll.h"
#include "rma/rma.h"
#include "runtime/runtime.h"

enum { N = 300000 };

static void fill_and_check(weft_team_t *team, unsigned char *p, int mark) {
  const weft_set_t *set = &team->set;
  const int me = team->me, next = weft_set_world(set, (me + 1) % set->size);
  static unsigned char source[N];
  memset(source, mark + me, N);
  weft_rma_put(next, weft_job_offset(p), source, N);
  weft_rma_quiet();
  weft_coll_sync(team);
  const unsigned char want = (unsigned char)(mark + (me + set->size - 1) % set->size);
  CHECK(p[0] == want && p[N / 2] == want && p[N - 1] == want);
  weft_coll_sync(team);
}

static void siblings(weft_team_t *world) {
  const int me = world->me, color = me % 2;
  weft_team_t *half, *inner;
  weft_blocks_t of_world = {0}, of_half = {0}, of_inner = {0};
  weft_team_split(world, true, color, -me, &half);
  unsigned char *a = weft_team_alloc(world, &of_world, 64, N);
  unsigned char *b = weft_team_alloc(half, &of_half, 4096, N);
  weft_team_split(half, true, 0, 0, &inner);
  unsigned char *c = weft_team_alloc(inner, &of_inner, 16, N);
  unsigned char *d = weft_team_alloc(half, &of_half, 16, N);
  CHECK(a && b && c && d && (uintptr_t)b % 4096 == 0);
  CHECK(weft_job_is_symmetric(b, N));
  fill_and_check(half, b, 50 + 20 * color);
  fill_and_check(inner, c, 100 + 20 * color);
  fill_and_check(world, a, 10);
  CHECK_EQ(a[0], 10 + (me + weft_job_npes() - 1) % weft_job_npes());
  CHECK_EQ(weft_team_dealloc(half, &of_half, a), -EINVAL);
  CHECK_EQ(weft_team_dealloc(half, &of_half, b), 0);
  weft_team_dealloc_all(inner, &of_inner);
  weft_team_dealloc_all(half, &of_half);
  CHECK(!of_half.first && !of_inner.first);
  weft_coll_sync(world);
  weft_team_dealloc_all(world, &of_world);
  weft_coll_sync(world);
  /* All is free again: as before. */
  unsigned char *again = weft_team_alloc(world, &of_world, 64, N);
  CHECK(again == a);
  CHECK_EQ(again[N / 2], 0); /* its pages had gone */
  CHECK(!weft_team_alloc(world, &of_world, 16, weft_job.window.layout.global_limit));
  weft_team_dealloc_all(world, &of_world);
  weft_team_free(inner);
  weft_team_free(half);
}

int main(void) {
  shmem_init();
  weft_teams_start();
  siblings(weft_team_world());
  shmem_barrier_all();
  shmem_finalize();
  return 0;
}
