/*
 * team: ordered sets of PEs. Knows numbers only: no memory of theirs, no network, no front end.
 *
 * A set that is affine in the world's numbering, as most are, is three integers whatever its size.
 * Its stride may be negative, and is 0 only for a set of one. Any other set has a list of its
 * members in its order, which may be any. Translation takes O(1) forwards, and backwards O(1) for
 * an affine set, else O(log size).
 */
#ifndef WEFT_TEAM_H
#define WEFT_TEAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct weft_set {
  int start;        /* world number of member 0 */
  int stride;       /* world distance between members */
  int size;         /* members */
  const int *list;  /* world numbers by member number, or NULL: start and stride say it */
  const int *order; /* member numbers by rising world number; NULL: the list rises or falls */
} weft_set_t;

/* World number of member i. */
static inline int weft_set_world(const weft_set_t *set, int i) {
  return set->list ? set->list[i] : set->start + i * set->stride;
}

/* Member number of a PE of the world, or -1. */
int weft_set_index(const weft_set_t *set, int world);

/* ---- making: what these make has a list of its own, or none; weft_set_free gives it back ---- */

/* Members start, start + stride, ... of the parent: `size` of them, which exist. 0 or -ENOMEM. */
int weft_set_from_stride(weft_set_t *set, const weft_set_t *parent, int start, int stride,
                         int size);
/* The PEs of the list in its order. The list is copied. 0, -ENOMEM, or -EINVAL: a PE is there twice
 * or is negative. */
int weft_set_from_list(weft_set_t *set, const int *worlds, int size);

/* What a member of a parent asks for in a split. */
typedef struct weft_bid {
  int32_t color, key;
  bool wants; /* to be a member of anything */
} weft_bid_t;
/* Those members of the parent that bid this colour, in order of their keys, and of their numbers in
 * the parent where keys are equal. bids: by member number of the parent. 0 or -ENOMEM. */
int weft_set_from_split(weft_set_t *set, const weft_set_t *parent, const weft_bid_t *bids,
                        int color);
/* A copy that shares nothing with the original. 0 or -ENOMEM. */
int weft_set_copy(weft_set_t *set, const weft_set_t *from);
void weft_set_free(weft_set_t *set);

/* A number that is the same for sets of the same members in the same order. */
uint64_t weft_set_digest(const weft_set_t *set);

#endif
