/* upc_relaxed.h: UPC 1.3, 7.1: every inclusion makes relaxed the default from here on. */
#include <upc.h>
#pragma upc relaxed
