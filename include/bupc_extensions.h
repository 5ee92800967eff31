/*
 * bupc_extensions.h: what public programs use of Berkeley UPC's extensions: timers, casts, counted
 * semaphores, asynchronous transfers, atomics without domains. upc.h includes it, as Berkeley's does:
 * programs use it unasked. No macro says that this is Berkeley UPC: it is not. UPC text.
 */
#ifndef WEFT_BUPC_EXTENSIONS_H
#define WEFT_BUPC_EXTENSIONS_H

#ifndef __UPC__
#error "bupc_extensions.h is for UPC programs: compile with upcc"
#endif

#include <stddef.h>
#include <stdint.h>

#include <upc_castable.h>
#include <upc_nb.h>
#include <upc_tick.h>

/* Timers: a tick is a nanosecond; granularity and overhead are in microseconds. */
typedef upc_tick_t bupc_tick_t;
#define BUPC_TICK_MAX UPC_TICK_MAX
#define BUPC_TICK_MIN UPC_TICK_MIN
#define bupc_ticks_now() upc_ticks_now()
#define bupc_ticks_to_ns(ticks) upc_ticks_to_ns(ticks)
#define bupc_ticks_to_us(ticks) (upc_ticks_to_ns(ticks) / 1000)
#define bupc_tick_granularity() 0.001
#define bupc_tick_overhead() 0.03

/* Progress for a thread that computes or spins. */
extern void weft_upc_poll(void);
#define bupc_poll() weft_upc_poll()

/* Casts. bupc_inverse_cast: the pointer-to-shared of what upc_cast gave, or null. */
#define bupc_cast(ptr) upc_cast(ptr)
#define bupc_castable(ptr) (upc_cast(ptr) != (void *)0)
#define bupc_thread_castable(thread) (upc_thread_info(thread).guaranteedCastable != 0)
typedef upc_thread_info_t bupc_thread_info_t;
#define bupc_thread_info(thread) upc_thread_info(thread)
extern shared void *bupc_inverse_cast(void *ptr);
extern shared void *bupc_local_to_shared(void *ptr, int thread, int phase);

/* How far threads are from one another. */
#define BUPC_THREADS_SAME 0
#define BUPC_THREADS_VERYNEAR 1
#define BUPC_THREADS_NEAR 2
#define BUPC_THREADS_FAR 3
#define BUPC_THREADS_VERYFAR 4
extern unsigned int bupc_thread_distance(int threadX, int threadY);

/* ptr plus elemincr elements of elemsz bytes, with blocks of blockelems (0: indefinite). */
extern shared void *bupc_ptradd(shared const void *ptr, size_t blockelems, size_t elemsz,
                                ptrdiff_t elemincr);
/* The parts of a pointer as text. 0, or -1: buf is too short. */
#define BUPC_DUMP_MIN_LENGTH 100
extern int bupc_dump_shared(shared const void *ptr, char *buf, int maxlen);

/* Semaphores: any thread posts, the one that allocated it waits. A boolean one is 0 or 1. */
typedef shared struct weft_upc_sem bupc_sem_t;
#define BUPC_SEM_BOOLEAN 1
#define BUPC_SEM_INTEGER 2
#define BUPC_SEM_SPRODUCER 4
#define BUPC_SEM_MPRODUCER 8
#define BUPC_SEM_SCONSUMER 16
#define BUPC_SEM_MCONSUMER 32
#define BUPC_SEM_MAXVALUE 0x7fffffff
extern bupc_sem_t *bupc_sem_alloc(int flags);
extern void bupc_sem_free(bupc_sem_t *sem);
extern void bupc_sem_post(bupc_sem_t *sem);
extern void bupc_sem_postN(bupc_sem_t *sem, size_t n);
extern void bupc_sem_wait(bupc_sem_t *sem);
extern void bupc_sem_waitN(bupc_sem_t *sem, size_t n);
extern int bupc_sem_try(bupc_sem_t *sem);
extern int bupc_sem_tryN(bupc_sem_t *sem, size_t n);
/* A put, and n posts that nobody sees before the data. */
extern void bupc_memput_signal(shared void *dst, const void *src, size_t nbytes, bupc_sem_t *sem,
                               size_t n);
