/*
 * weft/gasnet1_barrier.h: GASNet-1: the split-phase barrier of all PEs. Include <gasnet.h> instead.
 */
#ifndef WEFT_GASNET1_BARRIER_H
#define WEFT_GASNET1_BARRIER_H

#include <weft/gex_barrier.h>
#include <weft/gex_types.h>

WEFT_GEX_BEGIN
#ifdef __cplusplus
extern "C" {
#endif

void gasnet_barrier_notify(int id, int flags);
int gasnet_barrier_wait(int id, int flags);
int gasnet_barrier_try(int id, int flags);
int gasnet_barrier(int id, int flags);
/* Of the last barrier: 0 and its name, or 1 if it was anonymous. */
int gasnet_barrier_result(int *id);

#ifdef __cplusplus
}
#endif
WEFT_GEX_END

#endif
