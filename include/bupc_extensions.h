/*
 * bupc_extensions.h: what public programs use of Berkeley UPC's extensions: timers, casts, counted
 * semaphores, asynchronous transfers, atomics without domains. upc.h includes it, as Berkeley's
 * does: programs use it unasked. No macro says that this is Berkeley UPC: it is not. UPC text.
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

/* Transfers that are begun without a handle between the two have the handle that the second gives;
 * bupc_waitsynci does not wait for them. Regions do not nest. */
extern void bupc_begin_accessregion(void);
extern bupc_handle_t bupc_end_accessregion(void);

/* For several handles: those that are complete become BUPC_COMPLETE_HANDLE. "some": one at least
 * has come in, or none was left. */
extern void bupc_waitsync_all(bupc_handle_t *handles, size_t n);
extern int bupc_trysync_all(bupc_handle_t *handles, size_t n);
extern void bupc_waitsync_some(bupc_handle_t *handles, size_t n);
extern int bupc_trysync_some(bupc_handle_t *handles, size_t n);

/* Transfers whose bytes do not lie together; both sides have the same number, in order. Lists,
 * whose entries may lie on different threads: of pieces (vlist), or of places of one length each
 * (ilist). Regions of one thread: chunks a stride apart, which may be cut otherwise on either side
 * (fstrided); count[0] bytes in `levels` dimensions of count[1], count[2], ..., strides in bytes
 * (strided). Each also begun (_async), until bupc_waitsync; lists and counts may be changed at
 * once. Source: Bonachea, Proposal for Extending the UPC Memory Copy Library Functions, 2.0. */
typedef struct bupc_smemvec {
  shared void *addr;
  size_t len;
} bupc_smemvec_t;
typedef struct bupc_pmemvec {
  void *addr;
  size_t len;
} bupc_pmemvec_t;
#define WEFT_BUPC_VIS_(name, ...)                                                                  \
  extern void bupc_##name(__VA_ARGS__);                                                            \
  extern bupc_handle_t bupc_##name##_async(__VA_ARGS__);
#define WEFT_BUPC_VIS(kind, TO, TO_VECTOR, FROM, FROM_VECTOR)                                      \
  WEFT_BUPC_VIS_(kind##_vlist, size_t dstcount, TO_VECTOR const dstlist[], size_t srccount,        \
                 FROM_VECTOR const srclist[])                                                      \
  WEFT_BUPC_VIS_(kind##_ilist, size_t dstcount, TO *const dstlist[], size_t dstlen,                \
                 size_t srccount, FROM *const srclist[], size_t srclen)                            \
  WEFT_BUPC_VIS_(kind##_fstrided, TO *dstaddr, size_t dstchunklen, size_t dstchunkstride,          \
                 size_t dstchunkcount, FROM *srcaddr, size_t srcchunklen, size_t srcchunkstride,   \
                 size_t srcchunkcount)                                                             \
  WEFT_BUPC_VIS_(kind##_strided, TO *dstaddr, const size_t dststrides[], FROM *srcaddr,            \
                 const size_t srcstrides[], const size_t count[], size_t levels)
WEFT_BUPC_VIS(memcpy, shared void, bupc_smemvec_t, shared const void, bupc_smemvec_t)
WEFT_BUPC_VIS(memput, shared void, bupc_smemvec_t, const void, bupc_pmemvec_t)
WEFT_BUPC_VIS(memget, void, bupc_pmemvec_t, shared const void, bupc_smemvec_t)
#undef WEFT_BUPC_VIS
#undef WEFT_BUPC_VIS_

