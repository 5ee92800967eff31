/*
 * coll_internal: a set's area, and how its members tell one another by it. Only src/coll includes
 * it.
 *
 * An area lies at the same offset in every member's slot. Nothing in it is ever put back: a flag
 * told to another node may be stored twice (by one port, as weft_rma_tell sees to), and the second
 * store would bring it up again after a reset. So words grow for as long as the job lives, and a
 * set that takes over an area begins where all its predecessors ended (area.c).
 */
#ifndef WEFT_COLL_INTERNAL_H
#define WEFT_COLL_INTERNAL_H

#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "coll/choose.h"
#include "coll/coll.h"
#include "job/job.h"
#include "rma/rma.h"
#include "sync/sync.h"

enum {
  WEFT_COLL_ROUNDS = 20,      /* 2^20 PEs */
  WEFT_COLL_CASTS = 32,        /* broadcasts between nodes that may be under way at a time */
  WEFT_COLL_GATHERED = 32768, /* bytes of one of several in a row that gather; of longer ones,
                                 copies cost more than fewer packets spare */
  WEFT_COLL_SHARES = 7,       /* of these, weft_coll_share's */
  WEFT_COLL_LOG_NODES = 16,   /* a node's number has 16 bits (job.h) */
  WEFT_COLL_STAGES = 2 * WEFT_COLL_LOG_NODES + 2 /* words of a step between nodes */
};

/*
 * Words of an area. HEARD are the owner's notes of what it has taken from the words before them, at
 * the same distance: a counted word is one that others add to.
 */
enum {
  WEFT_WORD_ENTERED = 0, /* written by its owner: its generation */
  WEFT_WORD_PARTING = 1, /* written by its owner: generation << MEET_BITS | bits of its parting */
  WEFT_WORD_ROUND = 8,   /* [2][ROUNDS] told: step << MEET_BITS | bits */
  WEFT_WORD_CAST = 48,   /* [CASTS] counted: the data of a broadcast or a scan is there */
  WEFT_WORD_STAGE = WEFT_WORD_CAST + WEFT_COLL_CASTS, /* [2][STAGES] counted: data is there */
  WEFT_WORD_END = WEFT_WORD_STAGE + 2 * WEFT_COLL_STAGES,
  WEFT_WORD_HEARD = WEFT_WORD_END - WEFT_WORD_CAST, /* distance */
  WEFT_WORD_AGREE = WEFT_WORD_END + WEFT_WORD_HEARD /* 17: where members agree on an area */
};
/* Bytes of an area in front of what follows its words. */
enum {
  WEFT_COLL_SHARES_AT = 2304, /* [SHARES] of the world's */
  WEFT_COLL_POSTS = 4096 /* both rings of posts (posts.h), then the box: half the scratch each */
};
_Static_assert((WEFT_WORD_END + WEFT_WORD_HEARD) * 8 <= (int)WEFT_COLL_SHARES_AT, "words fit");
_Static_assert(WEFT_COLL_SHARES_AT + WEFT_COLL_SHARES * WEFT_COLL_SHARE_MAX <=
                       (int)WEFT_COLL_POSTS &&
                   (int)WEFT_COLL_POSTS == (int)WEFT_COLL_FLAG_BYTES,
               "flags and shares fit");

/* ---- members.c ---- */
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

/* ---- on the node ----------------------------------------------------------------------------- */

/* Of n elements that `parts` members share, the number in front of the k-th one's slice: whole
 * cache lines, if elements are no larger. */
static inline size_t weft_slice_begins(size_t n, size_t width, int parts, int k) {
  const size_t unit = width < WEFT_CACHELINE ? WEFT_CACHELINE / width : 1, all = (size_t)parts;
  const size_t at = weft_round_up((n + all - 1) / all, unit) * (size_t)k;
  return at < n ? at : n;
}

/* A symmetric object of this PE on a member of this node, by its slot offset. */
static inline char *weft_coll_peer(const weft_team_t *team, int member, uintptr_t off) {
  const int slot = weft_job.where[weft_set_world(&team->set, member)].slot;
  return weft_window_slot(&weft_job.window, slot) + off;
}
/* A member's area (or a plain set's words), if it is on this node. */
static inline char *weft_coll_at(const weft_team_t *team, int member) {
  return weft_coll_peer(team, member, team->sync);
}
static inline uint64_t *weft_coll_word(const weft_team_t *team, int word) {
  return (uint64_t *)(void *)(weft_job_own() + team->sync) + word;
}

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

/* Wait until a word that only grows has reached a value. */
static inline void weft_coll_until(const uint64_t *word, uint64_t value) {
  WEFT_WAIT_UNTIL(weft_observe(word) >= value);
  weft_seen_got(&weft_job);
}

/* The next generation, and others may know: all that I read in the last one has been read. */
static inline uint64_t weft_coll_enter(weft_team_t *team) {
  const uint64_t gen = ++team->gen;
  weft_seen_given(&weft_job);
  weft_publish(weft_coll_word(team, WEFT_WORD_ENTERED), gen);
  return gen;
}

/* Wait until all members of this node have entered a generation. */
static inline void weft_coll_entered(weft_team_t *team, uint64_t gen) {
  const weft_members_t *m = &team->members;
  for (int k = m->local + 1; k < m->local + m->locals; k++) {
    const int member = weft_members_local(team, k < m->locals ? k : k - m->locals);
    weft_coll_until((uint64_t *)(void *)weft_coll_at(team, member) + WEFT_WORD_ENTERED, gen);
  }
  team->known = gen;
}

