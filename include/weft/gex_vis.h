/*
 * weft/gex_vis.h: non-contiguous transfers of GASNet-EX. Include <gasnet_vis.h> instead.
 */
#ifndef WEFT_GEX_VIS_H
#define WEFT_GEX_VIS_H

#include <weft/gex_types.h>

#endif
