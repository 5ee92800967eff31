/*
 * armci.h: ARMCI with the binary interface of ComEx, which Global Arrays and NWChem link.
 * (The interface of ARMCI-MPI is in mpi-abi/.) It includes mpi.h, as ComEx's does, unless
 * WEFT_ARMCI_NO_MPI is defined: then the program is to be linked with the libarmci that needs no
 * MPI (armcicc does both).
 *
 * Sources: Global Arrays 5.9, comex/src-armci; the ARMCI manual; docs/status-armci.md.
 */
#ifndef _ARMCI_H
#define _ARMCI_H

#include <stdlib.h>
#include <string.h>

#ifndef WEFT_ARMCI_NO_MPI
#include <mpi.h>
#endif

#ifdef __cplusplus
extern "C" {
#endif

typedef long armci_size_t;
typedef int armci_hdl_t;
typedef int ARMCI_Group;
typedef int armci_domain_t;

typedef struct {
  void **src_ptr_array;
  void **dst_ptr_array;
  int ptr_array_len;
  int bytes;
} armci_giov_t;

#define ARMCI_DOMAIN_SMP 0

/* Rmw */
#define ARMCI_SWAP 10
#define ARMCI_SWAP_LONG 11
#define ARMCI_FETCH_AND_ADD 12
#define ARMCI_FETCH_AND_ADD_LONG 13

/* Acc: int, double, float, pairs of float and of double, long */
#define ARMCI_ACC_OFF 36
#define ARMCI_ACC_INT (ARMCI_ACC_OFF + 1)
#define ARMCI_ACC_DBL (ARMCI_ACC_OFF + 2)
#define ARMCI_ACC_FLT (ARMCI_ACC_OFF + 3)
#define ARMCI_ACC_CPL (ARMCI_ACC_OFF + 4)
#define ARMCI_ACC_DCP (ARMCI_ACC_OFF + 5)
#define ARMCI_ACC_LNG (ARMCI_ACC_OFF + 6)

#define ARMCI_MAX_STRIDE_LEVEL 8

/* Returned for arguments that make no sense. */
#define FAIL -1
#define FAIL2 -2
#define FAIL3 -3
#define FAIL4 -4
#define FAIL5 -5
#define FAIL6 -6
#define FAIL7 -7
#define FAIL8 -8

#include "armci_calls.h"

void ARMCI_Finalize(void);
#ifndef WEFT_ARMCI_NO_MPI
/* The world is this communicator's processes. 1, or 0 on failure. */
int ARMCI_Init_mpi_comm(MPI_Comm comm);
/* A communicator of the group's processes, in its order. */
MPI_Comm armci_group_comm(ARMCI_Group *group);
#endif

int ARMCI_PutS_flag_dir(void *src, int src_stride[], void *dst, int dst_stride[], int count[],
                        int levels, int *flag, int value, int proc);
/* As Fence for every member, or, where the value is no group's, AllFence. */
void ARMCI_GroupFence(ARMCI_Group *group);

#define ARMCI_INIT_HANDLE(handle)
#define ARMCI_Put1(src, dst, bytes, proc) memcpy(dst, src, bytes), 0

/* Tell `proc`, behind all that was put there: how many times so far. Wait for the next one of
 * proc's: how many have come; *value is how many were waited for. */
int armci_notify(int proc);
int armci_notify_wait(int proc, int *value);
int armci_sameclusnode(int proc);

/* Memory that one process allocates by itself and tells others of. */
typedef struct armci_meminfo_ds {
  char *armci_addr; /* what others use in put and get */
  char *addr;       /* the same, for its owner */
  size_t size;
  int cpid; /* owner */
  long idlist[128];
} armci_meminfo_t;

void ARMCI_Memget(size_t bytes, armci_meminfo_t *info, int flag);
/* The address in this process, offset bytes further; NULL where the owner is on another node. */
void *ARMCI_Memat(armci_meminfo_t *info, long offset);
void ARMCI_Memdt(armci_meminfo_t *info, long offset);
/* The owner frees it. */
void ARMCI_Memctl(armci_meminfo_t *info);

extern char *mp_group_name;

/* Assertions of programs, each with a switch and what to print (in parentheses, for printf). The
 * program defines FUNCTION_NAME. */
int dassertp_fail(const char *condition, const char *file, const char *function, unsigned int line,
                  int code);
void derr_printf(const char *format, ...);
#undef dassertp
#undef dassertc
#undef dassert
#undef dassert1
#define dassertc(enable, condition, print, code)                                                   \
  do {                                                                                             \
    if ((enable) && !(condition)) {                                                                \
      derr_printf print;                                                                           \
      dassertp_fail(#condition, __FILE__, FUNCTION_NAME, __LINE__, code);                          \
    }                                                                                              \
  } while (0)
#define dassertp(enable, condition, print) dassertc(enable, condition, print, 1)
#define dassert(enable, condition) dassertp(enable, condition, (""))
#define dassert1(enable, condition, value)                                                         \
  dassertp(enable, condition, ("%d: error ival=%d\n", armci_msg_me(), (int)(value)))
#define armci_die(message, code)                                                                   \
  dassertc(1, 0, ("%d:%s: %d\n", armci_msg_me(), (message), (code)), code)
#define armci_die2(message, code1, code2)                                                          \
  dassertc(1, 0, ("%d:%s: (%d,%d)\n", armci_msg_me(), (message), (code1), (code2)), code1)

#ifdef __cplusplus
}
#endif

#endif
