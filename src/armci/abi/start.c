/*
 * start.c: Init, Finalize and errors. Global Arrays and TCGMSG call Init up to three times and
 * Finalize twice; only the first of each counts.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "armci/abi/abi.h"

static int start(int *argc, char ***argv, const char *who) {
  if (weft_armci_is_up()) return 0;
  weft_armci_mpi_start(argc, argv);
  weft_armci_start(who, NULL);
  weft_armci_mpi_group(weft_armci_world());
  return 0;
}

int PARMCI_Init(void) {
  return start(NULL, NULL, "ARMCI_Init");
}
TWIN(Init);

int PARMCI_Init_args(int *argc, char ***argv) {
  return start(argc, argv, "ARMCI_Init_args");
}
TWIN(Init_args);

int PARMCI_Initialized(void) {
  return weft_armci_is_up();
}
TWIN(Initialized);

static void stop(void) {
  if (!weft_armci_is_up()) return;
  weft_armci_mpi_group_free(weft_armci_world());
#ifdef WEFT_ARMCI_NO_MPI
  weft_armci_stop(false);
#else
  weft_armci_stop(true);
#endif
  weft_armci_mutex_stop();
}

#ifdef WEFT_ARMCI_MPI_ABI
int PARMCI_Finalize(void) {
  stop();
  return 0;
}
#else
void PARMCI_Finalize(void) {
  stop();
}
#endif
TWIN(Finalize);

/* By one process on its way to MPI_Abort: it waits for nobody. */
void ARMCI_Cleanup(void) {}

void ARMCI_Error(const char *message, int code) {
  weft_armci_error(message, code);
}

void armci_msg_abort(int code) {
  weft_armci_error("armci_msg_abort", code);
}

#ifndef WEFT_ARMCI_MPI_ABI
char *mp_group_name;

int dassertp_fail(const char *condition, const char *file, const char *function, unsigned int line,
                  int code) {
  fflush(NULL);
  fprintf(stderr, "%s:%u: %s: assertion failed: %s\n", file, line, function, condition);
  weft_armci_error("assertion failed", code);
}

void derr_printf(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vfprintf(stderr, format, arguments);
  va_end(arguments);
}
#endif
