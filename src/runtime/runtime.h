/*
 * runtime: brings the layers up in order and takes them down, once per process however many front
 * ends ask.
 */
#ifndef WEFT_RUNTIME_H
#define WEFT_RUNTIME_H

#include <stdbool.h>
#include <stddef.h>

#include "coll/coll.h"
#include "job/job.h"

/* Join the job: collective over the world. The second and later calls only count. A failure is
 * fatal with one line. */
void weft_runtime_start(const char *who);
/* All PEs have come to their end, and what they posted on the default context is complete; or the
 * job ends here with one line, because others are in a barrier of the program. Before
 * weft_runtime_stop, by a caller that has things of its own to give back in between. */
void weft_runtime_leave(void);
/* Leave: collective. The last one completes everything, synchronises the world and closes the fast
 * path. It can be started again. */
void weft_runtime_stop(void);
/* After the last stop: the job is over for good and the process goes on. Memory of the job is gone,
 * static data stay; start may begin another job, over another communicator (weft_boot_mpi_use) or
 * with the same launcher. Every PE calls. Nothing if there is no job or it is in use. */
void weft_runtime_end(void);
/* A program that exits with status 0 and has not stopped what it started is stopped by the runtime,
 * and PE 0 says so; unless the front end says that this is implied (start_pes). With another
 * status, or while other PEs are in a barrier of the program, it is an error that ends the job. */
void weft_runtime_imply_stop(void);
/* For that: the name of the public function that should have been called, and what it does before
 * weft_runtime_stop (NULL: nothing). */
void weft_runtime_ends_with(const char *function, void (*stop)(void));
/* It was started, and stopped by all that started it. */
bool weft_runtime_is_over(void);
/* This process is exiting with a failure of its own, which the launcher will see: nothing is waited
 * for, and nothing more is said. At exit only. */
void weft_runtime_abandon(void);
/* The PEs have met, and the process's end is the runtime's: nothing is taken down. At exit only. */
void weft_runtime_keep(void);

/* ---- ending.c: the job ends by one PE, and what all have printed is seen ---- */
/* The others flush stdio, where they come to a wait within a second. */
void weft_runtime_end_all(int status) __attribute__((noreturn));
/* What this PE waits for from now on, as it leaves, may not come: the job ends with this status
 * unless weft_runtime_end_patience is called within so many seconds (more than 0). `flushed`: its
 * stdio is already. SIGALRM and ITIMER_REAL are taken for it. */
void weft_runtime_be_patient(double seconds, int status, bool flushed);
void weft_runtime_end_patience(void);

/* Symmetric memory. Collective over the world: every PE gets the same offset or all get NULL. `who`
 * names the public function. The barrier stands at exit of an allocation and at entry of a release
 * (OpenSHMEM 1.6, 9.3); sizes of 0 are the front end's business. */
void *weft_symmetric_alloc(size_t align, size_t size, const char *who);
/* Why the last one gave NULL: the limit, or memory. The end of a line, in words. */
const char *weft_symmetric_shortage(void);
void *weft_symmetric_realloc(void *old, size_t size, const char *who);
void weft_symmetric_free(void *p, const char *who);

/* ---- memory.c: private and global memory (job/private.h) of PEs on any node --------------------
 * A call to another node waits for its answer and makes progress meanwhile; the PE that is meant
 * has no part in it. Nothing is collective. */

/* Slot offset of n bytes of a PE's private memory, aligned as that PE sees them; 0: no room, for
 * the reason that weft_private_shortage tells. */
uintptr_t weft_private_alloc_on(int pe, size_t align, size_t n);
/* 0; -EALREADY: was freed before; -EINVAL: never came from there. */
int weft_private_free_on(int pe, uintptr_t off);
/* n bytes at one slot offset of every PE, for the caller to give away; 0: no room. They are not
 * zeroed, and cost memory only where they are touched. Likewise. */
uintptr_t weft_global_alloc(size_t align, size_t n);
/* By any PE. 0; -EALREADY: was freed before; -EINVAL: never came from there. */
int weft_global_free(uintptr_t off);
/* `who`, a public function, returns NULL, as there is no room for n bytes (`where`: " on each PE",
 * or ""), for this reason. With WEFT_CHECK=1 the first one of a node is said. */
void weft_no_room(const char *who, size_t n, const char *where, const char *why);
/* Do n bytes at a PE's slot offset lie inside one live allocation of its private memory, or of
 * global memory? For checks. (Where its node is gone, nobody says that they do not.) */
bool weft_memory_owns(int pe, uintptr_t off, size_t n);

/* ---- shared.c: symmetric memory of a team ------------------------------------------------------
 * All members call, others know nothing of it; teams with common members may have memory at a time.
 * It is symmetric: one offset on all members, and weft_job_is_symmetric says so. */

/* What a team has; the owner of the team keeps it, zero at first. */
typedef struct weft_blocks {
  struct weft_block *first;
} weft_blocks_t;

/* n bytes, not zeroed; NULL on all members: one has no room, or PEs' addresses do not agree in this
 * alignment (weft_job.align_max); weft_private_shortage tells each what it knows. A barrier of the
 * team at exit. */
void *weft_team_alloc(weft_team_t *team, weft_blocks_t *blocks, size_t align, size_t n);
/* A quiet and a barrier at entry. 0, or -EINVAL without one: not of these blocks. */
int weft_team_dealloc(weft_team_t *team, weft_blocks_t *blocks, void *p);
/* The same for all that is left. */
void weft_team_dealloc_all(weft_team_t *team, weft_blocks_t *blocks);

#endif
