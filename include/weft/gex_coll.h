/*
 * weft/gex_coll.h: collectives of GASNet-EX. Include <gasnet_coll.h> instead.
 */
#ifndef WEFT_GEX_COLL_H
#define WEFT_GEX_COLL_H

#include <weft/gex_types.h>

#endif
