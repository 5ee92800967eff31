/*
 * weft/gex_rma.h: puts, gets, values and NBI of GASNet-EX. Include <gasnetex.h> instead.
 */
#ifndef WEFT_GEX_RMA_H
#define WEFT_GEX_RMA_H

#include <weft/gex_types.h>

#endif
