/*
 * weft/gex_barrier.h: the barrier of teams, the one collective that gasnetex.h has itself.
 */
#ifndef WEFT_GEX_BARRIER_H
#define WEFT_GEX_BARRIER_H

#include <weft/gex_types.h>

#endif
