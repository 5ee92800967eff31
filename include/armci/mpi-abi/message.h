/*
 * message.h: ARMCI's messages and collective operations, with the constants of ARMCI-MPI.
 */
#ifndef HAVE_ARMCI_MSG_H
#define HAVE_ARMCI_MSG_H

#include "armci.h"

#ifdef __cplusplus
extern "C" {
#endif

enum armci_scope_e { SCOPE_ALL, SCOPE_NODE, SCOPE_MASTERS };
enum armci_type_e { ARMCI_INT, ARMCI_LONG, ARMCI_LONG_LONG, ARMCI_FLOAT, ARMCI_DOUBLE };

#include "../message_calls.h"

void armci_msg_sel(void *x, int n, char *op, int type, int contribute);

#ifdef __cplusplus
}
#endif

#endif
