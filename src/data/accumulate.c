/*
 * Accumulate: to[i] += scale * from[i]. Every element (part of a complex number) is added by one
 * atomic of the CPU, so that accumulates of PEs of the node and of helpers do not lose each
 * other's, and nobody who stops in the middle holds up anybody.
 */
#include <string.h>

#include "data/data.h"

static const size_t width[WEFT_ACC_TYPES] = {
    [WEFT_ACC_INT32] = 4,  [WEFT_ACC_INT64] = 8,         [WEFT_ACC_FLOAT] = 4,
    [WEFT_ACC_DOUBLE] = 8, [WEFT_ACC_FLOAT_COMPLEX] = 8, [WEFT_ACC_DOUBLE_COMPLEX] = 16};

size_t weft_acc_width(weft_acc_type_t type) {
  return width[type];
}

#define ADD_INT(T)                                                                                 \
  static inline void add_##T(T *to, T value) {                                                     \
    __atomic_fetch_add(to, value, __ATOMIC_RELAXED);                                               \
  }
ADD_INT(uint32_t)
ADD_INT(uint64_t)

/* Atomics know integers only. */
#define ADD_REAL(T, bits_t)                                                                        \
  static inline void add_##T(T *to, T value) {                                                     \
    bits_t *word = (bits_t *)(void *)to, old = __atomic_load_n(word, __ATOMIC_RELAXED), sum;       \
    T number;                                                                                      \
    do {                                                                                           \
      memcpy(&number, &old, sizeof number);                                                        \
      number += value;                                                                             \
      memcpy(&sum, &number, sizeof sum);                                                           \
    } while (                                                                                      \
        !__atomic_compare_exchange_n(word, &old, sum, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED));  \
  }
ADD_REAL(float, uint32_t)
ADD_REAL(double, uint64_t)

/* scale NULL: 1. */
#define SUM(T)                                                                                     \
  static void sum_##T(T *to, const char *from, size_t n, const void *factor) {                     \
    T scale = 1, value;                                                                            \
    if (factor) memcpy(&scale, factor, sizeof scale);                                              \
    for (size_t i = 0; i < n / sizeof(T); i++) {                                                   \
      memcpy(&value, from + i * sizeof(T), sizeof value);                                          \
      add_##T(&to[i], (T)(value * scale));                                                         \
    }                                                                                              \
  }
SUM(uint32_t)
SUM(uint64_t)
SUM(float)
SUM(double)

#define SUM_COMPLEX(T)                                                                             \
  static void sum_complex_##T(T *to, const char *from, size_t n, const void *factor) {             \
    T scale[2] = {1, 0}, value[2];                                                                 \
    if (factor) memcpy(scale, factor, sizeof scale);                                               \
    for (size_t i = 0; i < n / sizeof(T); i += 2) {                                                \
      memcpy(value, from + i * sizeof(T), sizeof value);                                           \
      add_##T(&to[i], value[0] * scale[0] - value[1] * scale[1]);                                  \
      add_##T(&to[i + 1], value[0] * scale[1] + value[1] * scale[0]);                              \
    }                                                                                              \
  }
SUM_COMPLEX(float)
SUM_COMPLEX(double)

void weft_acc_add(void *to, const void *from, size_t n, weft_acc_type_t type, const void *scale) {
  const size_t part = type < WEFT_ACC_FLOAT_COMPLEX ? width[type] : width[type] / 2;
  if (weft_unlikely((uintptr_t)to % part || n % width[type]))
    weft_fatal("accumulate: %zu bytes at %p are no elements of %zu bytes each", n, to, width[type]);
  switch (type) {
  case WEFT_ACC_INT32: sum_uint32_t(to, from, n, scale); return;
  case WEFT_ACC_INT64: sum_uint64_t(to, from, n, scale); return;
  case WEFT_ACC_FLOAT: sum_float(to, from, n, scale); return;
  case WEFT_ACC_DOUBLE: sum_double(to, from, n, scale); return;
  case WEFT_ACC_FLOAT_COMPLEX: sum_complex_float(to, from, n, scale); return;
  case WEFT_ACC_DOUBLE_COMPLEX: sum_complex_double(to, from, n, scale); return;
  case WEFT_ACC_TYPES: break;
  }
  weft_fatal("accumulate: there is no element type %d", (int)type);
}

void weft_cursor_add(weft_cursor_t *c, const void *buffer, size_t n, weft_acc_type_t type,
                     const void *scale) {
  const char *from = buffer;
  while (n > 0) {
    const size_t k = c->left < n ? c->left : n;
    weft_acc_add((void *)c->at, from, k, type, scale);
    weft_cursor_step(c, k);
    from += k;
    n -= k;
  }
}