/* ---- between nodes ---------------------------------------------------------------------------
 *
 * Data travel with the count that tells of them, in one message, straight to where they belong, or
 * to the box. An operation in which everybody hears of everybody is one step or several, which all
 * members count: a member that is in the step after next knows that all have ended this one. So a
 * step's words and its half of the box depend on whether it is odd, and
 * nothing is acknowledged. Broadcasts are no steps: broadcast.c. Nor are scans, in which not
 * everybody hears of everybody; but they use the landing place of the step that comes next, so that
 * must be a sync, which uses no landing place.
 */

/* Where my half of the box begins, as on all members, and its bytes. */
static inline size_t weft_coll_box_bytes(void) {
  return weft_job.layout.coll_scratch_size / 4 / WEFT_CACHELINE * WEFT_CACHELINE;
}
static inline uintptr_t weft_coll_box_half(const weft_team_t *team, unsigned half) {
  return team->sync + WEFT_COLL_POSTS + (2 + half) * weft_coll_box_bytes();
}
static inline uintptr_t weft_coll_box(const weft_team_t *team) {
  return weft_coll_box_half(team, team->step & 1);
}
/* The same for large parts, for which the first sets of each kind have more room. */
int weft_coll_bulk(int area); /* area.c: its number, or -1 */
static inline size_t weft_coll_landing_bytes(const weft_team_t *team) {
  return weft_coll_bulk(team->area) < 0 ? weft_coll_box_bytes() : WEFT_COLL_BULK / 2;
}
uintptr_t weft_coll_landing(weft_team_t *team, uint64_t step); /* area.c */
/* Before the next step, by all members: sums that scans sent may still be unread. */
static inline void weft_coll_end_scans(weft_team_t *team) {
  if (weft_unlikely(team->scan_step == team->step + 1)) weft_coll_sync(team);
}
static inline void weft_coll_next_step(weft_team_t *team) {
  weft_coll_end_scans(team);
  team->step++;
}
/* The word of a stage of this step. */
static inline int weft_coll_stage(const weft_team_t *team, int stage) {
  return WEFT_WORD_STAGE + (int)(team->step & 1) * WEFT_COLL_STAGES + stage;
}
/* The word of the ring of broadcasts that is so many behind the next one. */
static inline int weft_coll_cast_word(const weft_team_t *team, unsigned behind) {
  return WEFT_WORD_CAST + (int)((team->casts + behind) % WEFT_COLL_CASTS);
}
/* Put n bytes (not 0) to a slot offset of a member and count that in a word of it. The data stay as
 * they are until `sent` is complete. */
static inline void weft_coll_send(const weft_team_t *team, int member, uintptr_t off,
                                  const void *data, size_t n, int word, weft_op_t *sent) {
  weft_rma_put_count_begin(weft_set_world(&team->set, member), off, data, n,
                           team->sync + (uintptr_t)word * 8, sent);
}
/* The same for one of several in a row, which may gather, as small puts do. */
static inline void weft_coll_send_gathered(const weft_team_t *team, int member, uintptr_t off,
                                           const void *data, size_t n, int word, weft_op_t *sent) {
  if (!weft_rma_put_count_gather(weft_set_world(&team->set, member), off, data, n,
                                 team->sync + (uintptr_t)word * 8))
    weft_coll_send(team, member, off, data, n, word, sent);
}
/* Wait until `count` more were counted in a word since my last wait for it. */
static inline void weft_coll_heard(const weft_team_t *team, int word, uint64_t count) {
  uint64_t *own = weft_coll_word(team, word), *heard = own + WEFT_WORD_HEARD;
  weft_coll_until(own, *heard += count);
}
/* Wait until the leader of this node has entered a generation. */
static inline void weft_coll_await_leader(const weft_team_t *team, uint64_t gen) {
  const char *area = weft_coll_at(team, weft_members_local(team, 0));
  weft_coll_until((const uint64_t *)(const void *)area + WEFT_WORD_ENTERED, gen);
}
static inline bool weft_coll_is_here(const weft_team_t *team, int member) {
  return weft_job_node_of(weft_set_world(&team->set, member)) == weft_job.node;
}

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
/* ---- area.c ---- */
enum {
  WEFT_COLL_AREA_NODE = 1, /* of the node's team; the world's is 0 */
  WEFT_COLL_ACTIVE = 63,   /* the last ones: of active sets */
  WEFT_COLL_AREA_ACTIVE = WEFT_COLL_AREAS - WEFT_COLL_ACTIVE
};
/* Its blocking operations begin in this area, above this generation. */
void weft_area_enter(weft_team_t *team, int area, uint64_t base);
/* The same in the world's area or the node's: 0 or -ENOMEM. All members call, then synchronise by
 * other means. */
int weft_area_open(weft_team_t *team, int area);
/* All members of the parent, which has an area, call; a new team that this PE becomes a member of,
 * or NULL, gets one. Ends with a sync of the parent. 0, or -ENOMEM on all: one was not willing, or
 * no area is free on all. */
int weft_area_find(weft_team_t *parent, bool willing, weft_team_t *team);
/* After a sync of the team: another may have it. */
void weft_area_leave(weft_team_t *team);
/* No area of this PE has got further. */
uint64_t weft_coll_highest(void);

#endif
