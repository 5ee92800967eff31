/* mpp/pshmem.h: the old place of pshmem.h. */
#include <pshmem.h>
