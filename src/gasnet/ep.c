/* ep.c: endpoints, and where a rank is. */
#include "gasnet/internal.h"

static WEFT_COLD void no_rank(gex_TM_t tm, gex_Rank_t rank, gex_Rank_t size) {
  weft_fatal("GASNet: rank %u does not exist: team %p has %u members", rank, (void *)tm, size);
}

long weft_gex_pe(gex_TM_t tm, gex_Rank_t rank) {
  const bool pair = WEFT_GEX_IS_PAIR(tm);
  if (weft_unlikely(weft_options.check)) {
    gex_Rank_t size = pair ? (gex_Rank_t)weft_job.npes : tm->size;
    if (rank >= size) no_rank(tm, rank, size);
  }
  return pair || !tm->pes ? rank : tm->pes[rank];
}
