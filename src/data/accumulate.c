/*
 * Accumulate. Reals are added by a plain loop under the lock of their block: an atomic per element
 * takes twenty times as long. Aligned integers are added by atomics of the CPU, because remote
 * atomics may go to the same counters, and those take no lock and ask nobody: words of 8 bytes one
 * by one, of 4 bytes in pairs.
 */
#include <string.h>

#include "data/data.h"

/* Powers of two. */
static const size_t width[WEFT_ACC_TYPES] = {
    [WEFT_ACC_INT32] = 4,  [WEFT_ACC_INT64] = 8,         [WEFT_ACC_FLOAT] = 4,
    [WEFT_ACC_DOUBLE] = 8, [WEFT_ACC_FLOAT_COMPLEX] = 8, [WEFT_ACC_DOUBLE_COMPLEX] = 16};

size_t weft_acc_width(weft_acc_type_t type) {
  return width[type];
}

static inline bool is_complex(weft_acc_type_t type) {
  return type >= WEFT_ACC_FLOAT_COMPLEX;
}

/* ---- loops: for any processor, and on x86_64 for those with AVX2, with the same results ---- */

#define ANY(T) typedef T any_##T __attribute__((aligned(1), may_alias));
ANY(uint32_t)
ANY(uint64_t)
ANY(float)
ANY(double)

