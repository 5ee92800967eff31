/*
 * weft/gex_mk.h: memory kinds of GASNet-EX. Include <gasnet_mk.h> instead.
 */
#ifndef WEFT_GEX_MK_H
#define WEFT_GEX_MK_H

#include <weft/gex_types.h>

#endif
