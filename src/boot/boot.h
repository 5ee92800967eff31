/*
 * boot: who am I, how many are we, exchange of blobs before any network exists, and the end of the
 * job. One object per process at a time. It knows nothing of windows, fabrics or front ends.
 *
 * The way in is chosen in this order: MPI if a communicator was given or it is initialised and not
 * finalised; PMI-1 if PMI_FD is set (weftrun and Hydra); PMIx if PMIX_RANK is set (Open MPI, PRRTE,
 * Slurm); else alone.
 */
#ifndef WEFT_BOOT_H
#define WEFT_BOOT_H

#include <stdbool.h>
#include <stddef.h>

typedef struct weft_boot weft_boot_t;

struct weft_boot {
  int pe;           /* this process's number, 0 .. npes-1 */
  int npes;         /* processes in the job */
  const char *name; /* "weftrun", "pmi1", "pmix", "mpi" or "alone" */

  /* Every PE gives `len` bytes (the same len everywhere, 0 makes it a barrier); `all` receives the
   * len bytes of each PE, in PE order. Collective. 0 or a negative errno; -ESHUTDOWN, on all PEs
   * and without a line in the log, when the program has finalised the MPI that it goes through. */
  int (*allgather)(weft_boot_t *boot, const void *mine, size_t len, void *all);

  /* End the whole job with `status` (0..255). The caller has printed the reason. Callable from any
   * thread, at any time; it does not return. */
  void (*abort)(weft_boot_t *boot, int status) __attribute__((noreturn));

  /* This process leaves in good order: tell the launcher. Called once, at process exit. */
  void (*finalize)(weft_boot_t *boot);

  /* weft_boot_close; NULL: nothing is to be done. */
  void (*close)(weft_boot_t *boot);
};

/* From now on a process that has called `abort` stays until the launcher ends it with the others,
 * who would take it for one that has failed. */
void weft_boot_stay(void);
/* The process ids of the job's PEs on this machine; the array comes from malloc and is boot's now.
 * For `abort`, where the launcher no longer listens. NULL: the job is over. */
void weft_boot_know_peers(int *pids, int n);

/* Open the way in. `*out` is set on success only. 0 or a negative errno (already logged). After
 * weft_boot_close it can be opened again: through a launcher it is the same as before. */
int weft_boot_open(weft_boot_t **out);
/* From the next open on the way in is MPI over this communicator, which the program keeps: `comm`
 * is the address of an MPI_Comm (the two binary interfaces differ in its size). Its processes are
 * the job, numbered by their ranks in it. NULL: as if never called. */
void weft_boot_mpi_use(const void *comm);
/* WEFT_ON_DEATH=continue: this process has failed by its own word and waits for nobody any more.
 * The launcher need not wait for it (weftrun; others are not told). */
void weft_boot_tell_asleep(void);
/* A connection is lost, and this process ends: the launcher says so in these words (one line of at
 * most WEFT_BOOT_LOST_MAX bytes), but only if no death explains it and nobody else has said it.
 * False: it is not weftrun, the caller says it. */
enum { WEFT_BOOT_LOST_MAX = 400 };
bool weft_boot_tell_lost(const char *line);
/* The program has finalized, so it may end in whatever way; or it has started again (weftrun only).
 */
void weft_boot_tell_over(bool over);
/* What ends this process is SIGTERM: its handler of SIGQUIT is not for us (weftrun only). */
void weft_boot_tell_term(void);
/* The job is over but the process goes on. Collective. */
void weft_boot_close(weft_boot_t *boot);

/* ---- loopback.c ---- */

/* The address of this machine's loopback interface, for WEFT_IFACE: 127.0.0.1, or ::1 where that is
 * the only one. */
const char *weft_boot_loopback(void);

/* ---- self.c: a program that starts itself as a job ---- */

/* Was this process started as a part of a job, by whatever launcher? */
bool weft_boot_is_launched(void);
/* Become this launcher of Weft's, with these options (NULL behind the last), which starts this
 * program again with these arguments (its name is not among them). Does not return. */
void weft_boot_become(const char *launcher, const char *const *options, int narguments,
                      char *const *arguments) __attribute__((noreturn));

#endif
