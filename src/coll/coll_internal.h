/*
 * coll_internal: what the files of this folder share, beside areas (area.h). Prototypes stand under
 * the file that defines them. Only src/coll includes it.
 */
#ifndef WEFT_COLL_INTERNAL_H
#define WEFT_COLL_INTERNAL_H

#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "coll/area.h"
#include "coll/choose.h"
#include "coll/coll.h"
#include "coll/members.h"
#include "job/job.h"
#include "rma/rma.h"
#include "sync/sync.h"

/* Sizes that other members have sent: do they lead beyond the memory that dest can be? */
static inline void weft_coll_check_sum(const void *dest, size_t before, size_t n, size_t total) {
  if (weft_unlikely(before > total || n > total - before || total > PTRDIFF_MAX ||
                    (total && !weft_job_is_symmetric(dest, total))))
    weft_fatal("collect: the parts take %zu bytes, and there is no room for them at dest %p, or "
               "another member sent a damaged size",
               total, dest);
}

/* May others of this node read it where it is? */
bool weft_coll_readable(const void *p, size_t n);

/* ---- broadcast.c: inside this node, from any member of it, in the way that the table has for this
 * operation: WEFT_OP_BROADCAST or WEFT_OP_BROADCAST_INSIDE ---- */
void weft_coll_node_broadcast(weft_team_t *team, int op, void *dest, const void *source, size_t n,
                              int root, bool to_root);
/* ---- collect.c: the leader's dest is complete: everybody of its node gets it ---- */
void weft_coll_from_leader(weft_team_t *team, char *dest, size_t total);
/* ---- exchange_nodes.c: several nodes; blocks of elements that lie some bytes apart ---- */
typedef struct weft_spread {
  size_t nelems, width;
  ptrdiff_t to_step, from_step;
} weft_spread_t;
/* From one block to the next, in dest and source. */
static inline ptrdiff_t weft_spread_to(const weft_spread_t *b) {
  return (ptrdiff_t)b->nelems * b->to_step;
}
static inline ptrdiff_t weft_spread_from(const weft_spread_t *b) {
  return (ptrdiff_t)b->nelems * b->from_step;
}
static inline bool weft_spread_whole(const weft_spread_t *b) {
  return b->to_step == (ptrdiff_t)b->width && b->from_step == b->to_step;
}
/* Element by element or in packets, with a quiet and a sync behind them: exchange.c. */
void weft_coll_put_blocks(weft_team_t *team, char *dest, const char *source,
                          const weft_spread_t *blocks);
void weft_coll_alltoall_nodes(weft_team_t *team, char *dest, const char *source,
                              const weft_spread_t *blocks);
/* ---- gather.c: several nodes ---- */
void weft_coll_gather_all(weft_team_t *team, char *dest, const void *source, size_t n);
/* Is there room for the table that collect_table sends? */
bool weft_coll_gathers(const weft_team_t *team);
void weft_coll_collect_table(weft_team_t *team, char *dest, const void *source, size_t n);
/* ---- reduce_nodes.c: among the leaders; source is dest, or lies elsewhere. The steps that it
 * takes, for the others ---- */
void weft_coll_leaders_reduce(weft_team_t *team, void *dest, const void *source, size_t nelems,
                              size_t width, weft_combine_t combine);
unsigned weft_coll_leaders_steps(const weft_team_t *team, size_t nelems, size_t width);
/* ---- scan.c: of long arrays members of a node scan slices, each for all of them, in their order;
 * if dests is NULL nothing is stored ---- */
typedef struct weft_slices {
  int members;
  char *const *dests;
  const char *const *sources;
  size_t width;
  weft_combine_t combine;
  bool inclusive;
} weft_slices_t;
/* All members of a node tell the others where their arrays of n bytes are; dest is symmetric. All
 * enter a generation when they are through, and wait for that (weft_coll_entered). */
void weft_coll_share_arrays(weft_team_t *team, char *dest, const char *source, size_t n,
                            char **dests, const char **sources);
/* Elements [from, from + n), which no other member touches, so a dest may be the source. `before`:
 * their sum in front, or NULL; total: gets the sum with all of them, unless it is NULL. */
void weft_coll_scan_slice(const weft_slices_t *slices, size_t from, size_t n, const char *before,
                          char *total);
/* ---- scan_nodes.c: several nodes. Are members and room such that it can? ---- */
bool weft_coll_scans_nodes(const weft_team_t *team, size_t width);
void weft_coll_scan_nodes(weft_team_t *team, char *dest, const char *source, size_t nelems,
                          size_t width, weft_combine_t combine, bool inclusive);
/* ---- plain.c: the same operations on a plain set ---- */
void weft_plain_sync(weft_team_t *team);
void weft_plain_broadcast(weft_team_t *team, void *dest, const void *source, size_t n, int root,
                          bool to_root);
void weft_plain_reduce(weft_team_t *team, void *dest, const void *source, size_t nelems,
                       size_t width, weft_combine_t combine);
void weft_plain_collect(weft_team_t *team, void *dest, const void *source, size_t n);
/* ---- waited.c: the same operations in a team without an area: begun ones, waited for ---- */
void weft_waited_sync(weft_team_t *team);
unsigned weft_waited_meet(weft_team_t *team, unsigned bits);
void weft_waited_broadcast(weft_team_t *team, void *dest, const void *source, size_t n, int root,
                           bool to_root);
void weft_waited_reduce(weft_team_t *team, void *dest, const void *source, size_t nelems,
                        size_t width, weft_combine_t combine);
void weft_waited_fcollect(weft_team_t *team, void *dest, const void *source, size_t n);
void weft_waited_collect(weft_team_t *team, void *dest, const void *source, size_t n);
void weft_waited_scan(weft_team_t *team, void *dest, const void *source, size_t nelems,
                      size_t width, weft_combine_t combine, bool inclusive);
/* ---- begun_alive.c: the members that run meet ---- */
weft_outcome_t weft_team_gather_living(weft_team_t *team, uint64_t value);
/* ---- active.c ---- */
/* Areas that this PE has for a set that has none, a bit each; nobody else is offered them until
 * weft_coll_active_settle: what was offered, what all members have, and where it would begin. */
uint64_t weft_coll_active_offer(void);
void weft_coll_active_end(void);
void weft_coll_active_settle(const weft_team_t *plain, uint64_t offered, uint64_t agreed,
                             uint64_t base);
/* ---- team.c ---- */
/* Where PEs may fail: until weft_teams_start is through, a death ends the job with a line. */
void weft_teams_need_all(void);
/* The job is over. */
void weft_teams_end(void);

#endif
