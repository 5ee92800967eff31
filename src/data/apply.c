/*
 * Records take effect here, with the CPU's own stores and atomics, so that they and local PEs' are
 * atomic to each other.
 */
#include <string.h>

#include "data/data.h"

/* What no processor does in one instruction: repeated until no other store came in between. A is
 * the old value and B the operand, both as V. */
#define UPDATE(T, V, value)                                                                        \
  do {                                                                                             \
    T old = __atomic_load_n(object, __ATOMIC_RELAXED), next;                                       \
    V a, b, v;                                                                                     \
    memcpy(&b, &operand, sizeof b);                                                                \
    do {                                                                                           \
      memcpy(&a, &old, sizeof a);                                                                  \
      v = (value);                                                                                 \
      memcpy(&next, &v, sizeof next);                                                              \
    } while (!__atomic_compare_exchange_n(object, &old, next, true, __ATOMIC_ACQ_REL,              \
                                          __ATOMIC_RELAXED));                                      \
    return old;                                                                                    \
  } while (0)

/* Compares values, not bits (0.0 equals -0.0): repeated until no other store came in between. */
#define CSWAP_VALUE(T, R)                                                                          \
  static uint64_t cswap_value_##T(T *object, T operand, T cond) {                                  \
    T old = __atomic_load_n(object, __ATOMIC_ACQUIRE);                                             \
    R a, b;                                                                                        \
    memcpy(&b, &cond, sizeof b);                                                                   \
    do memcpy(&a, &old, sizeof a);                                                                 \
    while (a == b && !__atomic_compare_exchange_n(object, &old, operand, true, __ATOMIC_ACQ_REL,   \
                                                  __ATOMIC_ACQUIRE));                              \
    return old;                                                                                    \
  }
CSWAP_VALUE(uint32_t, float)
CSWAP_VALUE(uint64_t, double)

/* T: an unsigned integer, S: the signed one, R: the real of its width. */
#define APPLY(T, S, R)                                                                             \
  static uint64_t update_##T(T *object, enum weft_amo op, T operand) {                             \
    switch (op) {                                                                                  \
    case WEFT_AMO_MULT: UPDATE(T, T, a * b);                                                       \
    case WEFT_AMO_MIN: UPDATE(T, T, a < b ? a : b);                                                \
    case WEFT_AMO_MAX: UPDATE(T, T, a > b ? a : b);                                                \
    case WEFT_AMO_MIN_S: UPDATE(T, S, a < b ? a : b);                                              \
    case WEFT_AMO_MAX_S: UPDATE(T, S, a > b ? a : b);                                              \
    case WEFT_AMO_ADD_R: UPDATE(T, R, a + b);                                                      \
    case WEFT_AMO_MULT_R: UPDATE(T, R, a * b);                                                     \
    case WEFT_AMO_MIN_R: UPDATE(T, R, a < b ? a : b);                                              \
    case WEFT_AMO_MAX_R: UPDATE(T, R, a > b ? a : b);                                              \
    default: weft_fatal("unknown atomic operation %d", (int)op);                                   \
    }                                                                                              \
  }                                                                                                \
  static uint64_t apply_##T(T *object, enum weft_amo op, T operand, T cond) {                      \
    switch (op) {                                                                                  \
    case WEFT_AMO_FETCH: return __atomic_load_n(object, __ATOMIC_ACQUIRE);                         \
    case WEFT_AMO_SET: __atomic_store_n(object, operand, __ATOMIC_RELEASE); return 0;              \
    case WEFT_AMO_SWAP: return __atomic_exchange_n(object, operand, __ATOMIC_ACQ_REL);             \
    case WEFT_AMO_CSWAP:                                                                           \
      __atomic_compare_exchange_n(object, &cond, operand, false, __ATOMIC_ACQ_REL,                 \
                                  __ATOMIC_ACQUIRE);                                               \
      return cond;                                                                                 \
    case WEFT_AMO_CSWAP_R: return cswap_value_##T(object, operand, cond);                          \
    case WEFT_AMO_ADD: return __atomic_fetch_add(object, operand, __ATOMIC_ACQ_REL);               \
    case WEFT_AMO_AND: return __atomic_fetch_and(object, operand, __ATOMIC_ACQ_REL);               \
    case WEFT_AMO_OR: return __atomic_fetch_or(object, operand, __ATOMIC_ACQ_REL);                 \
    case WEFT_AMO_XOR: return __atomic_fetch_xor(object, operand, __ATOMIC_ACQ_REL);               \
    default: return update_##T(object, op, operand);                                               \
    }                                                                                              \
  }
APPLY(uint32_t, int32_t, float)
APPLY(uint64_t, int64_t, double)

uint64_t weft_data_apply(void *object, enum weft_amo op, size_t width, uint64_t operand,
                         uint64_t cond) {
  if (width == 4) return apply_uint32_t(object, op, (uint32_t)operand, (uint32_t)cond);
  return apply_uint64_t(object, op, operand, cond);
}

/* Where it is not aligned the compiler knows the size, and it is one instruction, too. */
#define STORE(T)                                                                                   \
  do {                                                                                             \
    T value;                                                                                       \
    memcpy(&value, from, sizeof value);                                                            \
    if (weft_likely((uintptr_t)to % sizeof value == 0))                                            \
      __atomic_store_n((T *)to, value, __ATOMIC_RELAXED);                                          \
    else                                                                                           \
      memcpy(to, &value, sizeof value);                                                            \
  } while (0)

void weft_data_store(void *to, const void *from, size_t n) {
  if (n > 16 || (n & (n - 1))) {
    weft_direct_memcpy(to, from, n);
    return;
  }
  switch (n) {
  case 1: STORE(uint8_t); break;
  case 2: STORE(uint16_t); break;
  case 4: STORE(uint32_t); break;
  case 8: STORE(uint64_t); break;
  case 16: memcpy(to, from, 16); break; /* a vector; memcpy of any size stores both words twice */
  }
}

/* (memmove may go byte by byte: ASan's does.) */
void weft_data_move(void *to, const void *from, size_t n) {
  if ((uintptr_t)to - (uintptr_t)from < n || (uintptr_t)from - (uintptr_t)to < n)
    memmove(to, from, n);
  else
    weft_data_store(to, from, n);
}

void weft_data_store_words(void *first, const void *words, size_t n, size_t width) {
  for (size_t at = 0; at < n; at += width) {
    char *to = (char *)first + at;
    const char *from = (const char *)words + at;
    if (weft_likely(width == 8 && (uintptr_t)to % 8 == 0))
      STORE(uint64_t);
    else
      weft_data_store(to, from, width);
  }
}
