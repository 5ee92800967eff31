/*
 * begun: collectives that are begun and waited for later. Part of coll's interface (coll.h includes
 * it). Any local memory, any order of members, many under way at a time, of one team or of several.
 *
 * A begun operation counts `op` up before it returns and down when it is complete here: when dst
 * here is complete and src may change. Any number may count the same op; NULL: nobody wants to
 * know. It advances in every wait of this process (sync.h), whatever that wait is for. All members
 * of a team begin the same operations in the same order, with the same sizes and roots; ranks are
 * member numbers of the team's set. src and dst are the same memory or do not overlap. A type that
 * is named nowhere else: all lengths are in bytes.
 */
#ifndef WEFT_COLL_BEGUN_H
#define WEFT_COLL_BEGUN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "data/data.h"
#include "rma/rma.h"
#include "team/team.h"

typedef struct weft_team weft_team_t;
typedef struct weft_begun weft_begun_t;

/* ---- begun_calls.c: operations ---- */

/* A barrier; completes no RMA. */
void weft_team_barrier_begin(weft_team_t *team, weft_op_t *op);
/* A barrier that compares names. *name is this member's name, and afterwards the barrier's: none if
 * no member gave one, the name if all that were given are equal, else WEFT_NAME_MISMATCH. The
 * caller keeps *name in place until the barrier is complete. */
enum { WEFT_NAME_NONE = 0 };
#define WEFT_NAME_MISMATCH (UINT64_C(2) << 32)
static inline uint64_t weft_name(uint32_t value) {
  return UINT64_C(1) << 32 | value;
}
void weft_team_notify(weft_team_t *team, uint64_t *name, weft_op_t *op);
/* What two names make. */
uint64_t weft_name_agree(uint64_t a, uint64_t b);

/* dst on all becomes the root's src. */
void weft_team_broadcast_begin(weft_team_t *team, int root, void *dst, const void *src, size_t n,
                               weft_op_t *op);

/* right[i] = left[i] op right[i] */
typedef void (*weft_user_combine_t)(const void *left, void *right, size_t count, const void *arg);
/* How elements are combined: by `combine`, a function of the table of data, which commutes, or by
 * `user`. The other one is NULL. */
typedef struct weft_reducer {
  weft_combine_t combine; /* inout[i] = inout[i] op in[i] */
  weft_user_combine_t user;
  const void *arg; /* of user */
  size_t width;    /* bytes of an element */
  bool ordered;    /* does not commute: members are combined in the order of their ranks */
  uint64_t check;  /* with WEFT_CHECK=1: all members must say the same of the function */
} weft_reducer_t;

/* `how` is copied. dst: on the root only. */
void weft_team_reduce_begin(weft_team_t *team, int root, void *dst, const void *src, size_t count,
                            const weft_reducer_t *how, weft_op_t *op);
/* The same bits on all members. */
void weft_team_reduce_all_begin(weft_team_t *team, void *dst, const void *src, size_t count,
                                const weft_reducer_t *how, weft_op_t *op);

/* Blocks of n bytes, in the order of the ranks. dst of gather and src of scatter: on the root only.
 */
void weft_team_gather_begin(weft_team_t *team, int root, void *dst, const void *src, size_t n,
                            weft_op_t *op);
void weft_team_gather_all_begin(weft_team_t *team, void *dst, const void *src, size_t n,
                                weft_op_t *op);
void weft_team_scatter_begin(weft_team_t *team, int root, void *dst, const void *src, size_t n,
                             weft_op_t *op);
/* Block i of src becomes block `me` of member i's dst. */
void weft_team_exchange_begin(weft_team_t *team, void *dst, const void *src, size_t n,
                              weft_op_t *op);

/* ---- begun_alive.c: members that fail (WEFT_ON_DEATH=continue) ----
 * A team that has lost a member is broken: its operations end at once, those under way too, and
 * what is in their dst is undefined. */

/* 0, or -EHOSTDOWN: it is broken, as this PE knows. */
int weft_team_status(weft_team_t *team);
/* Wait for what counts the op. Where PEs may fail, then agree: every member that runs calls, and
 * gets 0 when all have completed what they began and nobody is missing, or -EHOSTDOWN. */
int weft_team_finish(weft_team_t *team, const weft_op_t *op);
/* All members that run call: a team of those that live, in the same order, even if another dies
 * meanwhile. What was begun with the old team is over. */
weft_team_t *weft_team_living(weft_team_t *team);

/* Wait until everything that counts this op is complete. */
void weft_team_wait(const weft_op_t *op);

#endif
