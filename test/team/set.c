/*
 * Member numbers of affine sets, forwards and backwards.
 * test: unit
 */
#include "team/team.h"

#include "check.h"

int main(void) {
  static const int up[] = {1, 4, 5, 20}, down[] = {9, 8, 2};
  static const weft_set_t sets[] = {
      {0, 1, 5, NULL, NULL}, {3, 2, 4, NULL, NULL}, {9, -3, 4, NULL, NULL},
      {7, 0, 1, NULL, NULL}, {4, 1, 1, NULL, NULL}, {4, -1, 5, NULL, NULL},
      {1, 0, 4, up, NULL},   {9, 0, 3, down, NULL}, {2, 0, 1, down + 2, NULL}};
  for (unsigned s = 0; s < sizeof(sets) / sizeof(sets[0]); s++) {
    const weft_set_t *set = &sets[s];
    int members = 0;
    for (int pe = -5; pe < 30; pe++) {
      int i = weft_set_index(set, pe), want = -1;
      for (int k = 0; k < set->size; k++)
        if ((set->list ? set->list[k] : set->start + k * set->stride) == pe) want = k;
      CHECK_EQ(i, want);
      if (i < 0) continue;
      CHECK_EQ(weft_set_world(set, i), pe);
      members++;
    }
    CHECK_EQ(members, set->size);
  }
  CHECK_EQ(weft_set_index(&(weft_set_t){.stride = 1}, 0), -1);
  return 0;
}
