/*
 * am_endpoint.c: active messages from or to endpoints that are not primordial. The messages' layer
 * knows one table of handlers per PE; these go as a medium message to one of Weft's own handlers,
 * which finds the endpoint and its handler in the envelope. A long's payload is put beforehand, or
 * to another node travels in the medium, if it fits.
 */
#include <string.h>

#include "am/am.h"
#include "gasnet/ex/internal.h"
#include "rma/rma.h"

typedef struct envelope {
  uint64_t dest, n; /* LONG: where the payload is, as its owner sees it; its size */
  uint16_t to, from;
  uint8_t handler, category, nargs;
  int32_t args[WEFT_AM_ARGS_MAX];
} envelope_t;

/* What a client's handler is given as its token: begins like any other. */
struct weft_gex_token {
  weft_token_t base;
  weft_token_t *layers;
  const envelope_t *envelope;
};

size_t weft_gex_other_overhead(void) {
  return weft_round_up(sizeof(envelope_t), 16);
}

bool weft_gex_token_is_other(gex_Token_t token) {
  return ((const weft_token_t *)token)->handler == WEFT_GEX_OTHER_HANDLER;
}

gex_EP_t weft_gex_other_token(gex_Token_t token, int *handler, int *category) {
  *handler = token->envelope->handler;
  *category = token->envelope->category;
  return weft_gex_ep(token->envelope->to);
}

/* ---- arrival --------------------------------------------------------------------------------- */

/* Where a put may go. */
static bool may_write(gex_EP_t ep, const char *dest, size_t n) {
  const struct weft_gex_segment *s = ep->segment;
  return (s && dest >= s->addr && n <= s->size && (size_t)(dest - s->addr) <= s->size - n) ||
         weft_window_contains(&weft_job.window, dest, n);
}

/* The client's handler runs: the endpoint's own, or where it has none the primordial one's. */
static void call(weft_token_t *layers, const envelope_t *e, void *payload, size_t n) {
  gex_EP_t ep = weft_gex_ep(e->to);
  const gex_AM_Entry_t *entry = weft_gex_entry(ep, e->handler);
  if (!entry)
    weft_fatal("PE %u sent an active message to handler %d of endpoint %d, which %s", layers->from,
               e->handler, e->to, ep ? "has none of that number" : "was not created");
  struct weft_gex_token token = {*layers, layers, e};
  token.base.handler = WEFT_GEX_OTHER_HANDLER;
  if (weft_unlikely(weft_options.check))
    weft_gex_check_promises(entry, layers, e->category, e->nargs);
  weft_gex_call(entry->gex_fnptr, &token, e->category, e->nargs, payload, n, e->args);
}

void weft_gex_other_tell(weft_token_t *layers, unsigned to, int handler, void *payload, size_t n) {
  const envelope_t e = {
      .to = (uint16_t)to, .handler = (uint8_t)handler, .category = WEFT_AM_MEDIUM};
  call(layers, &e, payload, n);
}

static void arrive(weft_token_t *layers, void *buffer, size_t bytes) {
  const envelope_t *e = buffer;
  const size_t head = weft_gex_other_overhead();
  if (bytes < head || e->handler < GEX_AM_INDEX_BASE || e->category > WEFT_AM_LONG ||
      e->nargs > WEFT_AM_ARGS_MAX)
    weft_fatal("PE %u sent a damaged active message", layers->from);
  gex_EP_t ep = weft_gex_ep(e->to);
  const bool is_long = e->category == WEFT_AM_LONG;
  if (ep && is_long && bytes > head) {
    if (e->n != bytes - head || !may_write(ep, (char *)(uintptr_t)e->dest, e->n))
      weft_fatal("PE %u sent a long of %zu bytes to %p, which is in no segment of endpoint %d",
                 layers->from, (size_t)e->n, (void *)(uintptr_t)e->dest, e->to);
    memcpy((void *)(uintptr_t)e->dest, (char *)buffer + head, e->n);
  }
  call(layers, e, is_long ? (void *)(uintptr_t)e->dest : (char *)buffer + head,
       is_long ? e->n : bytes - head);
}

