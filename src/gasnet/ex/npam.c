/*
 * npam.c: active messages with a negotiated payload. Room for a medium is the message's own; a
 * long's is memory of this thread's, copied like the client's would be.
 */
#include <stdlib.h>

#include "am/am.h"
#include "gasnet/ex/internal.h"

enum category { MEDIUM = 1, LONG = 2 };

struct weft_gex_srcdesc {
  enum category category; /* 0: not in use */
  bool reply, ours;       /* ours: addr is from us */
  char *addr;
  size_t size;
  gex_TM_t tm;
  gex_Rank_t rank;
  gex_Token_t token;
  gex_Event_t *lc_opt;
  gex_Flags_t flags;
  unsigned nargs;
};

/* Nothing polls between Prepare and Commit, so a thread has one at a time. */
static __thread struct weft_gex_srcdesc mine;

bool weft_gex_prepared(void) {
  return mine.category;
}

/* ---- Prepare --------------------------------------------------------------------------------- */

static char *room(const struct weft_gex_srcdesc *sd) {
  const unsigned how = sd->flags & GEX_FLAG_IMMEDIATE ? WEFT_AM_IMMEDIATE : 0;
  if (sd->category == MEDIUM) return weft_am_buffer(sd->reply, sd->size, how);
  char *p = malloc(sd->size ? sd->size : 1);
  if (!p && !how) weft_fatal("gex_AM_Prepare: no memory for %zu bytes", sd->size);
  return p;
}

static size_t limit(const struct weft_gex_srcdesc *sd) {
  if (sd->category == LONG) return sd->ours ? WEFT_GEX_LONG_ALLOC : weft_am_max_long();
  return sd->reply ? gex_Token_MaxReplyMedium(sd->token, NULL, 0, 0)
                   : gex_AM_MaxRequestMedium(sd->tm, sd->rank, NULL, 0, 0);
}

/* `who`: the function's name; a request polls, but not in a handler. */
static gex_AM_SrcDesc_t prepare(const char *who, struct weft_gex_srcdesc sd, size_t least,
                                size_t most) {
  if (!sd.reply) {
    weft_gex_up(who);
    if (weft_options.check) weft_gex_check_rank(sd.tm, sd.rank, who);
    if (!weft_am_in_handler()) weft_gex_poll();
  }
  if (sd.reply) weft_gex_given(sd.token, who);
  sd.ours = !sd.addr;
  sd.size = limit(&sd);
  if (weft_options.check) {
    if (mine.category) weft_fatal("gex_AM_Prepare between another Prepare and its Commit");
    if (least > most || least > sd.size)
      weft_fatal("gex_AM_Prepare: at least %zu and at most %zu bytes; the limit is %zu", least,
                 most, sd.size);
    if (!sd.reply && weft_am_in_handler())
      weft_fatal("gex_AM_PrepareRequest: a handler must not send requests");
    if (sd.reply && ((weft_token_t *)sd.token)->replied)
      weft_fatal("gex_AM_PrepareReply: this handler has replied already");
  }
  if (most < sd.size) sd.size = most;
  if (sd.ours && !(sd.addr = room(&sd))) return GEX_AM_SRCDESC_NO_OP;
  mine = sd;
  return &mine;
}

/* The four forms: to whom, DEST (a long's address there, which Commit is told again). */
#define PREPARE(NAME, TO, DEST, ...)                                                               \
  WEFT_API gex_AM_SrcDesc_t gex_AM_Prepare##NAME(TO, const void *client_buf, size_t least_payload, \
                                                 size_t most_payload, DEST gex_Event_t *lc_opt,    \
                                                 gex_Flags_t flags, unsigned int numargs) {        \
    return prepare("gex_AM_Prepare" #NAME,                                                         \
                   (struct weft_gex_srcdesc){.addr = (char *)client_buf,                           \
                                             .lc_opt = lc_opt,                                     \
                                             .flags = flags,                                       \
                                             .nargs = numargs,                                     \
                                             __VA_ARGS__},                                         \
                   least_payload, most_payload);                                                   \
  }
#define RANK gex_TM_t tm, gex_Rank_t rank
#define DEST __attribute__((unused)) void *dest_addr,
PREPARE(RequestMedium, RANK, , .category = MEDIUM, .tm = tm, .rank = rank)
PREPARE(ReplyMedium, gex_Token_t token, , .category = MEDIUM, .reply = true, .token = token)
PREPARE(RequestLong, RANK, DEST, .category = LONG, .tm = tm, .rank = rank)
PREPARE(ReplyLong, gex_Token_t token, DEST, .category = LONG, .reply = true, .token = token)
#undef RANK
#undef DEST
#undef PREPARE

WEFT_API void *gex_AM_SrcDescAddr(gex_AM_SrcDesc_t sd) {
  weft_gex_given(sd, "gex_AM_SrcDescAddr");
  return sd->addr;
}

