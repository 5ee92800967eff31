/*
 * A scan between two reductions: the first member of all waits for nobody in it, and is in the
 * second reduction while another has not yet used what it got in the first. What it sends then must
 * not lie where that is.
 */
#include "sets.h"

#include <unistd.h>

enum { TIMES = 3 };
static bool slow;

/* Members of the other nodes are slow: what was sent meanwhile has arrived before they combine. */
static void sum(void *inout, const void *in, size_t n) {
  if (slow) usleep(4000);
  for (size_t i = 0; i < n; i++) ((uint64_t *)inout)[i] += ((const uint64_t *)in)[i];
}

static void reduce(weft_team_t *c, int k, size_t n, int salt) {
  uint64_t *to = (uint64_t *)(void *)region[k], *from = (uint64_t *)(void *)source;
  for (size_t i = 0; i < n; i++) from[i] = (uint64_t)(c->me + salt) + i;
  weft_coll_reduce(c, to, from, n, 8, sum);
  memset(from, 0, n * 8);
}

static void expect_sum(weft_team_t *c, int k, size_t n, int salt) {
  const uint64_t *got = (const uint64_t *)(const void *)region[k], size = (uint64_t)c->set.size;
  for (size_t i = 0; i < n; i++)
    CHECK_EQ(got[i], size * (size - 1) / 2 + size * ((uint64_t)salt + i));
}

static void scan(weft_team_t *c, int k, size_t n) {
  uint64_t *to = (uint64_t *)(void *)region[k];
  for (size_t i = 0; i < n; i++) to[i] = 1;
  weft_coll_scan(c, to, to, n, 8, sum, true);
  for (size_t i = 0; i < n; i++) CHECK_EQ(to[i], (uint64_t)c->me + 1);
}

int main(void) {
  static const size_t sizes[] = {1, 500, 20000};
  start();
  weft_team_t *world = weft_team_world();
  weft_coll_sync(world);
  slow = weft_job.node > 0;
  for (int i = 0; i < TIMES; i++)
    for (unsigned s = 0; s < WEFT_ARRAY_LEN(sizes); s++) {
      const size_t n = sizes[s];
      reduce(world, 0, n, i);
      for (int scans = 0; scans <= i % 3; scans++) scan(world, 1, i % 2 ? 1 : n);
      reduce(world, 2, n, i + 7);
      expect_sum(world, 0, n, i);
      expect_sum(world, 2, n, i + 7);
    }
  weft_runtime_stop();
  return 0;
}
