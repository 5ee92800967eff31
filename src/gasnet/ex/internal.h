/*
 * What the files of this folder share, under the name of the .c that defines it. GASNet is a front
 * end: it knows OpenSHMEM as little as that knows it. Public headers: gasnetex.h and gasnet.h with
 * their chapters in weft/gex_*.h and weft/gasnet1_*.h.
 */
#ifndef WEFT_GASNET_INTERNAL_H
#define WEFT_GASNET_INTERNAL_H

/* The library serves every thread mode, so it is of the one that takes nothing for granted. */
#define GASNET_PAR 1

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/base.h"
#include "gasnet.h"
#include "gasnet/ex/event.h" /* event.c, nbi.c */
#include "job/job.h"

/* What every object's header promises of it: the client's data, and its flags. */
#define WEFT_GEX_QUERIES(OBJECT)                                                                   \
  WEFT_API void gex_##OBJECT##_SetCData(gex_##OBJECT##_t object, const void *val) {                \
    weft_gex_given(object, "gex_" #OBJECT "_SetCData");                                            \
    object->cdata = val;                                                                           \
  }                                                                                                \
  WEFT_API void *gex_##OBJECT##_QueryCData(gex_##OBJECT##_t object) {                              \
    weft_gex_given(object, "gex_" #OBJECT "_QueryCData");                                          \
    return (void *)(uintptr_t)object->cdata;                                                       \
  }                                                                                                \
  WEFT_API gex_Flags_t gex_##OBJECT##_QueryFlags(gex_##OBJECT##_t object) {                        \
    weft_gex_given(object, "gex_" #OBJECT "_QueryFlags");                                          \
    return object->flags;                                                                          \
  }

/* ---- client.c ---- */

struct weft_gex_client {
  const void *cdata;
  const char *name;
  gex_Flags_t flags;
  int mode; /* WEFT_GEX_MODE: 0 SEQ, 1 PARSYNC, 2 PAR */
};
extern struct weft_gex_client weft_gex_client; /* the one client that a process may have */

