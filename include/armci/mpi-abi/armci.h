/*
 * armci.h: ARMCI with the binary interface of ARMCI-MPI 0.3.1, for which Debian compiles Global
 * Arrays and NWChem. (ComEx's interface, the usual one, is a folder further up.)
 *
 * Sources: Debian's libarmci-mpi-dev 0.3.1~beta-7; docs/status-armci.md.
 */
#ifndef _ARMCI_H_
#define _ARMCI_H_

#include <mpi.h>

#ifdef __cplusplus
extern "C" {
#endif

#define ARMCI_MPI 3

typedef long armci_size_t;
#define ARMCII_MPI_SIZE_T MPI_LONG

/* Contents are the library's. */
typedef struct armci_hdl_s {
  int target;
  int aggregate;
} armci_hdl_t;

typedef struct {
  void **src_ptr_array;
  void **dst_ptr_array;
  int bytes;
  int ptr_array_len;
} armci_giov_t;

typedef struct {
  MPI_Comm comm; /* of the group's processes, in its order */
  MPI_Comm noncoll_pgroup_comm;
  int *grp_to_abs; /* world rank of each member */
  int *abs_to_grp; /* member of each world rank; -1: none */
  int rank;        /* -1: no member */
  int size;
} ARMCI_Group;

enum armci_domain_e { ARMCI_DOMAIN_SMP };
typedef int armci_domain_t;

enum ARMCI_Acc_e {
  ARMCI_ACC_INT,
  ARMCI_ACC_LNG,
  ARMCI_ACC_FLT,
  ARMCI_ACC_DBL,
  ARMCI_ACC_CPL,
  ARMCI_ACC_DCP
};
enum ARMCI_Rmw_e { ARMCI_FETCH_AND_ADD, ARMCI_FETCH_AND_ADD_LONG, ARMCI_SWAP, ARMCI_SWAP_LONG };

#include "../armci_calls.h"

int ARMCI_Finalize(void);
/* A thread level of MPI, and a communicator whose processes are the world. */
int ARMCI_Init_thread(int level);
int ARMCI_Init_thread_comm(int level, MPI_Comm comm);
int ARMCI_Init_mpi_comm(MPI_Comm comm);
MPI_Comm armci_group_comm(ARMCI_Group *group);
int ARMCI_NbAcc(int op, void *scale, void *src, void *dst, int bytes, int proc,
                armci_hdl_t *handle);
void ARMCI_INIT_HANDLE(armci_hdl_t *handle);
/* Around loads and stores of the own memory; nothing has to be done for them here. */
void ARMCI_Access_begin(void *pointer);
void ARMCI_Access_end(void *pointer);

#include "message.h"
#include "parmci.h"

#ifdef __cplusplus
}
#endif

#endif
