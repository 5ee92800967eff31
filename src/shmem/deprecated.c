/* deprecated.c: what OpenSHMEM 1.6 deprecates and still requires, in terms of what replaced it. */
#include "runtime/runtime.h"
#include "shmem/internal.h"

/* A name without shmem_: its twin is p and the name. */
#define OLD(RET, NAME, PARAMS)                                                                     \
  extern __typeof__(NAME) NAME __attribute__((weak, alias("p" #NAME), visibility("default")));     \
  RET p##NAME PARAMS

/* There is no finalize to match: the end of the program is it. The second call does nothing. */
OLD(void, start_pes, (int npes)) {
  (void)npes;
  if (weft_shmem_depth > 0) return;
  weft_shmem_start("start_pes");
  weft_runtime_imply_stop();
}

OLD(int, _my_pe, (void)) {
  return pshmem_my_pe();
}

OLD(int, _num_pes, (void)) {
  return pshmem_n_pes();
}

OLD(void *, shmalloc, (size_t size)) {
  return pshmem_malloc(size);
}

OLD(void, shfree, (void *ptr)) {
  pshmem_free(ptr);
}

OLD(void *, shrealloc, (void *ptr, size_t size)) {
  return pshmem_realloc(ptr, size);
}

OLD(void *, shmemalign, (size_t alignment, size_t size)) {
  return pshmem_align(alignment, size);
}

WEFT_SHMEM_OLD(WEFT_EMIT)
