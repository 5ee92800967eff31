/*
 * weft/shmem_old.h: what OpenSHMEM 1.6 deprecates and still requires (its annex C): old names,
 * active-set collectives; and the functions about caches, which do nothing and were removed in 1.5.
 * Include <shmem.h> instead.
 */
/* ---- For int
 *   int  shmem_int_fadd(int *dest, int value, int pe);
 *        (and finc, inc, add, cswap; for reals too fetch, set, swap)
 *   void shmem_int_wait(int *ivar, int cmp_value);   void shmem_wait(long *ivar, long value);
 *   void shmem_broadcast32(void *dest, const void *source, size_t nelems, int PE_root,
 *                          int PE_start, int logPE_stride, int PE_size, long *pSync);
 *        (and 64; collect, fcollect, alltoall, alltoalls)
 *   void shmem_int_sum_to_all(int *dest, const int *source, int nreduce, int PE_start,
 *                             int logPE_stride, int PE_size, int *pWrk, long *pSync);
 */
#ifndef WEFT_SHMEM_OLD_H
#define WEFT_SHMEM_OLD_H

#include <weft/shmem_amo.h>
#include <weft/shmem_sync.h>

/* ---- atomics --------------------------------------------------------------------------------- */

#define WEFT_OLD_EXTENDED(FN, N, T)                                                                \
  FN(T, N##_fetch, (const T *source, int pe), return pshmem_##N##_atomic_fetch(source, pe);)       \
  FN(void, N##_set, (T * dest, T value, int pe), pshmem_##N##_atomic_set(dest, value, pe);)        \
  FN(T, N##_swap, (T * dest, T value, int pe), return pshmem_##N##_atomic_swap(dest, value, pe);)
#define WEFT_OLD_STANDARD(FN, N, T)                                                                \
  FN(T, N##_cswap, (T * dest, T cond, T value, int pe),                                            \
     return pshmem_##N##_atomic_compare_swap(dest, cond, value, pe);)                              \
  FN(T, N##_finc, (T * dest, int pe), return pshmem_##N##_atomic_fetch_inc(dest, pe);)             \
  FN(void, N##_inc, (T * dest, int pe), pshmem_##N##_atomic_inc(dest, pe);)                        \
  FN(T, N##_fadd, (T * dest, T value, int pe),                                                     \
     return pshmem_##N##_atomic_fetch_add(dest, value, pe);)                                       \
  FN(void, N##_add, (T * dest, T value, int pe), pshmem_##N##_atomic_add(dest, value, pe);)

/* ---- waits ----------------------------------------------------------------------------------- */

#define WEFT_OLD_WAIT(FN, N, T)                                                                    \
  FN(void, N##_wait, (T * ivar, T cmp_value),                                                      \
     weft_shmem_wait_until(ivar, WEFT_WAIT_KIND(T), SHMEM_CMP_NE, (uint64_t)cmp_value,             \
                           "shmem_" #N "_wait");)

/* ---- active sets ----------------------------------------------------------------------------- */

#define WEFT_OLD_SET_PARAMS int PE_start, int logPE_stride, int PE_size
#define WEFT_OLD_SET PE_start, logPE_stride, PE_size, pSync
#define WEFT_OLD_MOVE(FN, BITS, BYTES)                                                             \
  FN(void, broadcast##BITS,                                                                        \
     (void *dest, const void *source, size_t nelems, int PE_root, WEFT_OLD_SET_PARAMS,             \
      long *pSync),                                                                                \
     weft_shmem_set_broadcast(dest, source, nelems *(BYTES), PE_root, WEFT_OLD_SET,                \
                              "shmem_broadcast" #BITS);)                                           \
  FN(void, collect##BITS,                                                                          \
     (void *dest, const void *source, size_t nelems, WEFT_OLD_SET_PARAMS, long *pSync),            \
     weft_shmem_set_collect(dest, source, nelems *(BYTES), WEFT_OLD_SET, "shmem_collect" #BITS);)  \
  FN(void, fcollect##BITS,                                                                         \
     (void *dest, const void *source, size_t nelems, WEFT_OLD_SET_PARAMS, long *pSync),            \
     weft_shmem_set_fcollect(dest, source, nelems *(BYTES), WEFT_OLD_SET,                          \
                             "shmem_fcollect" #BITS);)                                             \
  FN(void, alltoall##BITS,                                                                         \
     (void *dest, const void *source, size_t nelems, WEFT_OLD_SET_PARAMS, long *pSync),            \
     weft_shmem_set_alltoalls(dest, source, 1, 1, nelems, BYTES, 1, WEFT_OLD_SET,                  \
                              "shmem_alltoall" #BITS);)                                            \
  FN(void, alltoalls##BITS,                                                                        \
     (void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems,                 \
      WEFT_OLD_SET_PARAMS, long *pSync),                                                           \
     weft_shmem_set_alltoalls(dest, source, dst, sst, nelems, BYTES, 0, WEFT_OLD_SET,              \
                              "shmem_alltoalls" #BITS);)

#define WEFT_OLD_REDUCE(FN, N, T, op)                                                              \
  FN(void, N##_##op##_to_all,                                                                      \
     (T * dest, const T *source, int nreduce, WEFT_OLD_SET_PARAMS, T *pWrk, long *pSync),          \
     (void)pWrk;                                                                                   \
     weft_shmem_set_reduce(dest, source, nreduce, sizeof(T), WEFT_COMBINE(T, op), WEFT_OLD_SET,    \
                           "shmem_" #N "_" #op "_to_all");)
#define WEFT_OLD_BITS(FN, N, T)                                                                    \
  WEFT_OLD_REDUCE(FN, N, T, and)                                                                   \
  WEFT_OLD_REDUCE(FN, N, T, or)                                                                    \
  WEFT_OLD_REDUCE(FN, N, T, xor)
#define WEFT_OLD_MAX(FN, N, T)                                                                     \
  WEFT_OLD_REDUCE(FN, N, T, max)                                                                   \
  WEFT_OLD_REDUCE(FN, N, T, min)
#define WEFT_OLD_SUM(FN, N, T)                                                                     \
  WEFT_OLD_REDUCE(FN, N, T, sum)                                                                   \
  WEFT_OLD_REDUCE(FN, N, T, prod)

#define WEFT_SHMEM_OLD(FN)                                                                         \
  WEFT_TYPES_OLD_AMO(WEFT_OLD_EXTENDED, FN)                                                        \
  WEFT_TYPES_REAL(WEFT_OLD_EXTENDED, FN)                                                           \
  WEFT_TYPES_OLD_AMO(WEFT_OLD_STANDARD, FN)                                                        \
  WEFT_TYPES_OLD_BITS(WEFT_OLD_WAIT, FN)                                                           \
  WEFT_WAIT_ONE(FN, short, short)                                                                  \
  WEFT_WAIT_ONE(FN, ushort, unsigned short)                                                        \
  FN(void, wait, (long *ivar, long cmp_value),                                                     \
     weft_shmem_wait_until(ivar, WEFT_WAIT_KIND(long), SHMEM_CMP_NE, (uint64_t)cmp_value,          \
                           "shmem_wait");)                                                         \
  FN(void, wait_until, (long *ivar, int cmp, long cmp_value),                                      \
     weft_shmem_wait_until(ivar, WEFT_WAIT_KIND(long), cmp, (uint64_t)cmp_value,                   \
                           "shmem_wait_until");)                                                   \
  FN(void, barrier, (WEFT_OLD_SET_PARAMS, long *pSync),                                            \
     weft_shmem_set_sync(1, WEFT_OLD_SET, "shmem_barrier");)                                       \
  FN(void, sync, (WEFT_OLD_SET_PARAMS, long *pSync),                                               \
     weft_shmem_set_sync(0, WEFT_OLD_SET, "shmem_sync");)                                          \
  WEFT_OLD_MOVE(FN, 32, 4)                                                                         \
  WEFT_OLD_MOVE(FN, 64, 8)                                                                         \
  FN(void, set_cache_inv, (void), weft_shmem_up("shmem_set_cache_inv");)                           \
  FN(void, clear_cache_inv, (void), weft_shmem_up("shmem_clear_cache_inv");)                       \
  FN(void, udcflush, (void), weft_shmem_up("shmem_udcflush");)                                     \
  FN(void, set_cache_line_inv, (void *dest),                                                       \
     (void)dest; weft_shmem_up("shmem_set_cache_line_inv");)                                       \
  FN(void, clear_cache_line_inv, (void *dest),                                                     \
     (void)dest; weft_shmem_up("shmem_clear_cache_line_inv");)                                     \
  FN(void, udcflush_line, (void *dest), (void)dest; weft_shmem_up("shmem_udcflush_line");)         \
  WEFT_TYPES_OLD_BITS(WEFT_OLD_BITS, FN)                                                           \
  WEFT_TYPES_OLD_MAX(WEFT_OLD_MAX, FN)                                                             \
  WEFT_TYPES_OLD_SUM(WEFT_OLD_SUM, FN)

#pragma GCC visibility push(default)
#ifdef __cplusplus
extern "C" {
#endif
WEFT_SHMEM_OLD(WEFT_PROTOTYPE)

void start_pes(int npes);
int _my_pe(void);
int _num_pes(void);
void *shmalloc(size_t size);
void shfree(void *ptr);
void *shrealloc(void *ptr, size_t size);
void *shmemalign(size_t alignment, size_t size);
#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop

#endif
