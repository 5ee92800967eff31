/*
 * waited: blocking collectives in a team without an area: the begun ones, waited for. So it is
 * where PEs may fail (WEFT_ON_DEATH=continue): a meeting behind each tells all members that live
 * the same (team->status), and a member that dies keeps nobody waiting.
 */
#include <errno.h>

#include "coll/coll_internal.h"

static void end(weft_team_t *team, const weft_op_t *op) {
  team->status = weft_team_finish(team, op);
}

void weft_waited_sync(weft_team_t *team) {
  weft_op_t op = {0};
  if (weft_job_goes_on()) {
    weft_waited_meet(team, 0);
    return;
  }
  weft_team_barrier_begin(team, &op);
  weft_team_wait(&op);
}

unsigned weft_waited_meet(weft_team_t *team, unsigned bits) {
  if (!weft_job_goes_on()) {
    const weft_reducer_t how = {.combine = weft_data_combine(WEFT_TYPE_U32, WEFT_COMBINE_and),
                                .width = sizeof bits};
    weft_op_t op = {0};
    weft_team_reduce_all_begin(team, &bits, &bits, 1, &how, &op);
    weft_team_wait(&op);
    return bits;
  }
  const weft_outcome_t outcome = weft_team_gather_living(team, bits);
  team->status = outcome.failed + outcome.stopped ? -EHOSTDOWN : 0;
  return outcome.all;
}

void weft_waited_broadcast(weft_team_t *team, void *dest, const void *source, size_t n, int root,
                           bool to_root) {
  weft_op_t op = {0};
  /* Without to_root the root's dest is its own affair. */
  void *into = team->me == root && !to_root ? (void *)(uintptr_t)source : dest;
  weft_team_broadcast_begin(team, root, into, source, n, &op);
  end(team, &op);
}

void weft_waited_reduce(weft_team_t *team, void *dest, const void *source, size_t nelems,
                        size_t width, weft_combine_t combine) {
  const weft_reducer_t how = {.combine = combine, .width = width};
  weft_op_t op = {0};
  weft_team_reduce_all_begin(team, dest, source, nelems, &how, &op);
  end(team, &op);
}

void weft_waited_fcollect(weft_team_t *team, void *dest, const void *source, size_t n) {
  weft_op_t op = {0};
  weft_team_gather_all_begin(team, dest, source, n, &op);
  end(team, &op);
}

/* Everybody's n bytes, in memory of their own. NULL: a member is gone. */
static char *gather(weft_team_t *team, const void *source, size_t n) {
  char *all = malloc((size_t)team->set.size * n + 1);
  if (!all)
    weft_fatal("a collective operation: no memory for %zu bytes", (size_t)team->set.size * n);
  if (n > 0) weft_waited_fcollect(team, all, source, n);
  if (team->status == 0) return all;
  free(all);
  return NULL;
}

/* Sizes differ: the largest of them from everybody. */
void weft_waited_collect(weft_team_t *team, void *dest, const void *source, size_t n) {
  const uint64_t mine = n;
  uint64_t most = 0, *sizes = (uint64_t *)(void *)gather(team, &mine, sizeof mine);
  if (!sizes) return;
  size_t total = 0;
  for (int i = 0; i < team->set.size; i++) {
    most = sizes[i] > most ? sizes[i] : most;
    if (__builtin_add_overflow(total, sizes[i], &total)) total = SIZE_MAX;
  }
  weft_coll_check_sum(dest, 0, n, total);
  char *own = calloc(1, most + 1);
  if (!own) weft_fatal("collect: no memory for %zu bytes", (size_t)most);
  if (n > 0) weft_direct_memcpy(own, source, n);
  char *all = gather(team, own, most), *to = dest;
  for (int i = 0; all && i < team->set.size; to += sizes[i++])
    weft_direct_memcpy(to, all + (size_t)i * most, sizes[i]);
  free(all);
  free(own);
  free(sizes);
}

void weft_waited_scan(weft_team_t *team, void *dest, const void *source, size_t nelems,
                      size_t width, weft_combine_t combine, bool inclusive) {
  const size_t n = nelems * width;
  char *all = gather(team, source, n);
  const int last = inclusive ? team->me : team->me - 1;
  if (!all) return;
  if (last < 0)
    memset(dest, 0, n);
  else
    weft_direct_memcpy(dest, all, n);
  for (int i = 1; i <= last; i++) combine(dest, all + (size_t)i * n, nelems);
  free(all);
}
