/*
 * gasnet_vis.h: non-contiguous transfers.
 */
#ifndef WEFT_GASNET_VIS_H
#define WEFT_GASNET_VIS_H

#include <gasnetex.h>
#include <weft/gex_vis.h>

#endif
