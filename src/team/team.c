/*
 * team: arithmetic of sets of PEs. It knows numbers only.
 */
#include "team/team.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ---- translation ----------------------------------------------------------------------------- */

/* The i-th member by its place in the search: its number. */
static inline int at(const weft_set_t *set, int i) {
  return set->order ? set->order[i] : i;
}

/* Without an order the list rises or falls: what is searched decreases if it does. */
static int search(const weft_set_t *set, int world) {
  int low = 0, high = set->size - 1;
  const bool falling = !set->order && set->list[high] < set->list[0];
  while (low <= high) {
    const int i = low + (high - low) / 2, member = at(set, i), there = set->list[member];
    if (there == world) return member;
    if ((there < world) != falling)
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

/* ---- making ---------------------------------------------------------------------------------- */

static int by_world(const void *a, const void *b, void *list) {
  const int *worlds = list, x = worlds[*(const int *)a], y = worlds[*(const int *)b];
  return (x > y) - (x < y);
}

/* Does it rise (1) or fall (-1) throughout? 0: neither. */
static int direction(const int *list, int size) {
  bool rises = true, falls = true;
  for (int i = 1; i < size; i++) {
    rises = rises && list[i] > list[i - 1];
    falls = falls && list[i] < list[i - 1];
  }
  return rises ? 1 : falls ? -1 : 0;
}

static bool is_affine(const int *list, int size) {
  for (int i = 2; i < size; i++)
    if (list[i] - list[i - 1] != list[1] - list[0]) return false;
  return size < 2 || list[1] != list[0];
}

/* `list` has room for twice as many, and becomes the set's or is freed. */
static int adopt(weft_set_t *set, int *list, int size) {
  for (int i = 0; i < size; i++)
    if (list[i] < 0) goto bad;
  if (is_affine(list, size)) {
    *set = (weft_set_t){.start = size ? list[0] : 0, .size = size};
    if (size > 1) set->stride = list[1] - list[0];
    free(list);
    return 0;
  }
  const bool sorted = direction(list, size) != 0;
  int *order = list + size;
  for (int i = 0; !sorted && i < size; i++) order[i] = i;
  if (!sorted) qsort_r(order, (size_t)size, sizeof *order, by_world, list);
  for (int i = 1; !sorted && i < size; i++)
    if (list[order[i]] == list[order[i - 1]]) goto bad;
  *set = (weft_set_t){.start = list[0], .size = size, .list = list, .order = sorted ? NULL : order};
  return 0;
bad:
  free(list);
  return -EINVAL;
}

static int *room_for(int size) {
  return malloc((size_t)size * 2 * sizeof(int) + 1);
}

int weft_set_from_stride(weft_set_t *set, const weft_set_t *parent, int start, int stride,
                         int size) {
  if (!parent->list) {
    *set = (weft_set_t){.start = weft_set_world(parent, start),
                        .stride = size > 1 ? stride * parent->stride : 0,
                        .size = size};
    return 0;
  }
  int *list = room_for(size);
  if (!list) return -ENOMEM;
  for (int i = 0; i < size; i++) list[i] = weft_set_world(parent, start + i * stride);
  return adopt(set, list, size);
}

int weft_set_from_list(weft_set_t *set, const int *worlds, int size) {
  int *list = room_for(size);
  if (!list) return -ENOMEM;
  if (size) memcpy(list, worlds, (size_t)size * sizeof *list);
  return adopt(set, list, size);
}

typedef struct candidate {
  int key, member;
} candidate_t;

static int by_key(const void *a, const void *b) {
  const candidate_t *x = a, *y = b;
  if (x->key != y->key) return x->key < y->key ? -1 : 1;
  return (x->member > y->member) - (x->member < y->member);
}

int weft_set_from_split(weft_set_t *set, const weft_set_t *parent, const weft_bid_t *bids,
                        int color) {
  int n = 0;
  for (int i = 0; i < parent->size; i++) n += bids[i].wants && bids[i].color == color;
  candidate_t *candidates = malloc((size_t)n * sizeof *candidates + 1);
  int *list = room_for(n);
  if (!candidates || !list) {
    free(candidates);
    free(list);
    return -ENOMEM;
  }
  n = 0;
  for (int i = 0; i < parent->size; i++)
    if (bids[i].wants && bids[i].color == color) candidates[n++] = (candidate_t){bids[i].key, i};
  qsort(candidates, (size_t)n, sizeof *candidates, by_key);
  for (int i = 0; i < n; i++) list[i] = weft_set_world(parent, candidates[i].member);
  free(candidates);
  return adopt(set, list, n);
}

int weft_set_copy(weft_set_t *set, const weft_set_t *from) {
  if (from->list) return weft_set_from_list(set, from->list, from->size);
  *set = *from;
  return 0;
}

void weft_set_free(weft_set_t *set) {
  free((void *)(uintptr_t)set->list); /* the order lies behind it */
  *set = (weft_set_t){0};
}

/* ---- digest ---------------------------------------------------------------------------------- */

uint64_t weft_set_digest(const weft_set_t *set) {
  uint64_t hash = 0xcbf29ce484222325u ^ (uint64_t)set->size;
  for (int i = 0; i < set->size; i++) {
    hash = (hash ^ (uint64_t)weft_set_world(set, i)) * 0x100000001b3u;
    hash ^= hash >> 29;
  }
  return hash;
}