void weft_gex_other_start(void) {
  weft_am_register(WEFT_GEX_OTHER_HANDLER, (weft_am_handler_t)arrive);
}

/* ---- sending --------------------------------------------------------------------------------- */

/* The payload of a LONG, complete on return. False: it would take time, and must not. */
static bool put_payload(long pe, unsigned index, const void *source, size_t n, void *dest,
                        bool immediate) {
  weft_gex_card_t card;
  if (!weft_gex_card_get(pe, index, immediate, &card)) return false;
  const uintptr_t off = (uintptr_t)dest - card.base;
  char *here = weft_job_here((int)pe, off);
  if (!here && immediate) return false;
  if (here) {
    memcpy(here, source, n);
  } else {
    weft_rma_put((int)pe, off, source, n);
    weft_rma_quiet();
  }
  return true;
}

static int send(long pe, weft_token_t *reply_to, const envelope_t *e, const void *source, size_t n,
                gex_Flags_t flags) {
  const bool immediate = flags & GEX_FLAG_IMMEDIATE;
  const unsigned how = immediate ? WEFT_AM_IMMEDIATE : 0;
  const size_t head = weft_gex_other_overhead();
  const bool carries =
      e->category == WEFT_AM_MEDIUM || (e->category == WEFT_AM_LONG && !weft_job_slot((int)pe) &&
                                        n <= weft_am_max_medium((int)pe) - head);
  if (!carries && n &&
      !put_payload(pe, e->to, source, n, (void *)(uintptr_t)e->dest, immediate))
    return 1;
  const size_t bytes = head + (carries ? n : 0);
  char *room = weft_am_buffer(reply_to != NULL, bytes, how);
  if (!room) return 1;
  memcpy(room, e, sizeof *e);
  if (carries && n) memcpy(room + head, source, n);
  int rc = reply_to ? weft_am_reply(reply_to, WEFT_AM_MEDIUM, WEFT_GEX_OTHER_HANDLER, room, bytes,
                                    0, how | WEFT_AM_BUFFER, NULL, 0, e->args)
                    : weft_am_request((int)pe, WEFT_AM_MEDIUM, WEFT_GEX_OTHER_HANDLER, room, bytes,
                                      0, how | WEFT_AM_BUFFER, NULL, 0, e->args);
  if (rc) weft_am_buffer_free(room);
  return rc;
}

static envelope_t make(unsigned from, unsigned to, int category, int handler, void *dest, size_t n,
                       int nargs, const int32_t *args) {
  envelope_t e = {.dest = (uintptr_t)dest,
                  .n = n,
                  .to = (uint16_t)to,
                  .from = (uint16_t)from,
                  .handler = (uint8_t)handler,
                  .category = (uint8_t)category,
                  .nargs = (uint8_t)nargs};
  memcpy(e.args, args, (size_t)nargs * sizeof *args);
  return e;
}

int weft_gex_other_request(gex_TM_t tm, gex_Rank_t rank, int category, int handler,
                           const void *source, size_t n, void *dest, gex_Flags_t flags, int nargs,
                           const int32_t *args) {
  const envelope_t e = make(weft_gex_pair_local(tm), weft_gex_pair_remote(tm), category, handler,
                            dest, n, nargs, args);
  const long pe = weft_gex_pe(tm, rank);
  return weft_gex_sent((int)pe, flags, send(pe, NULL, &e, source, n, flags));
}

int weft_gex_other_reply(gex_Token_t token, int category, int handler, const void *source, size_t n,
                         void *dest, gex_Flags_t flags, int nargs, const int32_t *args) {
  const envelope_t e =
      make(token->envelope->to, token->envelope->from, category, handler, dest, n, nargs, args);
  int rc = send((long)token->base.from, token->layers, &e, source, n, flags);
  if (rc == 0) token->base.replied = true;
  return rc;
}
