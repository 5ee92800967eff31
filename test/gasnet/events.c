// Events: completed in any order, tested and waited for singly, in arrays with holes, some and all,
// leaves with their roots in one array in either order, and more of them at a time than any pool
// holds.
#define GASNET_SEQ
#define ROOM (1 << 20)
#include <gasnet.h>

#include "gasnet/rma_frame.h"

enum { N = 300, BYTES = 512 };
static unsigned char source[ROOM], back[ROOM];
static gex_Event_t events[2 * N];

static void begin(unsigned pe, unsigned salt) {
  fill(source, N * BYTES, me, pe, salt);
  for (size_t i = 0; i < N; i++)
    events[i] =
        gex_RMA_PutNB(tm, pe, there(pe) + i * BYTES, source + i * BYTES, BYTES, GEX_EVENT_DEFER, 0);
}

static void look(unsigned pe, unsigned salt) {
  gex_Event_t e = gex_RMA_GetNB(tm, back, pe, there(pe), N * BYTES, 0);
  while (gex_Event_Test(e) != GASNET_OK)
    CHECK_EQ(gasnet_try_syncnb(GASNET_INVALID_HANDLE), GASNET_OK);
  CHECK(is_filled(back, N * BYTES, me, pe, salt));
}

static size_t valid(size_t of) {
  size_t n = 0;
  for (size_t i = 0; i < of; i++) n += events[i] != GEX_EVENT_INVALID;
  return n;
}

static void in_orders(unsigned pe) {
  begin(pe, 1);
  for (size_t i = N; i-- > 0;) gex_Event_Wait(events[i]); // backwards
  look(pe, 1);
  begin(pe, 2);
  for (size_t k = 0; k < N; k++) { // 7 and N have no common divisor
    gex_Event_t e = events[k * 7 % N];
    while (gasnet_try_syncnb(e) != GASNET_OK) continue;
  }
  look(pe, 2);
}

static void in_arrays(unsigned pe) {
  begin(pe, 3);
  for (size_t left = valid(N); left;) {
    gex_Event_WaitSome(events, N, 0);
    CHECK(valid(N) < left);
    left = valid(N);
  }
  CHECK_EQ(gex_Event_TestSome(events, N, 0), GASNET_OK);
  look(pe, 3);
  begin(pe, 4);
  for (size_t i = 0; i < N; i += 3) {
    gasnet_wait_syncnb(events[i]);
    events[i] = GEX_EVENT_INVALID;
  }
  while (gasnet_try_syncnb_all(events, N) != GASNET_OK) continue;
  CHECK_EQ(valid(N), 0);
  begin(pe, 6);
  gasnet_wait_syncnb_all(events, N);
  CHECK_EQ(gex_Event_TestAll(events, N, 0), GASNET_OK);
  look(pe, 6);
}

// Large puts with a leaf for the source. `turn` 0: leaves first, 1: roots first; all at once or
// some.
static void leaves(unsigned pe, int turn) {
  enum { M = 8, LARGE = 100000 };
  fill(source, M * LARGE, me, pe, 7);
  for (size_t i = 0; i < M; i++) {
    gex_Event_t leaf = GEX_EVENT_NO_OP;
    gex_Event_t root =
        gex_RMA_PutNB(tm, pe, there(pe) + i * LARGE, source + i * LARGE, LARGE, &leaf, 0);
    CHECK(leaf != GEX_EVENT_NO_OP && root != GEX_EVENT_NO_OP);
    if (root != GEX_EVENT_INVALID && leaf != GEX_EVENT_INVALID)
      CHECK(gex_Event_QueryLeaf(root, GEX_EC_LC) == leaf);
    events[turn ? i : M + i] = root;
    events[turn ? M + i : i] = leaf;
  }
  if (turn)
    while (valid(2 * M)) gex_Event_WaitSome(events, 2 * M, 0);
  else
    gex_Event_WaitAll(events, 2 * M, 0);
  gasnet_get(back, pe, there(pe), M * LARGE);
  CHECK(is_filled(back, M * LARGE, me, pe, 7));
}

int main(int argc, char **argv) {
  start(argc, argv);
  for (unsigned pe = 0; pe < npes; pe++) {
    in_orders(pe);
    in_arrays(pe);
    for (int turn = 0; turn < 4; turn++) leaves(pe, turn & 1);
  }
  CHECK(gex_Event_QueryLeaf(GEX_EVENT_INVALID, GEX_EC_LC) == GEX_EVENT_INVALID);
  finish();
}
