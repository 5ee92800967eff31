/*
 * gasnet_config.h: what this installation of GASNet is.
 */
#ifndef WEFT_GASNET_CONFIG_H
#define WEFT_GASNET_CONFIG_H

#define GASNET_MAXEPS 33

#endif
