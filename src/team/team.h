/*
 * team: ordered sets of PEs. Every OpenSHMEM team and active set is affine in the world's numbering
 * (a strided split of a strided set, and either axis of a 2-D split, is strided again), so a set is
 * three integers whatever its size. A stride may be negative; 0 only for a set of one. The one
 * exception is the PEs of a node that are not evenly spaced, and what is split from them: such a
 * set carries a list.
 */
#ifndef WEFT_TEAM_H
#define WEFT_TEAM_H

#include <stddef.h>

typedef struct weft_set {
  int start;       /* world number of member 0 */
  int stride;      /* world distance between members */
  int size;        /* members */
  const int *list; /* world numbers in ascending or descending order, or NULL: start and stride say
                      it. Belongs to whoever made the set. */
} weft_set_t;

/* World number of member i. */
static inline int weft_set_world(const weft_set_t *set, int i) {
  return set->list ? set->list[i] : set->start + i * set->stride;
}

/* Member number of a PE of the world, or -1. */
int weft_set_index(const weft_set_t *set, int world);

#endif
