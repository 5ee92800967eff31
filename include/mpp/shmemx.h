/* mpp/shmemx.h: the old place of shmemx.h. */
#include <shmemx.h>
