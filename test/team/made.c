/*
 * Sets by stride, list and split, in any order: both translations against the plain definition, and
 * what is no set.
 * test: unit
 */
#include <errno.h>
#include <stdlib.h>

#include "check.h"
#include "team/team.h"

enum { WORLD = 60 };

/* The set has exactly these members, in this order, both ways. */
static void agrees(const weft_set_t *set, const int *worlds, int size) {
  int found = 0;
  CHECK_EQ(set->size, size);
  for (int i = 0; i < size; i++) CHECK_EQ(weft_set_world(set, i), worlds[i]);
  for (int pe = -2; pe < WORLD + 2; pe++) {
    const int i = weft_set_index(set, pe);
    if (i < 0) continue;
    CHECK(i < size && worlds[i] == pe);
    found++;
  }
  CHECK_EQ(found, size);
}

static void from_lists(void) {
  static const int any[] = {7, 3, 59, 0, 12}, even[] = {9, 6, 3, 0}, two[] = {5, 5},
                   bad[] = {3, -1, 4};
  static const int twice[] = {4, 9, 1, 9, 2};
  weft_set_t set, copy;
  CHECK_EQ(weft_set_from_list(&set, any, 5), 0);
  CHECK(set.list && set.list != any && set.order);
  agrees(&set, any, 5);
  CHECK_EQ(weft_set_copy(&copy, &set), 0);
  CHECK(copy.list != set.list);
  agrees(&copy, any, 5);
  CHECK_EQ(weft_set_digest(&set), weft_set_digest(&copy));
  weft_set_free(&copy);
  /* Every second member of it, backwards. */
  CHECK_EQ(weft_set_from_stride(&copy, &set, 4, -2, 3), 0);
  agrees(&copy, (const int[]){12, 59, 7}, 3);
  CHECK(weft_set_digest(&set) != weft_set_digest(&copy));
  weft_set_free(&copy);
  weft_set_free(&set);
  CHECK_EQ(weft_set_from_list(&set, even, 4), 0);
  CHECK(!set.list && set.stride == -3);
  agrees(&set, even, 4);
  CHECK_EQ(weft_set_from_list(&set, even, 0), 0);
  agrees(&set, even, 0);
  CHECK_EQ(weft_set_from_list(&set, two, 2), -EINVAL);
  CHECK_EQ(weft_set_from_list(&set, twice, 5), -EINVAL);
  CHECK_EQ(weft_set_from_list(&set, bad, 3), -EINVAL);
}

static void from_split(unsigned seed) {
  const weft_set_t world = {.stride = -1, .start = WORLD - 1, .size = WORLD};
  weft_bid_t bids[WORLD];
  int want[WORLD], n = 0;
  for (int i = 0; i < WORLD; i++)
    bids[i] = (weft_bid_t){rand_r(&seed) % 3, rand_r(&seed) % 7 - 3, rand_r(&seed) % 5 != 0};
  for (int key = -3; key < 4; key++)
    for (int i = 0; i < WORLD; i++)
      if (bids[i].wants && bids[i].color == 1 && bids[i].key == key) want[n++] = WORLD - 1 - i;
  weft_set_t set;
  CHECK_EQ(weft_set_from_split(&set, &world, bids, 1), 0);
  agrees(&set, want, n);
  weft_set_free(&set);
}

int main(void) {
  from_lists();
  for (unsigned seed = 1; seed < 20; seed++) from_split(seed);
  return 0;
}
