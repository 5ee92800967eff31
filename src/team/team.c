/*
 * team: arithmetic of sets of PEs. It knows numbers only.
 */
#include "team/team.h"

/* Both directions at once: what is searched decreases if the list does. */
static int search(const weft_set_t *set, int world) {
  int low = 0, high = set->size - 1;
  int falling = set->list[high] < set->list[0];
  while (low <= high) {
    int i = low + (high - low) / 2, at = set->list[i];
    if (at == world) return i;
    if ((at < world) != falling)
      low = i + 1;
    else
      high = i - 1;
  }
  return -1;
}

int weft_set_index(const weft_set_t *set, int world) {
  int distance = world - set->start, i;
  if (set->size < 1) return -1;
  if (set->list) return search(set, world);
  if (set->stride == 0) return distance == 0 ? 0 : -1;
  if (distance % set->stride != 0) return -1;
  i = distance / set->stride;
  return i >= 0 && i < set->size ? i : -1;
}
