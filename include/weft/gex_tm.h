/*
 * weft/gex_tm.h: teams of GASNet-EX. Include <gasnetex.h> instead.
 */
#ifndef WEFT_GEX_TM_H
#define WEFT_GEX_TM_H

#include <weft/gex_types.h>

#endif
