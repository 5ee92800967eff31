/*
 * weft/direct.h: the on-node path that the front ends' headers inline. Not an interface for
 * programs.
 *
 * weft_direct.disp[pe] is one displacement per PE. Added to a symmetric address it gives
 *   - no carry: the address of the PE's copy in this process's memory (the PE shares this node), or
 *   - a carry:  the PE is on another node and the sum is the slot offset of the object, which is
 *               all that the functions of the table need. (The entry is minus the address of slot
 *               offset 0, so the sum always carries.)
 *
 * With WEFT_CHECK=1, before initialisation and after finalisation every entry carries, so that
 * every operation comes through the table, where it is checked.
 *
 * Sources: the displacement layout and its instruction counts are in docs/architecture.md.
 */
#ifndef WEFT_DIRECT_H
#define WEFT_DIRECT_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Atomic operations. The operand and the result travel as unsigned integers of the object's width;
 * _S takes them for signed integers, _R for a float or double. */
enum weft_amo {
  WEFT_AMO_FETCH,
  WEFT_AMO_SET,
  WEFT_AMO_SWAP,
  WEFT_AMO_CSWAP,
  WEFT_AMO_ADD,
  WEFT_AMO_AND,
  WEFT_AMO_OR,
  WEFT_AMO_XOR,
  WEFT_AMO_MULT,
  WEFT_AMO_MIN,
  WEFT_AMO_MAX,
  WEFT_AMO_MIN_S,
  WEFT_AMO_MAX_S,
  WEFT_AMO_ADD_R,
  WEFT_AMO_MULT_R,
  WEFT_AMO_MIN_R,
  WEFT_AMO_MAX_R,
  WEFT_AMO_CSWAP_R /* compares values: 0.0 is -0.0, and no NaN is equal to anything */
};

/* Operations that left the inline path. `off` is the slot offset of the remote object, n and width
 * are bytes, `who` the public function's name for messages. `to` is a PE of the world in its low 32
 * bits; above them, and alone in `on`, is the context's tag: bits 32 to 39 the channel that its
 * operations go by, bits 40 to 62 its number. The default context's tag is 0. */
struct weft_direct {
  const uintptr_t *disp;
  /* store a scalar; shmem_p. No name, and arguments in the order in which the registers are wanted:
   * every instruction counts here, and messages say shmem_p. `disp` is the table's own address,
   * `off` the slot offset of dest. */
  void (*p1)(const void *dest, uint8_t value, long pe, const uintptr_t *disp, uintptr_t off);
  void (*p2)(const void *dest, uint16_t value, long pe, const uintptr_t *disp, uintptr_t off);
  void (*p4)(const void *dest, uint32_t value, long pe, const uintptr_t *disp, uintptr_t off);
  void (*p8)(const void *dest, uint64_t value, long pe, const uintptr_t *disp, uintptr_t off);
  /* put: the source may be changed on return. put_nbi: not before the next quiet. */
  void (*put)(uintptr_t off, const void *source, size_t n, long to, const char *who);
  void (*put_nbi)(uintptr_t off, const void *source, size_t n, long to, const char *who);
  /* get: the data is there on return. get_nbi: after the next quiet. */
  void (*get)(uintptr_t off, void *dest, size_t n, long to, const char *who);
  void (*get_nbi)(uintptr_t off, void *dest, size_t n, long to, const char *who);
  /* atomics on 4- or 8-byte objects: the result at once; no result; or the result in *fetch after
   * the next quiet */
  uint64_t (*amo)(uintptr_t off, enum weft_amo op, size_t width, uint64_t operand, uint64_t cond,
                  long to, const char *who);
  void (*amo_post)(uintptr_t off, enum weft_amo op, size_t width, uint64_t operand, long pe,
                   const char *who);
  void (*amo_nbi)(uintptr_t off, enum weft_amo op, size_t width, uint64_t operand, uint64_t cond,
                  void *fetch, long to, const char *who);
  /* put (or put_nbi), and then WEFT_AMO_SET or WEFT_AMO_ADD on the 8 bytes at slot offset `sig`,
   * which nobody sees before the data. n is not 0. */
  void (*put_signal)(uintptr_t off, const void *source, size_t n, uintptr_t sig, enum weft_amo op,
                     uint64_t signal, int nbi, long to, const char *who);
  /* what is left to do for other nodes once this processor's stores are ordered (returns at once on
   * a one-node job) */
  void (*quiet)(void);
  void (*fence)(void);
  /* the same for the operations on one context */
  void (*quiet_on)(long on);
  void (*fence_on)(long on);
  /* what atomics add: `disp`, or with more PEs than processors a table in which all entries are as
   * for another node, so that who spins comes to `amo`, which gives way */
  const uintptr_t *amo_disp;
};

extern __attribute__((visibility("default"))) struct weft_direct weft_direct;

/* Helpers of inline functions with external linkage: ISO C wants them external too, and
 * always_inline means that no symbol is ever needed. */
#define WEFT_DIRECT_INLINE extern inline __attribute__((gnu_inline, always_inline))

