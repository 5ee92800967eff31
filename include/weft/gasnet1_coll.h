/*
 * weft/gasnet1_coll.h: GASNet-1: coll. Include <gasnet.h> instead.
 */
#ifndef WEFT_GASNET1_COLL_H
#define WEFT_GASNET1_COLL_H

#include <weft/gex_types.h>

#endif