/* weft_fatal "called before gex_Client_Init" unless there is a client. */
void weft_gex_up(const char *who);
/* The same for a handle that is NULL; where there is a client, the line says that it is none. */
WEFT_COLD void weft_gex_none(const char *who) __attribute__((noreturn));
static inline void weft_gex_given(const void *handle, const char *who) {
  if (weft_unlikely(!handle)) weft_gex_none(who);
}
/* The same where a team is wanted: a TM-pair is none. */
static inline void weft_gex_given_team(gex_TM_t tm, const char *who) {
  weft_gex_given(tm, who);
  if (weft_unlikely(WEFT_GEX_IS_PAIR(tm))) weft_fatal("%s: a TM-pair is no team", who);
}
/* A documented error: one line on stderr if gex_System_SetVerboseErrors(1), and `status` back. */
int weft_gex_error(int status, const char *who, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* ---- coll.c ---- */

/* All members are here. A wait like any other: handlers run. `who`: the public function. */
void weft_gex_team_sync(gex_TM_t tm, const char *who);

/* ---- spawn.c ---- */

/* Before the runtime starts: may replace this process by a launcher that starts it several
 * times. */
void weft_gex_spawn(int *argc, char ***argv);
/* When the job is known: one environment for all, GASNet's variables about crashes. Collective. */
void weft_gex_environment(void);

/* ---- system.c ---- */

extern int weft_gex_verbose;

/* ---- ep.c ---- */

enum { WEFT_GEX_HANDLERS = 256 - GEX_AM_INDEX_BASE };

struct weft_gex_ep {
  gex_Client_t client;
  const void *cdata;
  gex_Flags_t flags;
  gex_EP_Capabilities_t capabilities;
  gex_EP_Index_t index;
  gex_Segment_t segment;
  weft_lock_t lock;                           /* of the table */
  gex_AM_Entry_t handlers[WEFT_GEX_HANDLERS]; /* of index GEX_AM_INDEX_BASE on; NULL: none */
};

extern struct weft_gex_ep weft_gex_ep0;
/* By index, or NULL. */
gex_EP_t weft_gex_ep(unsigned index);

/* The endpoint index that a (tm, rank) means on the other side, and the local endpoint. */
static inline unsigned weft_gex_pair_remote(gex_TM_t tm) {
  return WEFT_GEX_IS_PAIR(tm) ? (unsigned)((uintptr_t)tm >> 20 & 0xffff) : 0;
}
static inline unsigned weft_gex_pair_local(gex_TM_t tm) {
  return WEFT_GEX_IS_PAIR(tm) ? (unsigned)((uintptr_t)tm >> 8 & 0xfff) : 0;
}

/* ---- segment.c ---- */

struct weft_gex_segment {
  gex_Client_t client;
  const void *cdata;
  gex_Flags_t flags;
  char *addr; /* as its owner sees it */
  uintptr_t size;
  uint64_t base; /* addr minus the slot offset of the memory */
  enum { WEFT_GEX_ATTACHED, WEFT_GEX_ALLOCATED, WEFT_GEX_ADOPTED } how;
};

/* gasnet_getMaxLocalSegmentSize. */
extern uintptr_t weft_gex_segment_max;
extern uintptr_t weft_gex_segment_least; /* the smallest of all PEs' */
void weft_gex_segment_limit(void);       /* collective */
extern bool weft_gex_attached;           /* this PE's attach is done */
/* Collective, for the function `who`, which holds active messages back meanwhile. Size 0: this PE
 * has no segment. */
int weft_gex_attach(gex_Segment_t *segment_p, gex_TM_t tm, uintptr_t size, const char *who);

/* ---- card.c: the bound segments of a PE's endpoints, as others see them ---- */

typedef struct weft_gex_card {
  uint64_t addr, size; /* 0: none is bound */
  uint64_t base;       /* address minus slot offset, for what is in it */
} weft_gex_card_t;

/* Collective: every PE's cards, and weft_gex.disp. */
void weft_gex_cards_start(void);
/* What an endpoint of this PE says from now on. */
void weft_gex_card_set(const struct weft_gex_ep *ep);
/* Another PE's; false: that would take communication and `quick` forbids it. */
bool weft_gex_card_get(long pe, unsigned index, bool quick, weft_gex_card_t *card);
/* The members of a team have set their cards: learn what is to be known of the primordial ones. */
void weft_gex_cards_learn(gex_TM_t tm);

/* What is added to an address as a PE of this node sees it; SIZE_MAX for one of another node. */
uintptr_t weft_gex_offset(long pe);
/* From an address as a PE sees it to the offset in its slot (rma takes the window's base for where
 * this PE's own begins). */
uintptr_t weft_gex_shift(long pe);

/* ---- tm.c ---- */

/* The primordial team's collectives; before a sync of the world. */
void weft_gex_teams_start(void);
/* For WEFT_CHECK=1: a rank that is not there ends the job. */
WEFT_COLD void weft_gex_check_rank(gex_TM_t tm, gex_Rank_t rank, const char *who);

/* ---- rma.c (rma.h has the rest) ---- */

/* weft_gex.disp is another one now. */
void weft_gex_rma_tables(void);

/* ---- exit.c ---- */

void weft_gex_exit_start(void);

/* ---- handler.c ---- */

/* `promises`: flags and nargs count; GASNet-1 has none. */
int weft_gex_register(gex_EP_t ep, gex_AM_Entry_t *table, size_t n, bool promises, const char *who);
/* Take back what was registered so. */
void weft_gex_unregister(gex_EP_t ep, const gex_AM_Entry_t *table, size_t n);
/* What an endpoint has for a number: an entry of its own, or the primordial endpoint's, since
 * clients that never had another one with active messages register there only. NULL: none. */
const gex_AM_Entry_t *weft_gex_entry(gex_EP_t ep, int handler);
/* For WEFT_CHECK=1: a message that is not as was said at registration ends the job. */
WEFT_COLD void weft_gex_check_promises(const gex_AM_Entry_t *e, const weft_token_t *t, int category,
                                       int nargs);
/* category as in am/am.h; p and n are not looked at for SHORT. */
void weft_gex_call(gex_AM_Fn_t f, void *token, int category, int nargs, void *p, size_t n,
                   const int32_t *args);

/* ---- vis_peer.c ---- */

/* Before anybody puts. */
void weft_gex_peer_open(void);

/* ---- am.c, am_endpoint.c, npam.c ---- */

enum {
  WEFT_GEX_PEER_HANDLER = WEFT_AM_FRONT, /* vis_peer.c's */
  WEFT_GEX_OTHER_HANDLER,                /* am_endpoint.c's */
  WEFT_GEX_LONG_ALLOC = 1 << 20          /* the most that Prepare allocates for a long */
};

/* Between Prepare and Commit? */
bool weft_gex_prepared(void);

/* Progress: handlers of messages that arrived, the network, operations that go on by being polled.
 * Waits are WEFT_WAIT_ON and WEFT_WAIT_UNTIL (port/wait.h). */
void weft_gex_poll(void);

/* A request is posted, or not: rc. One to oneself runs in the call (gex_am.h). */
static inline int weft_gex_sent(int pe, gex_Flags_t flags, int rc) {
  if (weft_gex.threads && pe == weft_job.pe && !rc && !(flags & GEX_FLAG_IMMEDIATE))
    weft_gex_poll();
  return rc;
}

/* Does an endpoint that is not primordial take part? */
static inline bool weft_gex_is_other(gex_TM_t tm) {
  return WEFT_GEX_IS_PAIR(tm) && (uintptr_t)tm >> 8;
}
bool weft_gex_token_is_other(gex_Token_t token);
gex_EP_t weft_gex_other_token(gex_Token_t token, int *handler, int *category);
size_t weft_gex_other_overhead(void);
void weft_gex_other_start(void);
/* A medium without arguments that came in another way, for a handler of endpoint `to`. */
void weft_gex_other_tell(weft_token_t *layers, unsigned to, int handler, void *payload, size_t n);
int weft_gex_other_request(gex_TM_t tm, gex_Rank_t rank, int category, int handler,
                           const void *source, size_t n, void *dest, gex_Flags_t flags, int nargs,
                           const int32_t *args);
int weft_gex_other_reply(gex_Token_t token, int category, int handler, const void *source, size_t n,
                         void *dest, gex_Flags_t flags, int nargs, const int32_t *args);

/* Progress as weft_gex_poll, but without a handler of the client's: for tests. */
void weft_gex_advance(void);

#endif
