/*
 * weft/gex_am.h: active messages of GASNet-EX. Include <gasnetex.h> instead.
 */
#ifndef WEFT_GEX_AM_H
#define WEFT_GEX_AM_H

#include <weft/gex_types.h>

#endif