/* Elements at any address. scale NULL: 1. Unrolled, the loops take half the time (gcc 12). */
#define SUM(name, T, ...)                                                                          \
  __VA_ARGS__ static void name(char *to, const char *from, size_t n, const void *factor) {         \
    any_##T *sum = (any_##T *)to;                                                                  \
    const any_##T *value = (const any_##T *)from;                                                  \
    const T scale = factor ? *(const any_##T *)factor : (T)1;                                      \
    _Pragma("GCC unroll 4") for (size_t i = 0; i < n / sizeof(T); i++)                             \
        sum[i] += scale * value[i];                                                                \
  }
#define SUM_COMPLEX(name, T, ...)                                                                  \
  __VA_ARGS__ static void name(char *to, const char *from, size_t n, const void *factor) {         \
    any_##T *sum = (any_##T *)to;                                                                  \
    const any_##T *value = (const any_##T *)from, *scale = factor;                                 \
    const T re = scale ? scale[0] : (T)1, im = scale ? scale[1] : (T)0;                            \
    _Pragma("GCC unroll 4") for (size_t i = 0; i < n / sizeof(T); i += 2) {                        \
      const T x = value[i], y = value[i + 1];                                                      \
      sum[i] += re * x - im * y;                                                                   \
      sum[i + 1] += re * y + im * x;                                                               \
    }                                                                                              \
  }
typedef void (*loop_t)(char *to, const char *from, size_t n, const void *factor);
#define LOOPS(name, ...)                                                                           \
  SUM(name##_int32, uint32_t, __VA_ARGS__)                                                         \
  SUM(name##_int64, uint64_t, __VA_ARGS__)                                                         \
  SUM(name##_float, float, __VA_ARGS__)                                                            \
  SUM(name##_double, double, __VA_ARGS__)                                                          \
  SUM_COMPLEX(name##_float_complex, float, __VA_ARGS__)                                            \
  SUM_COMPLEX(name##_double_complex, double, __VA_ARGS__)                                          \
  static const loop_t name[WEFT_ACC_TYPES] = {                                                     \
      [WEFT_ACC_INT32] = name##_int32,                                                             \
      [WEFT_ACC_INT64] = name##_int64,                                                             \
      [WEFT_ACC_FLOAT] = name##_float,                                                             \
      [WEFT_ACC_DOUBLE] = name##_double,                                                           \
      [WEFT_ACC_FLOAT_COMPLEX] = name##_float_complex,                                             \
      [WEFT_ACC_DOUBLE_COMPLEX] = name##_double_complex};

LOOPS(plain)
static const loop_t *loops = plain;

#ifdef __x86_64__
LOOPS(by_avx2, __attribute__((target("avx2"))))

__attribute__((constructor)) static void look(void) {
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx2")) loops = by_avx2;
}
#endif

void weft_acc_add_plain(weft_acc_type_t type, void *to, const void *from, size_t n,
                        const void *scale) {
  plain[type](to, from, n, scale);
}

#define ADD_ATOMIC(T)                                                                              \
  static void add_##T(char *to, const char *from, size_t n, const void *factor) {                  \
    const any_##T *value = (const any_##T *)from;                                                  \
    const T scale = factor ? *(const any_##T *)factor : 1;                                         \
    for (size_t i = 0; i < n / sizeof(T); i++)                                                     \
      __atomic_fetch_add((T *)(void *)to + i, scale * value[i], __ATOMIC_RELAXED);                 \
  }
ADD_ATOMIC(uint32_t)
ADD_ATOMIC(uint64_t)

/* Two words of 4 bytes by one compare-and-swap of 8, half the time of two additions. It is atomic
 * to the CPU's atomics on either word: these work on the same line, and a change is seen. */
static void add_pairs(char *to, const char *from, size_t n, const void *factor) {
  const any_uint32_t *value = (const any_uint32_t *)from;
  const uint32_t scale = factor ? *(const any_uint32_t *)factor : 1;
  const size_t before = n && (uintptr_t)to % 8 ? 4 : 0, pairs = (n - before) / 8;
  uint64_t *pair = (uint64_t *)(void *)(to + before);
  add_uint32_t(to, from, before, factor);
  value += before / 4;
  for (size_t i = 0; i < pairs; i++) {
    const uint32_t low = scale * value[2 * i], high = scale * value[2 * i + 1];
    uint64_t old = weft_peek(&pair[i]), sum;
    do sum = (uint32_t)((uint32_t)old + low) | (uint64_t)((uint32_t)(old >> 32) + high) << 32;
    while (!__atomic_compare_exchange_n(&pair[i], &old, sum, true, __ATOMIC_RELAXED,
                                        __ATOMIC_RELAXED));
  }
  const size_t done = before + pairs * 8;
  add_uint32_t(to + done, from + done, n - done, factor);
}

/* ---- blocks ---------------------------------------------------------------------------------- */

/* Hold the lock of block `at`, and no other. */
static inline void hold(weft_adder_t *a, uintptr_t at) {
  if (!a->locks.lock || (a->held && a->at == at)) return;
  weft_node_lock_t *lock = &a->locks.lock[at % WEFT_BLOCK_LOCKS].lock;
  weft_adder_end(a);
  if (weft_unlikely(!weft_node_lock_try(lock, a->locks.me))) a->locks.wait(lock);
  a->held = lock;
  a->at = at;
}

/* A complex number of which the next block has the imaginary part. Somebody may add to the parts
 * as to reals, so each is added under its own lock. */
static void add_across(weft_adder_t *a, char *to, const char *from) {
  const size_t n = width[a->type];
  double product[2] = {0, 0};
  weft_adder_t parts = *a;
  loops[a->type]((char *)product, from, n, a->scale);
  parts.type = a->type == WEFT_ACC_FLOAT_COMPLEX ? WEFT_ACC_FLOAT : WEFT_ACC_DOUBLE;
  parts.scale = NULL;
  weft_adder_add(&parts, to, product, n);
  a->held = parts.held;
  a->at = parts.at;
}

static inline bool is_atomic(weft_acc_type_t type, const void *to) {
  return type <= WEFT_ACC_INT64 && ((uintptr_t)to & (width[type] - 1)) == 0;
}

/* More than one block. An element belongs to the block of its first byte. */
static WEFT_NOINLINE void add_blocks(weft_adder_t *a, char *to, const char *from, size_t n) {
  const size_t size = width[a->type];
  while (n > 0) {
    const uintptr_t off = (uintptr_t)to - a->locks.origin;
    const size_t room = WEFT_BLOCK_BYTES - off % WEFT_BLOCK_BYTES, whole = room & ~(size - 1);
    size_t k = n <= room ? n : whole > 0 ? whole : size;
    if (weft_unlikely(k > room && is_complex(a->type) && room <= size / 2)) {
      add_across(a, to, from);
    } else {
      hold(a, off / WEFT_BLOCK_BYTES);
      loops[a->type](to, from, k, a->scale);
    }
    to += k;
    from += k;
    n -= k;
  }
}

void weft_adder_add(weft_adder_t *a, void *to, const void *from, size_t n) {
  const size_t size = width[a->type];
  const uintptr_t off = (uintptr_t)to - a->locks.origin;
  if (weft_unlikely(n & (size - 1)))
    weft_fatal("accumulate: %zu bytes are no elements of %zu bytes each", n, size);
  if (is_atomic(a->type, to)) {
    (a->type == WEFT_ACC_INT32 ? add_pairs : add_uint64_t)(to, from, n, a->scale);
  } else if (weft_likely(off % WEFT_BLOCK_BYTES + n <= WEFT_BLOCK_BYTES)) {
    hold(a, off / WEFT_BLOCK_BYTES);
    loops[a->type](to, from, n, a->scale);
  } else {
    add_blocks(a, to, from, n);
  }
}

void weft_adder_pass(weft_adder_t *a, weft_cursor_t *c, const void *buffer, size_t n) {
  const char *from = buffer;
  while (n > 0) {
    const size_t k = c->left < n ? c->left : n;
    weft_adder_add(a, (void *)c->at, from, k);
    weft_cursor_step(c, k);
    from += k;
    n -= k;
  }
}
