/*
 * vis_peer.c: gex_VIS_SetPeerCompletionHandler. When the data of a put are at the target, a request
 * goes there that runs the client's handler as if it were of a reply without arguments: it may not
 * send.
 */
#include <stdlib.h>
#include <string.h>

#include "gasnet/ex/vis.h"

struct weft_gex_peer {
  weft_pending_t pending;
  weft_op_t data; /* the put */
  weft_op_t *op;  /* what waits for all of it; NULL: nobody */
  int pe;
  uint16_t endpoint; /* of that PE */
  gex_AM_Index_t handler;
  size_t n;
  char payload[];
};

/* What is armed, by the thread's last call. */
static __thread struct {
  gex_AM_Index_t handler;
  const void *source;
  size_t n;
} armed;

WEFT_API void gex_VIS_SetPeerCompletionHandler(gex_AM_Index_t handler, const void *source_addr,
                                               size_t nbytes, gex_Flags_t flags) {
  (void)flags;
  if (nbytes > GEX_VIS_MAX_PEERCOMPLETION)
    weft_fatal("gex_VIS_SetPeerCompletionHandler: %zu bytes are more than %zu", nbytes,
               GEX_VIS_MAX_PEERCOMPLETION);
  armed.handler = handler;
  armed.source = source_addr;
  armed.n = nbytes;
}

bool weft_gex_peer_is_armed(void) {
  return armed.handler != 0;
}

struct weft_gex_peer *weft_gex_peer_take(const weft_gex_vis_t *vis, long pe) {
  if (weft_likely(!armed.handler) || !vis->is_put) return NULL;
  struct weft_gex_peer *peer = malloc(sizeof *peer + armed.n);
  if (!peer) weft_fatal("%s: no memory", vis->who);
  *peer = (struct weft_gex_peer){.pe = (int)pe,
                                 .endpoint = (uint16_t)weft_gex_pair_remote(vis->tm),
                                 .handler = armed.handler,
                                 .n = armed.n};
  if (armed.n) memcpy(peer->payload, armed.source, armed.n);
  armed.handler = 0;
  return peer;
}

/* True: sent. */
static bool tell(const struct weft_gex_peer *peer, unsigned flags) {
  const int32_t args[] = {peer->handler, peer->endpoint};
  return weft_am_request(peer->pe, WEFT_AM_MEDIUM, WEFT_GEX_PEER_HANDLER, peer->payload, peer->n, 0,
                         flags, NULL, 2, args) == 0;
}

void weft_gex_peer_tell(struct weft_gex_peer *peer) {
  tell(peer, 0);
  free(peer);
}

static int advance(weft_pending_t *pending) {
  struct weft_gex_peer *peer = (struct weft_gex_peer *)pending;
  if (!weft_op_is_done(&peer->data) || !tell(peer, WEFT_AM_IMMEDIATE)) return 0;
  weft_op_down(peer->op);
  free(peer);
  return WEFT_PENDING_END;
}

weft_op_t *weft_gex_peer_follow(struct weft_gex_peer *peer, weft_op_t *op) {
  weft_op_up(op);
  peer->op = op;
  peer->pending.advance = advance;
  return &peer->data;
}

void weft_gex_peer_start(struct weft_gex_peer *peer) {
  weft_pending_add(&peer->pending);
}

/* ---- at the target --------------------------------------------------------------------------- */

/* The client's handler is given the token of a reply to it. */
static void arrive(weft_token_t *request, void *payload, size_t n, int32_t handler, int32_t index) {
  weft_token_t token = *request;
  const gex_EP_t ep = request->nargs == 2 ? weft_gex_ep((unsigned)index) : NULL;
  const gex_AM_Entry_t *entry = weft_gex_entry(ep, handler);
  if (!entry)
    weft_fatal("gex_VIS_SetPeerCompletionHandler: PE %u names handler %d of endpoint %d, which is "
               "not registered",
               token.from, handler, index);
  token.handler = (uint8_t)handler;
  token.nargs = 0;
  token.is_request = false;
  if (index != 0) {
    weft_gex_other_tell(&token, (unsigned)index, handler, payload, n);
    return;
  }
  if (weft_unlikely(weft_options.check)) weft_gex_check_promises(entry, &token, WEFT_AM_MEDIUM, 0);
  weft_gex_call(entry->gex_fnptr, &token, WEFT_AM_MEDIUM, 0, payload, n, NULL);
}

void weft_gex_peer_open(void) {
  weft_am_register(WEFT_GEX_PEER_HANDLER, (weft_am_handler_t)arrive);
}
