/*
 * codes.c: the interface's numbers.
 */
#include "armci/abi/abi.h"

enum weft_armci_type weft_armci_acc_type(int op, const char *who) {
  switch (op) {
  case ARMCI_ACC_INT: return WEFT_ARMCI_INT;
  case ARMCI_ACC_LNG: return WEFT_ARMCI_LONG;
  case ARMCI_ACC_FLT: return WEFT_ARMCI_FLOAT;
  case ARMCI_ACC_DBL: return WEFT_ARMCI_DOUBLE;
  case ARMCI_ACC_CPL: return WEFT_ARMCI_FLOAT_PAIR;
  case ARMCI_ACC_DCP: return WEFT_ARMCI_DOUBLE_PAIR;
  default: weft_armci_fatal("%s: %d is no type (ARMCI_ACC_DBL, ...)", who, op);
  }
}

enum weft_armci_element weft_armci_element_type(int type, const char *who) {
  switch (type) {
  case ARMCI_INT: return WEFT_ARMCI_E_INT;
  case ARMCI_LONG: return WEFT_ARMCI_E_LONG;
  case ARMCI_LONG_LONG: return WEFT_ARMCI_E_LONG_LONG;
  case ARMCI_FLOAT: return WEFT_ARMCI_E_FLOAT;
  case ARMCI_DOUBLE: return WEFT_ARMCI_E_DOUBLE;
  default: weft_armci_fatal("%s: %d is no type (ARMCI_INT, ...)", who, type);
  }
}

enum weft_armci_scope weft_armci_scope_of(int scope, const char *who) {
  switch (scope) {
  case SCOPE_ALL: return WEFT_ARMCI_ALL;
  case SCOPE_NODE: return WEFT_ARMCI_NODE;
  case SCOPE_MASTERS: return WEFT_ARMCI_MASTERS;
  default: weft_armci_fatal("%s: %d is no scope (SCOPE_ALL, ...)", who, scope);
  }
}
