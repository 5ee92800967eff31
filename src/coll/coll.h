/*
 * coll: teams of PEs and what their members do together, with whatever the hardware below offers:
 * loads and stores inside a node, puts between nodes. Knows no team of a front end.
 *
 * A weft_team_t serves two kinds of operations, one after the other or both at a time:
 *   - blocking ones on symmetric memory, here below. A team with an area of its own in every
 *     member's slot (flags that only grow, a ring of posts, a box for other nodes) does them by
 *     nodes and by the table of choose.c. In a team without one they are begun ones, waited for.
 *   - begun ones on any memory (begun.h), in a team that can begin operations.
 * Every team has at least one of the two. A team that is split from one has both if that one has.
 *
 * The third kind (weft_coll_plain) lives on WEFT_COLL_SYNC_WORDS longs of the caller, which
 * are 0 before and after, as the pSync arrays of OpenSHMEM 1.4 want it; its operations are plain
 * ones among all members, and as a by-product the members agree on an area, by which
 * weft_coll_active finds the set again next time.
 *
 * All members call the same operations of a team in the same order, blocking ones one at a time.
 * Different teams may be used at a time by different threads. What may be assumed on entry of a
 * blocking one is what OpenSHMEM 1.6 says (9.10): source is ready on its own PE, dest on all
 * members. It returns when dest here is complete and source may be changed, not when others have
 * returned.
 *
 * dest is symmetric. source should be, or a constant; where it is private memory the operation
 * still works, but for weft_coll_scatter and a broadcast that leaves the root's dest alone.
 */
#ifndef WEFT_COLL_H
#define WEFT_COLL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "coll/begun.h"
#include "coll/turns.h"
#include "data/data.h"
#include "sync/sync.h"
#include "team/team.h"

enum {
  WEFT_COLL_SYNC_WORDS = 128, /* of a plain set */
  WEFT_COLL_SHARE_MAX = 256,
  WEFT_COLL_MEET_BITS = 4
};

/* Where a set's members live, in member numbers (members.c). */
typedef struct weft_members {
  int nodes, node;   /* nodes that have members, counted in member order; mine */
  int locals, local; /* members of my node; my number among them */
  int most;          /* members of a node, at most */
  int first, step;   /* local member k is member first + k * step, unless there is a list */
  bool runs;         /* the members of each node follow one another */
  enum { WEFT_MEMBERS_RUNS, WEFT_MEMBERS_PERIOD, WEFT_MEMBERS_LIST } kind;
  int *list; /* leaders of all nodes, then my node's members; irregular placements only */
} weft_members_t;

struct weft_team {
  weft_set_t set; /* its own */
  int me;         /* my member number */
  weft_members_t members;
  int status; /* of the last blocking operation, the same on all that live: 0, or -EHOSTDOWN: a
                 member is gone, and dest is undefined. A sync is one of the living. */

  /* ---- blocking operations (area.h) ---- */
  int area;         /* number of the team's area; -1: it has none */
  uintptr_t sync;   /* slot offset of the area or of the caller's words, the same on all members */
  uint64_t gen;     /* the last generation on this node that I entered */
  uint64_t known;   /* all members of this node have entered this one */
  uint64_t step;    /* the same between nodes */
  bool has_landing; /* its large landing place has its memory */
  uint64_t casts;   /* broadcasts so far, and stages of scans: which word of the ring comes next,
                       and modulo 7 which of weft_coll_share's places: so it must not wrap */
  unsigned oneway;  /* of these, since all members last waited for all */
  uint64_t scan_step; /* the step of which scans use the landing place; while it is the next one, a
                         sync must come before any other operation that is a step */
  size_t scan_taken;  /* bytes of it that they use */
  uint64_t cast_step; /* `step` as the last broadcast left it. While `step` is still the same, that
                         broadcast was this team's last operation between nodes. */

