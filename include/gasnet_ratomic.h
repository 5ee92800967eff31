/*
 * gasnet_ratomic.h: remote atomics.
 */
#ifndef WEFT_GASNET_RATOMIC_H
#define WEFT_GASNET_RATOMIC_H

#include <gasnetex.h>
#include <weft/gex_ad.h>

#endif
