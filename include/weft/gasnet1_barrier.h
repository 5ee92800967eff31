/*
 * weft/gasnet1_barrier.h: GASNet-1: barrier. Include <gasnet.h> instead.
 */
#ifndef WEFT_GASNET1_BARRIER_H
#define WEFT_GASNET1_BARRIER_H

#include <weft/gex_types.h>

#endif
