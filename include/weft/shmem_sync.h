/*
 * weft/shmem_sync.h: OpenSHMEM 1.6 sections 9.8 (signalling), 9.11 (point-to-point
 * synchronisation), 9.12 (ordering) and 9.13 (locks). Include <shmem.h> instead.
 */
/* ---- For int; the other types are the standard AMO types
 *   void   shmem_int_wait_until(int *ivar, int cmp, int cmp_value);
 *   int    shmem_int_test(int *ivar, int cmp, int cmp_value);
 *   void   shmem_int_wait_until_all(int *ivars, size_t nelems, const int *status, int cmp,
 *                                   int cmp_value);
 *   size_t shmem_int_wait_until_any(the same);
 *   size_t shmem_int_wait_until_some(.., size_t nelems, size_t *indices, ..);
 *   and their _vector forms with an array of values; test_all, test_any, test_some likewise.
 *   void   shmem_int_put_signal(int *dest, const int *source, size_t nelems, uint64_t *sig_addr,
 *                               uint64_t signal, int sig_op, int pe);
 *   and _nbi, sizes 8 .. 128, mem, shmem_ctx_ forms.
 */
#ifndef WEFT_SHMEM_SYNC_H
#define WEFT_SHMEM_SYNC_H

#include <weft/shmem_types.h>

/* ---- ordering -------------------------------------------------------------------------------- */

#define WEFT_SHMEM_ORDER_HOT(FN)                                                                   \
  FN(void, fence, (void), weft_direct_fence();)                                                    \
  FN(void, quiet, (void), weft_direct_quiet();)
/* SHMEM_CTX_INVALID: nothing happens. */
#define WEFT_SHMEM_ORDER(FN)                                                                       \
  FN(void, ctx_fence, (shmem_ctx_t ctx), weft_shmem_ctx_fence(ctx);)                               \
  FN(void, ctx_quiet, (shmem_ctx_t ctx), weft_shmem_ctx_quiet(ctx);)                               \
  FN(void, pe_quiet, (const int *target_pes, size_t npes),                                         \
     weft_shmem_pe_quiet(SHMEM_CTX_DEFAULT, target_pes, npes, "shmem_pe_quiet");)                  \
  FN(void, ctx_pe_quiet, (shmem_ctx_t ctx, const int *target_pes, size_t npes),                    \
     weft_shmem_pe_quiet(ctx, target_pes, npes, "shmem_ctx_pe_quiet");)

/* ---- waiting --------------------------------------------------------------------------------- */

/* How the untyped functions see an integer type: its width, and whether comparisons are signed. */
#define WEFT_WAIT_KIND(T) (sizeof(T) * 2 + ((T)-1 < (T)1))

