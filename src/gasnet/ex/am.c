/*
 * am.c: active messages with a fixed payload: what the inline functions leave to the library,
 * limits, tokens. Endpoints other than the primordial ones are in am_endpoint.c; delivery is the
 * messages' layer's business (am/am.h).
 */
#include "am/am.h"
#include "gasnet/ex/internal.h"
#include "gasnet/ex/rma.h"

/* ---- local completion ------------------------------------------------------------------------ */

/* What lc_opt asks for. Medium payloads are copied at once, so only longs come here. */
typedef struct lc {
  weft_op_t *op; /* NULL: complete on return */
  weft_gex_event_t *event;
} lc_t;

static lc_t lc_begin(gex_Event_t *lc_opt, size_t n) {
  lc_t lc = {NULL, NULL};
  if (lc_opt == GEX_EVENT_NOW || lc_opt == GEX_EVENT_DEFER || !lc_opt) return lc;
  if (lc_opt != GEX_EVENT_GROUP) *lc_opt = GEX_EVENT_INVALID;
  if (n <= weft_am_packed()) return lc;
  if (lc_opt == GEX_EVENT_GROUP) {
    lc.op = weft_gex_nbi_op(GEX_EC_AM);
  } else {
    lc.event = weft_gex_event_new();
    lc.op = weft_gex_event_op(lc.event, 0);
  }
  return lc;
}

static int lc_end(lc_t lc, gex_Event_t *lc_opt, int rc) {
  if (!lc.event) return rc;
  weft_gex_event_done(lc.event);
  if (weft_gex_event_ready(weft_gex_event_root(lc.event)))
    weft_gex_event_free(lc.event);
  else
    *lc_opt = weft_gex_event_root(lc.event);
  return rc;
}

/* ---- WEFT_CHECK=1 ---------------------------------------------------------------------------- */

static WEFT_COLD void check_request(const char *who, gex_TM_t tm, gex_Rank_t rank, int handler) {
  weft_gex_up(who);
  if (weft_am_in_handler()) weft_fatal("%s: a handler must not send requests", who);
  if (weft_gex_prepared()) weft_fatal("%s between Prepare and Commit", who);
  if (handler < GEX_AM_INDEX_BASE) weft_fatal("%s: handler %d is not the client's", who, handler);
  if (!(weft_gex_ep(weft_gex_pair_local(tm))->capabilities & GEX_EP_CAPABILITY_AM))
    weft_fatal("%s: endpoint %u was created without GEX_EP_CAPABILITY_AM", who,
               weft_gex_pair_local(tm));
  weft_gex_check_rank(tm, rank, who);
}

static WEFT_COLD void check_reply(const char *who, const weft_token_t *t) {
  weft_gex_given(t, who);
  if (!t->is_request) weft_fatal("%s: only the handler of a request may reply", who);
  if (t->replied) weft_fatal("%s: this handler has replied already", who);
}

static WEFT_COLD void check_payload(const char *who, size_t n, size_t most) {
  if (n > most) weft_fatal("%s: %zu bytes; the most is %zu", who, n, most);
}

static WEFT_COLD void check_long(const char *who, gex_TM_t tm, gex_Rank_t rank, const void *dest,
                                 size_t n) {
  check_payload(who, n, weft_am_max_long());
  weft_gex_find(tm, rank, dest, n, who);
}

/* Also before there is a client: weft_gex_looks says so. */
#define CHECK_REQUEST(who)                                                                         \
  if (weft_unlikely(weft_gex_looks)) check_request(who, tm, rank, handler)
#define CHECK_REPLY(who)                                                                           \
  if (weft_unlikely(weft_options.check)) check_reply(who, (const weft_token_t *)token)
#define CHECK_LONG(who, tm, rank)                                                                  \
  if (weft_unlikely(weft_options.check)) check_long(who, tm, rank, dest, nbytes)
/* Up to that many bytes fit everywhere. What is longer than the limit fits into no packet. */
enum { SURELY_FITS = 512 };
static WEFT_COLD void check_medium(const char *who, size_t n, int pe) {
  check_payload(who, n, weft_am_max_medium(pe));
}

#define CHECK_MEDIUM(who, pe)                                                                      \
  if (weft_unlikely(nbytes > SURELY_FITS)) check_medium(who, nbytes, pe)

/* ---- requests -------------------------------------------------------------------------------- */

static inline unsigned layer_flags(gex_Flags_t flags) {
  return flags & GEX_FLAG_IMMEDIATE ? WEFT_AM_IMMEDIATE : 0;
}

WEFT_API void weft_gex_poll_self(void) {
  weft_gex_poll();
}