WEFT_API size_t gex_AM_SrcDescSize(gex_AM_SrcDesc_t sd) {
  weft_gex_given(sd, "gex_AM_SrcDescSize");
  return sd->size;
}

/* ---- Commit ---------------------------------------------------------------------------------- */

static void check(gex_AM_SrcDesc_t sd, int reply, int category, size_t nbytes, int nargs) {
  if (sd != &mine || !sd->category)
    weft_fatal("gex_AM_Commit or Cancel without a Prepare of this thread");
  if (sd->reply != reply || (int)sd->category != category)
    weft_fatal("gex_AM_Commit or Cancel of another kind than Prepare");
  if (nbytes > sd->size) weft_fatal("gex_AM_Commit: %zu bytes; Prepare gave %zu", nbytes, sd->size);
  if (nargs >= 0 && (unsigned)nargs != sd->nargs)
    weft_fatal("gex_AM_Commit with %d arguments; Prepare was told %u", nargs, sd->nargs);
}

/* Our medium buffer goes as it is. */
static int send_ours(gex_AM_SrcDesc_t sd, int handler, size_t nbytes, gex_Flags_t flags, int nargs,
                     const gex_AM_Arg_t *args) {
  const unsigned how = WEFT_AM_BUFFER | (flags & GEX_FLAG_IMMEDIATE ? WEFT_AM_IMMEDIATE : 0);
  if (sd->reply)
    return weft_am_reply((weft_token_t *)sd->token, WEFT_AM_MEDIUM, handler, sd->addr, nbytes, 0,
                         how, NULL, nargs, args);
  const int pe = (int)weft_gex_to(sd->tm, sd->rank);
  return weft_gex_sent(pe, flags,
                       weft_am_request(pe, WEFT_AM_MEDIUM, handler, sd->addr, nbytes, 0, how, NULL,
                                       nargs, args));
}

static void give_back(struct weft_gex_srcdesc *sd) {
  if (sd->ours && sd->category == MEDIUM) weft_am_buffer_free(sd->addr);
  if (sd->ours && sd->category == LONG) free(sd->addr);
}

WEFT_API int weft_gex_commit(gex_AM_SrcDesc_t sd, int reply, int category, int handler,
                             size_t nbytes, void *dest, gex_Flags_t flags, int nargs,
                             const gex_AM_Arg_t *args) {
  weft_gex_given(sd, "gex_AM_Commit");
  if (weft_options.check) check(sd, reply, category, nbytes, nargs);
  struct weft_gex_srcdesc d = *sd;
  gex_Event_t *lc = d.ours ? GEX_EVENT_NOW : d.lc_opt;
  const bool other = reply ? weft_gex_token_is_other(d.token) : weft_gex_is_other(d.tm);
  const bool as_it_is = d.ours && category == MEDIUM && !other;
  int rc;
  sd->category = 0; /* what follows may run handlers that prepare a reply */
  if (as_it_is)
    rc = send_ours(&d, handler, nbytes, flags, nargs, args);
  else if (category == MEDIUM)
    rc = reply ? weft_gex_reply_medium(d.token, handler, d.addr, nbytes, lc, flags, nargs, args)
               : weft_gex_request_medium(d.tm, d.rank, handler, d.addr, nbytes, lc, flags, nargs,
                                         args);
  else
    rc = reply ? weft_gex_reply_long(d.token, handler, d.addr, nbytes, dest, lc, flags, nargs, args)
               : weft_gex_request_long(d.tm, d.rank, handler, d.addr, nbytes, dest, lc, flags,
                                       nargs, args);
  if (rc)
    *sd = d; /* not sent: still prepared */
  else if (!as_it_is)
    give_back(&d);
  return rc;
}

/* ---- Cancel ---------------------------------------------------------------------------------- */

static int cancel(gex_AM_SrcDesc_t sd, gex_Flags_t flags, int reply, int category,
                  const char *who) {
  if (!sd || flags) return weft_gex_error(GASNET_ERR_BAD_ARG, who, "no descriptor, or flags not 0");
  if (weft_options.check) check(sd, reply, category, 0, -1);
  give_back(sd);
  sd->category = 0;
  return GASNET_OK;
}

#define CANCEL(NAME, reply, category)                                                              \
  WEFT_API int gex_AM_Cancel##NAME(gex_AM_SrcDesc_t sd, gex_Flags_t flags) {                       \
    return cancel(sd, flags, reply, category, "gex_AM_Cancel" #NAME);                              \
  }
CANCEL(RequestMedium, 0, MEDIUM)
CANCEL(ReplyMedium, 1, MEDIUM)
CANCEL(RequestLong, 0, LONG)
CANCEL(ReplyLong, 1, LONG)
