/*
 * members: where the members of a set live (members.c): by nodes, and on this node. Only src/coll
 * includes it.
 */
#ifndef WEFT_COLL_MEMBERS_H
#define WEFT_COLL_MEMBERS_H

#include "coll/coll.h"

int weft_members_find(weft_members_t *m, const weft_set_t *set, int me);
void weft_members_free(weft_members_t *m);
void weft_members_end(void);
/* The lowest member of the j-th node. */
int weft_members_leader_in(const weft_members_t *m, const weft_set_t *set, int node);
/* The node of a member. */
int weft_members_node_in(const weft_members_t *m, const weft_set_t *set, int member);
/* Members of the j-th node, and the k-th of them; not where there is a list. */
int weft_members_of(const weft_members_t *m, const weft_set_t *set, int node);
int weft_members_in(const weft_members_t *m, const weft_set_t *set, int node, int k);
/* The number among those of my node of a member, or -1. */
int weft_members_local_of(const weft_members_t *m, int member);
/* The k-th member of my node. */
static inline int weft_members_local_in(const weft_members_t *m, int k) {
  if (weft_unlikely(m->kind == WEFT_MEMBERS_LIST)) return m->list[m->nodes + k];
  return m->first + k * m->step;
}
static inline int weft_members_leader(const weft_team_t *team, int node) {
  return weft_members_leader_in(&team->members, &team->set, node);
}
static inline int weft_members_node(const weft_team_t *team, int member) {
  return weft_members_node_in(&team->members, &team->set, member);
}
static inline int weft_members_local(const weft_team_t *team, int k) {
  return weft_members_local_in(&team->members, k);
}

/* Of n elements that `parts` members share, the number in front of the k-th one's slice: whole
 * cache lines, if elements are no larger. */
static inline size_t weft_slice_begins(size_t n, size_t width, int parts, int k) {
  const size_t unit = width < WEFT_CACHELINE ? WEFT_CACHELINE / width : 1, all = (size_t)parts;
  const size_t at = weft_round_up((n + all - 1) / all, unit) * (size_t)k;
  return at < n ? at : n;
}

#endif
