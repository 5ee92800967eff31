/*
 * area: a set's area, and how its members tell one another by it. Only src/coll includes it.
 *
 * An area lies at the same offset in every member's slot. Nothing in it is ever put back: a flag
 * told to another node may be stored twice (by one port, as weft_rma_tell sees to), and the second
 * store would bring it up again after a reset. So words grow for as long as the job lives, and a
 * set that takes over an area begins where all its predecessors ended (area.c).
 */
#ifndef WEFT_COLL_AREA_H
#define WEFT_COLL_AREA_H

#include "coll/coll.h"
#include "coll/members.h"
#include "job/job.h"
#include "rma/rma.h"

enum {
  WEFT_COLL_ROUNDS = 20,      /* 2^20 PEs */
  WEFT_COLL_CASTS = 32,       /* broadcasts between nodes that may be under way at a time */
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

/* ---- on the node ----------------------------------------------------------------------------- */

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
 * step's words and its half of the box depend on whether it is odd, and nothing is acknowledged.
 * Broadcasts are no steps: broadcast.c. Nor are scans, in which not everybody hears of everybody;
 * but they use the landing place of the step that comes next, so that must be a sync, which uses no
 * landing place.
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

/* ---- who has which (area.c) ------------------------------------------------------------------ */

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
