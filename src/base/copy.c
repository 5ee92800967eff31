/*
 * Copying: by vectors where libc's memcpy is slow, and blocks from one evenly strided place to
 * another.
 */
#include <gnu/libc-version.h>
#include <stdio.h>
#include <string.h>

#include "base/base.h"
#include "weft/direct.h"

#if defined(__x86_64__) && !WEFT_ASAN && !WEFT_TSAN
#define VECTOR(name, bytes)                                                                        \
  typedef char name##_t __attribute__((vector_size(bytes), aligned(1), may_alias))
typedef uint64_t word_t __attribute__((aligned(1), may_alias));
VECTOR(half, 16);
VECTOR(vector, 32);
VECTOR(wide, 64);

/* The first and the last bytes, which may overlap: both are read before either is written. */
#define COPY_ENDS(type)                                                                            \
  do {                                                                                             \
    const type a = *(const type *)source, z = *(const type *)(source + n - sizeof(type));          \
    *(type *)dest = a;                                                                             \
    *(type *)(dest + n - sizeof(type)) = z;                                                        \
  } while (0)

/* Four vectors; four to eight, all read before the first is written, as a load waits for a store
 * to the same place of another page; and more than four, aligned but for the first and the last.
 * A store begins or ends whole vectors from dest, from its end, or from a multiple of a vector: so
 * none ends inside an element where these are aligned and fill dest, as in memcpy. */
#define MOVES(feature, type, four, eight, move)                                                    \
  __attribute__((target(feature))) static inline void four(char *dest, const char *source) {       \
    const type *from = (const type *)source;                                                       \
    type *to = (type *)dest;                                                                       \
    const type a = from[0], b = from[1], c = from[2], d = from[3];                                 \
    to[0] = a, to[1] = b, to[2] = c, to[3] = d;                                                    \
  }                                                                                                \
  __attribute__((target(feature))) static inline void eight(char *dest, const char *source,        \
                                                            size_t n) {                            \
    const type *from = (const type *)source, *last = (const type *)(source + n);                   \
    type *to = (type *)dest, *end = (type *)(dest + n);                                            \
    const type a = from[0], b = from[1], c = from[2], d = from[3];                                 \
    const type w = last[-4], x = last[-3], y = last[-2], z = last[-1];                             \
    to[0] = a, to[1] = b, to[2] = c, to[3] = d;                                                    \
    end[-4] = w, end[-3] = x, end[-2] = y, end[-1] = z;                                            \
  }                                                                                                \
  __attribute__((target(feature))) static inline void move(char *dest, const char *source,         \
                                                           size_t n) {                             \
    enum { V = sizeof(type), STEP = 4 * V };                                                       \
    char *const end = dest + n;                                                                    \
    const char *const source_end = source + n;                                                     \
    const size_t head = V - ((uintptr_t)dest & (V - 1));                                           \
    *(type *)dest = *(const type *)source;                                                         \
    dest += head, source += head;                                                                  \
    for (; end - dest > STEP; dest += STEP, source += STEP) four(dest, source);                    \
    four(end - STEP, source_end - STEP);                                                           \
  }
MOVES("avx", vector_t, four, eight, move)
MOVES("avx512f", wide_t, four_wide, eight_wide, move_wide)

__attribute__((target("avx"))) static inline void less_than_one(char *dest, const char *source,
                                                                size_t n) {
  if (n >= sizeof(half_t))
    COPY_ENDS(half_t);
  else if (n >= sizeof(word_t))
    COPY_ENDS(word_t);
  else
    memcpy(dest, source, n);
}

__attribute__((target("avx"))) static inline void two_to_four(char *dest, const char *source,
                                                              size_t n) {
  const vector_t b = ((const vector_t *)source)[1],
                 y = *(const vector_t *)(source + n - 2 * sizeof(vector_t));
  COPY_ENDS(vector_t);
  ((vector_t *)dest)[1] = b;
  *(vector_t *)(dest + n - 2 * sizeof(vector_t)) = y;
}

/* False, and nothing was done: there are more bytes. Where one or two vectors are enough no branch
 * is taken: with three of them 64 bytes took 6 ns instead of 4 (Zen 3). */
