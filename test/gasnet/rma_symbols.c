// Every inline function is a symbol of the library as well, and does the same.
#define GASNET_SEQ
#define ROOM 4096
#include <gasnet.h>

#include "gasnet/rma_frame.h"

// Called through a pointer that the compiler knows nothing of.
#define CALL(f)                                                                                    \
  (__extension__({                                                                                 \
    __typeof__(f) *volatile p = f;                                                                 \
    p;                                                                                             \
  }))

int main(int argc, char **argv) {
  start(argc, argv);
  for (unsigned pe = 0; pe < npes; pe++) {
    unsigned char *d = there(pe);
    gex_Event_t lc, e[2];
    uint64_t x[24], got = 0;
    for (uint64_t i = 0; i < 24; i++) x[i] = i * 0x0101010101010101 + pe;
#define AT(i) (d + 8 * (i))
    CHECK_EQ(CALL(gex_RMA_PutBlocking)(tm, pe, AT(0), &x[0], 8, 0), 0);
    e[0] = CALL(gex_RMA_PutNB)(tm, pe, AT(1), &x[1], 8, &lc, 0);
    CALL(gex_Event_Wait)(lc);
    while (CALL(gex_Event_Test)(e[0]) != GASNET_OK) gasnet_AMPoll();
    CHECK_EQ(CALL(gex_RMA_PutNBI)(tm, pe, AT(2), &x[2], 8, GEX_EVENT_NOW, 0), 0);
    CHECK_EQ(CALL(gex_RMA_PutBlockingVal)(tm, pe, AT(3), x[3], 8, 0), 0);
    CALL(gex_Event_Wait)(CALL(gex_RMA_PutNBVal)(tm, pe, AT(4), x[4], 8, 0));
    CHECK_EQ(CALL(gex_RMA_PutNBIVal)(tm, pe, AT(5), x[5], 8, 0), 0);
    CALL(gasnet_put)(pe, AT(6), &x[6], 8);
    CALL(gasnet_put_bulk)(pe, AT(7), &x[7], 8);
    CALL(gasnet_wait_syncnb)(CALL(gasnet_put_nb)(pe, AT(8), &x[8], 8));
    e[0] = CALL(gasnet_put_nb_bulk)(pe, AT(9), &x[9], 8);
    e[1] = CALL(gasnet_put_nb_val)(pe, AT(10), x[10], 8);
    CALL(gasnet_wait_syncnb_some)(e, 2);
    CALL(gasnet_wait_syncnb_all)(e, 2);
    CHECK_EQ(CALL(gasnet_try_syncnb_all_nopoll)(e, 2), GASNET_OK);
    CHECK_EQ(CALL(gasnet_try_syncnb_some_nopoll)(e, 2), GASNET_OK);
    CHECK_EQ(CALL(gasnet_try_syncnb_nopoll)(e[0]), GASNET_OK);
    CALL(gasnet_put_nbi)(pe, AT(11), &x[11], 8);
    CALL(gasnet_put_nbi_bulk)(pe, AT(12), &x[12], 8);
    CALL(gasnet_put_val)(pe, AT(13), x[13], 8);
    CALL(gasnet_put_nbi_val)(pe, AT(14), x[14], 8);
    CALL(gasnet_wait_syncnbi_puts)();
    CALL(gex_NBI_Wait)(GEX_EC_ALL, 0);
    CHECK_EQ(CALL(gex_NBI_Test)(GEX_EC_ALL, 0), GASNET_OK);
    CALL(gasnet_begin_nbi_accessregion)();
    for (uint64_t i = 15; i < 24; i++) CALL(gasnet_put_nbi_val)(pe, AT(i), x[i], 8);
    CALL(gasnet_wait_syncnb)(CALL(gasnet_end_nbi_accessregion)());
    for (uint64_t i = 0; i < 24; i++, got = 0) {
      switch (i % 8) {
      case 0: CALL(gasnet_get)(&got, pe, AT(i), 8); break;
      case 1: CALL(gasnet_get_bulk)(&got, pe, AT(i), 8); break;
      case 2: CALL(gasnet_wait_syncnb)(CALL(gasnet_get_nb)(&got, pe, AT(i), 8)); break;
      case 3: CALL(gasnet_wait_syncnb)(CALL(gasnet_get_nb_bulk)(&got, pe, AT(i), 8)); break;
      case 4: CALL(gasnet_get_nbi)(&got, pe, AT(i), 8); break;
      case 5: CALL(gasnet_get_nbi_bulk)(&got, pe, AT(i), 8); break;
      case 6: CHECK_EQ(CALL(gex_RMA_GetNBI)(tm, &got, pe, AT(i), 8, 0), 0); break;
      default: gex_Event_Wait(CALL(gex_RMA_GetNB)(tm, &got, pe, AT(i), 8, 0)); break;
      }
      CALL(gasnet_wait_syncnbi_gets)();
      CALL(gasnet_wait_syncnbi_all)();
      CHECK_EQ(got, x[i]);
      CHECK_EQ(CALL(gex_RMA_GetBlocking)(tm, &got, pe, AT(i), 8, 0), 0);
      CHECK_EQ(got, CALL(gex_RMA_GetBlockingVal)(tm, pe, AT(i), 8, 0));
      CHECK_EQ(got, CALL(gasnet_get_val)(pe, AT(i), 8));
    }
  }
  finish();
}
