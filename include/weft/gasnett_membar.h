/*
 * gasnet_tools.h, memory barriers between threads of a process. They are C11 fences: a write
 * barrier keeps stores in order, a read barrier loads, and only gasnett_local_mb keeps a store
 * before a later load. The weak ones vanish in a program of one thread.
 */
#ifndef WEFT_GASNETT_MEMBAR_H
#define WEFT_GASNETT_MEMBAR_H

#include <weft/gasnett_mode.h>

#ifdef __cplusplus
extern "C" {
#endif

WEFT_GASNETT_INLINE void gasnett_compiler_fence(void) {
  __asm__ __volatile__("" ::: "memory");
}
WEFT_GASNETT_INLINE void gasnett_local_wmb(void) {
  __atomic_thread_fence(__ATOMIC_RELEASE);
  gasnett_compiler_fence();
}
WEFT_GASNETT_INLINE void gasnett_local_rmb(void) {
  __atomic_thread_fence(__ATOMIC_ACQUIRE);
  gasnett_compiler_fence();
}
WEFT_GASNETT_INLINE void gasnett_local_mb(void) {
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  gasnett_compiler_fence();
}

#if WEFT_GASNETT_THREADS
WEFT_GASNETT_INLINE void gasnett_weak_wmb(void) {
  gasnett_local_wmb();
}
WEFT_GASNETT_INLINE void gasnett_weak_rmb(void) {
  gasnett_local_rmb();
}
WEFT_GASNETT_INLINE void gasnett_weak_mb(void) {
  gasnett_local_mb();
}
#else
WEFT_GASNETT_INLINE void gasnett_weak_wmb(void) {}
WEFT_GASNETT_INLINE void gasnett_weak_rmb(void) {}
WEFT_GASNETT_INLINE void gasnett_weak_mb(void) {}
#endif

/* For the body of a loop that spins: the processor's hint, and the compiler reads memory again. */
WEFT_GASNETT_INLINE void gasnett_spinloop_hint(void) {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ __volatile__("yield");
#endif
  gasnett_compiler_fence();
}

#define GASNETT_MEMBAR_CONFIG membars_c11

#ifdef __cplusplus
}
#endif
#endif