WEFT_API int weft_gex_request_short(gex_TM_t tm, gex_Rank_t rank, int handler, gex_Flags_t flags,
                                    int nargs, const gex_AM_Arg_t *args) {
  CHECK_REQUEST("gex_AM_RequestShort");
  if (weft_unlikely(weft_gex_is_other(tm)))
    return weft_gex_other_request(tm, rank, WEFT_AM_SHORT, handler, NULL, 0, NULL, flags, nargs,
                                  args);
  const int pe = (int)weft_gex_to(tm, rank);
  return weft_gex_sent(pe, flags,
                       weft_am_request(pe, WEFT_AM_SHORT, handler, NULL, 0, 0, layer_flags(flags),
                                       NULL, nargs, args));
}

WEFT_API int weft_gex_request_medium(gex_TM_t tm, gex_Rank_t rank, int handler, const void *source,
                                     size_t nbytes, gex_Event_t *lc_opt, gex_Flags_t flags,
                                     int nargs, const gex_AM_Arg_t *args) {
  CHECK_REQUEST("gex_AM_RequestMedium");
  lc_begin(lc_opt, 0);
  if (weft_unlikely(weft_gex_is_other(tm))) {
    check_payload("gex_AM_RequestMedium", nbytes, gex_AM_MaxRequestMedium(tm, rank, NULL, 0, 0));
    return weft_gex_other_request(tm, rank, WEFT_AM_MEDIUM, handler, source, nbytes, NULL, flags,
                                  nargs, args);
  }
  const int pe = (int)weft_gex_to(tm, rank);
  CHECK_MEDIUM("gex_AM_RequestMedium", pe);
  return weft_gex_sent(pe, flags,
                       weft_am_request(pe, WEFT_AM_MEDIUM, handler, source, nbytes, 0,
                                       layer_flags(flags), NULL, nargs, args));
}

WEFT_API int weft_gex_request_long(gex_TM_t tm, gex_Rank_t rank, int handler, const void *source,
                                   size_t nbytes, void *dest, gex_Event_t *lc_opt,
                                   gex_Flags_t flags, int nargs, const gex_AM_Arg_t *args) {
  CHECK_REQUEST("gex_AM_RequestLong");
  CHECK_LONG("gex_AM_RequestLong", tm, rank);
  if (weft_unlikely(weft_gex_is_other(tm))) {
    lc_begin(lc_opt, 0);
    return weft_gex_other_request(tm, rank, WEFT_AM_LONG, handler, source, nbytes, dest, flags,
                                  nargs, args);
  }
  lc_t lc = lc_begin(lc_opt, nbytes);
  const int pe = (int)weft_gex_to(tm, rank);
  int rc = weft_am_request(pe, WEFT_AM_LONG, handler, source, nbytes, (uintptr_t)dest,
                           layer_flags(flags), lc.op, nargs, args);
  return weft_gex_sent(pe, flags, lc_end(lc, lc_opt, rc));
}

/* ---- replies --------------------------------------------------------------------------------- */

WEFT_API int weft_gex_reply_short(gex_Token_t token, int handler, gex_Flags_t flags, int nargs,
                                  const gex_AM_Arg_t *args) {
  CHECK_REPLY("gex_AM_ReplyShort");
  if (weft_unlikely(weft_gex_token_is_other(token)))
    return weft_gex_other_reply(token, WEFT_AM_SHORT, handler, NULL, 0, NULL, flags, nargs, args);
  return weft_am_reply((weft_token_t *)token, WEFT_AM_SHORT, handler, NULL, 0, 0,
                       layer_flags(flags), NULL, nargs, args);
}

WEFT_API int weft_gex_reply_medium(gex_Token_t token, int handler, const void *source,
                                   size_t nbytes, gex_Event_t *lc_opt, gex_Flags_t flags, int nargs,
                                   const gex_AM_Arg_t *args) {
  CHECK_REPLY("gex_AM_ReplyMedium");
  CHECK_MEDIUM("gex_AM_ReplyMedium", (int)((const weft_token_t *)token)->from);
  lc_begin(lc_opt, 0);
  if (weft_unlikely(weft_gex_token_is_other(token)))
    return weft_gex_other_reply(token, WEFT_AM_MEDIUM, handler, source, nbytes, NULL, flags, nargs,
                                args);
  return weft_am_reply((weft_token_t *)token, WEFT_AM_MEDIUM, handler, source, nbytes, 0,
                       layer_flags(flags), NULL, nargs, args);
}

