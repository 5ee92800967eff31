/*
 * collect where one member's part, by what it says, takes more than there is (sizes.sh). The
 * argument: its bytes.
 */
#include "check.h"
#include "coll/coll.h"
#include "job/job.h"
#include "runtime/runtime.h"

enum { ROOM = 4096, PART = 8 };

int main(int argc, char **argv) {
  static char source[PART];
  CHECK(argc == 2);
  weft_runtime_start("test");
  weft_teams_start();
  char *dest = weft_symmetric_alloc(64, ROOM, "test");
  memset(dest, 7, ROOM);
  weft_coll_sync(weft_team_world());
  const size_t n = weft_job.pe == 1 ? strtoull(argv[1], NULL, 0) : PART;
  weft_coll_collect(weft_team_world(), dest, source, n);
  const size_t all = (size_t)(weft_job.npes - 1) * PART + n;
  for (size_t i = 0; i < ROOM; i++) CHECK_EQ(dest[i], i < all ? 0 : 7);
  if (weft_job.pe == 0) puts("right");
  weft_runtime_stop();
  return 0;
}
