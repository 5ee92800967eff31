/*
 * ep.c: endpoints: creating them, their handlers, binding and publishing segments, and where a rank
 * is. All endpoints of a PE share its inbox and its connections.
 */
#include <stdlib.h>
#include <string.h>

#include "coll/coll.h"
#include "gasnet/ex/internal.h"

struct weft_gex_ep weft_gex_ep0;

static struct {
  weft_lock_t lock;
  unsigned count;
  gex_EP_t table[GASNET_MAXEPS];
} eps = {.count = 1, .table = {&weft_gex_ep0}};

gex_EP_t weft_gex_ep(unsigned index) {
  return index < weft_observe(&eps.count) ? eps.table[index] : NULL;
}

/* ---- creation -------------------------------------------------------------------------------- */

/* Teams hold primordial endpoints only, so what goes by teams is not for others. */
enum { WEFT_GEX_CAPABLE = GEX_EP_CAPABILITY_RMA | GEX_EP_CAPABILITY_AM | GEX_EP_CAPABILITY_VIS };

WEFT_API int gex_EP_Create(gex_EP_t *ep_p, gex_Client_t client, gex_EP_Capabilities_t capabilities,
                           gex_Flags_t flags) {
  const char *who = "gex_EP_Create";
  weft_gex_up(who);
  if (!ep_p || client != &weft_gex_client)
    return weft_gex_error(GASNET_ERR_BAD_ARG, who, "no such client, or nowhere to write");
  if (!capabilities || capabilities & ~(unsigned)WEFT_GEX_CAPABLE)
    return weft_gex_error(GASNET_ERR_BAD_ARG, who,
                          "capabilities %#x: one or more of RMA, AM and VIS are wanted",
                          capabilities);
  if (flags & ~(unsigned)GEX_FLAG_HINT_ACCEL_ALL)
    return weft_gex_error(GASNET_ERR_BAD_ARG, who, "unknown flags %#x", flags);
  gex_EP_t ep = calloc(1, sizeof *ep);
  weft_lock(&eps.lock);
  unsigned index = eps.count;
  if (ep && index < GASNET_MAXEPS) {
    *ep = (struct weft_gex_ep){.client = client,
                               .capabilities = capabilities,
                               .flags = flags,
                               .index = (gex_EP_Index_t)index};
    eps.table[index] = ep;
    weft_publish(&eps.count, index + 1);
  }
  weft_unlock(&eps.lock);
  if (!ep || index >= GASNET_MAXEPS) {
    free(ep);
    return weft_gex_error(GASNET_ERR_RESOURCE, who, "a process may have %d endpoints",
                          GASNET_MAXEPS);
  }
  *ep_p = ep;
  return GASNET_OK;
}

/* ---- segments -------------------------------------------------------------------------------- */

WEFT_API int gex_EP_BindSegment(gex_EP_t ep, gex_Segment_t segment, gex_Flags_t flags) {
  const char *who = "gex_EP_BindSegment";
  weft_gex_up(who);
  if (!ep || !segment || flags)
    return weft_gex_error(GASNET_ERR_BAD_ARG, who, "invalid endpoint or segment, or flags not 0");
  if (ep->segment)
    return weft_gex_error(GASNET_ERR_BAD_ARG, who, "endpoint %u has a segment already", ep->index);
  ep->segment = segment;
  weft_gex_card_set(ep);
  return GASNET_OK;
}

WEFT_API int gex_EP_PublishBoundSegment(gex_TM_t tm, gex_EP_t *published, size_t num_eps,
                                        gex_Flags_t flags) {
  const char *who = "gex_EP_PublishBoundSegment";
  weft_gex_up(who);
  if (!tm || WEFT_GEX_IS_PAIR(tm) || flags || (num_eps && !published))
    return weft_gex_error(GASNET_ERR_BAD_ARG, who, "no team, no endpoints, or flags not 0");
  for (size_t i = 0; i < num_eps; i++)
    if (!published[i]) return weft_gex_error(GASNET_ERR_BAD_ARG, who, "endpoint %zu is none", i);
  weft_gex_team_sync(tm, who);
  weft_gex_cards_learn(tm);
  weft_gex_team_sync(tm, who);
  return GASNET_OK;
}

/* The card is in memory that this process can see, or comes by one get: there is nothing to wait
 * for later. */
WEFT_API gex_Event_t gex_EP_QueryBoundSegmentNB(gex_TM_t tm, gex_Rank_t rank, void **owneraddr_p,
                                                void **localaddr_p, uintptr_t *size_p,
                                                gex_Flags_t flags) {
  weft_gex_card_t card = {0};
  weft_gex_up("gex_EP_QueryBoundSegmentNB");
  long pe = weft_gex_pe(tm, rank);
  if (!weft_gex_card_get(pe, weft_gex_pair_remote(tm), flags & GEX_FLAG_IMMEDIATE, &card))
    return GEX_EVENT_NO_OP;
  char *slot = weft_job_slot((int)pe);
  if (owneraddr_p) *owneraddr_p = (void *)(uintptr_t)card.addr;
  if (localaddr_p) {
    if (pe == weft_job.pe)
      *localaddr_p = (void *)(uintptr_t)card.addr;
    else
      *localaddr_p = slot && card.size ? slot + (card.addr - card.base) : NULL;
  }
  if (size_p) *size_p = card.size;
  return GEX_EVENT_INVALID;
}

WEFT_API int gex_Segment_QueryBound(gex_TM_t tm, gex_Rank_t rank, void **owneraddr_p,
                                    void **localaddr_p, uintptr_t *size_p) {
  void *owneraddr, *localaddr;
  uintptr_t size;
  gex_EP_QueryBoundSegmentNB(tm, rank, &owneraddr, &localaddr, &size, 0);
  if (!size) return GASNET_ERR_NOT_READY;
  if (owneraddr_p) *owneraddr_p = owneraddr;
  if (localaddr_p) *localaddr_p = localaddr;
  if (size_p) *size_p = size;
  return GASNET_OK;
}

/* ---- queries --------------------------------------------------------------------------------- */

WEFT_GEX_QUERIES(EP)
WEFT_API gex_Client_t gex_EP_QueryClient(gex_EP_t ep) {
  weft_gex_given(ep, "gex_EP_QueryClient");
  return ep->client;
}
WEFT_API gex_Segment_t gex_EP_QuerySegment(gex_EP_t ep) {
  weft_gex_given(ep, "gex_EP_QuerySegment");
  return ep->segment;
}
WEFT_API gex_EP_Index_t gex_EP_QueryIndex(gex_EP_t ep) {
  weft_gex_given(ep, "gex_EP_QueryIndex");
  return ep->index;
}
