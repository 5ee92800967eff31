/*
 * gasnet_core.h: active messages and job control are in gasnetex.h with all the rest. Installed
 * once per conduit, where build scripts look for it.
 */
#ifndef WEFT_GASNET_CORE_H
#define WEFT_GASNET_CORE_H

#include <gasnetex.h>

#endif
