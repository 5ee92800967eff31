/*
 * shmemx.h: extensions to OpenSHMEM, named shmemx_. There are none yet.
 */
#ifndef WEFT_SHMEMX_H
#define WEFT_SHMEMX_H

#include <shmem.h>

#endif
