/*
 * What a session does: small puts and larger ones up to 4 KB are gathered, with WEFT_COALESCE=0
 * too, on the context that has it and on no other; and they leave when it stops. Looks at the
 * channels below the interface. On one node there is nothing to gather.
 */
#include <shmem.h>

#include "am/am.h"
#include "check.h"

enum { LONGS = 4096 / sizeof(long) };
static long words[64], block[LONGS];

/* Is it on its way or in a staging area, not yet applied? The helper may have sent it, and taken
 * the acknowledgement, before the look: so there are several. */
static int gathers(shmem_ctx_t ctx, int to) {
  enum { LOOKS = 50 };
  weft_channel_t *c = weft_channel_of(ctx->on);
  bool busy = false;
  for (int k = 0; k < LOOKS && !busy; k++) {
    shmem_ctx_quiet(ctx);
    CHECK(!weft_stage_busy(c));
    shmem_ctx_long_put(ctx, block, block, LONGS, to);
    shmem_ctx_long_p(ctx, &words[1], 1, to);
    busy = weft_stage_busy(c);
  }
  shmem_ctx_quiet(ctx);
  return busy;
}

int main(void) {
  shmem_init();
  const int me = shmem_my_pe(), n = shmem_n_pes(), to = (me + 1) % n;
  const int away = !shmem_ptr(words, to), coalesce = weft_options.coalesce;
  const shmem_ctx_session_config_t many = {.total_ops = 1000}, one = {.total_ops = 1};
  shmem_ctx_t list[2] = {SHMEM_CTX_DEFAULT}, other;
  CHECK_EQ(shmem_ctx_create(SHMEM_CTX_PRIVATE, &list[1]), 0);
  CHECK_EQ(shmem_ctx_create(SHMEM_CTX_PRIVATE, &other), 0);
  for (int i = 0; i < 2; i++) {
    weft_channel_t *c = weft_channel_of(list[i]->on);
    const size_t small_max = c->small_max;
    CHECK_EQ(gathers(list[i], to), away && coalesce);
    shmem_ctx_session_start(list[i], SHMEM_CTX_SESSION_BATCH, &one, SHMEM_CTX_SESSION_TOTAL_OPS);
    CHECK_EQ(c->small_max, small_max);
    shmem_ctx_session_start(list[i], SHMEM_CTX_SESSION_BATCH, &many, SHMEM_CTX_SESSION_TOTAL_OPS);
    shmem_ctx_session_start(list[i], SHMEM_CTX_SESSION_BATCH, NULL, 0);
    if (away) CHECK_EQ(c->small_max, weft_stage_put_max());
    CHECK_EQ(gathers(list[i], to), away);
    CHECK_EQ(gathers(other, to), away && coalesce);
    for (int k = 2; k < 64; k++) shmem_ctx_long_p(list[i], &words[k], k, to);
    shmem_ctx_session_stop(list[i]);
    CHECK(!weft_stage_staged(c)); /* sent; it arrives without any further call */
    CHECK_WITHIN(20, __atomic_load_n(&words[63], __ATOMIC_ACQUIRE) == 63);
    shmem_ctx_session_stop(list[i]);
    CHECK_EQ(c->small_max, small_max);
    CHECK(small_max == 0 || (away && coalesce && small_max <= weft_options.coalesce_max));
    CHECK_EQ(gathers(list[i], to), away && coalesce);
    shmem_barrier_all();
    words[63] = 0;
    shmem_barrier_all();
  }
  shmem_ctx_session_start(SHMEM_CTX_DEFAULT, SHMEM_CTX_SESSION_BATCH, NULL, 0);
  shmem_finalize(); /* which ends it */
  return 0;
}
