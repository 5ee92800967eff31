/*
 * weft/shmem_generic.h: the type-generic macros of OpenSHMEM 1.6 for C11. Include <shmem.h>
 * instead.
 *
 * The number of arguments tells whether a context leads. The type of the first pointer chooses the
 * function: destinations may be volatile but not const, sources may be both, arrays are pointers. A
 * source of another type than the destination is diagnosed.
 *
 * _Generic wants distinct types, so the lists name C's own: int32_t, size_t and the like are some
 * of these.
 */
#ifndef WEFT_SHMEM_GENERIC_H
#define WEFT_SHMEM_GENERIC_H

#include <weft/shmem_types.h>

/* ---- type to function ------------------------------------------------------------------------ */

/* by pointer (destinations) and by value (sources): FUNCTION is PRE N POST */
#define WEFT_BY_POINTER(T, FUNCTION) T * : FUNCTION, volatile T * : FUNCTION
#define WEFT_BY_VALUE(T, FUNCTION)                                                                 \
  T:                                                                                               \
  FUNCTION

#define WEFT_GEN_OLD(BY, PRE, POST)                                                                \
  BY(int, PRE##int##POST), BY(long, PRE##long##POST), BY(long long, PRE##longlong##POST)
#define WEFT_GEN_REAL(BY, PRE, POST) BY(float, PRE##float##POST), BY(double, PRE##double##POST)
#define WEFT_GEN_OLD_REAL(BY, PRE, POST) WEFT_GEN_OLD(BY, PRE, POST), WEFT_GEN_REAL(BY, PRE, POST)
#define WEFT_GEN_UNSIGNED(BY, PRE, POST)                                                           \
  BY(unsigned int, PRE##uint##POST), BY(unsigned long, PRE##ulong##POST),                          \
      BY(unsigned long long, PRE##ulonglong##POST)
#define WEFT_GEN_AMO(BY, PRE, POST) WEFT_GEN_OLD(BY, PRE, POST), WEFT_GEN_UNSIGNED(BY, PRE, POST)
#define WEFT_GEN_EXTENDED(BY, PRE, POST) WEFT_GEN_AMO(BY, PRE, POST), WEFT_GEN_REAL(BY, PRE, POST)
#define WEFT_GEN_BITWISE(BY, PRE, POST)                                                            \
  WEFT_GEN_UNSIGNED(BY, PRE, POST), BY(int32_t, PRE##int32##POST), BY(int64_t, PRE##int64##POST)
#define WEFT_GEN_WAIT(BY, PRE, POST)                                                               \
  WEFT_GEN_AMO(BY, PRE, POST), BY(short, PRE##short##POST), BY(unsigned short, PRE##ushort##POST)
#define WEFT_GEN_RMA(BY, PRE, POST)                                                                \
  WEFT_GEN_WAIT(BY, PRE, POST), WEFT_GEN_REAL(BY, PRE, POST),                                      \
      BY(long double, PRE##longdouble##POST), BY(char, PRE##char##POST),                           \
      BY(signed char, PRE##schar##POST), BY(unsigned char, PRE##uchar##POST)
#define WEFT_GEN_BITS(BY, PRE, POST)                                                               \
  WEFT_GEN_BITWISE(BY, PRE, POST), BY(unsigned char, PRE##uchar##POST),                            \
      BY(unsigned short, PRE##ushort##POST), BY(int8_t, PRE##int8##POST),                          \
      BY(int16_t, PRE##int16##POST)
#define WEFT_GEN_SUM(BY, PRE, POST)                                                                \
  WEFT_GEN_RMA(BY, PRE, POST), BY(weft_complexd, PRE##complexd##POST),                             \
      BY(weft_complexf, PRE##complexf##POST)

/* ---- arguments to call ----------------------------------------------------------------------- */

/* A second pointer that must have the first one's type, but for qualifiers. */
#define WEFT_LIKE(first, p) ((void *)(0 ? (const volatile __typeof__(*(first)) *)0 : (p)))

/* (dest, ...), (source, ...), and (dest, pointer, ...); with a context in front. */
#define WEFT_D(G, OP, d, ...)                                                                      \
  _Generic((d), G(WEFT_BY_POINTER, shmem_, OP))((void *)(d), __VA_ARGS__)
#define WEFT_S(G, OP, s, ...)                                                                      \
  _Generic(*(s), G(WEFT_BY_VALUE, shmem_, OP))((const void *)(s), __VA_ARGS__)
#define WEFT_DS(G, OP, d, s, ...) WEFT_D(G, OP, d, WEFT_LIKE(d, s), __VA_ARGS__)
#define WEFT_CTX_D(G, OP, ctx, d, ...)                                                             \
  _Generic((d), G(WEFT_BY_POINTER, shmem_ctx_, OP))(ctx, (void *)(d), __VA_ARGS__)
#define WEFT_CTX_S(G, OP, ctx, s, ...)                                                             \
  _Generic(*(s), G(WEFT_BY_VALUE, shmem_ctx_, OP))(ctx, (const void *)(s), __VA_ARGS__)
#define WEFT_CTX_DS(G, OP, ctx, d, s, ...) WEFT_CTX_D(G, OP, ctx, d, WEFT_LIKE(d, s), __VA_ARGS__)

/* CTX when there is one argument more than the plain form has, else PLAIN. */
#define WEFT_ARGS_2(a, b, c, M, ...) M
#define WEFT_ARGS_3(a, b, c, d, M, ...) M
#define WEFT_ARGS_4(a, b, c, d, e, M, ...) M
#define WEFT_ARGS_5(a, b, c, d, e, f, M, ...) M
#define WEFT_ARGS_6(a, b, c, d, e, f, g, M, ...) M
#define WEFT_ARGS_7(a, b, c, d, e, f, g, h, M, ...) M
#define WEFT_CALL(N, SHAPE, G, OP, ...)                                                            \
  WEFT_ARGS_##N(__VA_ARGS__, WEFT_CTX_##SHAPE, WEFT_##SHAPE, 0)(G, OP, __VA_ARGS__)

/* ---- RMA (9.5) ------------------------------------------------------------------------------- */

#define shmem_put(...) WEFT_CALL(4, DS, WEFT_GEN_RMA, _put, __VA_ARGS__)
#define shmem_get(...) WEFT_CALL(4, DS, WEFT_GEN_RMA, _get, __VA_ARGS__)
#define shmem_put_nbi(...) WEFT_CALL(4, DS, WEFT_GEN_RMA, _put_nbi, __VA_ARGS__)
#define shmem_get_nbi(...) WEFT_CALL(4, DS, WEFT_GEN_RMA, _get_nbi, __VA_ARGS__)
#define shmem_p(...) WEFT_CALL(3, D, WEFT_GEN_RMA, _p, __VA_ARGS__)
#define shmem_g(...) WEFT_CALL(2, S, WEFT_GEN_RMA, _g, __VA_ARGS__)
#define shmem_iput(...) WEFT_CALL(6, DS, WEFT_GEN_RMA, _iput, __VA_ARGS__)
#define shmem_iget(...) WEFT_CALL(6, DS, WEFT_GEN_RMA, _iget, __VA_ARGS__)
#define shmem_ibput(...) WEFT_CALL(7, DS, WEFT_GEN_RMA, _ibput, __VA_ARGS__)
#define shmem_ibget(...) WEFT_CALL(7, DS, WEFT_GEN_RMA, _ibget, __VA_ARGS__)

/* ---- AMO (9.7) ------------------------------------------------------------------------------- */

#define shmem_atomic_fetch(...) WEFT_CALL(2, S, WEFT_GEN_EXTENDED, _atomic_fetch, __VA_ARGS__)
#define shmem_atomic_set(...) WEFT_CALL(3, D, WEFT_GEN_EXTENDED, _atomic_set, __VA_ARGS__)
#define shmem_atomic_swap(...) WEFT_CALL(3, D, WEFT_GEN_EXTENDED, _atomic_swap, __VA_ARGS__)
#define shmem_atomic_compare_swap(...)                                                             \
  WEFT_CALL(4, D, WEFT_GEN_AMO, _atomic_compare_swap, __VA_ARGS__)
#define shmem_atomic_fetch_inc(...) WEFT_CALL(2, D, WEFT_GEN_AMO, _atomic_fetch_inc, __VA_ARGS__)
#define shmem_atomic_inc(...) WEFT_CALL(2, D, WEFT_GEN_AMO, _atomic_inc, __VA_ARGS__)
#define shmem_atomic_fetch_add(...) WEFT_CALL(3, D, WEFT_GEN_AMO, _atomic_fetch_add, __VA_ARGS__)
#define shmem_atomic_add(...) WEFT_CALL(3, D, WEFT_GEN_AMO, _atomic_add, __VA_ARGS__)
#define shmem_atomic_fetch_and(...)                                                                \
  WEFT_CALL(3, D, WEFT_GEN_BITWISE, _atomic_fetch_and, __VA_ARGS__)
#define shmem_atomic_and(...) WEFT_CALL(3, D, WEFT_GEN_BITWISE, _atomic_and, __VA_ARGS__)
#define shmem_atomic_fetch_or(...) WEFT_CALL(3, D, WEFT_GEN_BITWISE, _atomic_fetch_or, __VA_ARGS__)
#define shmem_atomic_or(...) WEFT_CALL(3, D, WEFT_GEN_BITWISE, _atomic_or, __VA_ARGS__)
#define shmem_atomic_fetch_xor(...)                                                                \
  WEFT_CALL(3, D, WEFT_GEN_BITWISE, _atomic_fetch_xor, __VA_ARGS__)
#define shmem_atomic_xor(...) WEFT_CALL(3, D, WEFT_GEN_BITWISE, _atomic_xor, __VA_ARGS__)
#define shmem_atomic_fetch_nbi(...)                                                                \
  WEFT_CALL(3, DS, WEFT_GEN_EXTENDED, _atomic_fetch_nbi, __VA_ARGS__)
#define shmem_atomic_swap_nbi(...)                                                                 \
  WEFT_CALL(4, DS, WEFT_GEN_EXTENDED, _atomic_swap_nbi, __VA_ARGS__)
#define shmem_atomic_compare_swap_nbi(...)                                                         \
  WEFT_CALL(5, DS, WEFT_GEN_AMO, _atomic_compare_swap_nbi, __VA_ARGS__)
#define shmem_atomic_fetch_inc_nbi(...)                                                            \
  WEFT_CALL(3, DS, WEFT_GEN_AMO, _atomic_fetch_inc_nbi, __VA_ARGS__)
#define shmem_atomic_fetch_add_nbi(...)                                                            \
  WEFT_CALL(4, DS, WEFT_GEN_AMO, _atomic_fetch_add_nbi, __VA_ARGS__)
#define shmem_atomic_fetch_and_nbi(...)                                                            \
  WEFT_CALL(4, DS, WEFT_GEN_BITWISE, _atomic_fetch_and_nbi, __VA_ARGS__)
#define shmem_atomic_fetch_or_nbi(...)                                                             \
  WEFT_CALL(4, DS, WEFT_GEN_BITWISE, _atomic_fetch_or_nbi, __VA_ARGS__)
#define shmem_atomic_fetch_xor_nbi(...)                                                            \
  WEFT_CALL(4, DS, WEFT_GEN_BITWISE, _atomic_fetch_xor_nbi, __VA_ARGS__)

/* deprecated names */
#define shmem_fetch(...) WEFT_S(WEFT_GEN_OLD_REAL, _fetch, __VA_ARGS__)
#define shmem_set(...) WEFT_D(WEFT_GEN_OLD_REAL, _set, __VA_ARGS__)
#define shmem_swap(...) WEFT_D(WEFT_GEN_OLD_REAL, _swap, __VA_ARGS__)
#define shmem_cswap(...) WEFT_D(WEFT_GEN_OLD, _cswap, __VA_ARGS__)
#define shmem_finc(...) WEFT_D(WEFT_GEN_OLD, _finc, __VA_ARGS__)
#define shmem_inc(...) WEFT_D(WEFT_GEN_OLD, _inc, __VA_ARGS__)
#define shmem_fadd(...) WEFT_D(WEFT_GEN_OLD, _fadd, __VA_ARGS__)
#define shmem_add(...) WEFT_D(WEFT_GEN_OLD, _add, __VA_ARGS__)

/* ---- signals (9.8) --------------------------------------------------------------------------- */

#define shmem_put_signal(...) WEFT_CALL(7, DS, WEFT_GEN_RMA, _put_signal, __VA_ARGS__)
#define shmem_put_signal_nbi(...) WEFT_CALL(7, DS, WEFT_GEN_RMA, _put_signal_nbi, __VA_ARGS__)
#define shmem_signal_add(...)                                                                      \
  WEFT_ARGS_3(__VA_ARGS__, shmem_ctx_signal_add, (shmem_signal_add), 0)(__VA_ARGS__)
#define shmem_signal_set(...)                                                                      \
  WEFT_ARGS_3(__VA_ARGS__, shmem_ctx_signal_set, (shmem_signal_set), 0)(__VA_ARGS__)

/* ---- collectives (9.10) ---------------------------------------------------------------------- */

/* One argument is a team; four are the active set of the deprecated function. */
#define shmem_sync(...)                                                                            \
  WEFT_ARGS_3(__VA_ARGS__, (shmem_sync), 0, 0, shmem_team_sync, 0)(__VA_ARGS__)

#define WEFT_TEAM(G, OP, team, d, s, ...)                                                          \
  _Generic((d), G(WEFT_BY_POINTER, shmem_, OP))(team, (void *)(d), WEFT_LIKE(d, s), __VA_ARGS__)
#define shmem_broadcast(...) WEFT_TEAM(WEFT_GEN_RMA, _broadcast, __VA_ARGS__)
#define shmem_collect(...) WEFT_TEAM(WEFT_GEN_RMA, _collect, __VA_ARGS__)
#define shmem_fcollect(...) WEFT_TEAM(WEFT_GEN_RMA, _fcollect, __VA_ARGS__)
#define shmem_alltoall(...) WEFT_TEAM(WEFT_GEN_RMA, _alltoall, __VA_ARGS__)
#define shmem_alltoalls(...) WEFT_TEAM(WEFT_GEN_RMA, _alltoalls, __VA_ARGS__)
#define shmem_and_reduce(...) WEFT_TEAM(WEFT_GEN_BITS, _and_reduce, __VA_ARGS__)
#define shmem_or_reduce(...) WEFT_TEAM(WEFT_GEN_BITS, _or_reduce, __VA_ARGS__)
#define shmem_xor_reduce(...) WEFT_TEAM(WEFT_GEN_BITS, _xor_reduce, __VA_ARGS__)
#define shmem_max_reduce(...) WEFT_TEAM(WEFT_GEN_RMA, _max_reduce, __VA_ARGS__)
#define shmem_min_reduce(...) WEFT_TEAM(WEFT_GEN_RMA, _min_reduce, __VA_ARGS__)
#define shmem_sum_reduce(...) WEFT_TEAM(WEFT_GEN_SUM, _sum_reduce, __VA_ARGS__)
#define shmem_prod_reduce(...) WEFT_TEAM(WEFT_GEN_SUM, _prod_reduce, __VA_ARGS__)
#define shmem_sum_inscan(...) WEFT_TEAM(WEFT_GEN_SUM, _sum_inscan, __VA_ARGS__)
#define shmem_sum_exscan(...) WEFT_TEAM(WEFT_GEN_SUM, _sum_exscan, __VA_ARGS__)

/* ---- point-to-point synchronisation (9.11) --------------------------------------------------- */

#define shmem_wait_until(...) WEFT_D(WEFT_GEN_WAIT, _wait_until, __VA_ARGS__)
#define shmem_test(...) WEFT_D(WEFT_GEN_WAIT, _test, __VA_ARGS__)
#define shmem_wait_until_all(...) WEFT_D(WEFT_GEN_AMO, _wait_until_all, __VA_ARGS__)
#define shmem_wait_until_any(...) WEFT_D(WEFT_GEN_AMO, _wait_until_any, __VA_ARGS__)
#define shmem_wait_until_some(...) WEFT_D(WEFT_GEN_AMO, _wait_until_some, __VA_ARGS__)
#define shmem_test_all(...) WEFT_D(WEFT_GEN_AMO, _test_all, __VA_ARGS__)
#define shmem_test_any(...) WEFT_D(WEFT_GEN_AMO, _test_any, __VA_ARGS__)
#define shmem_test_some(...) WEFT_D(WEFT_GEN_AMO, _test_some, __VA_ARGS__)
#define shmem_wait_until_all_vector(...) WEFT_D(WEFT_GEN_AMO, _wait_until_all_vector, __VA_ARGS__)
#define shmem_wait_until_any_vector(...) WEFT_D(WEFT_GEN_AMO, _wait_until_any_vector, __VA_ARGS__)
#define shmem_wait_until_some_vector(...) WEFT_D(WEFT_GEN_AMO, _wait_until_some_vector, __VA_ARGS__)
#define shmem_test_all_vector(...) WEFT_D(WEFT_GEN_AMO, _test_all_vector, __VA_ARGS__)
#define shmem_test_any_vector(...) WEFT_D(WEFT_GEN_AMO, _test_any_vector, __VA_ARGS__)
#define shmem_test_some_vector(...) WEFT_D(WEFT_GEN_AMO, _test_some_vector, __VA_ARGS__)

#endif
