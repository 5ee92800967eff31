/*
 * gasnet_tools.h: the tools of GASNet.
 */
#ifndef WEFT_GASNET_TOOLS_H
#define WEFT_GASNET_TOOLS_H

#endif
