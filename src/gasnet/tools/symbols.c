/*
 * symbols.c: the tools that gasnet_tools.h inlines, as symbols too. The ones that depend on
 * the threading mode are those for several threads.
 */
#define WEFT_GASNETT_INLINE __attribute__((visibility("default")))
#include "gasnet/tools/tools.h"
