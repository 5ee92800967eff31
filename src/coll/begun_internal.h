/*
 * begun_internal: what a team keeps for its begun operations, and how their turns (turns.h) go.
 * The fields are in weft_team_t (coll.h). Only begun_*.c, team.c and active.c include it.
 *
 * Everything that a turn needs (posts, boxes) is found at t % WEFT_TURN_WINDOW and used again
 * WEFT_TURN_WINDOW turns later. That needs no answers. A turn in which everybody waits for
 * everybody (a barrier, a reduction to all) is begun only when all turns but the last
 * WEFT_TURN_REACH - 1 are complete here. So when the end of such a turn t is seen, all members have
 * completed everything below t - WEFT_TURN_REACH + 1: that is the horizon, and turns up to the
 * horizon + WEFT_TURN_WINDOW may begin. Where the program does not call such an operation often
 * enough, all members put in a barrier of their own accord, WEFT_TURN_EVERY turns after the last
 * one. While that is under way the window has room for some more turns, so nobody stands still.
 *
 * On a node, members show one another their data in posts (begun_node.c). Between nodes data is put
 * into boxes (begun_net.c). Nothing here waits for what a program does elsewhere: a put waits at
 * most for buffers, which the other node's helper empties. No active message of a program's is
 * involved, so this may run between a client's Prepare and its Commit.
 */
#ifndef WEFT_COLL_BEGUN_INTERNAL_H
#define WEFT_COLL_BEGUN_INTERNAL_H

#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "coll/coll.h"
#include "coll/coll_internal.h"
#include "job/job.h"
#include "rma/rma.h"
#include "sync/sync.h"

enum {
  WEFT_TURN_SMALL = 240,   /* bytes that travel beside their flag */
  WEFT_TURN_DIRECT = 4096, /* larger ones are read where they are, if others can */
  WEFT_TURN_READ_ALL = 16  /* a node's members read one another up to this number */
};

/* What a member shows the others of its node in one turn. */
typedef struct weft_shown {
  _Alignas(WEFT_CACHELINE) uint64_t seq; /* turn + 1, published last */
  /* A barrier's name, or where the data is: 0: in here, else its slot offset * 2, + 1 if the reader
   * must acknowledge. (Then reductions have a place for the result in here.) */
  uint64_t note;
  char data[WEFT_TURN_SMALL];
} weft_shown_t;

/* One member's, in its slot. */
typedef struct weft_turn_area {
  weft_shown_t up[WEFT_TURN_WINDOW];   /* towards the leader or root, or to everybody */
  weft_shown_t down[WEFT_TURN_WINDOW]; /* results */
  struct {
    _Alignas(WEFT_CACHELINE) uint64_t seq;
  } ack[WEFT_TURN_WINDOW];                /* turn + 1: I have read what was shown me */
  _Alignas(WEFT_CACHELINE) uint64_t left; /* members of the node that have freed the team */
} weft_turn_area_t;

/* Behind the area, in teams of several nodes, for each turn of the window and each box: a word that
 * counts what arrived in it, ever, and then WEFT_TURN_PART bytes. A box has one sender per turn.
 * What is larger (a single element) arrives in private memory, at `data`. */
typedef struct weft_box {
  uint64_t heard; /* what the word counted before this turn */
  uint64_t got;   /* bytes of something large so far */
  size_t total;   /* bytes that it has */
  size_t room;
  char *data;
} weft_box_t;

/* A member of this node. */
typedef struct weft_neighbour {
  weft_turn_area_t *area;
  char *slot;
} weft_neighbour_t;

static inline int weft_team_leader(const weft_team_t *team, int node) {
  return weft_members_leader_in(&team->members, &team->set, node);
}
static inline int weft_team_pe(const weft_team_t *team, int rank) {
  return weft_set_world(&team->set, rank);
}

/* ---- begun_turns.c: the sequence ---- */

/* Everything is complete here, also the barriers that were put in: nothing is sent to this member
 * any more. */
bool weft_team_idle(weft_team_t *team);

/* ---- team.c ---- */

/* Gives back what only this process knows of it, and the object. */
void weft_team_release(weft_team_t *team);
/* A team of this set (copied), which has nothing yet. NULL: no memory. */
weft_team_t *weft_team_new(const weft_set_t *set);
/* The turn area of a new team of at most n, and its slot offset; NULL: no memory. The id of a team
 * that this PE makes. */
struct weft_turn_area *weft_turns_new(int n, uint64_t *place);
uint32_t weft_team_new_id(void);
/* The team can begin operations, and is found by (id, PE of member 0, me). places: slot offset of
 * each member's turn area; NULL: where mine is. */
void weft_team_enter(weft_team_t *team, uint32_t id, struct weft_turn_area *turns,
                     const uint64_t *places);
/* While teams are locked none comes or goes. */
void weft_teams_lock(void);
void weft_teams_unlock(void);
weft_team_t *weft_team_find(uint32_t id, int maker, int rank);

/* ---- begun_alive.c ---- */

/* Is it broken? Under the lock. */
bool weft_team_look(weft_team_t *team);
/* weft_team_meet where PEs may fail; the job is over. */
weft_team_t *weft_team_meet_living(const weft_set_t *set);
void weft_team_meetings_end(void);

/* ---- begun_node.c: posts ---- */

