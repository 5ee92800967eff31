/*
 * weft/gasnet1_value.h: GASNet-1: value. Include <gasnet.h> instead.
 */
#ifndef WEFT_GASNET1_VALUE_H
#define WEFT_GASNET1_VALUE_H

#include <weft/gex_types.h>

#endif
