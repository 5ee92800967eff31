/*
 * gasnet_coll.h: collectives.
 */
#ifndef WEFT_GASNET_COLL_H
#define WEFT_GASNET_COLL_H

#include <gasnetex.h>
#include <weft/gasnet1_coll.h>
#include <weft/gex_coll.h>

#endif
