/* A request to oneself runs in the call, in a program with threads: one that spins on the result
 * without calling the library again sees it, whichever endpoint it is for, and whether its payload
 * was negotiated. A message that may not wait is left for a poll. */
#define GASNET_PAR 1
#include "gasnet/world.h"

enum { SHORT = 200, MEDIUM, LONG };
static int arrived;

static void on_short(gex_Token_t token, gex_AM_Arg_t n) {
  (void)token;
  arrived += n;
}
static void on_payload(gex_Token_t token, void *payload, size_t n, gex_AM_Arg_t add) {
  (void)token;
  if (n == 4 && !memcmp(payload, "weft", 4)) arrived += add;
}

/* To an endpoint: fixed and negotiated, with the client's room and with GASNet's. */
static void to_endpoint(gex_TM_t tm) {
  char word[] = "weft";
  arrived = 0;
  gex_AM_RequestShort1(tm, world.me, SHORT, 0, 1);
  CHECK_EQ(arrived, 1);
  gex_AM_RequestMedium1(tm, world.me, MEDIUM, word, 4, GEX_EVENT_NOW, 0, 10);
  CHECK_EQ(arrived, 11);
  for (int ours = 0; ours < 2; ours++) {
    char *mine = ours ? NULL : word;
    gex_Event_t *lc = ours ? NULL : GEX_EVENT_NOW;
    gex_AM_SrcDesc_t sd = gex_AM_PrepareRequestMedium(tm, world.me, mine, 4, 4, lc, 0, 1);
    memcpy(gex_AM_SrcDescAddr(sd), word, 4);
    gex_AM_CommitRequestMedium1(sd, MEDIUM, 4, 100);
    CHECK_EQ(arrived, 111 + 1100 * ours);
    sd = gex_AM_PrepareRequestLong(tm, world.me, mine, 4, 4, NULL, lc, 0, 1);
    memcpy(gex_AM_SrcDescAddr(sd), word, 4);
    gex_AM_CommitRequestLong1(sd, LONG, 4, world_of(world.me), 1000);
    CHECK_EQ(arrived, 1111 + 1100 * ours);
  }
}

int main(void) {
  world_open();
  gex_AM_Entry_t table[] = {
      {SHORT, (gex_AM_Fn_t)on_short, GEX_FLAG_AM_SHORT | GEX_FLAG_AM_REQUEST, 1, NULL, "short"},
      {MEDIUM, (gex_AM_Fn_t)on_payload, GEX_FLAG_AM_MEDIUM | GEX_FLAG_AM_REQUEST, 1, NULL,
       "medium"},
      {LONG, (gex_AM_Fn_t)on_payload, GEX_FLAG_AM_LONG | GEX_FLAG_AM_REQUEST, 1, NULL, "long"}};
  CHECK_EQ(gex_EP_RegisterHandlers(world.ep, table, 3), GASNET_OK);
  char word[] = "weft";
  for (int i = 0; i < 200; i++) {
    arrived = 0;
    gex_AM_RequestShort1(world.tm, world.me, SHORT, 0, 1);
    CHECK_EQ(arrived, 1);
    gex_AM_RequestMedium1(world.tm, world.me, MEDIUM, word, 4, GEX_EVENT_NOW, 0, 10);
    CHECK_EQ(arrived, 11);
    gex_AM_RequestLong1(world.tm, world.me, LONG, word, 4, world_of(world.me), GEX_EVENT_NOW, 0,
                        100);
    CHECK_EQ(arrived, 111);
  }
  gex_EP_t other;
  CHECK_EQ(gex_EP_Create(&other, world.client, GEX_EP_CAPABILITY_AM, 0), GASNET_OK);
  CHECK_EQ(gex_EP_RegisterHandlers(other, table, 3), GASNET_OK);
  CHECK_EQ(gex_EP_BindSegment(other, world.segment, 0), GASNET_OK);
  to_endpoint(world.tm);
  to_endpoint(gex_TM_Pair(other, 1));
  world_barrier();
  world_close();
  return 0;
}
