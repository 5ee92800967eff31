/*
 * weft/gasnet1_rma.h: GASNet-1: rma. Include <gasnet.h> instead.
 */
#ifndef WEFT_GASNET1_RMA_H
#define WEFT_GASNET1_RMA_H

#include <weft/gex_types.h>

#endif