static inline weft_shown_t *weft_up_of(const weft_team_t *team, int local,
                                       const weft_turn_t *turn) {
  return &team->local[local].area->up[turn->seq % WEFT_TURN_WINDOW];
}
static inline weft_shown_t *weft_down_of(const weft_team_t *team, int local,
                                         const weft_turn_t *turn) {
  return &team->local[local].area->down[turn->seq % WEFT_TURN_WINDOW];
}
/* Mine. */
static inline weft_shown_t *weft_my_up(const weft_team_t *team, const weft_turn_t *turn) {
  return &team->turns->up[turn->seq % WEFT_TURN_WINDOW];
}
static inline weft_shown_t *weft_my_down(const weft_team_t *team, const weft_turn_t *turn) {
  return &team->turns->down[turn->seq % WEFT_TURN_WINDOW];
}
static inline bool weft_is_shown(const weft_shown_t *post, const weft_turn_t *turn) {
  if (weft_observe(&post->seq) != turn->seq + 1) return false;
  weft_seen_got(&weft_job); /* what the port of this process received for that member */
  return true;
}
/* All members of the node but me have posted; goes on where it stopped (turn->next). */
bool weft_turn_all_up(weft_team_t *team, weft_turn_t *turn);
bool weft_turn_all_acked(weft_team_t *team, weft_turn_t *turn);
/* Show n bytes in my post. `stays`: they do not change before this turn is complete here, so they
 * may be read where they are; turn->acks then says that others acknowledge. */
void weft_turn_show(weft_team_t *team, weft_turn_t *turn, weft_shown_t *post, const void *data,
                    size_t n, bool stays);
/* The data that a member's post shows. */
const void *weft_turn_seen(const weft_team_t *team, int local, const weft_shown_t *post);
static inline void weft_turn_ack(weft_team_t *team, const weft_turn_t *turn) {
  weft_publish(&team->turns->ack[turn->seq % WEFT_TURN_WINDOW].seq, turn->seq + 1);
}
static inline bool weft_turn_acked(const weft_team_t *team, int local, const weft_turn_t *turn) {
  return weft_observe(&team->local[local].area->ack[turn->seq % WEFT_TURN_WINDOW].seq) ==
         turn->seq + 1;
}
/* My place in the slot for this turn's data, WEFT_TURN_PART bytes. */
char *weft_turn_bulk(weft_team_t *team, const weft_turn_t *turn);
/* The same in private memory, at least n bytes. Given back at the end of the turn. */
char *weft_turn_sum(weft_team_t *team, weft_turn_t *turn, size_t n);

/* ---- reductions ---- */

/* right = left op right */
static inline void weft_turn_combine(const weft_begun_t *begun, const void *left, void *right,
                                     size_t bytes) {
  const weft_reducer_t *how = &begun->how;
  if (how->user)
    how->user(left, right, bytes / how->width, how->arg);
  else
    how->combine(right, left, bytes / how->width);
}
/* The number of the turn in its operation. */
static inline size_t weft_turn_index(const weft_turn_t *turn) {
  return (size_t)(turn->dst - turn->begun->dst) / turn->begun->most;
}
/* Bytes of the turn in front of the slice of the k-th member of the node. */
static inline size_t weft_turn_slice_begins(const weft_team_t *team, const weft_turn_t *turn,
                                            int k) {
  const size_t width = turn->begun->how.width;
  return weft_slice_begins(turn->n / width, width, team->members.locals, k) * width;
}

/* ---- begun_net.c: boxes ---- */

/* Send n bytes to a member's box. True when they have left; else call it again. */
bool weft_box_send(weft_team_t *team, weft_turn_t *turn, int to, int box, const void *data,
                   size_t n);
/* Begin to put n bytes into memory that a member has lent, and count them in its box of this turn.
 */
void weft_box_tell(weft_team_t *team, weft_turn_t *turn, int to, int box, const weft_lent_t *lent,
                   const void *data, size_t n, weft_op_t *sent);
static inline size_t weft_box_of(const weft_team_t *team, uint64_t seq, int box) {
  return seq % WEFT_TURN_WINDOW * (size_t)team->boxes + (size_t)box;
}
/* What was sent to a box of mine in this turn, n bytes, or NULL: not all of it is there. */
char *weft_box_take(const weft_team_t *team, const weft_turn_t *turn, int box, size_t n);
/* Before any team: what is larger than a box can arrive. */
void weft_boxes_start(void);
/* Boxes of a team of n members, and bytes of a turn area with them. */
int weft_boxes_for(int size);
size_t weft_boxes_area_bytes(int size);
size_t weft_boxes_words_bytes(int size);
/* The boxes of a new team, whose area and place are known. */
void weft_boxes_make(weft_team_t *team);
/* After a turn: its boxes are empty again. */
void weft_boxes_clear(weft_team_t *team, const weft_turn_t *turn);

/* ---- begun_broadcast.c: this broadcast is large ---- */
void weft_broadcast_large_begin(weft_begun_t *begun);
/* ---- begun_reduce_large.c: this reduction to all goes in turns of `most` bytes ---- */
void weft_reduce_large_begin(weft_begun_t *begun, size_t most);

/* ---- begun_barrier.c, begun_broadcast.c, begun_reduce.c, begun_reduce_large.c, begun_blocks.c:
 * one step of a turn; true when it is complete here ---- */
bool weft_step_barrier(weft_team_t *team, weft_turn_t *turn);
bool weft_step_broadcast(weft_team_t *team, weft_turn_t *turn);
bool weft_step_reduce(weft_team_t *team, weft_turn_t *turn);
bool weft_step_reduce_all(weft_team_t *team, weft_turn_t *turn);
bool weft_step_offer(weft_team_t *team, weft_turn_t *turn);
bool weft_step_reduce_large(weft_team_t *team, weft_turn_t *turn);
bool weft_step_send(weft_team_t *team, weft_turn_t *turn);
bool weft_step_shift(weft_team_t *team, weft_turn_t *turn);

#endif
