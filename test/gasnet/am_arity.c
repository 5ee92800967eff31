/* Active messages of each category with 0 to 16 arguments, to the next PE: the request's handler
 * sees every argument and the payload, and its reply brings them back. Fixed and counted forms. */
#define GASNET_SEQ
#include <gasnetex.h>

#include <weft/gex_arity.h>

#include "check.h"

enum { BYTES = 100, KINDS = 6 };
#define INDEX(M, KIND) (GEX_AM_INDEX_BASE + (M)*KINDS + (KIND))

static gex_Rank_t me, peer, from;
static int requests, replies;
static char *segment, payload[BYTES];

static void arguments(int n, const gex_AM_Arg_t *a) {
  for (int i = 0; i < n; i++) CHECK_EQ(a[i], 1000 * n + i);
}

static void bytes(const void *p, size_t n) {
  CHECK_EQ(n, BYTES);
  for (size_t i = 0; i < n; i++) CHECK_EQ(((const char *)p)[i], (char)(i * 7));
}

/* Segments of the PE that sends to me, and of the one that I send to. */
static char *from_base, *peer_base;

static char *base_of(gex_TM_t tm, gex_Rank_t rank) {
  void *base;
  gex_Event_Wait(gex_EP_QueryBoundSegmentNB(tm, rank, &base, NULL, NULL, 0));
  return base;
}

#define HANDLERS(M)                                                                                \
  static void short_request##M(gex_Token_t token WEFT_AM_PARAMS_##M) {                             \
    const gex_AM_Arg_t a[] = {WEFT_GEX_LIST_##M};                                                  \
    arguments(M, a);                                                                               \
    requests++;                                                                                    \
    gex_AM_ReplyShort##M(token, INDEX(M, 3), 0 WEFT_AM_NAMES_##M);                                 \
  }                                                                                                \
  static void medium_request##M(gex_Token_t token, void *p, size_t n WEFT_AM_PARAMS_##M) {         \
    const gex_AM_Arg_t a[] = {WEFT_GEX_LIST_##M};                                                  \
    arguments(M, a);                                                                               \
    bytes(p, n);                                                                                   \
    CHECK_EQ((uintptr_t)p % _Alignof(max_align_t), 0);                                             \
    requests++;                                                                                    \
    gex_AM_ReplyMedium##M(token, INDEX(M, 4), p, n, GEX_EVENT_NOW, 0 WEFT_AM_NAMES_##M);           \
  }                                                                                                \
  static void long_request##M(gex_Token_t token, void *p, size_t n WEFT_AM_PARAMS_##M) {           \
    const gex_AM_Arg_t a[] = {WEFT_GEX_LIST_##M};                                                  \
    arguments(M, a);                                                                               \
    bytes(p, n);                                                                                   \
    CHECK((char *)p == segment + (M)*BYTES);                                                       \
    requests++;                                                                                    \
    gex_AM_ReplyLong##M(token, INDEX(M, 5), p, n, from_base + (20 + (M)) * BYTES, GEX_EVENT_NOW,   \
                        0 WEFT_AM_NAMES_##M);                                                      \
  }                                                                                                \
  static void short_reply##M(gex_Token_t token WEFT_AM_PARAMS_##M) {                               \
    const gex_AM_Arg_t a[] = {WEFT_GEX_LIST_##M};                                                  \
    (void)token;                                                                                   \
    arguments(M, a);                                                                               \
    replies++;                                                                                     \
  }                                                                                                \
  static void medium_reply##M(gex_Token_t token, void *p, size_t n WEFT_AM_PARAMS_##M) {           \
    bytes(p, n);                                                                                   \
    short_reply##M(token WEFT_AM_NAMES_##M);                                                       \
  }                                                                                                \
  static void long_reply##M(gex_Token_t token, void *p, size_t n WEFT_AM_PARAMS_##M) {             \
    bytes(p, n);                                                                                   \
    CHECK((char *)p == segment + (20 + (M)) * BYTES);                                              \
    short_reply##M(token WEFT_AM_NAMES_##M);                                                       \
  }
WEFT_AM_ARITIES(HANDLERS)

