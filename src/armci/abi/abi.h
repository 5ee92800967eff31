/*
 * What the files of this folder share: one binary interface's types and numbers, put into those of
 * armci/armci.h. They are compiled once for each interface and MPI and are in libarmci, not in
 * libweft. WEFT_ARMCI_MPI_ABI: ARMCI-MPI's interface, otherwise ComEx's; WEFT_ARMCI_NO_MPI: ComEx's
 * without MPI.
 */
#ifndef WEFT_ARMCI_ABI_H
#define WEFT_ARMCI_ABI_H

#include <armci.h>
#include <message.h>
#include <parmci.h>

#include "armci/armci.h"

/* After a definition of PARMCI_x, or parmci_x: the weak name that programs call. */
#define TWIN(name)                                                                                 \
  extern __typeof__(PARMCI_##name) ARMCI_##name __attribute__((weak, alias("PARMCI_" #name)))
#define TWIN_LOWER(name)                                                                           \
  extern __typeof__(parmci_##name) armci_##name __attribute__((weak, alias("parmci_" #name)))

/* Whom a call that names no group is for: ComEx has the default group, ARMCI-MPI the world. */
static inline weft_armci_group_t *weft_armci_implied(const char *who) {
#ifdef WEFT_ARMCI_MPI_ABI
  weft_armci_up(who);
  return weft_armci_world();
#else
  return weft_armci_default(who);
#endif
}

/* NULL: nobody waits for it by a handle. */
static inline int *handle_of(armci_hdl_t *handle) {
  return handle ? (int *)handle : &weft_armci_implicit;
}

static inline weft_armci_segments_t segments(const void *all, int i) {
  const armci_giov_t *v = (const armci_giov_t *)all + i;
  return (weft_armci_segments_t){v->src_ptr_array, v->dst_ptr_array, v->ptr_array_len, v->bytes};
}

#pragma GCC visibility push(hidden)

/* ---- codes.c: fatal where the number means nothing ---- */
enum weft_armci_type weft_armci_acc_type(int op, const char *who);
enum weft_armci_element weft_armci_element_type(int type, const char *who);
enum weft_armci_scope weft_armci_scope_of(int scope, const char *who);

/* ---- group.c ---- */
weft_armci_group_t *weft_armci_group_of(const ARMCI_Group *group, const char *who);
void weft_armci_group_tell(weft_armci_group_t *g, int size, ARMCI_Group *out);

/* ---- mutex.c ---- */
/* The end has destroyed the set, if the program has not. */
void weft_armci_mutex_stop(void);

/* ---- mpi.c, or nothing ---- */
#ifndef WEFT_ARMCI_NO_MPI
/* Before Init: MPI is up, or is brought up now. */
void weft_armci_mpi_start(int *argc, char ***argv);
/* The communicator that Init is given: the world's; then every member of a new group calls, and of
 * one that ends. */
void weft_armci_mpi_group(weft_armci_group_t *group);
void weft_armci_mpi_group_free(weft_armci_group_t *group);
#else
static inline void weft_armci_mpi_start(int *argc, char ***argv) {
  (void)argc, (void)argv;
}
static inline void weft_armci_mpi_group(weft_armci_group_t *group) {
  (void)group;
}
static inline void weft_armci_mpi_group_free(weft_armci_group_t *group) {
  (void)group;
}
#endif

#pragma GCC visibility pop

#endif
