/*
 * gasnet_mk.h: memory kinds.
 */
#ifndef WEFT_GASNET_MK_H
#define WEFT_GASNET_MK_H

#include <gasnetex.h>
#include <weft/gex_mk.h>

#endif
