/* The headers in C++: every chapter, a handler, calls of inline functions, in PARSYNC mode. */
#define GASNET_PARSYNC
#include <gasnet.h>
#include <gasnet_coll.h>
#include <gasnet_mk.h>
#include <gasnet_ratomic.h>
#include <gasnet_vis.h>

#include <cstdlib>

static int sum;
static gex_HSL_t lock = GEX_HSL_INITIALIZER;

static void handler(gex_Token_t, gex_AM_Arg_t a, gex_AM_Arg_t b) {
  gex_HSL_Lock(&lock);
  sum += a * b;
  gex_HSL_Unlock(&lock);
}

static void payload(gex_Token_t token, void *p, size_t n, gex_AM_Arg_t a) {
  gex_AM_ReplyShort2(token, 200, 0, static_cast<char *>(p)[n - 1], a);
}

int main(int argc, char **argv) {
  gex_Client_t client;
  gex_EP_t ep;
  gex_TM_t tm;
  gex_AM_Entry_t table[] = {{200, reinterpret_cast<gex_AM_Fn_t>(handler),
                             GEX_FLAG_AM_SHORT | GEX_FLAG_AM_REQREP, 2, nullptr, "handler"},
                            {201, reinterpret_cast<gex_AM_Fn_t>(payload),
                             GEX_FLAG_AM_MEDIUM | GEX_FLAG_AM_REQUEST, 1, nullptr, nullptr}};
  const char text[] = {1, 2, 3};
  if (gex_Client_Init(&client, &ep, &tm, "CXX", &argc, &argv, 0) != GASNET_OK) return 1;
  if (gex_EP_RegisterHandlers(ep, table, 2) != GASNET_OK) return 1;
  gex_Event_Wait(gex_Coll_BarrierNB(tm, 0));
  const gex_Rank_t peer = (gex_TM_QueryRank(tm) + 1) % gex_TM_QuerySize(tm);
  gex_AM_RequestShort(tm, peer, 200, 0, 2, 3);
  gex_AM_RequestShort2(tm, peer, 200, 0, 4, 5);
  gex_AM_RequestMedium(tm, peer, 201, text, sizeof text, GEX_EVENT_NOW, 0, 10);
  GASNET_BLOCKUNTIL(sum == 6 + 20 + 30);
  gex_Event_Wait(gex_Coll_BarrierNB(tm, 0));
  gasnet_exit(0);
}