#define ENTRY(M, KIND, NAME, FLAGS)                                                                \
  { INDEX(M, KIND), (gex_AM_Fn_t)NAME##M, FLAGS, M, NULL, #NAME }
#define ENTRIES(M)                                                                                 \
  ENTRY(M, 0, short_request, GEX_FLAG_AM_SHORT | GEX_FLAG_AM_REQUEST),                             \
      ENTRY(M, 1, medium_request, GEX_FLAG_AM_MEDIUM | GEX_FLAG_AM_REQUEST),                       \
      ENTRY(M, 2, long_request, GEX_FLAG_AM_LONG | GEX_FLAG_AM_REQUEST),                           \
      ENTRY(M, 3, short_reply, GEX_FLAG_AM_SHORT | GEX_FLAG_AM_REPLY),                             \
      ENTRY(M, 4, medium_reply, GEX_FLAG_AM_MEDIUM | GEX_FLAG_AM_REPLY),                           \
      ENTRY(M, 5, long_reply, GEX_FLAG_AM_LONG | GEX_FLAG_AM_REPLY),

static void send(gex_TM_t tm) {
  int sent = 0;
  gex_AM_Arg_t a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15;
#define SEND(M)                                                                                    \
  a0 = 1000 * M, a1 = a0 + 1, a2 = a0 + 2, a3 = a0 + 3, a4 = a0 + 4, a5 = a0 + 5, a6 = a0 + 6,     \
  a7 = a0 + 7, a8 = a0 + 8, a9 = a0 + 9, a10 = a0 + 10, a11 = a0 + 11, a12 = a0 + 12,              \
  a13 = a0 + 13, a14 = a0 + 14, a15 = a0 + 15;                                                     \
  CHECK_EQ(gex_AM_RequestShort##M(tm, peer, INDEX(M, 0), 0 WEFT_AM_NAMES_##M), 0);                 \
  CHECK_EQ(gex_AM_RequestMedium##M(tm, peer, INDEX(M, 1), payload, BYTES, GEX_EVENT_NOW,           \
                                   0 WEFT_AM_NAMES_##M),                                           \
           0);                                                                                     \
  CHECK_EQ(gex_AM_RequestLong##M(tm, peer, INDEX(M, 2), payload, BYTES, peer_base + (M)*BYTES,     \
                                 GEX_EVENT_NOW, 0 WEFT_AM_NAMES_##M),                              \
           0);                                                                                     \
  CHECK_EQ(gex_AM_RequestShort(tm, peer, INDEX(M, 0), 0 WEFT_AM_NAMES_##M), 0);                    \
  CHECK_EQ(gex_AM_RequestMedium(tm, peer, INDEX(M, 1), payload, BYTES, GEX_EVENT_NOW,              \
                                0 WEFT_AM_NAMES_##M),                                              \
           0);                                                                                     \
  sent += 5;                                                                                       \
  GASNET_BLOCKUNTIL(replies == sent);
  WEFT_AM_ARITIES(SEND)
  GASNET_BLOCKUNTIL(requests == sent);
}

int main(void) {
  gex_AM_Entry_t table[] = {WEFT_AM_ARITIES(ENTRIES)};
  gex_EP_t ep;
  gex_TM_t tm;
  gex_Segment_t attached;
  CHECK_EQ(gex_Client_Init(NULL, &ep, &tm, "TEST", NULL, NULL, 0), GASNET_OK);
  CHECK_EQ(gex_EP_RegisterHandlers(ep, table, sizeof table / sizeof *table), GASNET_OK);
  CHECK_EQ(gex_Segment_Attach(&attached, tm, GASNET_PAGESIZE), GASNET_OK);
  segment = gex_Segment_QueryAddr(attached);
  me = gex_System_QueryJobRank();
  const gex_Rank_t size = gex_System_QueryJobSize();
  peer = (me + 1) % size;
  from = (me + size - 1) % size;
  from_base = base_of(tm, from);
  peer_base = base_of(tm, peer);
  for (int i = 0; i < BYTES; i++) payload[i] = (char)(i * 7);
  gex_Event_Wait(gex_Coll_BarrierNB(tm, 0));
  send(tm);
  gasnet_exit(0);
}
