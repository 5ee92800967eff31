/*
 * memory.c: the C library's free and realloc, which gfortran's code calls on components: memory of
 * the window goes back there, everything else on to the C library.
 */
#define _GNU_SOURCE
#include "caf/gfortran/memory.h"

#include <dlfcn.h>
#include <stdlib.h>

#include "caf/gfortran/abi.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)

/* The sanitizer's own stand in front. */
void gfc_memory_start(void) {}

#else

void __libc_free(void *p);
void *__libc_realloc(void *p, size_t size);

static inline bool is_component(const void *p) {
  return (uintptr_t)p - weft_caf_range.from < weft_caf_range.size;
}

WEFT_API void free(void *p) {
  if (weft_unlikely(is_component(p)))
    weft_caf_component_release(p);
  else
    __libc_free(p);
}

WEFT_API void *realloc(void *p, size_t size) {
  if (weft_unlikely(is_component(p))) return weft_caf_component_resize(p, size);
  return __libc_realloc(p, size);
}

void gfc_memory_start(void) {
  if (dlsym(RTLD_DEFAULT, "free") == (void *)(uintptr_t)&free) weft_caf_components_serve();
}

#endif
