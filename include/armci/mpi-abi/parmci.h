/*
 * parmci.h: the profiling interface; included by armci.h. Every ARMCI_x is a weak symbol for
 * PARMCI_x, which does the same.
 */
#ifndef WEFT_ARMCI_MPI_PARMCI_H
#define WEFT_ARMCI_MPI_PARMCI_H

#include "armci.h"

#include "../parmci_calls.h"

int PARMCI_Finalize(void);
int PARMCI_Init_thread(int level);
int PARMCI_Init_thread_comm(int level, MPI_Comm comm);
void PARMCI_Access_begin(void *pointer);
void PARMCI_Access_end(void *pointer);
int PARMCI_NbAcc(int op, void *scale, void *src, void *dst, int bytes, int proc,
                 armci_hdl_t *handle);
int PARMCI_Malloc_group_memdev(void *pointers[], armci_size_t bytes, ARMCI_Group *group,
                               const char *device);

#endif
