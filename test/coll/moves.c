/*
 * Operations that move data: every set, small and large parts, changing roots, in place, and
 * nothing behind dest touched. The sources are changed as soon as an operation returns.
 */
#include "sets.h"

static void broadcasts(weft_team_t *c, size_t n) {
  for (int k = 0; k < REGIONS; k++) {
    const int root = k % 2 ? c->set.size - 1 - k / 2 % c->set.size : k / 2 % c->set.size;
    char *from = k % 3 == 2 ? region[k] : source; /* in place */
    if (c->me == root) fill(from, n, root, k);
    weft_coll_broadcast(c, region[k], from, n, root, k % 3 != 1);
    if (c->me == root) memset(source, 0, n);
  }
  for (int k = 0; k < REGIONS; k++) {
    const int root = k % 2 ? c->set.size - 1 - k / 2 % c->set.size : k / 2 % c->set.size;
    if (c->me == root && k % 3 == 1)
      expect_guard(region[k], n);
    else
      expect(region[k], n, root, k, 0);
    expect_guard(region[k] + n, BEHIND);
  }
}

/* Every third member has nothing, a different third each time; equal parts if fixed. */
static size_t part(int member, int salt, size_t most, bool fixed) {
  if (fixed) return most;
  return (member + salt) % 3 == 0 ? 0 : most - (size_t)(member % 5) * most / 8;
}

static void collects(weft_team_t *c, size_t most, bool fixed) {
  for (int k = 0; k < REGIONS; k++) {
    const size_t n = part(c->me, k, most, fixed);
    fill(source, n, c->me, k);
    if (fixed)
      weft_coll_fcollect(c, region[k], source, n);
    else
      weft_coll_collect(c, region[k], source, n);
  }
  for (int k = 0; k < REGIONS; k++) {
    size_t at = 0;
    for (int m = 0; m < c->set.size; at += part(m, k, most, fixed), m++)
      expect(region[k] + at, part(m, k, most, fixed), m, k, 0);
    expect_guard(region[k] + at, BEHIND);
  }
}

static void alltoalls(weft_team_t *c, size_t n) {
  const size_t size = (size_t)c->set.size, elements = n / 2;
  for (int k = 0; k < 4; k++) {
    fill(source, n * size * 3, c->me, k);
    if (k < 2)
      weft_coll_alltoall(c, region[k], source, n);
    else /* elements of 2 bytes, every second in dest, every third in source */
      weft_coll_alltoalls(c, region[k], source, 2, 3, elements, 2);
  }
  for (int k = 0; k < 2; k++)
    for (size_t m = 0; m < size; m++) expect(region[k] + m * n, n, (int)m, k, (size_t)c->me * n);
  for (int k = 2; k < 4; k++)
    for (size_t m = 0; m < size; m++)
      for (size_t e = 0; e < elements; e++) {
        const char *at = region[k] + (m * elements + e) * 4;
        expect(at, 2, (int)m, k, ((size_t)c->me * elements + e) * 6);
        expect_guard(at + 2, 2);
      }
  expect_guard(region[0] + n * size, BEHIND);
}

static void rooted(weft_team_t *c, size_t n) {
  const size_t all = n * (size_t)c->set.size;
  for (int k = 0; k < REGIONS; k++) {
    const int root = k % c->set.size;
    if (k % 2 == 0) {
      if (c->me == root) fill(source, all, root, k);
      weft_coll_scatter(c, region[k], source, n, root);
      expect(region[k], n, root, k, (size_t)c->me * n);
      expect_guard(region[k] + n, BEHIND);
      if (c->me == root) memset(source, 0, all);
    } else {
      fill(source, n, c->me, k);
      weft_coll_gather(c, region[k], source, n, root);
      for (int m = 0; m < c->set.size && c->me == root; m++)
        expect(region[k] + (size_t)m * n, n, m, k, 0);
      expect_guard(region[k] + (c->me == root ? all : 0), BEHIND);
    }
  }
}

int main(void) {
  static const size_t sizes[] = {0, 2, 40, 1000, 6000, 36000};
  start();
  for (int s = 0; s < sets; s++)
    for (unsigned k = 0; k < WEFT_ARRAY_LEN(sizes); k++) {
      weft_team_t *c = set[s];
      const size_t n = sizes[k], all = n * (size_t)weft_job.npes;
      clear(n);
      if (c) broadcasts(c, n);
      clear(all);
      if (c) collects(c, n, false);
      clear(all);
      if (c) collects(c, n, true);
      clear(all);
      if (c) alltoalls(c, n / 4 * 2);
      clear(all);
      if (c) rooted(c, n);
    }
  weft_runtime_stop();
  return 0;
}
