/*
 * weft/shmem_amo.h: OpenSHMEM 1.6 section 9.7, atomic memory operations. Include <shmem.h> instead.
 *
 * On a node these are the processor's atomics on the target's memory; the helper of another node
 * uses the same ones, so all of them are atomic with each other and with waits.
 */
/* ---- For int; each has a shmem_ctx_ form with a leading shmem_ctx_t
 *   int  shmem_int_atomic_fetch(const int *source, int pe);              float and double too
 *   void shmem_int_atomic_set(int *dest, int value, int pe);             float and double too
 *   int  shmem_int_atomic_swap(int *dest, int value, int pe);            float and double too
 *   int  shmem_int_atomic_compare_swap(int *dest, int cond, int value, int pe);
 *   int  shmem_int_atomic_fetch_inc(int *dest, int pe);                  and inc
 *   int  shmem_int_atomic_fetch_add(int *dest, int value, int pe);       and add
 *   T    shmem_N_atomic_fetch_and(T *dest, T value, int pe);             and, or, xor: bitwise
 * types void shmem_int_atomic_fetch_add_nbi(int *fetch, int *dest, int value, int pe); (every
 * fetching operation has one)
 */
#ifndef WEFT_SHMEM_AMO_H
#define WEFT_SHMEM_AMO_H

#include <weft/shmem_rma.h>

/* The remote object is `object`; HERE runs with `at` its address on this node, AWAY with `at` its
 * slot offset. */
#define WEFT_AMO_SPLIT(object, HERE, AWAY)                                                         \
  uintptr_t at;                                                                                    \
  if (__builtin_expect(weft_direct_amo_at(object, weft_direct_pe(to), &at), 1)) {                  \
    HERE                                                                                           \
  } else {                                                                                         \
    AWAY                                                                                           \
  }

/* AWAY: with a result, without, and with a result after the next quiet. */
#define WEFT_AMO_CALL(result, OP, T, operand, cond)                                                \
  weft_shmem_unbits(result,                                                                        \
                    sizeof(T) == 4                                                                 \
                        ? weft_shmem_amo4_away(at, (unsigned)OP << 4 | 4, operand, cond, to, who)  \
                        : weft_shmem_amo_away(at, (unsigned)OP << 4 | 8, operand, cond, to, who),  \
                    sizeof(T));
#define WEFT_AMO_POST(OP, T, operand) weft_direct.amo_post(at, OP, sizeof(T), operand, to, who);
#define WEFT_AMO_NBI(OP, T, operand, cond)                                                         \
  weft_direct.amo_nbi(at, OP, sizeof(T), operand, cond, fetch, to, who);
#define WEFT_AMO_BITS(v) weft_shmem_bits(&v, sizeof v)

/* ---- fetch, set, swap: integers and reals ---------------------------------------------------- */

#define WEFT_AMO_EXTENDED(FN, N, T)                                                                \
  WEFT_BOTH(FN, T, N##_atomic_fetch, (const T *source, int pe), T result;                          \
            WEFT_AMO_SPLIT(source, __atomic_load((T *)at, &result, __ATOMIC_ACQUIRE);              \
                           , WEFT_AMO_CALL(&result, WEFT_AMO_FETCH, T, 0, 0)) return result;)      \
  WEFT_BOTH(FN, void, N##_atomic_set, (T * dest, T value, int pe),                                 \
            WEFT_AMO_SPLIT(dest, __atomic_store((T *)at, &value, __ATOMIC_RELEASE);                \
                           , WEFT_AMO_POST(WEFT_AMO_SET, T, WEFT_AMO_BITS(value))))                \
  WEFT_BOTH(FN, T, N##_atomic_swap, (T * dest, T value, int pe), T result;                         \
            WEFT_AMO_SPLIT(dest, __atomic_exchange((T *)at, &value, &result, __ATOMIC_ACQ_REL);    \
                           , WEFT_AMO_CALL(&result, WEFT_AMO_SWAP, T, WEFT_AMO_BITS(value),        \
                                           0)) return result;)                                     \
  WEFT_BOTH(FN, void, N##_atomic_fetch_nbi, (T * fetch, const T *source, int pe),                  \
            WEFT_AMO_SPLIT(source, __atomic_load((T *)at, fetch, __ATOMIC_ACQUIRE);                \
                           , WEFT_AMO_NBI(WEFT_AMO_FETCH, T, 0, 0)))                               \
  WEFT_BOTH(FN, void, N##_atomic_swap_nbi, (T * fetch, T * dest, T value, int pe),                 \
            WEFT_AMO_SPLIT(dest, __atomic_exchange((T *)at, &value, fetch, __ATOMIC_ACQ_REL);      \
                           , WEFT_AMO_NBI(WEFT_AMO_SWAP, T, WEFT_AMO_BITS(value), 0)))

/* ---- compare_swap, add, inc: integers -------------------------------------------------------- */

