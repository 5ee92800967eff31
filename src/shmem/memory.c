/*
 * memory.c: OpenSHMEM 1.6 section 9.3, the symmetric heap. What is specific to the specification:
 * size 0 does nothing, not even a barrier, and a null pointer is not freed; alignment; overflow of
 * a product.
 */
#include <string.h>

#include "coll/coll.h"
#include "runtime/runtime.h"
#include "shmem/internal.h"
#include "trace/trace.h"

enum { ALIGN = 16 };

/* Of an alignment that is too large the runtime has told. */
static WEFT_COLD void no_room(size_t align, size_t size, const char *who) {
  if (weft_job.pe == 0 && align <= weft_job.align_max)
    weft_no_room(who, size, " on each PE", weft_symmetric_shortage());
}

/* The barrier at its end, as every barrier, completes what is under way on the default context. */
static void *allocate(size_t align, size_t size, const char *who) {
  weft_shmem_up(who);
  WEFT_SPAN(WEFT_TRACE_MEMORY, who, size);
  if (size == 0) return NULL;
  weft_direct_quiet();
  void *p = weft_symmetric_alloc(align, size, who);
  if (!p) no_room(align, size, who);
  return p;
}

void *weft_shmem_allocate(size_t size, const char *who) {
  return allocate(ALIGN, size, who);
}

WEFT_FUNCTION(void *, malloc, (size_t size)) {
  return allocate(ALIGN, size, "shmem_malloc");
}

/* Hints: atomics and signals want a cache line of their own. */
WEFT_FUNCTION(void *, malloc_with_hints, (size_t size, long hints)) {
  return allocate(hints ? WEFT_CACHELINE : ALIGN, size, "shmem_malloc_with_hints");
}

/* Undefined below sizeof(void *), but programs ask for 2 or 4 bytes, and every block has those. */
WEFT_FUNCTION(void *, align, (size_t alignment, size_t size)) {
  if (alignment == 0 || (alignment & (alignment - 1))) {
    weft_warn("shmem_align: alignment %zu is not a power of two", alignment);
    return NULL;
  }
  return allocate(alignment, size, "shmem_align");
}

/* A peer may write as soon as it returns, so the zeros must be there before anyone does. */
WEFT_FUNCTION(void *, calloc, (size_t count, size_t size)) {
  size_t bytes;
  if (__builtin_mul_overflow(count, size, &bytes)) {
    weft_shmem_up("shmem_calloc");
    if (weft_options.check && weft_job.pe == 0)
      weft_warn("shmem_calloc: %zu times %zu bytes are more than any memory, so it returns NULL",
                count, size);
    return NULL;
  }
  void *p = allocate(ALIGN, bytes, "shmem_calloc");
  if (p) {
    memset(p, 0, bytes);
    weft_coll_sync(weft_team_world());
  }
  return p;
}

WEFT_FUNCTION(void, free, (void *ptr)) {
  weft_shmem_up("shmem_free");
  WEFT_SPAN(WEFT_TRACE_MEMORY, "shmem_free", 0);
  if (ptr) weft_symmetric_free(ptr, "shmem_free");
}

WEFT_FUNCTION(void *, realloc, (void *ptr, size_t size)) {
  if (!ptr) return allocate(ALIGN, size, "shmem_realloc");
  weft_shmem_up("shmem_realloc");
  WEFT_SPAN(WEFT_TRACE_MEMORY, "shmem_realloc", size);
  if (size) {
    void *p = weft_symmetric_realloc(ptr, size, "shmem_realloc");
    if (!p) no_room(ALIGN, size, "shmem_realloc");
    return p;
  }
  weft_symmetric_free(ptr, "shmem_realloc");
  return NULL;
}
