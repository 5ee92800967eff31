/*
 * weft/gex_ad.h: remote atomics of GASNet-EX. Include <gasnet_ratomic.h> instead.
 */
#ifndef WEFT_GEX_AD_H
#define WEFT_GEX_AD_H

#include <weft/gex_types.h>

#endif