  /* ---- begun operations (begun_internal.h) ---- */
  struct weft_turn_area *turns; /* my turn area; NULL: the team cannot begin operations */
  uintptr_t turns_at;           /* slot offset of that */
  uint64_t *place;              /* slot offset of each member's; NULL: all have it where I have */
  weft_pending_t pending;
  weft_lock_t lock; /* of what follows */
  bool polled, dead;
  bool broken;            /* a member runs no more: nothing is carried on, and no memory of the team
                             is used again, as others may still write there */
  uint32_t changes;       /* weft_job_changes when its members were looked at */
  weft_meeting_t meeting; /* of its members */
  uint32_t id;            /* given by the PE of rank 0 */
  int maker;              /* that PE */
  struct weft_neighbour *local; /* members of this node, in order of rank */
  char *scratch;                /* lent */
  char *bulk;                   /* WEFT_TURN_WINDOW parts in the own slot; made when needed */
  bool bulk_mine;
  char *spare; /* in the own slot, too: where a large reduction's parts landed, for the next one */
  size_t spare_room;
  struct weft_box *box; /* boxes of each turn of the window */
  int boxes;
  uint64_t *counted;          /* the boxes' words in my slot */
  char *landing;              /* the bytes behind those words */
  struct weft_turn *turn;     /* WEFT_TURN_WINDOW of them: the sequence */
  uint64_t next;              /* turn to be cut */
  uint64_t done;              /* all below are complete here */
  uint64_t synced;            /* 1 + the last turn in which everybody waits for everybody */
  uint64_t horizon;           /* all members have completed all below */
  weft_begun_t *head, **tail; /* not cut all */
  weft_begun_t *free;
  char *sums; /* one part per turn of the window, and more for those to all; made when needed */
  const char *who;
  struct weft_team *chain; /* team.c: by id */
};

/* ---- team.c: teams. Those that are made have to be given back with weft_team_free. ---- */

/* All PEs. Its blocking operations are there once the data path is open; it begins operations after
 * weft_teams_start. */
weft_team_t *weft_team_world(void);
/* All PEs call; another call does nothing. */
void weft_teams_start(void);
/* The PEs of this node, all of which call. NULL: no memory, or one of them is gone. */
weft_team_t *weft_team_node(void);
/* All members of the parent call. A PE that gives a set (copied) that it is in becomes a member of
 * the new team; all of the set must give the same. Set NULL: this PE becomes no member, and *team
 * is NULL. 0. -ENOMEM on all: one of them was not willing, or there is no memory. -EINVAL: a PE of
 * the set did not give it (found out where the parent can begin operations). -EHOSTDOWN on all: a
 * member of the parent is gone. */
int weft_team_create(weft_team_t *parent, const weft_set_t *set, bool willing, weft_team_t **team);
/* All members of the parent, which can begin operations, call; those with `wants` and equal colours
 * become members of a new team, in the order of their keys, equal keys in that of the parent. *team
 * is NULL for the others. No memory ends the job. 0, or -EHOSTDOWN on all. */
int weft_team_split(weft_team_t *parent, bool wants, int color, int key, weft_team_t **team);
/* The same, and one that wants is told what all have bid: memory of malloc. */
int weft_team_split_told(weft_team_t *parent, bool wants, int color, int key, weft_team_t **team,
                         weft_bid_t **told);
/* Only the members call, all with the same set (copied). Sets that are made at the same time may
 * overlap if each PE makes them in an order that all agree on. The team has no area. NULL on all:
 * a member is gone (WEFT_ON_DEATH=continue). */
weft_team_t *weft_team_meet(const weft_set_t *set);
/* Each member calls, when all operations of the team that it began are complete here and all
 * members have begun their last (a sync behind it says so). Waits for no other member. */
void weft_team_free(weft_team_t *team);

/* What the program calls that begins next, for messages. */
void weft_team_name(weft_team_t *team, const char *who);
/* Memory of the window that large begun operations of this team may use instead of their own,
 * WEFT_TEAM_SCRATCH bytes; it is the caller's again after weft_team_free. */
enum { WEFT_TEAM_SCRATCH = WEFT_TURN_WINDOW * WEFT_TURN_PART + WEFT_CACHELINE };
void weft_team_lend(weft_team_t *team, void *scratch, size_t n);

/* ---- area.c ---- */

/* Once the data path is open: the world's blocking operations; when the job is over: all teams are
 * gone. */
void weft_coll_start(void);
void weft_coll_end(void);

/* ---- plain.c, active.c: sets on the caller's words ---- */

/* A plain set that this PE is a member of: `words` is the slot offset of WEFT_COLL_SYNC_WORDS
 * longs. */
void weft_coll_plain(weft_team_t *team, const weft_set_t *set, int me, uintptr_t words);
/* The set with an area that these words and this set have come to mean, or NULL: use a plain one.
 * All members get the same answer. */
weft_team_t *weft_coll_active(const weft_set_t *set, uintptr_t words);
/* Where PEs may fail (WEFT_ON_DEATH=continue): the team of those members of the set that ran when
 * this was first called for it and these words. That first call is collective. *whole: no member is
 * missing. */
