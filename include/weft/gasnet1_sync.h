/*
 * weft/gasnet1_sync.h: GASNet-1: sync. Include <gasnet.h> instead.
 */
#ifndef WEFT_GASNET1_SYNC_H
#define WEFT_GASNET1_SYNC_H

#include <weft/gex_types.h>

#endif
