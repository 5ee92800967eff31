/*
 * weft/gex_barrier.h: the barrier of teams, the one collective that gasnetex.h has itself, and the
 * flags of GASNet-1's barrier, which it has too.
 */
#ifndef WEFT_GEX_BARRIER_H
#define WEFT_GEX_BARRIER_H

#include <weft/gex_types.h>

#define GASNET_BARRIERFLAG_ANONYMOUS 1
#define GASNET_BARRIERFLAG_MISMATCH 2
/* Anonymous on all PEs. */
#define GASNET_BARRIERFLAG_UNNAMED (GASNET_BARRIERFLAG_ANONYMOUS | 8)

WEFT_GEX_BEGIN
#ifdef __cplusplus
extern "C" {
#endif

gex_Event_t gex_Coll_BarrierNB(gex_TM_t tm, gex_Flags_t flags);
void gex_Coll_BarrierBlocking(gex_TM_t tm, gex_Flags_t flags);

#ifdef __cplusplus
}
#endif
WEFT_GEX_END

#endif
