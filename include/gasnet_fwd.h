/*
 * gasnet_fwd.h: the simple types and constants of GASNet-EX, safe to include alone.
 */
#ifndef WEFT_GASNET_FWD_H
#define WEFT_GASNET_FWD_H

#include <weft/gex_fwd.h>

#endif
