/*
 * weft/gasnet1_am.h: GASNet-1: am. Include <gasnet.h> instead.
 */
#ifndef WEFT_GASNET1_AM_H
#define WEFT_GASNET1_AM_H

#include <weft/gex_types.h>

#endif
