/*
 * weft/gasnet1_vis.h: GASNet-1: vis. Include <gasnet.h> instead.
 */
#ifndef WEFT_GASNET1_VIS_H
#define WEFT_GASNET1_VIS_H

#include <weft/gex_types.h>

#endif
