/*
 * What the files of this folder share: the ways in, and the exchange that two of them have in
 * common. Prototypes stand under the file that defines them.
 */
#ifndef WEFT_BOOT_INTERNAL_H
#define WEFT_BOOT_INTERNAL_H

#include "boot/boot.h"

#include <stdbool.h>
#include <stddef.h>

/* ---- open.c ---------------------------------------------------------------------------------- */

/* A variable that must hold an integer within [low, high]. 0, or -EINVAL (logged). */
int weft_boot_env_int(const char *name, long low, long high, int *value);
/* The end of `abort`, when the launcher has been asked. */
void weft_boot_exit(int status) __attribute__((noreturn));

/* ---- exchange.c ------------------------------------------------------------------------------ */

/* A key-value store of the launcher: what a PE puts before a fence, every PE can get after it. Each
 * key is put once in the life of the job. All return 0 or a negative errno (already logged). */
typedef struct weft_kvs weft_kvs_t;
typedef struct weft_nodes weft_nodes_t;
struct weft_kvs {
  size_t value_max;    /* bytes that fit into one value */
  unsigned round;      /* exchanges done so far: part of the keys, equal on all PEs */
  weft_nodes_t *nodes; /* who shares a machine; NULL: nobody knows, or nothing is gained. The same
                        * on all PEs: their exchanges differ */
  bool told;           /* the way that the first exchange of data went */
  int (*put)(weft_kvs_t *kvs, const char *key, const void *bytes, size_t len);
  int (*fence)(weft_kvs_t *kvs);
  int (*get)(weft_kvs_t *kvs, int pe, const char *key, void *bytes, size_t len);
};

/* boot->allgather in terms of a store. */
int weft_kvs_allgather(weft_kvs_t *kvs, const weft_boot_t *boot, const void *mine, size_t len,
                       void *all);
/* A blob in pieces that are values: of this PE, before a fence; of another, behind it. */
int weft_kvs_give(weft_kvs_t *kvs, int me, const void *blob, size_t len);
int weft_kvs_take(weft_kvs_t *kvs, int pe, void *blob, size_t len);

/* ---- nodes.c --------------------------------------------------------------------------------- */

/* Nodes by a name (0 or more) for each PE's. *out is NULL where weft_kvs_allgather has nothing from
 * them. All PEs must have the same names, or all none: so a launcher that knows the nodes must tell
 * every PE the same. 0 or -ENOMEM. */
int weft_nodes_new(const weft_boot_t *boot, const int *name, weft_nodes_t **out);
void weft_nodes_free(weft_nodes_t *nodes);
/* The same through memory of each node. If some PEs of one cannot share it, kvs->nodes is NULL
 * behind it on all PEs, and nothing was exchanged. */
int weft_nodes_allgather(weft_kvs_t *kvs, const weft_boot_t *boot, const void *mine, size_t len,
                         void *all);
/* The names in a text of PMI_process_mapping, such as "(vector,(0,2,8))": blocks of (first node,
 * nodes, PEs of each). False: it is none. */
bool weft_nodes_parse(const char *text, int npes, int *name);

/* ---- gather.c -------------------------------------------------------------------------------- */

/* An allgather by weftrun's own request: the blobs of npes PEs, `len` bytes each (at most
 * WEFT_BOOT_GATHER_MAX), to all + pe * stride. 0 or a negative errno (logged). */
enum { WEFT_BOOT_GATHER_MAX = 1900, WEFT_BOOT_GATHER_REQUEST = 64 + 2 * WEFT_BOOT_GATHER_MAX };
int weft_boot_gather(int fd, int npes, const void *mine, size_t len, void *all, size_t stride);
/* What it asks; the bytes of that. */
size_t weft_boot_gather_request(const void *mine, size_t len,
                                char request[WEFT_BOOT_GATHER_REQUEST]);

/* ---- pmi1.c ---------------------------------------------------------------------------------- */

/* PMI-1 over the file descriptor PMI_FD. */
int weft_boot_pmi1_open(weft_boot_t **out);
/* Bytes that one value carries where the launcher takes texts shorter than vallen_max and its
 * store's name has `name` characters; 0: none. */
size_t weft_boot_pmi1_value_max(int vallen_max, size_t name);
/* Is there a descriptor PMI_FD? A program that a PE starts inherits only the variable. */
bool weft_boot_pmi1_is_here(void);
/* Is this one of several processes, whose descriptor was closed before it was opened here? */
bool weft_boot_pmi1_is_lost(void);
/* The 2 * len hexadecimal digits of a value, not ended. */
void weft_boot_pmi1_encode(const void *bytes, size_t len, char *text);
/* Write all of it, without SIGPIPE where that can be. 0 or a negative errno. */
int weft_boot_pmi1_send(int fd, const char *text, size_t len);
/* Ask the launcher behind PMI_FD to end the job. 0, or a negative errno when there is none. */
int weft_boot_pmi1_send_abort(int status);
/* The same, and this process ends. */
void weft_boot_pmi1_abort(int status) __attribute__((noreturn));

/* Set, by PMI-1 and PMIx, for the programs that this process starts: they are no part of the job.
 */
#define WEFT_BOOT_JOINED "WEFT_LAUNCHER_JOINED"

/* ---- pmix.c, alone.c ------------------------------------------------------------------------- */

/* PMIx, loaded at run time. */
int weft_boot_pmix_open(weft_boot_t **out);
/* No launcher: a job of one. */
int weft_boot_alone_open(weft_boot_t **out);

/* ---- mpi.c ----------------------------------------------------------------------------------- */

/* Over MPI, which the program itself has initialised. */
int weft_boot_mpi_open(weft_boot_t **out);
/* Was a communicator given? */
bool weft_boot_mpi_is_given(void);
/* What the process at large does with MPI; there is none when the program is not linked with it. */
typedef enum weft_mpi_state {
  WEFT_MPI_NONE,    /* not there, or MPI_Init has not been called yet */
  WEFT_MPI_RUNNING, /* initialised and not finalised */
  WEFT_MPI_FINISHED /* finalised */
} weft_mpi_state_t;
weft_mpi_state_t weft_boot_mpi_state(void);
/* The MPI in this process is Open MPI (which speaks PMIx, never PMI-1); else it is of MPICH's
 * family. */
bool weft_boot_mpi_is_open_mpi(void);
/* MPICH's MPI_Finalize has told the launcher that this process ends. It closes the descriptor, too,
 * or does not (4.2). */
bool weft_boot_mpi_ended_pmi1(void);

#endif
