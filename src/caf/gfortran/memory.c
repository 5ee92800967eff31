/*
 * memory.c: the C library's free and realloc, which gfortran's code calls on components: memory of
 * the window goes back there, everything else on to the C library, or to the sanitizer. Those of a
 * sanitizer come before a shared library's, but not before the program's: so with one they serve
 * programs that link libcaf_weft.a.
 */
#define _GNU_SOURCE
#include "caf/gfortran/memory.h"

#include <dlfcn.h>
#include <stdlib.h>

#include "base/base.h"
#include "caf/gfortran/abi.h"

#if WEFT_ASAN || WEFT_TSAN
#define NEXT(f) __interceptor_##f
#else
#define NEXT(f) __libc_##f
#endif
void NEXT(free)(void *p);
void *NEXT(realloc)(void *p, size_t size);

/* The loader calls these before a sanitizer is ready to check what they do. */
#define EARLY __attribute__((no_sanitize_address)) WEFT_UNSEEN

EARLY static inline bool is_component(const void *p) {
  return (uintptr_t)p - weft_caf_range.from < weft_caf_range.size;
}

WEFT_API EARLY void free(void *p) {
  if (weft_unlikely(is_component(p)))
    weft_caf_component_release(p);
  else
    NEXT(free)(p);
}

WEFT_API EARLY void *realloc(void *p, size_t size) {
  if (weft_unlikely(is_component(p))) return weft_caf_component_resize(p, size);
  return NEXT(realloc)(p, size);
}

void gfc_memory_start(void) {
  if (dlsym(RTLD_DEFAULT, "free") == (void *)(uintptr_t)&free) weft_caf_components_serve();
}