#define bupc_memput_signal_async(dst, src, nbytes, sem, n)                                         \
  (bupc_memput_signal(dst, src, nbytes, sem, n), UPC_COMPLETE_HANDLE)

/* Asynchronous transfers, as they were before upc_nb.h. */
typedef upc_handle_t bupc_handle_t;
#define BUPC_COMPLETE_HANDLE UPC_COMPLETE_HANDLE
#define bupc_memcpy_async(dst, src, n) upc_memcpy_nb(dst, src, n)
#define bupc_memget_async(dst, src, n) upc_memget_nb(dst, src, n)
#define bupc_memput_async(dst, src, n) upc_memput_nb(dst, src, n)
#define bupc_memset_async(dst, c, n) upc_memset_nb(dst, c, n)
#define bupc_memcpy_asynci(dst, src, n) upc_memcpy_nbi(dst, src, n)
#define bupc_memget_asynci(dst, src, n) upc_memget_nbi(dst, src, n)
#define bupc_memput_asynci(dst, src, n) upc_memput_nbi(dst, src, n)
#define bupc_memset_asynci(dst, c, n) upc_memset_nbi(dst, c, n)
#define bupc_waitsync(handle) upc_sync(handle)
#define bupc_trysync(handle) upc_sync_attempt(handle)
#define bupc_waitsynci() upc_synci()
#define bupc_trysynci() upc_synci_attempt()

/* Atomics without a domain: bupc_atomic<type>_<operation>_<strictness>. All but set give what was
 * there before. */
#define WEFT_BUPC_ATOMIC_ACCESS(N, T, mode)                                                        \
  extern T bupc_atomic##N##_read_##mode(shared void *ptr);                                         \
  extern void bupc_atomic##N##_set_##mode(shared void *ptr, T value);                              \
  extern T bupc_atomic##N##_swap_##mode(shared void *ptr, T value);                                \
  extern T bupc_atomic##N##_cswap_##mode(shared void *ptr, T oldval, T newval);                    \
  extern T bupc_atomic##N##_fetchadd_##mode(shared void *ptr, T value);
#define WEFT_BUPC_ATOMIC_BITS(N, T, mode)                                                          \
  WEFT_BUPC_ATOMIC_ACCESS(N, T, mode)                                                              \
  extern T bupc_atomic##N##_fetchand_##mode(shared void *ptr, T value);                            \
  extern T bupc_atomic##N##_fetchor_##mode(shared void *ptr, T value);                             \
  extern T bupc_atomic##N##_fetchxor_##mode(shared void *ptr, T value);                            \
  extern T bupc_atomic##N##_fetchnot_##mode(shared void *ptr);
#define WEFT_BUPC_ATOMIC_WHOLE(N, T)                                                               \
  WEFT_BUPC_ATOMIC_BITS(N, T, relaxed) WEFT_BUPC_ATOMIC_BITS(N, T, strict)
#define WEFT_BUPC_ATOMIC_REAL(N, T)                                                                \
  WEFT_BUPC_ATOMIC_ACCESS(N, T, relaxed) WEFT_BUPC_ATOMIC_ACCESS(N, T, strict)
WEFT_BUPC_ATOMIC_WHOLE(I, int)
WEFT_BUPC_ATOMIC_WHOLE(UI, unsigned int)
WEFT_BUPC_ATOMIC_WHOLE(L, long)
WEFT_BUPC_ATOMIC_WHOLE(UL, unsigned long)
WEFT_BUPC_ATOMIC_WHOLE(I32, int32_t)
WEFT_BUPC_ATOMIC_WHOLE(U32, uint32_t)
WEFT_BUPC_ATOMIC_WHOLE(I64, int64_t)
WEFT_BUPC_ATOMIC_WHOLE(U64, uint64_t)
WEFT_BUPC_ATOMIC_REAL(F, float)
WEFT_BUPC_ATOMIC_REAL(D, double)
#undef WEFT_BUPC_ATOMIC_REAL
#undef WEFT_BUPC_ATOMIC_WHOLE
#undef WEFT_BUPC_ATOMIC_BITS
#undef WEFT_BUPC_ATOMIC_ACCESS

#endif
