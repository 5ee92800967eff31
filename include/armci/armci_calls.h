/*
 * armci_calls.h: the functions of ARMCI whose declarations are the same in both binary interfaces.
 * Included by the two armci.h, which define the types; not by programs.
 *
 * `proc` is a rank of ARMCI's world. Remote addresses are those of their owner, as ARMCI_Malloc
 * gave them. S: strided, `count[0]` bytes and then numbers of what the level below makes,
 * strides in bytes, up to 8 levels. V: lists of segments of one length. Functions that return int
 * return 0, if nothing else is said.
 */
#ifndef WEFT_ARMCI_CALLS_H
#define WEFT_ARMCI_CALLS_H

/* ---- start and end. Init is collective; only the first call does anything. Only the first
 * Finalize does, too; after it Init starts anew. ---- */
int ARMCI_Init(void);
int ARMCI_Init_args(int *argc, char ***argv);
int ARMCI_Initialized(void);
void ARMCI_Cleanup(void);
void ARMCI_Error(const char *message, int code);

/* ---- memory that peers may reach. Collective over the default group, or the one given; 0 bytes
 * give NULL. Device names are accepted; there are no devices. ---- */
int ARMCI_Malloc(void *pointers[], armci_size_t bytes);
int ARMCI_Free(void *pointer);
int ARMCI_Malloc_group(void *pointers[], armci_size_t bytes, ARMCI_Group *group);
int ARMCI_Free_group(void *pointer, ARMCI_Group *group);
int ARMCI_Malloc_memdev(void *pointers[], armci_size_t bytes, const char *device);
int ARMCI_Malloc_group_memdev(void *pointers[], armci_size_t bytes, ARMCI_Group *group,
                              const char *device);
int ARMCI_Free_memdev(void *pointer);
void *ARMCI_Malloc_local(armci_size_t bytes);
int ARMCI_Free_local(void *pointer);
void ARMCI_Set_shm_limit(unsigned long bytes);
int ARMCI_Uses_shm(void);
int ARMCI_Uses_shm_grp(ARMCI_Group *group);
void ARMCI_Copy(void *src, void *dst, int bytes);

/* ---- put, get, accumulate (dst[i] += scale * src[i]). The source of a put may be changed on
 * return. Operations of one process on one target take effect in order. ---- */
int ARMCI_Put(void *src, void *dst, int bytes, int proc);
int ARMCI_Get(void *src, void *dst, int bytes, int proc);
int ARMCI_Acc(int op, void *scale, void *src, void *dst, int bytes, int proc);
int ARMCI_PutS(void *src, int src_stride[], void *dst, int dst_stride[], int count[], int levels,
               int proc);
int ARMCI_GetS(void *src, int src_stride[], void *dst, int dst_stride[], int count[], int levels,
               int proc);
int ARMCI_AccS(int op, void *scale, void *src, int src_stride[], void *dst, int dst_stride[],
               int count[], int levels, int proc);
int ARMCI_PutV(armci_giov_t iov[], int length, int proc);
int ARMCI_GetV(armci_giov_t iov[], int length, int proc);
int ARMCI_AccV(int op, void *scale, armci_giov_t iov[], int length, int proc);
/* The flag, an int of `proc`, is stored once the data can be seen. */
int ARMCI_Put_flag(void *src, void *dst, int bytes, int *flag, int value, int proc);
int ARMCI_PutS_flag(void *src, int src_stride[], void *dst, int dst_stride[], int count[],
                    int levels, int *flag, int value, int proc);
int ARMCI_PutValueInt(int value, void *dst, int proc);
int ARMCI_PutValueLong(long value, void *dst, int proc);
int ARMCI_PutValueFloat(float value, void *dst, int proc);
int ARMCI_PutValueDouble(double value, void *dst, int proc);
int ARMCI_GetValueInt(void *src, int proc);
long ARMCI_GetValueLong(void *src, int proc);
float ARMCI_GetValueFloat(void *src, int proc);
double ARMCI_GetValueDouble(void *src, int proc);

/* ---- the same begun. Wait returns when the source of a put may be changed, or the data of a get
 * are here; Test returns 0 then and 1 before. Without a handle (NULL) WaitProc and WaitAll wait.
 * An aggregate handle stands for all operations begun with it. ---- */
