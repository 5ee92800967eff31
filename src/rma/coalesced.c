/*
 * Small puts to other nodes go through the staging areas (port), larger ones straight to libfabric;
 * the channel says what is small. Everything else is as in the plain table; see rma.c, which merges
 * the two.
 */
#include "rma/rma_internal.h"

#define SCALAR(N, T)                                                                               \
  static void p##N##_staged(const void *dest, T value, long pe, const uintptr_t *disp,             \
                            uintptr_t off) {                                                       \
    (void)dest, (void)disp;                                                                        \
    weft_stage_put_word(&weft_channels[0], (int)pe, off, value, N);                                \
  }
SCALAR(1, uint8_t)
SCALAR(2, uint16_t)
SCALAR(4, uint32_t)
SCALAR(8, uint64_t)

static void put(uintptr_t off, const void *source, size_t n, long to, const char *who) {
  weft_channel_t *c = weft_channel_of(to);
  if (n <= weft_peek(&c->small_max) && n > 0)
    weft_stage_put(c, weft_direct_pe(to), off, source, n);
  else
    weft_plain_put(off, source, n, to, who);
}

static void put_nbi(uintptr_t off, const void *source, size_t n, long to, const char *who) {
  weft_channel_t *c = weft_channel_of(to);
  if (n <= weft_peek(&c->small_max) && n > 0)
    weft_stage_put(c, weft_direct_pe(to), off, source, n);
  else
    weft_plain_put_nbi(off, source, n, to, who);
}

/* Where a provider's read is two messages that it makes itself, a record and its answer are as
 * many; acknowledgements travel with them, and a word is never half. What it cannot inject takes
 * longer than a read, which is not copied. */
static void get(uintptr_t off, void *dest, size_t n, long to, const char *who) {
  enum { LONGEST = 64 };
  weft_channel_t *c = weft_channel_of(to);
  if (n > LONGEST || n - 1 >= weft_stage_get_max() || !weft_job.fabric.reads_by_message ||
      !weft_peek(&c->staging)) {
    weft_plain_get(off, dest, n, to, who);
    return;
  }
  weft_op_t done = {0};
  weft_stage_get(c, weft_direct_pe(to), off, dest, n, &done, true);
  weft_op_wait_on(c, &done);
}

/* A read of its own is two messages each, which the target answers one by one. */
static void get_nbi(uintptr_t off, void *dest, size_t n, long to, const char *who) {
  weft_channel_t *c = weft_channel_of(to);
  if (n <= weft_stage_get_max() && n > 0 && weft_peek(&c->staging))
    weft_stage_get(c, weft_direct_pe(to), off, dest, n, NULL, false);
  else
    weft_plain_get_nbi(off, dest, n, to, who);
}

/* A PE waits for a signal, so a blocking one leaves at once. Small data travel with it in
 * one packet. Large data are written first, and the signal follows on the same connection; it has
 * to wait for them only where the provider does not keep it behind them. */
static void put_signal(uintptr_t off, const void *source, size_t n, uintptr_t sig, enum weft_amo op,
                       uint64_t signal, int nbi, long to, const char *who) {
  weft_channel_t *c = weft_channel_of(to);
  const int pe = weft_direct_pe(to);
  if (n <= weft_peek(&c->small_max)) {
    weft_stage_put_signal(c, pe, off, source, n, sig, op, signal, nbi ? 0 : WEFT_SEND_LAZY);
    return;
  }
  if (nbi)
    weft_plain_put_nbi(off, source, n, to, who);
  else
    weft_plain_put(off, source, n, to, who);
  if (!weft_job.fabric.ordered_writes) weft_rma_quiet_on(to);
  weft_stage_post_now(c, pe, sig, op, sizeof signal, signal);
}

const struct weft_direct weft_coalesced = {.p1 = p1_staged,
                                           .p2 = p2_staged,
                                           .p4 = p4_staged,
                                           .p8 = p8_staged,
                                           .put = put,
                                           .put_nbi = put_nbi,
                                           .get = get,
                                           .get_nbi = get_nbi,
                                           .put_signal = put_signal};
