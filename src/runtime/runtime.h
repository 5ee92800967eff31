/*
 * runtime: brings the layers up in order and takes them down, once per process however many front
 * ends ask.
 */
#ifndef WEFT_RUNTIME_H
#define WEFT_RUNTIME_H

#include <stddef.h>

/* Join the job: collective over the world. The second and later calls only count. A failure is
 * fatal with one line. */
void weft_runtime_start(const char *who);
/* Leave: collective. The last one completes everything, synchronises the world and closes the fast
 * path. It can be started again. */
void weft_runtime_stop(void);
/* Exit without finalize is an error that names the PE, unless the front end says that finalize is
 * implied (start_pes). */
void weft_runtime_imply_stop(void);

/* Symmetric memory. Collective over the world: every PE gets the same offset or all get NULL. `who`
 * names the public function. The barrier stands at exit of an allocation and at entry of a release
 * (OpenSHMEM 1.6, 9.3); sizes of 0 are the front end's business. */
void *weft_symmetric_alloc(size_t align, size_t size, const char *who);
void *weft_symmetric_realloc(void *old, size_t size, const char *who);
void weft_symmetric_free(void *p, const char *who);

#endif
