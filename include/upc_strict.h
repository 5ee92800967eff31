/* upc_strict.h: UPC 1.3, 7.1: every inclusion makes strict the default from here on. */
#include <upc.h>
#pragma upc strict
