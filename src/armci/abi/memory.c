/*
 * memory.c: allocation, collective over a group or by one process alone.
 */
#include <stdlib.h>
#include <string.h>

#include "armci/abi/abi.h"

int PARMCI_Malloc(void *pointers[], armci_size_t bytes) {
  const char *who = "ARMCI_Malloc";
  return weft_armci_malloc(weft_armci_implied(who), pointers, (size_t)bytes, who);
}
TWIN(Malloc);

int PARMCI_Free(void *pointer) {
  const char *who = "ARMCI_Free";
  weft_armci_free(weft_armci_implied(who), pointer, who);
  return 0;
}
TWIN(Free);

int ARMCI_Malloc_group(void *pointers[], armci_size_t bytes, ARMCI_Group *group) {
  const char *who = "ARMCI_Malloc_group";
  return weft_armci_malloc(weft_armci_group_of(group, who), pointers, (size_t)bytes, who);
}

int ARMCI_Free_group(void *pointer, ARMCI_Group *group) {
  const char *who = "ARMCI_Free_group";
  weft_armci_free(weft_armci_group_of(group, who), pointer, who);
  return 0;
}

/* Devices have names and nothing else. */
int PARMCI_Malloc_memdev(void *pointers[], armci_size_t bytes, const char *device) {
  (void)device;
  return PARMCI_Malloc(pointers, bytes);
}
TWIN(Malloc_memdev);

int PARMCI_Free_memdev(void *pointer) {
  return PARMCI_Free(pointer);
}
TWIN(Free_memdev);

#ifdef WEFT_ARMCI_MPI_ABI
int PARMCI_Malloc_group_memdev(void *pointers[], armci_size_t bytes, ARMCI_Group *group,
                               const char *device) {
  (void)device;
  return ARMCI_Malloc_group(pointers, bytes, group);
}
TWIN(Malloc_group_memdev);
#else
int ARMCI_Malloc_group_memdev(void *pointers[], armci_size_t bytes, ARMCI_Group *group,
                              const char *device) {
  (void)device;
  return ARMCI_Malloc_group(pointers, bytes, group);
}
#endif

/* Nobody else reaches it, and any memory is good enough for a transfer. */
void *PARMCI_Malloc_local(armci_size_t bytes) {
  return weft_armci_local_memory((size_t)bytes, "ARMCI_Malloc_local");
}
TWIN(Malloc_local);

int PARMCI_Free_local(void *pointer) {
  free(pointer);
  return 0;
}
TWIN(Free_local);

/* Global Arrays keeps to the limit itself; memory here costs nothing before it is used. */
void ARMCI_Set_shm_limit(unsigned long bytes) {
  (void)bytes;
}

/* Owners' addresses are not those at which other processes see the memory. */
int ARMCI_Uses_shm(void) {
  return 0;
}

int ARMCI_Uses_shm_grp(ARMCI_Group *group) {
  weft_armci_group_of(group, "ARMCI_Uses_shm_grp");
  return 0;
}

void ARMCI_Copy(void *src, void *dst, int bytes) {
  if (bytes > 0) memmove(dst, src, (size_t)bytes);
}

#ifdef WEFT_ARMCI_MPI_ABI
void PARMCI_Access_begin(void *pointer) {
  (void)pointer;
}
TWIN(Access_begin);

void PARMCI_Access_end(void *pointer) {
  (void)pointer;
}
TWIN(Access_end);
#else

void PARMCI_Memget(size_t bytes, armci_meminfo_t *info, int flag) {
  (void)flag;
  weft_armci_up("ARMCI_Memget");
  char *p = bytes ? weft_armci_need_memory(bytes, "ARMCI_Memget") : NULL;
  *info = (armci_meminfo_t){.armci_addr = p, .addr = p, .size = bytes, .cpid = weft_armci_me()};
}
TWIN(Memget);

void *PARMCI_Memat(armci_meminfo_t *info, long offset) {
  char *p = weft_armci_address(info->cpid, info->armci_addr);
  return p ? p + offset : NULL;
}
TWIN(Memat);

void ARMCI_Memdt(armci_meminfo_t *info, long offset) {
  (void)info, (void)offset;
}

void PARMCI_Memctl(armci_meminfo_t *info) {
  if (info->cpid != weft_armci_me())
    weft_armci_fatal("ARMCI_Memctl: the memory is process %d's, who alone frees it", info->cpid);
  weft_armci_give_back(info->armci_addr, "ARMCI_Memctl");
  *info = (armci_meminfo_t){.cpid = info->cpid};
}
TWIN(Memctl);
#endif
