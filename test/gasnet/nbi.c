// Implicit events: puts and gets are synchronised apart or together, tested or waited for; an
// access region's are its event's and nobody else's; local completion; memset.
#define GASNET_SEQ
#define ROOM (1 << 20)
#include <gasnet.h>

#include "gasnet/rma_frame.h"

enum { N = 200, LARGE = 70000, ASIDE = 4096 };
static unsigned char source[ROOM], back[ROOM];

static void look(unsigned pe, size_t n, unsigned salt) {
  memset(back, 0, n);
  gasnet_get(back, pe, there(pe), n);
  CHECK(is_filled(back, n, me, pe, salt));
}

static void many(unsigned pe, size_t bytes, gex_Event_t *lc_opt, unsigned salt) {
  fill(source, N * bytes, me, pe, salt);
  for (size_t i = 0; i < N; i++)
    CHECK_EQ(gex_RMA_PutNBI(tm, pe, there(pe) + i * bytes, source + i * bytes, bytes, lc_opt, 0),
             0);
}

static void apart(unsigned pe) {
  many(pe, 24, GEX_EVENT_NOW, 1);
  gasnet_wait_syncnbi_puts();
  look(pe, N * 24, 1);
  memset(back, 0, sizeof back);
  for (size_t i = 0; i < N; i++) gasnet_get_nbi(back + i * 24, pe, there(pe) + i * 24, 24);
  while (gasnet_try_syncnbi_gets() != GASNET_OK) continue;
  CHECK(is_filled(back, N * 24, me, pe, 1));
  many(pe, 1000, GEX_EVENT_DEFER, 2);
  while (gasnet_try_syncnbi_puts() != GASNET_OK) sched_yield();
  look(pe, N * 1000, 2);
  many(pe, 999, GEX_EVENT_GROUP, 3);
  gex_NBI_Wait(GEX_EC_LC, 0);
  memset(source, 0, N * 999);
  while (gasnet_try_syncnbi_all() != GASNET_OK) sched_yield();
  look(pe, N * 999, 3);
  CHECK_EQ(gex_NBI_Test(GEX_EC_ALL, 0), GASNET_OK);
}

static void regions(unsigned pe) {
  gex_Event_t regions[3];
  many(pe, 16, GEX_EVENT_NOW, 4); // not of the first region
  for (unsigned r = 0; r < 3; r++) {
    unsigned char *part = source + ASIDE + r * 3 * LARGE, *dest = there(pe) + ASIDE + r * 3 * LARGE;
    fill(part, 3 * LARGE, me, pe, 5 + r);
    gasnet_begin_nbi_accessregion();
    gasnet_put_nbi(pe, dest, part, 100);
    gasnet_put_nbi_bulk(pe, dest + 100, part + 100, LARGE);
    gasnet_put_nbi_val(pe, dest + 100 + LARGE, part[100 + LARGE], 1);
    gex_RMA_PutNBI(tm, pe, dest + 101 + LARGE, part + 101 + LARGE, 2 * LARGE - 101, GEX_EVENT_GROUP,
                   0);
    gasnet_get_nbi(back + ROOM - 8, pe, dest, 8);
    regions[r] = gasnet_end_nbi_accessregion();
    if (r == 1) {
      gasnet_wait_syncnbi_all();
      look(pe, N * 16, 4);
    }
  }
  gex_Event_t lc = gex_Event_QueryLeaf(regions[2], GEX_EC_LC);
  gex_Event_Wait(lc);
  gasnet_wait_syncnb(regions[1]);
  regions[1] = GASNET_INVALID_HANDLE;
  gex_Event_WaitAll(regions, 3, 0);
  for (unsigned r = 0; r < 3; r++) {
    gasnet_get(back, pe, there(pe) + ASIDE + r * 3 * LARGE, 3 * LARGE);
    CHECK(is_filled(back, 3 * LARGE, me, pe, 5 + r));
  }
  gasnet_begin_nbi_accessregion();
  CHECK(gasnet_end_nbi_accessregion() == GASNET_INVALID_HANDLE); // nothing in it
}

static void memsets(unsigned pe) {
  static const size_t sizes[] = {0, 1, 7, 8, 63, 64, 65, 4096, 65536, 65537, 200001};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    const size_t n = sizes[i], three = 3 * n + 1;
    gasnet_memset(pe, there(pe), 1, three);
    gasnet_handle_t h = gasnet_memset_nb(pe, there(pe), 2, n);
    gasnet_memset_nbi(pe, there(pe) + n, -3, n);
    gasnet_wait_syncnbi_puts();
    gasnet_wait_syncnb(h);
    gasnet_get(back, pe, there(pe), three);
    for (size_t k = 0; k < three; k++)
      CHECK_EQ(back[k], k < n ? 2 : k < 2 * n ? (unsigned char)-3 : 1);
  }
}

int main(int argc, char **argv) {
  start(argc, argv);
  for (unsigned pe = 0; pe < npes; pe++) {
    apart(pe);
    regions(pe);
    memsets(pe);
  }
  finish();
}
