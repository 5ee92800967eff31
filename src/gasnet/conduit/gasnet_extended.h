/*
 * gasnet_extended.h: remote memory access are in gasnetex.h with all the rest. Installed
 * once per conduit, where build scripts look for it.
 */
#ifndef WEFT_GASNET_EXTENDED_H
#define WEFT_GASNET_EXTENDED_H

#include <gasnetex.h>

#endif
