/*
 * Messages that come while gasnet_attach has not returned, as a fast peer's may: their handlers run
 * after that, when the client has made its tables, and then all of them do. Here every PE sends to
 * every PE from the hook that gasnet_attach calls before its last barrier.
 */
#define GASNET_SEQ
#include <gasnet.h>

#include "check.h"

enum { SHORT = 200, MEDIUM, LARGE = 3000 };

static int *table; /* what the client makes of its segment */
static int ran;
static char source[LARGE];

static void on_short(gasnet_token_t token, gasnet_handlerarg_t value) {
  (void)token;
  CHECK(table != NULL);
  CHECK_EQ(value, 17);
  ran += table[0];
}

static void on_medium(gasnet_token_t token, void *p, size_t n) {
  gasnet_node_t from;
  CHECK(table != NULL);
  CHECK(memcmp(p, source, n) == 0);
  gasnet_AMGetMsgSource(token, &from);
  CHECK(from < gasnet_nodes());
  ran += table[0];
}

static void send_all(void *segment, uintptr_t size) {
  (void)segment, (void)size;
  for (gasnet_node_t pe = 0; pe < gasnet_nodes(); pe++) {
    gasnet_AMRequestShort1(pe, SHORT, 17);
    gasnet_AMRequestMedium0(pe, MEDIUM, source, 100);
    gasnet_AMRequestMedium0(pe, MEDIUM, source, LARGE);
  }
}

int main(int argc, char **argv) {
  gasnet_handlerentry_t handlers[] = {{SHORT, (gex_AM_Fn_t)on_short},
                                      {MEDIUM, (gex_AM_Fn_t)on_medium}};
  for (int i = 0; i < LARGE; i++) source[i] = (char)i;
  CHECK_EQ(gasnet_init(&argc, &argv), GASNET_OK);
  gasnet_client_attach_hook = send_all;
  CHECK_EQ(gasnet_attach(handlers, 2, 1 << 20, 0), GASNET_OK);
  CHECK_EQ(ran, 0);
  CHECK_EQ(getpid() > 0 && errno >= 0, 1); /* gasnet.h brings unistd.h and errno.h */
  gasnet_seginfo_t *segments = calloc(gasnet_nodes(), sizeof *segments);
  gasnet_getSegmentInfo(segments, (int)gasnet_nodes());
  table = segments[gasnet_mynode()].addr;
  table[0] = 1;
  GASNET_BLOCKUNTIL(ran == 3 * (int)gasnet_nodes());
  gasnet_barrier_notify(0, GASNET_BARRIERFLAG_ANONYMOUS);
  gasnet_barrier_wait(0, GASNET_BARRIERFLAG_ANONYMOUS);
  CHECK_EQ(ran, 3 * (int)gasnet_nodes());
  gasnet_exit(0);
}
