/*
 * The public functions that the headers inline, once more as symbols of the library: for code that
 * takes their address, for other languages, and for compilers that do not inline.
 */
#define WEFT_GEX_INLINE __attribute__((visibility("default")))
#include "gasnet/ex/internal.h"

#include "gasnet_coll.h"
#include "gasnet_mk.h"
#include "gasnet_ratomic.h"
#include "gasnet_vis.h"
