// Values of 1 to 8 bytes, put and got in every form, of constant and of variable size: only their
// own bytes change, a value that is got has no more than them.
#define GASNET_SEQ
#define ROOM 64
#include <gasnet.h>

#include "gasnet/rma_frame.h"

static const uint64_t bits = 0x8182838485868788ull;

static uint64_t low(uint64_t value, size_t n) {
  return n == 8 ? value : value & (((uint64_t)1 << 8 * n) - 1);
}

static void put(int form, unsigned pe, void *dest, uint64_t value, size_t n) {
  switch (form) {
  case 0: CHECK_EQ(gex_RMA_PutBlockingVal(tm, pe, dest, value, n, 0), 0); break;
  case 1: gex_Event_Wait(gex_RMA_PutNBVal(tm, pe, dest, value, n, 0)); break;
  case 2:
    CHECK_EQ(gex_RMA_PutNBIVal(tm, pe, dest, value, n, 0), 0);
    gex_NBI_Wait(GEX_EC_PUT, 0);
    break;
  case 3: gasnet_put_val(pe, dest, value, n); break;
  case 4: gasnet_wait_syncnb(gasnet_put_nb_val(pe, dest, value, n)); break;
  default: gasnet_put_nbi_val(pe, dest, value, n); gasnet_wait_syncnbi_all();
  }
}

static uint64_t get(int form, unsigned pe, void *src, size_t n) {
  switch (form) {
  case 0: return gex_RMA_GetBlockingVal(tm, pe, src, n, 0);
  case 1: return gasnet_get_val(pe, src, n);
  default: return gasnet_wait_syncnb_valget(gasnet_get_nb_val(pe, src, n));
  }
}

#define CONSTANT(N)                                                                                \
  CHECK_EQ(gex_RMA_PutBlockingVal(tm, pe, at, bits + N, N, 0), 0);                                 \
  CHECK_EQ(gex_RMA_GetBlockingVal(tm, pe, at, N, 0), low(bits + N, N));                            \
  gasnet_put_nbi_val(pe, at, bits - N, N);                                                         \
  gasnet_wait_syncnbi_puts();                                                                      \
  CHECK_EQ(gasnet_get_val(pe, at, N), low(bits - N, N));

int main(int argc, char **argv) {
  start(argc, argv);
  for (unsigned pe = 0; pe < npes; pe++) {
    unsigned char *at = there(pe) + 8;
    for (size_t n = 1; n <= 8; n++)
      for (size_t align = 0; align < 8; align += n == 8 || n == 1 ? 1 : n)
        for (int form = 0; form < 6; form++) {
          unsigned char want[24], got[24];
          const uint64_t value = bits + n + align + (unsigned)form;
          memset(want, 0x5A, sizeof want);
          gasnet_memset(pe, there(pe) + 8, 0x5A, sizeof want);
          memcpy(want + align, &value, n);
          put(form, pe, at + align, value, n);
          gasnet_get(got, pe, there(pe) + 8, sizeof got);
          CHECK(memcmp(got, want, sizeof got) == 0);
          for (int g = 0; g < 3; g++) CHECK_EQ(get(g, pe, at + align, n), low(value, n));
        }
    CONSTANT(1) CONSTANT(2) CONSTANT(3) CONSTANT(4) CONSTANT(5) CONSTANT(6) CONSTANT(7) CONSTANT(8)
  }
  finish();
}