weft_team_t *weft_coll_active_living(const weft_set_t *set, uintptr_t words, bool *whole);
/* Forget all of these. Every PE calls, and none is in an operation of one. */
void weft_coll_active_forget(void);
/* No room for another. */
bool weft_coll_active_full(void);

/* ---- sync.c ---- */

/* All members have arrived. Completes no RMA. */
void weft_coll_sync(weft_team_t *team);
/* The same, and tells everyone the bitwise AND of every member's `bits` (WEFT_COLL_MEET_BITS of
 * them): agreement on success. Not for plain sets. */
unsigned weft_coll_meet(weft_team_t *team, unsigned bits);
/* As weft_coll_meet, with members that may be in weft_coll_sync instead, whose bits count as 0: a
 * PE that is about to leave finds out whether the others are too. */
unsigned weft_coll_part(weft_team_t *team, unsigned bits);
/* Have all members called `who` with the same n bytes of arguments? Goes by 16 bits of a hash, one
 * meeting each: for checks. Who waits for the others for long says so. Not for plain sets. */
bool weft_coll_same(weft_team_t *team, const char *who, const void *arguments, size_t n);
/* The same as weft_coll_meet for one bit of the world. */
int weft_coll_agree(int flag);

/* ---- one file each; n in bytes ---- */

/* dest on every member, with to_root the root included, becomes the root's source. */
void weft_coll_broadcast(weft_team_t *team, void *dest, const void *source, size_t n, int root,
                         bool to_root);
/* dest[0..nelems) = op over all members' source; the same bits on all. dest == source is allowed,
 * on all members or on none. */
void weft_coll_reduce(weft_team_t *team, void *dest, const void *source, size_t nelems,
                      size_t width, weft_combine_t combine);
/* dest = op over the sources of members 0 to me, or with !inclusive 0 to me - 1 and then member 0
 * gets zeros. In member order. dest == source is allowed. Not for plain sets. */
void weft_coll_scan(weft_team_t *team, void *dest, const void *source, size_t nelems, size_t width,
                    weft_combine_t combine, bool inclusive);
/* dest = concatenation of every member's n bytes (n may differ, and may be 0), in member order. */
void weft_coll_collect(weft_team_t *team, void *dest, const void *source, size_t n);
/* The same if n is equal on all members. */
void weft_coll_fcollect(weft_team_t *team, void *dest, const void *source, size_t n);
/* Block i of source (n bytes each) becomes block `me` of member i's dest. */
void weft_coll_alltoall(weft_team_t *team, void *dest, const void *source, size_t n);
/* The same for blocks of nelems elements that lie sst and dst elements apart; block i begins nelems
 * * i such steps behind the first. */
void weft_coll_alltoalls(weft_team_t *team, void *dest, const void *source, ptrdiff_t dst,
                         ptrdiff_t sst, size_t nelems, size_t width);
/* Block i of the root's source (n bytes each) becomes member i's dest. */
void weft_coll_scatter(weft_team_t *team, void *dest, const void *source, size_t n, int root);
/* Member i's source (n bytes) becomes block i of the root's dest. */
void weft_coll_gather(weft_team_t *team, void *dest, const void *source, size_t n, int root);

/* PE 0's n bytes at p, at most WEFT_COLL_SHARE_MAX, on every PE of the world. p may be private
 * memory. */
void weft_coll_share(void *p, size_t n);

/* ---- patience.c: who waits for the others for long says so ---- */

/* Once, before the others: waits look. */
void weft_patience_start(void);
/* From here to _end this thread waits for all others of a team. If that takes so many seconds it
 * says so, in one line that begins with `who`, which stays there meanwhile. With WEFT_CHECK=1 the
 * functions that wait so do that; what is begun needs no such call. */
void weft_patience_begin(const char *who, int seconds);
void weft_patience_end(void);
/* The line itself, if it is time for it: true. */
bool weft_patience_over(const char *who, uint64_t since, int seconds);

/* ---- choose.c: for weft-tune ---- */

/* The op-th operation that can be done in several ways, and these as words with blanks in between;
 * NULL behind the last. */
const char *weft_coll_operation(int op, const char **algorithms);
/* Can the operation be done in this way? If not, another way is taken. */
bool weft_coll_fits(int op, int algorithm, int members, size_t bytes);
/* From now on do it in this way only. Every PE calls, while no operation is under way. */
void weft_coll_force(int op, int algorithm);

#endif
