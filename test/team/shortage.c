/*
 * The reasons why there is no memory, below the front ends: each is of the last request, and comes
 * from where the memory would have been.
 */
#include <string.h>

#include "check.h"
#include "coll/coll.h"
#include "runtime/runtime.h"

static void is(const char *said, const char *wanted) {
  if (!strstr(said, wanted)) fprintf(stderr, "'%s', not '%s'\n", said, wanted);
  CHECK(strstr(said, wanted));
}

int main(void) {
  weft_blocks_t blocks = {0};
  weft_runtime_start("shortage");
  weft_teams_start();
  weft_team_t *world = weft_team_world();
  const size_t too_much = (size_t)1 << 46;

  CHECK(!weft_symmetric_alloc(64, too_much, "shortage"));
  is(weft_symmetric_shortage(), "SHMEM_SYMMETRIC_SIZE raises the limit");
  CHECK(!weft_symmetric_alloc((size_t)1 << 45, 64, "shortage"));
  is(weft_symmetric_shortage(), "addresses do not agree in this alignment");
  CHECK(!weft_symmetric_alloc(64, too_much, "shortage"));
  is(weft_symmetric_shortage(), "SHMEM_SYMMETRIC_SIZE raises the limit");

  for (int pe = 0; pe < weft_job.npes; pe++) {
    CHECK_EQ(weft_private_alloc_on(pe, 64, too_much), 0);
    is(weft_private_shortage(), "WEFT_PRIVATE_SIZE raises the limit");
    CHECK_EQ(weft_global_alloc(64, too_much), 0);
    is(weft_private_shortage(), "SHMEM_SYMMETRIC_SIZE raises the limit");
  }
  CHECK(!weft_team_alloc(world, &blocks, (size_t)1 << 45, 64));
  is(weft_private_shortage(), "addresses do not agree in this alignment");
  CHECK(!weft_team_alloc(world, &blocks, 64, too_much));
  is(weft_private_shortage(), "SHMEM_SYMMETRIC_SIZE raises the limit");
  void *some = weft_team_alloc(world, &blocks, 64, 4096);
  CHECK(some);
  CHECK_EQ(weft_team_dealloc(world, &blocks, some), 0);
  weft_coll_sync(world);
  weft_runtime_imply_stop();
  weft_runtime_stop();
  return 0;
}
