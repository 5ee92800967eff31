/*
 * message.h: ARMCI's messages and collective operations, with the constants of ComEx.
 */
#ifndef _MESSAGE_H_
#define _MESSAGE_H_

#include "armci.h"

#ifdef __cplusplus
extern "C" {
#endif

#define ARMCI_INT -99
#define ARMCI_LONG -101
#define ARMCI_LONG_LONG -102
#define ARMCI_FLOAT -306
#define ARMCI_DOUBLE -307

#define SCOPE_ALL 333
#define SCOPE_NODE 337
#define SCOPE_MASTERS 339

#include "message_calls.h"

#define armci_msg_sel(x, n, op, type, contribute)                                                  \
  armci_msg_sel_scope(SCOPE_ALL, (x), (n), (op), (type), (contribute))

/* MPI_Init if nobody has called it, and MPI_Finalize. */
void armci_msg_init(int *argc, char ***argv);
void armci_msg_finalize(void);

#ifdef __cplusplus
}
#endif

#endif