__attribute__((target("avx"), always_inline)) static inline bool
up_to_eight(char *dest, const char *source, size_t n) {
  enum { V = sizeof(vector_t) };
  if (weft_unlikely(n < V))
    less_than_one(dest, source, n);
  else if (weft_likely(n <= 2 * V))
    COPY_ENDS(vector_t);
  else if (n <= 4 * V)
    two_to_four(dest, source, n);
  else if (n <= 8 * V)
    eight(dest, source, n);
  else
    return false;
  return true;
}

__attribute__((target("avx"))) void *weft_copy_by_vectors(void *to, const void *from, size_t n) {
  enum { MOST = 1 << 20 };
  if (up_to_eight(to, from, n)) return to;
  if (n < MOST)
    move(to, from, n);
  else
    memcpy(to, from, n);
  return to;
}

/* Sizes from which each function uses REP MOVSB. 4 KB take 0.17 us by it and 0.22 by vectors if
 * another core's cache holds the lines; 29 ns and 16 ns if our own does. */
enum { REPEATED = 8192, REPEATED_TO_READER = 4096 };

/* Whole lines in between, as it is not said where its steps end. */
__attribute__((target("avx512f"))) static inline void repeat(char *dest, const char *source,
                                                             size_t n) {
  enum { W = sizeof(wide_t) };
  const wide_t a = *(const wide_t *)source, z = *(const wide_t *)(source + n - W);
  const size_t head = W - ((uintptr_t)dest & (W - 1));
  char *to = dest + head;
  const char *from = source + head;
  size_t lines = (n - head) / W * W;
  *(wide_t *)dest = a;
  __asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(lines) : : "memory");
  *(wide_t *)(dest + n - W) = z;
}

/* Zen 5 moves 64 bytes a step, and is at its best with REP MOVSB where the first cache does not
 * hold both sides, also beyond the megabyte from which glibc has other stores. */
__attribute__((target("avx512f"))) void *weft_copy_by_wide_vectors(void *to, const void *from,
                                                                   size_t n) {
  enum { V = sizeof(vector_t), W = sizeof(wide_t) };
  if (up_to_eight(to, from, n)) return to;
  if (n <= 12 * V)
    move(to, from, n);
  else if (n <= 8 * W)
    eight_wide(to, from, n);
  else if (n < REPEATED)
    move_wide(to, from, n);
  else
    repeat(to, from, n);
  return to;
}

void weft_copy_to_reader(void *to, const void *from, size_t n) {
  if (n >= REPEATED_TO_READER && weft_direct_move == weft_copy_by_wide_vectors)
    repeat(to, from, n);
  else
    weft_direct_memcpy(to, from, n);
}

/* glibc's version: 2.36 as 236. */
static int libc_version(void) {
  int major = 0, minor = 0;
  sscanf(gnu_get_libc_version(), "%d.%d", &major, &minor);
  return major * 100 + minor;
}

/* Of AMD's, Zen 5 was the first to have these. gcc 8 and 9 do not know them. */
#if defined __clang__ || __GNUC__ >= 10
#define IS_ZEN_5 __builtin_cpu_supports("avx512vp2intersect")
#else
#define IS_ZEN_5 false
#endif

__attribute__((constructor)) static void look(void) {
  __builtin_cpu_init();
  if (!__builtin_cpu_is("amd")) return;
  if (IS_ZEN_5)
    weft_direct_move = weft_copy_by_wide_vectors;
  else if (__builtin_cpu_supports("avx") && libc_version() < 239)
    weft_direct_move = weft_copy_by_vectors;
}
#else
void weft_copy_to_reader(void *to, const void *from, size_t n) {
  weft_direct_memcpy(to, from, n);
}
#endif

WEFT_API void *(*weft_direct_move)(void *dest, const void *source, size_t n) = memcpy;

void weft_copy_strided(char *dest, const char *source, ptrdiff_t dst, ptrdiff_t sst, size_t block,
                       size_t nblocks) {
  size_t i;
#define COPY(T)                                                                                    \
  for (i = 0; i < nblocks; i++, dest += dst, source += sst) memcpy(dest, source, sizeof(T))
  switch (block) { /* a constant size makes a load and a store */
  case 1: COPY(uint8_t); break;
  case 2: COPY(uint16_t); break;
  case 4: COPY(uint32_t); break;
  case 8: COPY(uint64_t); break;
  case 16: COPY(uint64_t[2]); break;
  default:
    for (i = 0; i < nblocks; i++, dest += dst, source += sst)
      weft_direct_memcpy(dest, source, block);
  }
#undef COPY
}
