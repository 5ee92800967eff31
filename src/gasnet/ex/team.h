/*
 * team.h: a gex_TM_t's team: one of coll's (coll/begun.h), and what the client gave with it. Only
 * tm*.c, coll*.c and the files of one/ include it.
 */
#ifndef WEFT_GASNET_TEAM_H
#define WEFT_GASNET_TEAM_H

#include "coll/coll.h"
#include "gasnet/ex/internal.h"
#include "gasnet_coll.h"

struct weft_gex_team {
  weft_team_t *team;
  gex_Memvec_t scratch; /* the client's */
};

static inline weft_team_t *weft_gex_team(gex_TM_t tm) {
  return tm->team->team;
}

/* ---- coll_ops.c: the arithmetic; NULL: there is no such operation on such a type ---- */
weft_combine_t weft_gex_arithmetic(gex_DT_t dt, gex_OP_t op);
/* Bytes of a type that is built in, else 0. */
size_t weft_gex_width(gex_DT_t dt);

/* ---- one/coll.c ---- */

/* A team of GASNet-1's collectives. */
struct weft_gasnet_team {
  gex_TM_t tm;   /* NULL: the primordial one */
  bool notified; /* a barrier was, and not waited for: */
  weft_op_t barrier;
  uint64_t name;   /* of it: given, then its result */
  uint64_t result; /* of the last barrier */
  /* images.h */
  struct weft_gasnet_images *images, *plain;
  struct weft_gasnet_joint *joining; /* some images have called, but not all */
};
static inline gex_TM_t weft_gasnet_tm(gasnet_team_handle_t team) {
  return team->tm ? team->tm : weft_gex.tm0;
}

/* ---- tm.c ---- */

/* The object of a team. */
gex_TM_t weft_gex_tm_new(weft_team_t *team, gex_Flags_t flags);

#endif