#define WEFT_WAIT_ONE(FN, N, T)                                                                    \
  FN(void, N##_wait_until, (T * ivar, int cmp, T cmp_value),                                       \
     weft_shmem_wait_until(ivar, WEFT_WAIT_KIND(T), cmp, (uint64_t)cmp_value,                      \
                           "shmem_" #N "_wait_until");)                                            \
  FN(int, N##_test, (T * ivar, int cmp, T cmp_value),                                              \
     return weft_shmem_test(ivar, WEFT_WAIT_KIND(T), cmp, (uint64_t)cmp_value,                     \
                            "shmem_" #N "_test");)

/* One of the forms over several variables; VALUES is &cmp_value with step 0 or cmp_values with
 * step 1. */
#define WEFT_WAIT_SET(FN, N, T, SUFFIX, VALUE, VALUES, STEP)                                       \
  FN(void, N##_wait_until_all##SUFFIX,                                                             \
     (T * ivars, size_t nelems, const int *status, int cmp, VALUE),                                \
     weft_shmem_wait_all(ivars, WEFT_WAIT_KIND(T), nelems, status, cmp, VALUES, STEP,              \
                         "shmem_" #N "_wait_until_all" #SUFFIX);)                                  \
  FN(size_t, N##_wait_until_any##SUFFIX,                                                           \
     (T * ivars, size_t nelems, const int *status, int cmp, VALUE),                                \
     return weft_shmem_wait_any(ivars, WEFT_WAIT_KIND(T), nelems, status, cmp, VALUES, STEP,       \
                                "shmem_" #N "_wait_until_any" #SUFFIX);)                           \
  FN(size_t, N##_wait_until_some##SUFFIX,                                                          \
     (T * ivars, size_t nelems, size_t * indices, const int *status, int cmp, VALUE),              \
     return weft_shmem_wait_some(ivars, WEFT_WAIT_KIND(T), nelems, indices, status, cmp, VALUES,   \
                                 STEP, "shmem_" #N "_wait_until_some" #SUFFIX);)                   \
  FN(int, N##_test_all##SUFFIX, (T * ivars, size_t nelems, const int *status, int cmp, VALUE),     \
     return weft_shmem_test_all(ivars, WEFT_WAIT_KIND(T), nelems, status, cmp, VALUES, STEP,       \
                                "shmem_" #N "_test_all" #SUFFIX);)                                 \
  FN(size_t, N##_test_any##SUFFIX, (T * ivars, size_t nelems, const int *status, int cmp, VALUE),  \
     return weft_shmem_test_any(ivars, WEFT_WAIT_KIND(T), nelems, status, cmp, VALUES, STEP,       \
                                "shmem_" #N "_test_any" #SUFFIX);)                                 \
  FN(size_t, N##_test_some##SUFFIX,                                                                \
     (T * ivars, size_t nelems, size_t * indices, const int *status, int cmp, VALUE),              \
     return weft_shmem_test_some(ivars, WEFT_WAIT_KIND(T), nelems, indices, status, cmp, VALUES,   \
                                 STEP, "shmem_" #N "_test_some" #SUFFIX);)
#define WEFT_WAIT_MANY(FN, N, T)                                                                   \
  WEFT_WAIT_SET(FN, N, T, , T cmp_value, &cmp_value, 0)                                            \
  WEFT_WAIT_SET(FN, N, T, _vector, const T *cmp_values, cmp_values, 1)

#define WEFT_SHMEM_WAIT(FN)                                                                        \
  WEFT_TYPES_AMO(WEFT_WAIT_ONE, FN)                                                                \
  WEFT_TYPES_AMO(WEFT_WAIT_MANY, FN)

/* ---- signals --------------------------------------------------------------------------------- */

#define WEFT_SIGNAL_PUT(FN, NAME, T, BYTES, NBI)                                                   \
  WEFT_BOTH(FN, void, NAME,                                                                        \
            (T * dest, const T *source, size_t nelems, uint64_t *sig_addr, uint64_t signal,        \
             int sig_op, int pe),                                                                  \
            weft_shmem_put_signal(dest, source, nelems *(BYTES), sig_addr, signal, sig_op, to,     \
                                  NBI, who);)
#define WEFT_SIGNAL_PUT_TYPED(FN, N, T)                                                            \
  WEFT_SIGNAL_PUT(FN, N##_put_signal, T, sizeof(T), 0)                                             \
  WEFT_SIGNAL_PUT(FN, N##_put_signal_nbi, T, sizeof(T), 1)
#define WEFT_SIGNAL_PUT_SIZE(FN, BITS, BYTES)                                                      \
  WEFT_SIGNAL_PUT(FN, put##BITS##_signal, void, BYTES, 0)                                          \
  WEFT_SIGNAL_PUT(FN, put##BITS##_signal_nbi, void, BYTES, 1)

#define WEFT_SHMEM_SIGNAL(FN)                                                                      \
  WEFT_TYPES_RMA(WEFT_SIGNAL_PUT_TYPED, FN)                                                        \
  WEFT_SIZES(WEFT_SIGNAL_PUT_SIZE, FN)                                                             \
  WEFT_SIGNAL_PUT(FN, putmem_signal, void, 1, 0)                                                   \
  WEFT_SIGNAL_PUT(FN, putmem_signal_nbi, void, 1, 1)                                               \
  WEFT_BOTH(FN, void, signal_add, (uint64_t * sig_addr, uint64_t signal, int pe),                  \
            weft_shmem_signal(sig_addr, signal, SHMEM_SIGNAL_ADD, to, who);)                       \
  WEFT_BOTH(FN, void, signal_set, (uint64_t * sig_addr, uint64_t signal, int pe),                  \
            weft_shmem_signal(sig_addr, signal, SHMEM_SIGNAL_SET, to, who);)                       \
  FN(uint64_t, signal_fetch, (const uint64_t *sig_addr),                                           \
     return weft_shmem_signal_fetch(sig_addr);)                                                    \
  FN(uint64_t, signal_wait_until, (uint64_t * sig_addr, int cmp, uint64_t cmp_value),              \
     return weft_shmem_signal_wait(sig_addr, cmp, cmp_value, "shmem_signal_wait_until");)

/* ---- locks ----------------------------------------------------------------------------------- */

#define WEFT_SHMEM_LOCK(FN)                                                                        \
  FN(void, set_lock, (long *lock), weft_shmem_lock(lock, "shmem_set_lock");)                       \
  FN(int, test_lock, (long *lock), return weft_shmem_lock_try(lock, "shmem_test_lock");)           \
  FN(void, clear_lock, (long *lock), weft_shmem_unlock(lock, "shmem_clear_lock");)

#define WEFT_SHMEM_SYNC(FN)                                                                        \
  WEFT_SHMEM_ORDER(FN)                                                                             \
  WEFT_SHMEM_WAIT(FN)                                                                              \
  WEFT_SHMEM_SIGNAL(FN)                                                                            \
  WEFT_SHMEM_LOCK(FN)

#pragma GCC visibility push(default)
#ifdef __cplusplus
extern "C" {
#endif
WEFT_SHMEM_ORDER_HOT(WEFT_HOT)
WEFT_SHMEM_SYNC(WEFT_PROTOTYPE)
#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop

#endif
