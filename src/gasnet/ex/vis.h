/*
 * vis.h: what vis_api.c (the public functions) hands to vis_transfer.c: a transfer, whatever its
 * form.
 */
#ifndef WEFT_GASNET_VIS_INTERNAL_H
#define WEFT_GASNET_VIS_INTERNAL_H

#include "gasnet/ex/internal.h"
#include "gasnet_vis.h"
#include "rma/rma.h"

typedef struct weft_gex_vis {
  bool is_put;
  gex_TM_t tm;
  gex_Rank_t rank;
  gex_Flags_t flags;
  weft_shape_t local, remote; /* addresses as their owners see them */
  const char *who;
} weft_gex_vis_t;

/* ---- vis_transfer.c ---- */
gex_Event_t weft_gex_vis_nb(weft_gex_vis_t *vis);
int weft_gex_vis_nbi(weft_gex_vis_t *vis);
int weft_gex_vis_blocking(weft_gex_vis_t *vis);
/* A strided transfer of no bytes: its rank counts only if peer completion was asked for. */
void weft_gex_vis_nothing(weft_gex_vis_t *vis);

/* ---- vis_peer.c: peer completion ---- */

/* Has this thread's next put anything to do at its end? */
bool weft_gex_peer_is_armed(void);
/* What this thread's next put has to do at its end, or NULL; taken away from the thread. */
struct weft_gex_peer;
struct weft_gex_peer *weft_gex_peer_take(const weft_gex_vis_t *vis, long pe);
/* The data are there: tell the target now. */
void weft_gex_peer_tell(struct weft_gex_peer *peer);
/* The data are there when the returned count is 0 again; then the target is told, and after that
 * `op`, which is counted up here, is counted down. */
weft_op_t *weft_gex_peer_follow(struct weft_gex_peer *peer, weft_op_t *op);
/* weft_gex_peer_follow's count is complete. */
void weft_gex_peer_start(struct weft_gex_peer *peer);

#endif
