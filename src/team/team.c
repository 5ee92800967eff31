/*
 * team: arithmetic of affine sets of PEs. It knows numbers only.
 */
#include "team/team.h"

int weft_set_index(const weft_set_t *set, int world) {
  int distance = world - set->start, i;
  if (set->size < 1) return -1;
  if (set->stride == 0) return distance == 0 ? 0 : -1;
  if (distance % set->stride != 0) return -1;
  i = distance / set->stride;
  return i >= 0 && i < set->size ? i : -1;
}
