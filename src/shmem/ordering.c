/* ordering.c: OpenSHMEM 1.6 section 9.12: fence and quiet, on contexts and on lists of PEs. */
#include "shmem/internal.h"

void weft_shmem_ctx_quiet(shmem_ctx_t ctx) {
  if (ctx == SHMEM_CTX_INVALID) return;
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  if (ctx->on)
    weft_direct.quiet_on(ctx->on);
  else
    weft_direct.quiet();
}

void weft_shmem_ctx_fence(shmem_ctx_t ctx) {
  if (ctx == SHMEM_CTX_INVALID) return;
  __atomic_thread_fence(__ATOMIC_ACQ_REL);
  if (ctx->on)
    weft_direct.fence_on(ctx->on);
  else
    weft_direct.fence();
}

/* Waiting for everybody includes those that were asked for. */
void weft_shmem_pe_quiet(shmem_ctx_t ctx, const int *pes, size_t npes, const char *who) {
  if (ctx == SHMEM_CTX_INVALID) return;
  if (weft_unlikely(weft_options.check)) {
    const int size = ctx == SHMEM_CTX_DEFAULT
                         ? weft_shmem_team_world.coll->set.size
                         : ((struct weft_shmem_context *)ctx)->team->coll->set.size;
    for (size_t i = 0; i < npes; i++)
      if (pes[i] < 0 || pes[i] >= size)
        weft_fatal("%s: PE %d is out of range 0 to %d", who, pes[i], size - 1);
  }
  if (npes > 0) weft_shmem_ctx_quiet(ctx);
}

WEFT_SHMEM_ORDER_HOT(WEFT_EMIT)
WEFT_SHMEM_ORDER(WEFT_EMIT)