#define WEFT_AMO_CSWAP_HERE                                                                        \
  __atomic_compare_exchange_n(weft_at, &cond, value, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
#define WEFT_AMO_COMPARE(FN, N, T)                                                                 \
  WEFT_BOTH(FN, T, N##_atomic_compare_swap, (T * dest, T cond, T value, int pe), T result;         \
            WEFT_AMO_SPLIT(dest, T *weft_at = (T *)at; WEFT_AMO_CSWAP_HERE result = cond;          \
                           , WEFT_AMO_CALL(&result, WEFT_AMO_CSWAP, T, WEFT_AMO_BITS(value),       \
                                           WEFT_AMO_BITS(cond))) return result;)                   \
  WEFT_BOTH(FN, void, N##_atomic_compare_swap_nbi, (T * fetch, T * dest, T cond, T value, int pe), \
            WEFT_AMO_SPLIT(                                                                        \
                dest, T *weft_at = (T *)at; WEFT_AMO_CSWAP_HERE *fetch = cond;                     \
                , WEFT_AMO_NBI(WEFT_AMO_CSWAP, T, WEFT_AMO_BITS(value), WEFT_AMO_BITS(cond))))

/* One arithmetic operation in its three forms; VALUE is its parameter or 1. */
#define WEFT_AMO_FETCHING(FN, NAME, T, PARAMS, PARAMS_NBI, OP, BUILTIN, VALUE)                     \
  WEFT_BOTH(FN, T, NAME, PARAMS, const T operand = VALUE; T result; WEFT_AMO_SPLIT(                \
                dest, result = BUILTIN((T *)at, operand, __ATOMIC_ACQ_REL);                        \
                , WEFT_AMO_CALL(&result, OP, T, WEFT_AMO_BITS(operand), 0)) return result;)        \
  WEFT_BOTH(FN, void, NAME##_nbi, PARAMS_NBI, const T operand = VALUE;                             \
            WEFT_AMO_SPLIT(dest, *fetch = BUILTIN((T *)at, operand, __ATOMIC_ACQ_REL);             \
                           , WEFT_AMO_NBI(OP, T, WEFT_AMO_BITS(operand), 0)))
#define WEFT_AMO_PLAIN(FN, NAME, T, PARAMS, OP, BUILTIN, VALUE)                                    \
  WEFT_BOTH(FN, void, NAME, PARAMS, const T operand = VALUE;                                       \
            WEFT_AMO_SPLIT(dest, BUILTIN((T *)at, operand, __ATOMIC_ACQ_REL);                      \
                           , WEFT_AMO_POST(OP, T, WEFT_AMO_BITS(operand))))
#define WEFT_AMO_WITH_VALUE(FN, N, T, op, OP)                                                      \
  WEFT_AMO_FETCHING(FN, N##_atomic_fetch_##op, T, (T * dest, T value, int pe),                     \
                    (T * fetch, T * dest, T value, int pe), OP, __atomic_fetch_##op, value)        \
  WEFT_AMO_PLAIN(FN, N##_atomic_##op, T, (T * dest, T value, int pe), OP, __atomic_fetch_##op,     \
                 value)

#define WEFT_AMO_STANDARD(FN, N, T)                                                                \
  WEFT_AMO_COMPARE(FN, N, T)                                                                       \
  WEFT_AMO_WITH_VALUE(FN, N, T, add, WEFT_AMO_ADD)                                                 \
  WEFT_AMO_FETCHING(FN, N##_atomic_fetch_inc, T, (T * dest, int pe),                               \
                    (T * fetch, T * dest, int pe), WEFT_AMO_ADD, __atomic_fetch_add, 1)            \
  WEFT_AMO_PLAIN(FN, N##_atomic_inc, T, (T * dest, int pe), WEFT_AMO_ADD, __atomic_fetch_add, 1)

/* ---- and, or, xor ---------------------------------------------------------------------------- */

#define WEFT_AMO_BITWISE(FN, N, T)                                                                 \
  WEFT_AMO_WITH_VALUE(FN, N, T, and, WEFT_AMO_AND)                                                 \
  WEFT_AMO_WITH_VALUE(FN, N, T, or, WEFT_AMO_OR)                                                   \
  WEFT_AMO_WITH_VALUE(FN, N, T, xor, WEFT_AMO_XOR)

#define WEFT_SHMEM_AMO_HOT(FN)                                                                     \
  WEFT_TYPES_AMO(WEFT_AMO_EXTENDED, FN)                                                            \
  WEFT_TYPES_REAL(WEFT_AMO_EXTENDED, FN)                                                           \
  WEFT_TYPES_AMO(WEFT_AMO_STANDARD, FN)                                                            \
  WEFT_TYPES_BITWISE(WEFT_AMO_BITWISE, FN)

#pragma GCC visibility push(default)
#ifdef __cplusplus
extern "C" {
#endif
WEFT_SHMEM_AMO_HOT(WEFT_HOT)
#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop

#endif
