/*
 * careful: blocking collectives where PEs may fail (WEFT_ON_DEATH=continue). They are the begun
 * ones of the set's team, waited for, and then a meeting by which all members that live know the
 * same: coll->status. Who dies keeps nobody waiting. Such a set has no area.
 */
#include <errno.h>

#include "coll/coll_internal.h"

void weft_careful_open(weft_coll_t *coll) {
  coll->team = coll->set.size == weft_job.npes && coll->area == 0 ? weft_team_world()
                                                                  : weft_team_meet(&coll->set);
  coll->area = -1;
}

void weft_careful_close(weft_coll_t *coll) {
  if (coll->team && coll->team != weft_team_world()) weft_team_free(coll->team);
  coll->team = NULL;
}

static void end(weft_coll_t *coll, const weft_op_t *op) {
  coll->status = weft_team_finish(coll->team, op);
}

unsigned weft_careful_meet(weft_coll_t *coll, unsigned bits) {
  const weft_outcome_t outcome = weft_team_gather_living(coll->team, bits);
  coll->status = outcome.failed + outcome.stopped ? -EHOSTDOWN : 0;
  return outcome.all;
}

void weft_careful_broadcast(weft_coll_t *coll, void *dest, const void *source, size_t n, int root,
                            bool to_root) {
  weft_op_t op = {0};
  /* Without to_root the root's dest is its own affair. */
  void *into = coll->me == root && !to_root ? (void *)(uintptr_t)source : dest;
  weft_team_broadcast_begin(coll->team, root, into, source, n, &op);
  end(coll, &op);
}

void weft_careful_reduce(weft_coll_t *coll, void *dest, const void *source, size_t nelems,
                         size_t width, weft_combine_t combine) {
  const weft_reducer_t how = {.combine = combine, .width = width};
  weft_op_t op = {0};
  weft_team_reduce_all_begin(coll->team, dest, source, nelems, &how, &op);
  end(coll, &op);
}

void weft_careful_fcollect(weft_coll_t *coll, void *dest, const void *source, size_t n) {
  weft_op_t op = {0};
  weft_team_gather_all_begin(coll->team, dest, source, n, &op);
  end(coll, &op);
}

/* Everybody's n bytes, in memory of their own. NULL: a member is gone. */
static char *gather(weft_coll_t *coll, const void *source, size_t n) {
  char *all = malloc((size_t)coll->set.size * n + 1);
  if (!all)
    weft_fatal("a collective operation: no memory for %zu bytes", (size_t)coll->set.size * n);
  if (n > 0) weft_careful_fcollect(coll, all, source, n);
  if (coll->status == 0) return all;
  free(all);
  return NULL;
}

/* Sizes differ: the largest of them from everybody. */
void weft_careful_collect(weft_coll_t *coll, void *dest, const void *source, size_t n) {
  const uint64_t mine = n;
  uint64_t most = 0, *sizes = (uint64_t *)(void *)gather(coll, &mine, sizeof mine);
  if (!sizes) return;
  for (int i = 0; i < coll->set.size; i++) most = sizes[i] > most ? sizes[i] : most;
  char *own = calloc(1, most + 1);
  if (!own) weft_fatal("collect: no memory for %zu bytes", (size_t)most);
  if (n > 0) memcpy(own, source, n);
  char *all = gather(coll, own, most), *to = dest;
  for (int i = 0; all && i < coll->set.size; to += sizes[i++])
    memcpy(to, all + (size_t)i * most, sizes[i]);
  free(all);
  free(own);
  free(sizes);
}

void weft_careful_scan(weft_coll_t *coll, void *dest, const void *source, size_t nelems,
                       size_t width, weft_combine_t combine, bool inclusive) {
  const size_t n = nelems * width;
  char *all = gather(coll, source, n);
  const int last = inclusive ? coll->me : coll->me - 1;
  if (!all) return;
  if (last < 0)
    memset(dest, 0, n);
  else
    memcpy(dest, all, n);
  for (int i = 1; i <= last; i++) combine(dest, all + (size_t)i * n, nelems);
  free(all);
}

int weft_careful_split(weft_coll_t *parent, const weft_set_t *set, bool willing,
                       weft_coll_t *coll) {
  const bool member = set->size > 0;
  weft_coll_t made = {
      .set = *set, .me = member ? weft_set_index(set, weft_job.pe) : -1, .area = -1};
  if (willing && member) willing = weft_members_find(&made.members, set, made.me) == 0;
  const bool all = weft_careful_meet(parent, willing);
  if (all && parent->status == 0) weft_team_create(parent->team, member ? set : NULL, &made.team);
  if (!all || weft_team_status(parent->team) < 0) {
    weft_members_free(&made.members);
    return all ? -EHOSTDOWN : -ENOMEM;
  }
  if (member) *coll = made;
  return 0;
}
