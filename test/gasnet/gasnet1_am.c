/* GASNet-1's job calls and active messages: init and attach, each category with 0 to 16 arguments
 * to the next node and back, the forms that are given the number, limits, the bridge to GASNet-EX.
 */
#define GASNET_SEQ
#include <gasnet.h>

#include <weft/gex_arity.h>

#include "check.h"

enum { BYTES = 64, KINDS = 6 };
#define INDEX(M, KIND) ((gasnet_handler_t)(128 + (M)*KINDS + (KIND)))

static int requests, replies, any_index_ran;
static gasnet_node_t me, peer, from;
static char *from_segment, *peer_segment, payload[BYTES];

static void arguments(gasnet_token_t token, gasnet_node_t want, int n,
                      const gasnet_handlerarg_t *a) {
  gasnet_node_t source;
  CHECK_EQ(gasnet_AMGetMsgSource(token, &source), GASNET_OK);
  CHECK_EQ(source, want);
  for (int i = 0; i < n; i++) CHECK_EQ(a[i], 100 * n - i);
}

#define HANDLERS(M)                                                                                \
  static void short_request##M(gasnet_token_t token WEFT_AM_PARAMS_##M) {                          \
    const gasnet_handlerarg_t a[] = {WEFT_GEX_LIST_##M};                                           \
    arguments(token, from, M, a);                                                                  \
    requests++;                                                                                    \
    CHECK_EQ(gasnet_AMReplyShort##M(token, INDEX(M, 3) WEFT_AM_NAMES_##M), GASNET_OK);             \
  }                                                                                                \
  static void medium_request##M(gasnet_token_t token, void *p, size_t n WEFT_AM_PARAMS_##M) {      \
    const gasnet_handlerarg_t a[] = {WEFT_GEX_LIST_##M};                                           \
    arguments(token, from, M, a);                                                                  \
    CHECK(n == BYTES && memcmp(p, payload, n) == 0);                                               \
    requests++;                                                                                    \
    CHECK_EQ(gasnet_AMReplyMedium##M(token, INDEX(M, 4), p, n WEFT_AM_NAMES_##M), GASNET_OK);      \
  }                                                                                                \
  static void long_request##M(gasnet_token_t token, void *p, size_t n WEFT_AM_PARAMS_##M) {        \
    const gasnet_handlerarg_t a[] = {WEFT_GEX_LIST_##M};                                           \
    arguments(token, from, M, a);                                                                  \
    CHECK(n == BYTES && memcmp(p, payload, n) == 0);                                               \
    requests++;                                                                                    \
    CHECK_EQ(                                                                                      \
        gasnet_AMReplyLong##M(token, INDEX(M, 5), p, n, from_segment + 2048 WEFT_AM_NAMES_##M),    \
        GASNET_OK);                                                                                \
  }                                                                                                \
  static void short_reply##M(gasnet_token_t token WEFT_AM_PARAMS_##M) {                            \
    const gasnet_handlerarg_t a[] = {WEFT_GEX_LIST_##M};                                           \
    arguments(token, peer, M, a);                                                                  \
    replies++;                                                                                     \
  }                                                                                                \
  static void payload_reply##M(gasnet_token_t token, void *p, size_t n WEFT_AM_PARAMS_##M) {       \
    CHECK(n == BYTES && memcmp(p, payload, n) == 0);                                               \
    short_reply##M(token WEFT_AM_NAMES_##M);                                                       \
  }
WEFT_AM_ARITIES(HANDLERS)

static void any_index(gasnet_token_t token) {
  (void)token;
  any_index_ran++;
}

#define FN(NAME) (gex_AM_Fn_t) NAME
#define ENTRIES(M)                                                                                 \
  {INDEX(M, 0), FN(short_request##M)}, {INDEX(M, 1), FN(medium_request##M)},                       \
      {INDEX(M, 2), FN(long_request##M)}, {INDEX(M, 3), FN(short_reply##M)},                       \
      {INDEX(M, 4), FN(payload_reply##M)}, {INDEX(M, 5), FN(payload_reply##M)},

#define COMMA(M) M WEFT_AM_NAMES_##M
static void send(void) {
  int sent = 0;
  gasnet_handlerarg_t a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15;
#define SEND(M)                                                                                    \
  a0 = 100 * M, a1 = a0 - 1, a2 = a0 - 2, a3 = a0 - 3, a4 = a0 - 4, a5 = a0 - 5, a6 = a0 - 6,      \
  a7 = a0 - 7, a8 = a0 - 8, a9 = a0 - 9, a10 = a0 - 10, a11 = a0 - 11, a12 = a0 - 12,              \
  a13 = a0 - 13, a14 = a0 - 14, a15 = a0 - 15;                                                     \
  CHECK_EQ(gasnet_AMRequestShort##M(peer, INDEX(M, 0) WEFT_AM_NAMES_##M), GASNET_OK);              \
  gasnet_AMRequestMedium##M(peer, INDEX(M, 1), payload, BYTES WEFT_AM_NAMES_##M);                  \
  gasnet_AMRequestLong##M(peer, INDEX(M, 2), payload, BYTES, peer_segment WEFT_AM_NAMES_##M);      \
  gasnet_AMRequestLongAsync##M(peer, INDEX(M, 2), payload, BYTES, peer_segment WEFT_AM_NAMES_##M); \
  gasnet_AMRequestShort(peer, INDEX(M, 0), COMMA(M));                                              \
  gasnet_AMRequestMedium(peer, INDEX(M, 1), payload, BYTES, COMMA(M));                             \
  gasnet_AMRequestLong(peer, INDEX(M, 2), payload, BYTES, peer_segment, COMMA(M));                 \
  sent += 7;                                                                                       \
  GASNET_BLOCKUNTIL(replies == sent);
  WEFT_AM_ARITIES(SEND)
  GASNET_BLOCKUNTIL(requests == sent);
}

static void bridge(void) {
  gex_Client_t client;
  gex_EP_t ep;
  gex_TM_t tm;
  gex_Segment_t segment;
  gasnet_QueryGexObjects(&client, &ep, &tm, &segment);
  gasnet_QueryGexObjects(NULL, NULL, NULL, NULL);
  CHECK_EQ(gex_Client_QueryFlags(client), GEX_FLAG_USES_GASNET1);
  CHECK(gex_EP_QuerySegment(ep) == segment);
  CHECK_EQ(gex_TM_QueryRank(tm), me);
  CHECK_EQ(gex_TM_QuerySize(tm), gasnet_nodes());
  CHECK_EQ(gasnet_AMMaxArgs(), 16);
  CHECK(gasnet_AMMaxMedium() >= 512 && gasnet_AMMaxMedium() <= gex_AM_LUBRequestMedium());
  CHECK(gasnet_AMMaxLongRequest() >= 512 && gasnet_AMMaxLongReply() >= 512);
  CHECK_STR(gasnet_ErrorName(GASNET_ERR_NOT_READY), "GASNET_ERR_NOT_READY");
  CHECK(strlen(gasnet_ErrorDesc(GASNET_ERR_BAD_ARG)) > 0 && strlen(gasnet_ErrorDesc(-5)) > 0);
  CHECK_STR(gasnet_getenv("WEFT_GASNET1_TEST"), "a value");
  CHECK(gasnet_getenv("WEFT_NO_SUCH_VARIABLE") == NULL);
  CHECK_EQ(gasnet_set_waitmode(GASNET_WAIT_BLOCK), GASNET_OK);
  CHECK_EQ(gasnet_set_waitmode(GASNET_WAIT_SPIN), GASNET_OK);
  CHECK_EQ(gasnet_set_waitmode(GASNET_WAIT_SPINBLOCK), GASNET_OK);
  gex_System_SetVerboseErrors(0);
  CHECK_EQ(gasnet_set_waitmode(77), GASNET_ERR_BAD_ARG);
}

int main(int argc, char **argv) {
  gasnet_handlerentry_t table[] = {WEFT_AM_ARITIES(ENTRIES){0, FN(any_index)}};
  const int n = sizeof table / sizeof *table;
  gasnet_seginfo_t segments[16];
  GASNET_BEGIN_FUNCTION();
  CHECK_EQ(gasnet_init(&argc, &argv), GASNET_OK);
  me = gasnet_mynode();
  peer = (me + 1) % gasnet_nodes();
  from = (me + gasnet_nodes() - 1) % gasnet_nodes();
  for (int i = 0; i < BYTES; i++) payload[i] = (char)(3 * i);
  CHECK_EQ(gasnet_attach(table, n, 4096 * 16, 0), GASNET_OK);
  CHECK_EQ(table[n - 1].index, 255);
  CHECK_EQ(gasnet_getSegmentInfo(segments, 16), GASNET_OK);
  from_segment = segments[from].addr, peer_segment = segments[peer].addr;
  gex_Event_Wait(gex_Coll_BarrierNB(weft_gex.tm0, 0));
  send();
  bridge();
  gasnet_AMRequestShort0(me, table[n - 1].index);
  GASNET_BLOCKUNTIL(any_index_ran == 1);
  gasnet_exit(0);
}
