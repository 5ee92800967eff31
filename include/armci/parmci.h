/*
 * parmci.h: the profiling interface. Every ARMCI_x is a weak symbol for PARMCI_x, which does the
 * same: a tool defines ARMCI_x and calls PARMCI_x.
 */
#ifndef _PARMCI_H_
#define _PARMCI_H_

#include "armci.h"

#ifdef __cplusplus
extern "C" {
#endif

#include "parmci_calls.h"

#ifndef WEFT_ARMCI_NO_MPI
int PARMCI_Init_mpi_comm(MPI_Comm comm);
#endif
void PARMCI_Finalize(void);
void PARMCI_GroupFence(ARMCI_Group *group);
int PARMCI_PutS_flag_dir(void *src, int src_stride[], void *dst, int dst_stride[], int count[],
                         int levels, int *flag, int value, int proc);
void PARMCI_Memget(size_t bytes, armci_meminfo_t *info, int flag);
void *PARMCI_Memat(armci_meminfo_t *info, long offset);
void PARMCI_Memctl(armci_meminfo_t *info);
int parmci_notify(int proc);
int parmci_notify_wait(int proc, int *value);

#ifdef __cplusplus
}
#endif

#endif
