// A random mixture: hundreds of operations of all forms and sizes under way at a time to all PEs,
// over disjoint pieces of memory whose contents are known, synchronised now and then by chance.
#define GASNET_SEQ
#define ROOM (1 << 20)
#include <gasnet.h>

#include "gasnet/rma_frame.h"

enum { PIECE = 4096, PIECES = ROOM / PIECE, STEPS = 3000 };
static unsigned char source[ROOM], back[ROOM], copy[MAX_PES][ROOM]; // what is where, or will be
static gex_Event_t event_of[PIECES];
static int region, in_region[PIECES], implicit[PIECES];
static uint64_t state;

static unsigned chance(unsigned n) {
  state = state * 6364136223846793005ull + 1442695040888963407ull;
  return (unsigned)(state >> 33) % n;
}

static void settle(size_t p) { // piece p's operation is complete
  if (in_region[p] && region) gex_Event_Wait(gex_NBI_EndAccessRegion(0)), region = 0;
  if (implicit[p]) {
    if (region) gex_Event_Wait(gex_NBI_EndAccessRegion(0)), region = 0;
    gex_NBI_Wait(GEX_EC_ALL, 0);
    memset(implicit, 0, sizeof implicit);
  }
  if (!region) memset(in_region, 0, sizeof in_region);
  gex_Event_Wait(event_of[p]);
  event_of[p] = GEX_EVENT_INVALID;
}

static void step(void) {
  const size_t p = chance(PIECES), at = p * PIECE;
  const unsigned pe = chance(npes);
  static const size_t sizes[] = {1, 4, 8, 8, 8, 16, 60, 64, 65, 200, 1000, PIECE - 8};
  const size_t n = sizes[chance(12)], skew = chance(8);
  unsigned char *dest = there(pe) + at + skew, *src = source + at, *want = copy[pe] + at + skew;
  settle(p);
  for (size_t i = 0; i < n; i++) src[i] = (unsigned char)chance(256);
  const int put = chance(4) != 0, how = (int)chance(5);
  if (put) memcpy(want, src, n);
  gex_Event_t lc = GEX_EVENT_INVALID, *now = chance(2) ? GEX_EVENT_NOW : GEX_EVENT_DEFER;
  if (how == 0) {
    if (put)
      gex_RMA_PutBlocking(tm, pe, dest, src, n, 0);
    else
      gex_RMA_GetBlocking(tm, back + at, pe, dest, n, 0);
  } else if (how == 1) {
    event_of[p] = put ? gex_RMA_PutNB(tm, pe, dest, src, n, now, 0)
                      : gex_RMA_GetNB(tm, back + at, pe, dest, n, 0);
  } else if (how == 2 && put) {
    event_of[p] = gex_RMA_PutNB(tm, pe, dest, src, n, &lc, 0);
    gex_Event_Wait(lc);
    memset(src, 0, n);
  } else {
    if (put)
      gex_RMA_PutNBI(tm, pe, dest, src, n, how == 3 ? now : GEX_EVENT_GROUP, 0);
    else
      gex_RMA_GetNBI(tm, back + at, pe, dest, n, 0);
    (region ? in_region : implicit)[p] = 1;
  }
  if (!put) {
    settle(p);
    CHECK(memcmp(back + at, want, n) == 0);
  }
  if (!region && chance(20) == 0) gex_NBI_BeginAccessRegion(0), region = 1;
}

int main(int argc, char **argv) {
  start(argc, argv);
  state = me + 1;
  for (int i = 0; i < STEPS; i++) step();
  for (size_t p = 0; p < PIECES; p++) settle(p);
  if (region) CHECK(gex_NBI_EndAccessRegion(0) == GEX_EVENT_INVALID);
  gex_NBI_Wait(GEX_EC_ALL, 0);
  for (unsigned pe = 0; pe < npes; pe++) {
    gasnet_get_bulk(back, pe, there(pe), ROOM);
    CHECK(memcmp(back, copy[pe], ROOM) == 0);
  }
  finish();
}