/* The same names with upc_ in place of bupc_, for who asks for them. */
#ifdef BUPC_USE_UPC_NAMESPACE
#define upc_smemvec_t bupc_smemvec_t
#define upc_pmemvec_t bupc_pmemvec_t
#define upc_memcpy_async bupc_memcpy_async
#define upc_memget_async bupc_memget_async
#define upc_memput_async bupc_memput_async
#define upc_memset_async bupc_memset_async
#define upc_waitsync bupc_waitsync
#define upc_trysync bupc_trysync
#define upc_waitsync_all bupc_waitsync_all
#define upc_trysync_all bupc_trysync_all
#define upc_waitsync_some bupc_waitsync_some
#define upc_trysync_some bupc_trysync_some
#define upc_memcpy_asynci bupc_memcpy_asynci
#define upc_memget_asynci bupc_memget_asynci
#define upc_memput_asynci bupc_memput_asynci
#define upc_memset_asynci bupc_memset_asynci
#define upc_waitsynci bupc_waitsynci
#define upc_trysynci bupc_trysynci
#define upc_begin_accessregion bupc_begin_accessregion
#define upc_end_accessregion bupc_end_accessregion
#define upc_memcpy_vlist bupc_memcpy_vlist
#define upc_memput_vlist bupc_memput_vlist
#define upc_memget_vlist bupc_memget_vlist
#define upc_memcpy_vlist_async bupc_memcpy_vlist_async
#define upc_memput_vlist_async bupc_memput_vlist_async
#define upc_memget_vlist_async bupc_memget_vlist_async
#define upc_memcpy_ilist bupc_memcpy_ilist
#define upc_memput_ilist bupc_memput_ilist
#define upc_memget_ilist bupc_memget_ilist
#define upc_memcpy_ilist_async bupc_memcpy_ilist_async
#define upc_memput_ilist_async bupc_memput_ilist_async
#define upc_memget_ilist_async bupc_memget_ilist_async
#define upc_memcpy_fstrided bupc_memcpy_fstrided
#define upc_memput_fstrided bupc_memput_fstrided
#define upc_memget_fstrided bupc_memget_fstrided
#define upc_memcpy_fstrided_async bupc_memcpy_fstrided_async
#define upc_memput_fstrided_async bupc_memput_fstrided_async
#define upc_memget_fstrided_async bupc_memget_fstrided_async
#define upc_memcpy_strided bupc_memcpy_strided
#define upc_memput_strided bupc_memput_strided
#define upc_memget_strided bupc_memget_strided
#define upc_memcpy_strided_async bupc_memcpy_strided_async
#define upc_memput_strided_async bupc_memput_strided_async
#define upc_memget_strided_async bupc_memget_strided_async
#endif

/* Atomics without a domain: bupc_atomic<type>_<operation>_<strictness>. All but set give what was
 * there before. (Whole names in the list below: a program may have a macro of the name I or D.) */
#define WEFT_BUPC_ATOMIC_ACCESS(N, T, mode)                                                        \
  extern T N##_read_##mode(shared void *ptr);                                                      \
  extern void N##_set_##mode(shared void *ptr, T value);                                           \
  extern T N##_swap_##mode(shared void *ptr, T value);                                             \
  extern T N##_cswap_##mode(shared void *ptr, T oldval, T newval);                                 \
  extern T N##_fetchadd_##mode(shared void *ptr, T value);
#define WEFT_BUPC_ATOMIC_BITS(N, T, mode)                                                          \
  WEFT_BUPC_ATOMIC_ACCESS(N, T, mode)                                                              \
  extern T N##_fetchand_##mode(shared void *ptr, T value);                                         \
  extern T N##_fetchor_##mode(shared void *ptr, T value);                                          \
  extern T N##_fetchxor_##mode(shared void *ptr, T value);                                         \
  extern T N##_fetchnot_##mode(shared void *ptr);
#define WEFT_BUPC_ATOMIC_WHOLE(N, T)                                                               \
  WEFT_BUPC_ATOMIC_BITS(N, T, relaxed) WEFT_BUPC_ATOMIC_BITS(N, T, strict)
#define WEFT_BUPC_ATOMIC_REAL(N, T)                                                                \
  WEFT_BUPC_ATOMIC_ACCESS(N, T, relaxed) WEFT_BUPC_ATOMIC_ACCESS(N, T, strict)
WEFT_BUPC_ATOMIC_WHOLE(bupc_atomicI, int)
WEFT_BUPC_ATOMIC_WHOLE(bupc_atomicUI, unsigned int)
WEFT_BUPC_ATOMIC_WHOLE(bupc_atomicL, long)
WEFT_BUPC_ATOMIC_WHOLE(bupc_atomicUL, unsigned long)
WEFT_BUPC_ATOMIC_WHOLE(bupc_atomicI32, int32_t)
WEFT_BUPC_ATOMIC_WHOLE(bupc_atomicU32, uint32_t)
WEFT_BUPC_ATOMIC_WHOLE(bupc_atomicI64, int64_t)
WEFT_BUPC_ATOMIC_WHOLE(bupc_atomicU64, uint64_t)
WEFT_BUPC_ATOMIC_REAL(bupc_atomicF, float)
WEFT_BUPC_ATOMIC_REAL(bupc_atomicD, double)
#undef WEFT_BUPC_ATOMIC_REAL
#undef WEFT_BUPC_ATOMIC_WHOLE
#undef WEFT_BUPC_ATOMIC_BITS
#undef WEFT_BUPC_ATOMIC_ACCESS

#endif
