/*
 * shmemx.h: Weft's extensions to OpenSHMEM, named shmemx_; see shmemx(3). Each has a twin named
 * pshmemx_ that does the work.
 */
#ifndef WEFT_SHMEMX_H
#define WEFT_SHMEMX_H

#include <shmem.h>
#include <weft/shmemx_coll.h>

#endif
