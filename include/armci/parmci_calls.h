/*
 * The functions of parmci.h that are alike in the interfaces of ComEx and of ARMCI-MPI; included by
 * parmci.h of either, not by programs.
 */
#ifndef WEFT_PARMCI_CALLS_H
#define WEFT_PARMCI_CALLS_H

int PARMCI_Init(void);
int PARMCI_Init_args(int *argc, char ***argv);
int PARMCI_Initialized(void);
int PARMCI_Malloc(void *pointers[], armci_size_t bytes);
int PARMCI_Free(void *pointer);
int PARMCI_Malloc_memdev(void *pointers[], armci_size_t bytes, const char *device);
int PARMCI_Free_memdev(void *pointer);
void *PARMCI_Malloc_local(armci_size_t bytes);
int PARMCI_Free_local(void *pointer);
int PARMCI_Put(void *src, void *dst, int bytes, int proc);
int PARMCI_Get(void *src, void *dst, int bytes, int proc);
int PARMCI_Acc(int op, void *scale, void *src, void *dst, int bytes, int proc);
int PARMCI_PutS(void *src, int src_stride[], void *dst, int dst_stride[], int count[], int levels,
                int proc);
int PARMCI_GetS(void *src, int src_stride[], void *dst, int dst_stride[], int count[], int levels,
                int proc);
int PARMCI_AccS(int op, void *scale, void *src, int src_stride[], void *dst, int dst_stride[],
                int count[], int levels, int proc);
int PARMCI_PutV(armci_giov_t iov[], int length, int proc);
int PARMCI_GetV(armci_giov_t iov[], int length, int proc);
int PARMCI_AccV(int op, void *scale, armci_giov_t iov[], int length, int proc);
int PARMCI_Put_flag(void *src, void *dst, int bytes, int *flag, int value, int proc);
int PARMCI_PutS_flag(void *src, int src_stride[], void *dst, int dst_stride[], int count[],
                     int levels, int *flag, int value, int proc);
int PARMCI_PutValueInt(int value, void *dst, int proc);
int PARMCI_PutValueLong(long value, void *dst, int proc);
int PARMCI_PutValueFloat(float value, void *dst, int proc);
int PARMCI_PutValueDouble(double value, void *dst, int proc);
int PARMCI_GetValueInt(void *src, int proc);
long PARMCI_GetValueLong(void *src, int proc);
float PARMCI_GetValueFloat(void *src, int proc);
double PARMCI_GetValueDouble(void *src, int proc);
int PARMCI_NbPut(void *src, void *dst, int bytes, int proc, armci_hdl_t *handle);
int PARMCI_NbGet(void *src, void *dst, int bytes, int proc, armci_hdl_t *handle);
int PARMCI_NbPutS(void *src, int src_stride[], void *dst, int dst_stride[], int count[], int levels,
                  int proc, armci_hdl_t *handle);
int PARMCI_NbGetS(void *src, int src_stride[], void *dst, int dst_stride[], int count[], int levels,
                  int proc, armci_hdl_t *handle);
int PARMCI_NbAccS(int op, void *scale, void *src, int src_stride[], void *dst, int dst_stride[],
                  int count[], int levels, int proc, armci_hdl_t *handle);
int PARMCI_NbPutV(armci_giov_t iov[], int length, int proc, armci_hdl_t *handle);
int PARMCI_NbGetV(armci_giov_t iov[], int length, int proc, armci_hdl_t *handle);
int PARMCI_NbAccV(int op, void *scale, armci_giov_t iov[], int length, int proc,
                  armci_hdl_t *handle);
int PARMCI_NbPutValueInt(int value, void *dst, int proc, armci_hdl_t *handle);
int PARMCI_NbPutValueLong(long value, void *dst, int proc, armci_hdl_t *handle);
int PARMCI_NbPutValueFloat(float value, void *dst, int proc, armci_hdl_t *handle);
int PARMCI_NbPutValueDouble(double value, void *dst, int proc, armci_hdl_t *handle);
int PARMCI_Wait(armci_hdl_t *handle);
int PARMCI_Test(armci_hdl_t *handle);
int PARMCI_WaitProc(int proc);
int PARMCI_WaitAll(void);
void PARMCI_Fence(int proc);
void PARMCI_AllFence(void);
void PARMCI_Barrier(void);
int PARMCI_Rmw(int op, void *local, void *remote, int extra, int proc);
int PARMCI_Create_mutexes(int count);
int PARMCI_Destroy_mutexes(void);
void PARMCI_Lock(int mutex, int proc);
void PARMCI_Unlock(int mutex, int proc);
void parmci_msg_barrier(void);
void parmci_msg_group_barrier(ARMCI_Group *group);

#endif
