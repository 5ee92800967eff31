// Puts and gets of every form: all sizes up to 70 and some large ones, at many alignments, to every
// PE including oneself. Each is written, read back by the same PE, and looked at by the target;
// bytes beside are not touched. The source is reused at once where the form allows it.
#define GASNET_SEQ
#define ROOM 300000
#include <gasnet.h>

#include "gasnet/rma_frame.h"

enum { EDGE = 16, FORMS = 10 };
static _Alignas(4096) unsigned char source[ROOM];
static unsigned char back[ROOM];

static void put(int form, unsigned pe, void *dest, void *src, size_t n) {
  gex_Event_t lc = GEX_EVENT_NO_OP, e = GEX_EVENT_INVALID;
  switch (form) {
  case 0: CHECK_EQ(gex_RMA_PutBlocking(tm, pe, dest, src, n, 0), 0); break;
  case 1: gasnet_put(pe, dest, src, n); break;
  case 2: gasnet_put_bulk(pe, dest, src, n); break;
  case 3: e = gex_RMA_PutNB(tm, pe, dest, src, n, GEX_EVENT_NOW, 0); break;
  case 4: e = gasnet_put_nb(pe, dest, src, n); break;
  case 5: CHECK_EQ(gex_RMA_PutNBI(tm, pe, dest, src, n, GEX_EVENT_NOW, 0), 0); break;
  case 6: gasnet_put_nbi(pe, dest, src, n); break;
  case 7:
    e = gex_RMA_PutNB(tm, pe, dest, src, n, &lc, 0);
    CHECK(lc != GEX_EVENT_NO_OP);
    gex_Event_Wait(lc);
    break;
  case 8:
    CHECK_EQ(gex_RMA_PutNBI(tm, pe, dest, src, n, GEX_EVENT_GROUP, 0), 0);
    gex_NBI_Wait(GEX_EC_LC, 0);
    break;
  default: e = gasnet_put_nb_bulk(pe, dest, src, n); gasnet_wait_syncnb(e);
  }
  memset(src, 0xEE, n); // the source is free
  if (form == 3 || form == 7) gex_Event_Wait(e);
  if (form == 4) gasnet_wait_syncnb(e);
  if (form == 5 || form == 8) gex_NBI_Wait(GEX_EC_PUT, 0);
  if (form == 6) gasnet_wait_syncnbi_puts();
}

static void get(int form, void *dest, unsigned pe, void *src, size_t n) {
  switch (form) {
  case 0: CHECK_EQ(gex_RMA_GetBlocking(tm, dest, pe, src, n, 0), 0); break;
  case 1: gasnet_get(dest, pe, src, n); break;
  case 2: gasnet_get_bulk(dest, pe, src, n); break;
  case 3: gex_Event_Wait(gex_RMA_GetNB(tm, dest, pe, src, n, 0)); break;
  case 4: gasnet_wait_syncnb(gasnet_get_nb(dest, pe, src, n)); break;
  case 5: gasnet_wait_syncnb(gasnet_get_nb_bulk(dest, pe, src, n)); break;
  case 6:
    CHECK_EQ(gex_RMA_GetNBI(tm, dest, pe, src, n, 0), 0);
    gex_NBI_Wait(GEX_EC_GET, 0);
    break;
  case 7:
    gasnet_get_nbi(dest, pe, src, n);
    gasnet_wait_syncnbi_gets();
    break;
  default: gasnet_get_nbi_bulk(dest, pe, src, n); gasnet_wait_syncnbi_all();
  }
}

static void one(size_t n, size_t to, size_t from, int form) {
  const unsigned salt = (unsigned)n + (unsigned)form;
  for (unsigned pe = 0; pe < npes; pe++) {
    unsigned char *dest = there(pe) + EDGE + to;
    gasnet_memset(pe, there(pe), 0x55, n + 2 * EDGE + to);
    fill(source + from, n, me, pe, salt);
    put(form, pe, dest, source + from, n);
    memset(back, 0x77, n + 2 * EDGE + from);
    get(form, back + from, pe, dest - EDGE, n + 2 * EDGE);
    CHECK(is_filled(back + from + EDGE, n, me, pe, salt));
    for (int i = 0; i < EDGE; i++) {
      CHECK_EQ(back[from + (size_t)i], 0x55);
      CHECK_EQ(back[from + EDGE + n + (size_t)i], i < EDGE ? 0x55 : 0);
    }
  }
  everybody(); // each looks at what the others wrote to it
  for (unsigned pe = 0; pe < npes; pe++) CHECK(is_filled(here(pe) + EDGE + to, n, pe, me, salt));
  everybody();
}

int main(int argc, char **argv) {
  static const size_t large[] = {127,  128,  129,  255,  256,   257,
                                 1000, 4096, 4097, 8192, 65535, 262144};
  start(argc, argv);
  for (size_t n = 0; n <= 70; n++) one(n, n % 8, n * 3 % 8, (int)(n % FORMS));
  for (int form = 0; form < FORMS; form++) {
    one(8, 0, 0, form);
    one(8, 3, 5, form);
  }
  for (size_t i = 0; i < sizeof large / sizeof *large; i++)
    for (int form = (int)i % 3; form < FORMS; form += 3) one(large[i], i % 5, i % 7, form);
  // From byte 16 of a page, where memory of malloc's begins: a write that may leave in two.
  for (int form = 0; form < FORMS; form++) one(262144, 0, 16, form);
  finish();
}
