/*
 * coll: collective operations over a set of PEs, with whatever the hardware below offers: loads and
 * stores inside a node, puts between nodes. Knows sets, not teams of a front end.
 *
 * There are two kinds of weft_coll_t. One has an area of its own in every member's slot: flags that
 * only grow, a ring of posts, a box for other nodes; its operations go by nodes and by the table of
 * choose.c. The other (weft_coll_plain) lives on WEFT_COLL_SYNC_WORDS longs of the caller, which
 * are 0 before and after, as the pSync arrays of OpenSHMEM 1.4 want it; its operations are plain
 * ones among all members, and as a by-product the members agree on an area, by which
 * weft_coll_active finds the set again next time.
 *
 * All members call the same operations of a set in the same order, one at a time. Different sets
 * may be used at a time by different threads. What may be assumed on entry is what OpenSHMEM 1.6
 * says (9.10): source is ready on its own PE, dest on all members. An operation returns when dest
 * here is complete and source may be changed, not when others have returned.
 *
 * dest is symmetric. source should be; where it is private memory the operation still works, but
 * for weft_coll_scatter and a broadcast that leaves the root's dest alone.
 */
#ifndef WEFT_COLL_H
#define WEFT_COLL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "coll/begun.h"
#include "coll/turns.h"
#include "data/data.h"
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

typedef struct weft_coll {
  weft_set_t set;
  int me;         /* my member number */
  int area;       /* number of the set's area; -1: a plain set */
  uintptr_t sync; /* slot offset of the area or of the caller's words, the same on every member */
  weft_members_t members;
  uint64_t gen;      /* the last generation on this node that I entered */
  uint64_t known;    /* all members of this node have entered this one */
  uint64_t step;     /* the same between nodes */
  bool bulk;         /* the world's large landing place has its memory */
  unsigned turn;     /* broadcasts so far: which word of the ring the next one uses */
  unsigned oneway;   /* of these, since all members last waited for all */
  weft_team_t *team; /* where PEs may fail: what the operations go by; careful.c */
  int status;        /* there, of the last operation, the same on all who live: 0, or -EHOSTDOWN: a
                        member is gone, and dest is undefined. A sync is one of the living. */
} weft_coll_t;

/* ---- area.c: sets with an area ---- */

/* All PEs, once the data path is open. */
void weft_coll_start(void);

/* The job is over: all sets are gone. */
void weft_coll_end(void);

/* The world. */
weft_coll_t *weft_coll_world(void);
/* Open a set whose area number needs no agreement: the same on all members, and in use by nobody
 * else. All members call, then synchronise by other means. */
enum { WEFT_COLL_AREA_NODE = 1 };
int weft_coll_open(weft_coll_t *coll, const weft_set_t *set, int me, int area);
/* All members of the parent call. Those with willing and a set of size > 0 become members of a new
 * set, *coll is set; the others leave it alone. 0, or -ENOMEM on all of them if one was not willing
 * or no area is free on all. `set` is copied, its list is not. */
int weft_coll_split(weft_coll_t *parent, const weft_set_t *set, bool willing, weft_coll_t *coll);
/* After a sync of the set: its area may be used by another. */
void weft_coll_close(weft_coll_t *coll);

/* ---- plain.c, active.c: sets on the caller's words ---- */

/* A plain set that this PE is a member of: `words` is the slot offset of WEFT_COLL_SYNC_WORDS
 * longs. */
void weft_coll_plain(weft_coll_t *coll, const weft_set_t *set, int me, uintptr_t words);
/* The set with an area that these words and this set have come to mean, or NULL: use a plain one.
 * All members get the same answer. */
weft_coll_t *weft_coll_active(const weft_set_t *set, uintptr_t words);
/* Forget all of these. Every PE calls, and none is in an operation of one. */
void weft_coll_active_forget(void);
/* No room for another. */
bool weft_coll_active_full(void);

/* ---- sync.c ---- */

/* All members have arrived. Completes no RMA. */
void weft_coll_sync(weft_coll_t *coll);
/* The same, and tells everyone the bitwise AND of every member's `bits` (WEFT_COLL_MEET_BITS of
 * them): agreement on success. Sets with an area only. */
unsigned weft_coll_meet(weft_coll_t *coll, unsigned bits);
/* As weft_coll_meet, with members that may be in weft_coll_sync instead, whose bits count as 0: who
 * is about to leave finds out whether the others are too. */
unsigned weft_coll_part(weft_coll_t *coll, unsigned bits);
/* Have all members given the same? Goes by 16 bits of it, one meeting each: for checks. Sets with
 * an area only. */
bool weft_coll_same(weft_coll_t *coll, uint64_t digest);
/* The same, exactly, of a number. */
bool weft_coll_equal(weft_coll_t *coll, uint64_t value);
/* The same as weft_coll_meet for one bit of the world. */
int weft_coll_agree(int flag);

/* ---- one file each; n in bytes ---- */

/* dest on every member, with to_root the root included, becomes the root's source. */
void weft_coll_broadcast(weft_coll_t *coll, void *dest, const void *source, size_t n, int root,
                         bool to_root);
/* dest[0..nelems) = op over all members' source; the same bits on all. dest == source is allowed.
 */
void weft_coll_reduce(weft_coll_t *coll, void *dest, const void *source, size_t nelems,
                      size_t width, weft_combine_t combine);
/* dest = op over the sources of members 0 to me, or with !inclusive 0 to me - 1 and then member 0
 * gets zeros. In member order. dest == source is allowed. Not for plain sets. */
void weft_coll_scan(weft_coll_t *coll, void *dest, const void *source, size_t nelems, size_t width,
                    weft_combine_t combine, bool inclusive);
/* dest = concatenation of every member's n bytes (n may differ, and may be 0), in member order. */
void weft_coll_collect(weft_coll_t *coll, void *dest, const void *source, size_t n);
/* The same if n is equal on all members. */
void weft_coll_fcollect(weft_coll_t *coll, void *dest, const void *source, size_t n);
/* Block i of source (n bytes each) becomes block `me` of member i's dest. */
void weft_coll_alltoall(weft_coll_t *coll, void *dest, const void *source, size_t n);
/* The same for blocks of nelems elements that lie sst and dst elements apart; block i begins nelems
 * * i such steps behind the first. */
void weft_coll_alltoalls(weft_coll_t *coll, void *dest, const void *source, ptrdiff_t dst,
                         ptrdiff_t sst, size_t nelems, size_t width);
/* Block i of the root's source (n bytes each) becomes member i's dest. */
void weft_coll_scatter(weft_coll_t *coll, void *dest, const void *source, size_t n, int root);
/* Member i's source (n bytes) becomes block i of the root's dest. */
void weft_coll_gather(weft_coll_t *coll, void *dest, const void *source, size_t n, int root);

/* PE 0's n bytes at p, at most WEFT_COLL_SHARE_MAX, on every PE of the world. p may be private
 * memory. */
void weft_coll_share(void *p, size_t n);

/* ---- choose.c: for weft-tune ---- */

/* The op-th operation that can be done in several ways, and these as words with blanks in between;
 * NULL behind the last. */
const char *weft_coll_operation(int op, const char **algorithms);
/* Can it be done in this way, for so many members and bytes? If not, another way is taken. */
bool weft_coll_fits(int op, int algorithm, int members, size_t bytes);
/* From now on do it in this way only. Every PE calls, while no operation is under way. */
void weft_coll_force(int op, int algorithm);

#endif