WEFT_API int weft_gex_reply_long(gex_Token_t token, int handler, const void *source, size_t nbytes,
                                 void *dest, gex_Event_t *lc_opt, gex_Flags_t flags, int nargs,
                                 const gex_AM_Arg_t *args) {
  CHECK_REPLY("gex_AM_ReplyLong");
  if (weft_unlikely(weft_gex_token_is_other(token))) {
    lc_begin(lc_opt, 0);
    return weft_gex_other_reply(token, WEFT_AM_LONG, handler, source, nbytes, dest, flags, nargs,
                                args);
  }
  CHECK_LONG("gex_AM_ReplyLong", weft_gex.tm0, ((const weft_token_t *)token)->from);
  lc_t lc = lc_begin(lc_opt, nbytes);
  int rc = weft_am_reply((weft_token_t *)token, WEFT_AM_LONG, handler, source, nbytes,
                         (uintptr_t)dest, layer_flags(flags), lc.op, nargs, args);
  return lc_end(lc, lc_opt, rc);
}

/* ---- limits ---------------------------------------------------------------------------------- */

WEFT_API unsigned int gex_AM_MaxArgs(void) {
  return WEFT_AM_ARGS_MAX;
}

/* They do not depend on the arguments' number nor on the way of local completion, and not on the
 * endpoint either, so that the least over all is what gex_AM_LUB* say. */
static size_t max_medium_to(int pe) {
  return weft_am_max_medium(pe) - weft_gex_other_overhead();
}
static size_t max_medium(gex_TM_t tm, gex_Rank_t rank) {
  return max_medium_to(rank == GEX_RANK_INVALID ? -1 : (int)weft_gex_to(tm, rank));
}

static size_t max_long(gex_Flags_t flags) {
  return flags & GEX_FLAG_AM_PREPARE_LEAST_ALLOC ? WEFT_GEX_LONG_ALLOC : weft_am_max_long();
}

#define BY_RANK(FUNCTION, most)                                                                    \
  WEFT_API size_t FUNCTION(gex_TM_t tm, gex_Rank_t other_rank, const gex_Event_t *lc_opt,          \
                           gex_Flags_t flags, unsigned int numargs) {                              \
    (void)tm, (void)other_rank, (void)lc_opt, (void)flags, (void)numargs;                          \
    return most;                                                                                   \
  }
BY_RANK(gex_AM_MaxRequestLong, max_long(flags))
BY_RANK(gex_AM_MaxReplyLong, max_long(flags))
BY_RANK(gex_AM_MaxRequestMedium, max_medium(tm, other_rank))
BY_RANK(gex_AM_MaxReplyMedium, max_medium(tm, other_rank))
#define BY_TOKEN(FUNCTION, most)                                                                   \
  WEFT_API size_t FUNCTION(gex_Token_t token, const gex_Event_t *lc_opt, gex_Flags_t flags,        \
                           unsigned int numargs) {                                                 \
    (void)lc_opt, (void)flags, (void)numargs;                                                      \
    weft_gex_given(token, #FUNCTION);                                                              \
    return most;                                                                                   \
  }
BY_TOKEN(gex_Token_MaxReplyLong, max_long(flags))
BY_TOKEN(gex_Token_MaxReplyMedium, max_medium_to((int)((const weft_token_t *)token)->from))

WEFT_API size_t gex_AM_LUBRequestLong(void) {
  return weft_am_max_long();
}
WEFT_API size_t gex_AM_LUBReplyLong(void) {
  return weft_am_max_long();
}
WEFT_API size_t gex_AM_LUBRequestMedium(void) {
  return max_medium_to(-1);
}
WEFT_API size_t gex_AM_LUBReplyMedium(void) {
  return max_medium_to(-1);
}

/* ---- tokens ---------------------------------------------------------------------------------- */

WEFT_API gex_TI_t gex_Token_Info(gex_Token_t token, gex_Token_Info_t *info, gex_TI_t mask) {
  const weft_token_t *t = (const weft_token_t *)token;
  weft_gex_given(t, "gex_Token_Info");
  int handler = t->handler, category = t->category;
  gex_EP_t ep = &weft_gex_ep0;
  (void)mask;
  if (weft_gex_token_is_other(token)) ep = weft_gex_other_token(token, &handler, &category);
  *info = (gex_Token_Info_t){.gex_srcrank = t->from,
                             .gex_ep = ep,
                             .gex_entry = weft_gex_entry(ep, handler),
                             .gex_is_req = t->is_request,
                             .gex_is_long = category == WEFT_AM_LONG};
  return GEX_TI_ALL;
}

/* ---- progress -------------------------------------------------------------------------------- */

/* A client's loop around it is a wait that Weft does not see. */
void weft_gex_poll(void) {
  if (weft_am_poll() == 0) weft_wait_give_way();
  weft_pending_advance();
}

void weft_gex_advance(void) {
  if (weft_am_poll_own() == 0) weft_wait_give_way();
  weft_pending_advance();
}
