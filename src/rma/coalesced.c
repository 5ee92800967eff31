/*
 * Small puts to other nodes go through the staging areas (am), larger ones straight to libfabric.
 * Everything else is as in the plain table; see rma.c, which merges the two.
 */
#include "rma/rma_internal.h"

#define SCALAR(N, T)                                                                               \
  static void p##N##_staged(const void *dest, T value, long pe, const uintptr_t *disp,             \
                            uintptr_t off) {                                                       \
    (void)dest, (void)disp;                                                                        \
    weft_am_put_word((int)pe, off, value, N);                                                      \
  }
SCALAR(1, uint8_t)
SCALAR(2, uint16_t)
SCALAR(4, uint32_t)
SCALAR(8, uint64_t)

static bool is_small(size_t n) {
  return n <= weft_options.coalesce_max && n <= WEFT_AM_PUT_MAX;
}

static void put(uintptr_t off, const void *source, size_t n, long pe, const char *who) {
  if (is_small(n))
    weft_am_put((int)pe, off, source, n);
  else
    weft_plain_put(off, source, n, pe, who);
}

static void put_nbi(uintptr_t off, const void *source, size_t n, long pe, const char *who) {
  if (is_small(n))
    weft_am_put((int)pe, off, source, n);
  else
    weft_plain_put_nbi(off, source, n, pe, who);
}

const struct weft_direct weft_coalesced = {.p1 = p1_staged,
                                           .p2 = p2_staged,
                                           .p4 = p4_staged,
                                           .p8 = p8_staged,
                                           .put = put,
                                           .put_nbi = put_nbi};
