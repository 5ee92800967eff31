/*
 * runtime: brings the layers up in order and takes them down, once per process however many front
 * ends ask.
 */
#ifndef WEFT_RUNTIME_H
#define WEFT_RUNTIME_H

#include <stdbool.h>
#include <stddef.h>

/* Join the job: collective over the world. The second and later calls only count. A failure is
 * fatal with one line. */
void weft_runtime_start(const char *who);
/* All PEs have come to their end, and what they posted on the default context is complete; or the
 * job ends here with one line, because others are in a barrier of the program. Before
 * weft_runtime_stop, by who has things of its own to give back in between. */
void weft_runtime_leave(void);
/* Leave: collective. The last one completes everything, synchronises the world and closes the fast
 * path. It can be started again. */
void weft_runtime_stop(void);
/* A program that exits with status 0 and has not stopped what it started is stopped by the runtime,
 * and PE 0 says so; unless the front end says that this is implied (start_pes). With another
 * status, or while other PEs are in a barrier of the program, it is an error that ends the job. */
void weft_runtime_imply_stop(void);
/* For that: the name of the public function that should have been called, and what it does before
 * weft_runtime_stop (NULL: nothing). */
void weft_runtime_ends_with(const char *function, void (*stop)(void));
/* It was started, and stopped by all that started it. */
bool weft_runtime_is_over(void);

/* Symmetric memory. Collective over the world: every PE gets the same offset or all get NULL. `who`
 * names the public function. The barrier stands at exit of an allocation and at entry of a release
 * (OpenSHMEM 1.6, 9.3); sizes of 0 are the front end's business. */
void *weft_symmetric_alloc(size_t align, size_t size, const char *who);
void *weft_symmetric_realloc(void *old, size_t size, const char *who);
void weft_symmetric_free(void *p, const char *who);

/* ---- private.c: memory in the own slot that is not symmetric ------------------------------------
 * PEs of the node reach it at its address + disp[pe] of that PE, others at its slot offset
 * (weft_job_offset); nothing is collective. Any thread may call. */

/* NULL: no room. It is not zeroed, and costs memory only where it is touched. */
void *weft_private_alloc(size_t align, size_t n);
/* A pointer that did not come from weft_private_alloc, or came back before, is fatal. NULL is
 * nothing. */
void weft_private_free(void *p);
/* The largest allocation that a PE with nothing allocated could make; equal on all PEs. */
size_t weft_private_limit(void);
/* Make [pages, pages + n), the program's own page-aligned memory, part of the window: it keeps
 * address and contents, and peers find it where *inside is, an address of the own slot as of
 * weft_private_alloc. What is static data or in a heap already is its own `inside`. Nobody may
 * write to it meanwhile. 0, -EINVAL (not page-aligned, or partly adopted already) or -ENOMEM. */
int weft_private_adopt(void *pages, size_t n, void **inside);
/* Undo: private memory again, contents kept. 0, -ENOENT (never adopted, or needed no adoption) or
 * -ENOMEM. */
int weft_private_release(void *pages);

#endif
