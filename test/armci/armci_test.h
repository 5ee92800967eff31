/*
 * What the tests of ARMCI share. They are compiled for both binary interfaces, with and without
 * MPI.
 */
#ifndef ARMCI_TEST_H
#define ARMCI_TEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <armci.h>
#include <message.h>

#include "../check.h"

enum { NP_MAX = 64 };
static int me, np;
static uint64_t drawn;

/* Numbers by chance, different for each process; the same in every run. */
__attribute__((unused)) static uint32_t draw(void) {
  drawn = drawn * 6364136223846793005u + 1442695040888963407u + (uint64_t)me;
  return (uint32_t)(drawn >> 33);
}

__attribute__((unused)) static void armci_begin(int *argc, char ***argv) {
#ifdef MPI_VERSION
  MPI_Init(argc, argv);
#endif
  CHECK_EQ(ARMCI_Init_args(argc, argv), 0);
  me = armci_msg_me();
  np = armci_msg_nproc();
  CHECK(np <= NP_MAX);
}

__attribute__((unused)) static int armci_end(void) {
  ARMCI_Finalize();
#ifdef MPI_VERSION
  MPI_Finalize();
#endif
  return 0;
}

#endif
