/*
 * pshmem.h: the profiling interface of OpenSHMEM 1.6 (section 10): every shmem_x has a twin
 * pshmem_x that does the work. shmem_x is a weak symbol. Include this file first in a tool that
 * defines shmem_x itself; it turns inlining off. Programs to be watched by such a tool are compiled
 * with -DWEFT_NO_INLINE. C11 generic macros call the shmem_ functions.
 */
#ifndef WEFT_PSHMEM_H
#define WEFT_PSHMEM_H

#if !defined(WEFT_SHMEM_H) && !defined(WEFT_NO_INLINE)
#define WEFT_NO_INLINE
#endif
#include <shmem.h>

#pragma GCC visibility push(default)
#ifdef __cplusplus
extern "C" {
#endif
WEFT_SHMEM_SETUP(WEFT_PROFILING_PROTOTYPE)
WEFT_SHMEM_MEMORY(WEFT_PROFILING_PROTOTYPE)
WEFT_SHMEM_TEAM(WEFT_PROFILING_PROTOTYPE)
WEFT_SHMEM_CTX(WEFT_PROFILING_PROTOTYPE)
WEFT_SHMEM_RMA_HOT(WEFT_PROFILING_PROTOTYPE)
WEFT_SHMEM_RMA_STRIDED(WEFT_PROFILING_PROTOTYPE)
WEFT_SHMEM_AMO_HOT(WEFT_PROFILING_PROTOTYPE)
WEFT_SHMEM_ORDER_HOT(WEFT_PROFILING_PROTOTYPE)
WEFT_SHMEM_SYNC(WEFT_PROFILING_PROTOTYPE)
WEFT_SHMEM_COLL(WEFT_PROFILING_PROTOTYPE)
WEFT_SHMEM_OLD(WEFT_PROFILING_PROTOTYPE)

void pstart_pes(int npes);
int p_my_pe(void);
int p_num_pes(void);
void *pshmalloc(size_t size);
void pshfree(void *ptr);
void *pshrealloc(void *ptr, size_t size);
void *pshmemalign(size_t alignment, size_t size);
#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop

#endif