int ARMCI_NbPut(void *src, void *dst, int bytes, int proc, armci_hdl_t *handle);
int ARMCI_NbGet(void *src, void *dst, int bytes, int proc, armci_hdl_t *handle);
int ARMCI_NbPutS(void *src, int src_stride[], void *dst, int dst_stride[], int count[], int levels,
                 int proc, armci_hdl_t *handle);
int ARMCI_NbGetS(void *src, int src_stride[], void *dst, int dst_stride[], int count[], int levels,
                 int proc, armci_hdl_t *handle);
int ARMCI_NbAccS(int op, void *scale, void *src, int src_stride[], void *dst, int dst_stride[],
                 int count[], int levels, int proc, armci_hdl_t *handle);
int ARMCI_NbPutV(armci_giov_t iov[], int length, int proc, armci_hdl_t *handle);
int ARMCI_NbGetV(armci_giov_t iov[], int length, int proc, armci_hdl_t *handle);
int ARMCI_NbAccV(int op, void *scale, armci_giov_t iov[], int length, int proc,
                 armci_hdl_t *handle);
int ARMCI_NbPutValueInt(int value, void *dst, int proc, armci_hdl_t *handle);
int ARMCI_NbPutValueLong(long value, void *dst, int proc, armci_hdl_t *handle);
int ARMCI_NbPutValueFloat(float value, void *dst, int proc, armci_hdl_t *handle);
int ARMCI_NbPutValueDouble(double value, void *dst, int proc, armci_hdl_t *handle);
int ARMCI_Wait(armci_hdl_t *handle);
int ARMCI_Test(armci_hdl_t *handle);
int ARMCI_WaitProc(int proc);
int ARMCI_WaitAll(void);
void ARMCI_SET_AGGREGATE_HANDLE(armci_hdl_t *handle);
void ARMCI_UNSET_AGGREGATE_HANDLE(armci_hdl_t *handle);

/* ---- completion: what this process put and accumulated can be seen. Barrier: AllFence, and a
 * barrier of the default group. ---- */
void ARMCI_Fence(int proc);
void ARMCI_AllFence(void);
void ARMCI_Barrier(void);

/* ---- the old value comes to *local; swap takes the new one from there, fetch-and-add adds
 * `extra` ---- */
int ARMCI_Rmw(int op, void *local, void *remote, int extra, int proc);

/* ---- mutexes: every process has as many as it says; first come, first served ---- */
int ARMCI_Create_mutexes(int count);
int ARMCI_Destroy_mutexes(void);
void ARMCI_Lock(int mutex, int proc);
void ARMCI_Unlock(int mutex, int proc);

/* ---- groups, made by their members alone. The list has ranks of the default group, or of the
 * parent. ---- */
void ARMCI_Group_create(int n, int *list, ARMCI_Group *group);
void ARMCI_Group_create_child(int n, int *list, ARMCI_Group *group, ARMCI_Group *parent);
void ARMCI_Group_free(ARMCI_Group *group);
int ARMCI_Group_rank(ARMCI_Group *group, int *rank);
void ARMCI_Group_size(ARMCI_Group *group, int *size);
void ARMCI_Group_set_default(ARMCI_Group *group);
void ARMCI_Group_get_default(ARMCI_Group *group);
void ARMCI_Group_get_world(ARMCI_Group *group);
int ARMCI_Absolute_id(ARMCI_Group *group, int rank);

/* ---- nodes: numbered where every node has a block of equally many ranks, otherwise every rank is
 * one. id < 0: one's own ---- */
int armci_domain_nprocs(armci_domain_t domain, int id);
int armci_domain_id(armci_domain_t domain, int proc);
int armci_domain_glob_proc_id(armci_domain_t domain, int id, int local);
int armci_domain_my_id(armci_domain_t domain);
int armci_domain_count(armci_domain_t domain);
int armci_domain_same_id(armci_domain_t domain, int proc);
int ARMCI_Same_node(int proc);

/* ---- pack into a buffer, unpack from it ---- */
void armci_write_strided(void *ptr, int levels, int stride[], int count[], char *buffer);
void armci_read_strided(void *ptr, int levels, int stride[], int count[], char *buffer);

#endif
