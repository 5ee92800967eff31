/*
 * Small broadcasts in a row gather between nodes, and arrive even if their root does nothing more
 * but compute. It knows that they did by a word that the last member writes, which it looks at
 * without a call.
 */
#include "sets.h"

enum { ROW = 100, LARGEST = 4200, TIMES = 5 };

static size_t size_of(int k) {
  return k % 10 == 9 ? LARGEST : (size_t)(k * 37 % 600 + 1);
}

static void one(weft_team_t *world, uint64_t *told, int salt) {
  const int root = 0, last = weft_job.npes - 1;
  size_t at = 0;
  for (int k = 0; k < ROW; k++) {
    if (world->me == root) fill(source, size_of(k), k, salt);
    weft_coll_broadcast(world, region[0] + at, source, size_of(k), root, true);
    if (world->me == root) memset(source, 0, size_of(k)); /* it may change at once */
    at += size_of(k);
  }
  if (world->me == last) weft_rma_add(root, weft_job_offset(told), 1);
  while (world->me == root && __atomic_load_n(told, __ATOMIC_ACQUIRE) != (uint64_t)salt + 1) {
  } /* the helpers do the rest */
  at = 0;
  for (int k = 0; k < ROW; at += size_of(k++)) expect(region[0] + at, size_of(k), k, salt, 0);
  weft_coll_sync(world);
}

int main(void) {
  start();
  uint64_t *told = symmetric(64);
  *told = 0;
  weft_coll_sync(weft_team_world());
  for (int i = 0; i < TIMES; i++) one(weft_team_world(), told, i);
  weft_runtime_stop();
  return 0;
}