/* The PE's copy of a symmetric object: true and its address, or false and its slot offset. */
WEFT_DIRECT_INLINE int weft_direct_at(const volatile void *object, long pe, uintptr_t *at) {
  return !__builtin_add_overflow((uintptr_t)object, weft_direct.disp[pe], at);
}

/* The same for an atomic. */
WEFT_DIRECT_INLINE int weft_direct_amo_at(const volatile void *object, long pe, uintptr_t *at) {
  return !__builtin_add_overflow((uintptr_t)object, weft_direct.amo_disp[pe], at);
}

/* A PE and a context's tag in one, and the PE and the context's number in it. */
WEFT_DIRECT_INLINE long weft_direct_to(long pe, long on) {
  return (pe & 0xffffffffL) | on;
}
WEFT_DIRECT_INLINE int weft_direct_pe(long to) {
  return (int)to;
}
WEFT_DIRECT_INLINE int weft_direct_context(long to) {
  return (int)((unsigned long)to >> 40);
}

/* Store up to 8 bytes: once and whole if they are aligned. */
__attribute__((visibility("default"))) void weft_direct_store(void *dest, const void *source,
                                                              size_t n);

/* memcpy as this processor does it best: glibc before 2.39 leaves 2 KB to 1 MB to REP MOVSB, at
 * which AMD's before Zen 5 are slower than at a loop of vectors, and 15 to 30 times slower where
 * dest stands up to 63 bytes above source modulo 4096 (sourceware.org, bug 30994). Zen 5 is fast at
 * it from 8 KB on (with dest so above source a third slower, as vectors are in any case), and below
 * at vectors of 64 bytes. A pointer, as a call of another library's
 * function takes a jump more. */
extern __attribute__((visibility("default"))) void *(*weft_direct_move)(void *dest,
                                                                        const void *source,
                                                                        size_t n);

WEFT_DIRECT_INLINE void weft_direct_memcpy(void *dest, const void *source, size_t n) {
  if (__builtin_constant_p(n) && n <= 2048)
    memcpy(dest, source, n);
  else
    weft_direct_move(dest, source, n);
}

/* memcpy into memory whose owner may be polling it. glibc's memcpy of 4 or 8 bytes stores them
 * twice: a reader that sees the first store and puts its flag back would see it come again. A
 * constant size is one store anyway; and 8 bytes are what is put most. */
WEFT_DIRECT_INLINE void weft_direct_copy(void *dest, const void *source, size_t n) {
  if (__builtin_constant_p(n) || __builtin_expect(n > 8, 1))
    weft_direct_memcpy(dest, source, n);
  else if (n == 8)
    memcpy(dest, source, 8);
  else
    weft_direct_store(dest, source, n);
}

/* memcpy from memory whose owner may be changing it. glibc's memcpy of 2 bytes loads the first of
 * them twice, and may bring halves of two values; 8 bytes are what is fetched most. */
WEFT_DIRECT_INLINE void weft_direct_fetch(void *dest, const void *source, size_t n) {
  if (__builtin_constant_p(n) || __builtin_expect(n > 8, 1))
    weft_direct_memcpy(dest, source, n);
  else if (n == 8)
    memcpy(dest, source, 8);
  else if (n == 2)
    memcpy(dest, source, 2);
  else
    memcpy(dest, source, n);
}

WEFT_DIRECT_INLINE void weft_direct_put(void *dest, const void *source, size_t n, long to,
                                        const char *who) {
  uintptr_t at;
  if (__builtin_expect(weft_direct_at(dest, weft_direct_pe(to), &at), 1))
    weft_direct_copy((void *)at, source, n);
  else
    weft_direct.put(at, source, n, to, who);
}

WEFT_DIRECT_INLINE void weft_direct_put_nbi(void *dest, const void *source, size_t n, long to,
                                            const char *who) {
  uintptr_t at;
  if (__builtin_expect(weft_direct_at(dest, weft_direct_pe(to), &at), 1))
    weft_direct_copy((void *)at, source, n);
  else
    weft_direct.put_nbi(at, source, n, to, who);
}

WEFT_DIRECT_INLINE void weft_direct_get(void *dest, const void *source, size_t n, long to,
                                        const char *who) {
  uintptr_t at;
  if (__builtin_expect(weft_direct_at(source, weft_direct_pe(to), &at), 1))
    weft_direct_fetch(dest, (const void *)at, n);
  else
    weft_direct.get(at, dest, n, to, who);
}

WEFT_DIRECT_INLINE void weft_direct_get_nbi(void *dest, const void *source, size_t n, long to,
                                            const char *who) {
  uintptr_t at;
  if (__builtin_expect(weft_direct_at(source, weft_direct_pe(to), &at), 1))
    weft_direct_fetch(dest, (const void *)at, n);
  else
    weft_direct.get_nbi(at, dest, n, to, who);
}

/* Complete every operation of this PE on the default context. The fence makes on-node stores
 * visible before any later load (two PEs that each put, quiet and get cannot both miss). */
WEFT_DIRECT_INLINE void weft_direct_quiet(void) {
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  weft_direct.quiet();
}

WEFT_DIRECT_INLINE void weft_direct_fence(void) {
  __atomic_thread_fence(__ATOMIC_ACQ_REL);
  weft_direct.fence();
}

#ifdef __cplusplus
}
#endif

#endif
