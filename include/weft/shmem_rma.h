/*
 * weft/shmem_rma.h: OpenSHMEM 1.6 section 9.5, remote memory access. Include <shmem.h> instead.
 */
/* ---- For every type of table 3, shown for int; each has a shmem_ctx_ form with a leading context
 *   void shmem_int_put(int *dest, const int *source, size_t nelems, int pe);
 *   (and get, put_nbi, get_nbi)
 *   void shmem_int_p(int *dest, int value, int pe);
 *   int  shmem_int_g(const int *source, int pe);
 *   void shmem_int_iput(int *dest, const int *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems,
 *                       int pe);
 *   void shmem_int_ibput(int *dest, const int *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize,
 *                        size_t nblocks, int pe);
 *   (and iget, ibget)
 * and for sizes: shmem_put8 .. 128, shmem_putmem, shmem_iput8 .. 128, and so on.
 */
#ifndef WEFT_SHMEM_RMA_H
#define WEFT_SHMEM_RMA_H

#include <weft/shmem_types.h>

/* The operand of an off-node store or atomic, as an unsigned integer of its own width. */
WEFT_DIRECT_INLINE uint64_t weft_shmem_bits(const void *value, size_t width) {
  uint8_t b;
  uint16_t h;
  uint32_t w;
  uint64_t d;
  switch (width) {
  case 1: memcpy(&b, value, 1); return b;
  case 2: memcpy(&h, value, 2); return h;
  case 4: memcpy(&w, value, 4); return w;
  default: memcpy(&d, value, 8); return d;
  }
}

/* Off-node loads and atomics with a result, returned in a register: inline functions then need no
 * stack frame. 4 bytes have their own, so that clang sees a tail call. */
#pragma GCC visibility push(default)
#ifdef __cplusplus
extern "C" {
#endif
/* shmem_ctx_p on a context that has a tag */
void weft_shmem_p_on(uintptr_t off, size_t width, uint64_t bits, long to);
uint64_t weft_shmem_g_away(uintptr_t off, size_t width, long to, const char *who);
uint32_t weft_shmem_g4_away(uintptr_t off, size_t width, long to, const char *who);
uint64_t weft_shmem_amo_away(uintptr_t off, unsigned op_and_width, uint64_t operand, uint64_t cond,
                             long to, const char *who);
uint32_t weft_shmem_amo4_away(uintptr_t off, unsigned op_and_width, uint64_t operand, uint64_t cond,
                              long to, const char *who);
#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop

WEFT_DIRECT_INLINE void weft_shmem_p_away(const void *dest, uint64_t bits, size_t width, long to,
                                          uintptr_t off) {
  const uintptr_t *disp = weft_direct.disp;
  const long pe = weft_direct_pe(to);
  if (to != pe) {
    weft_shmem_p_on(off, width, bits, to);
    return;
  }
  switch (width) {
  case 1: weft_direct.p1(dest, (uint8_t)bits, pe, disp, off); break;
  case 2: weft_direct.p2(dest, (uint16_t)bits, pe, disp, off); break;
  case 4: weft_direct.p4(dest, (uint32_t)bits, pe, disp, off); break;
  default: weft_direct.p8(dest, bits, pe, disp, off); break;
  }
}

/* *result = the `width`-byte object whose bits are in `bits` */
WEFT_DIRECT_INLINE void weft_shmem_unbits(void *result, uint64_t bits, size_t width) {
  uint8_t b = (uint8_t)bits;
  uint16_t h = (uint16_t)bits;
  uint32_t w = (uint32_t)bits;
  switch (width) {
  case 1: memcpy(result, &b, 1); break;
  case 2: memcpy(result, &h, 2); break;
  case 4: memcpy(result, &w, 4); break;
  default: memcpy(result, &bits, 8); break;
  }
}

/* ---- put, get and their nonblocking forms ---------------------------------------------------- */

#define WEFT_RMA_PUT_GET(FN, NAME_PUT, NAME_GET, NBI, T, BYTES)                                    \
  WEFT_BOTH(FN, void, NAME_PUT, (T * dest, const T *source, size_t nelems, int pe),                \
            weft_direct_put##NBI(dest, source, nelems *(BYTES), to, who);)                         \
  WEFT_BOTH(FN, void, NAME_GET, (T * dest, const T *source, size_t nelems, int pe),                \
            weft_direct_get##NBI(dest, source, nelems *(BYTES), to, who);)

#define WEFT_RMA_CONTIGUOUS(FN, N, T)                                                              \
  WEFT_RMA_PUT_GET(FN, N##_put, N##_get, , T, sizeof(T))                                           \
  WEFT_RMA_PUT_GET(FN, N##_put_nbi, N##_get_nbi, _nbi, T, sizeof(T))
#define WEFT_RMA_CONTIGUOUS_SIZE(FN, BITS, BYTES)                                                  \
  WEFT_RMA_PUT_GET(FN, put##BITS, get##BITS, , void, BYTES)                                        \
  WEFT_RMA_PUT_GET(FN, put##BITS##_nbi, get##BITS##_nbi, _nbi, void, BYTES)

/* ---- p and g --------------------------------------------------------------------------------- */

/* A relaxed atomic access: whole, and repeated each time a loop asks for it. */
#define WEFT_RMA_WORD(FN, N, T)                                                                    \
  WEFT_BOTH(                                                                                       \
      FN, void, N##_p, (T * dest, T value, int pe), uintptr_t at;                                  \
      if (__builtin_expect(weft_direct_at(dest, weft_direct_pe(to), &at), 1))                      \
          __atomic_store((T *)at, &value, __ATOMIC_RELAXED);                                       \
      else weft_shmem_p_away(dest, weft_shmem_bits(&value, sizeof value), sizeof value, to, at);)  \
  WEFT_BOTH(FN, T, N##_g, (const T *source, int pe), uintptr_t at; T value;                        \
            if (__builtin_expect(weft_direct_at(source, weft_direct_pe(to), &at), 1))              \
                __atomic_load((T *)at, &value, __ATOMIC_RELAXED);                                  \
            else weft_shmem_unbits(&value,                                                         \
                                   sizeof value == 4                                               \
                                       ? weft_shmem_g4_away(at, 4, to, who)                        \
                                       : weft_shmem_g_away(at, sizeof value, to, who),             \
                                   sizeof value);                                                  \
            return value;)
#define WEFT_RMA_LONG_WORD(FN, N, T)                                                               \
  WEFT_BOTH(FN, void, N##_p, (T * dest, T value, int pe),                                          \
            weft_direct_put(dest, &value, sizeof value, to, who);)                                 \
  WEFT_BOTH(FN, T, N##_g, (const T *source, int pe), T value;                                      \
            weft_direct_get(&value, source, sizeof value, to, who); return value;)

/* Everything that is inlined. */
#define WEFT_SHMEM_RMA_HOT(FN)                                                                     \
  WEFT_TYPES_RMA(WEFT_RMA_CONTIGUOUS, FN)                                                          \
  WEFT_SIZES(WEFT_RMA_CONTIGUOUS_SIZE, FN)                                                         \
  WEFT_RMA_PUT_GET(FN, putmem, getmem, , void, 1)                                                  \
  WEFT_RMA_PUT_GET(FN, putmem_nbi, getmem_nbi, _nbi, void, 1)                                      \
  WEFT_TYPES_WORD(WEFT_RMA_WORD, FN)                                                               \
  WEFT_RMA_LONG_WORD(FN, longdouble, long double)

/* ---- strided --------------------------------------------------------------------------------- */

/* iput is ibput with blocks of one element. */
#define WEFT_RMA_STRIDED_AS(FN, IPUT, IGET, IBPUT, IBGET, T, BYTES)                                \
  WEFT_BOTH(FN, void, IPUT,                                                                        \
            (T * dest, const T *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe),      \
            weft_shmem_put_blocks(dest, source, dst, sst, 1, nelems, BYTES, to, who);)             \
  WEFT_BOTH(FN, void, IGET,                                                                        \
            (T * dest, const T *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe),      \
            weft_shmem_get_blocks(dest, source, dst, sst, 1, nelems, BYTES, to, who);)             \
  WEFT_BOTH(FN, void, IBPUT,                                                                       \
            (T * dest, const T *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize,                \
             size_t nblocks, int pe),                                                              \
            weft_shmem_put_blocks(dest, source, dst, sst, bsize, nblocks, BYTES, to, who);)        \
  WEFT_BOTH(FN, void, IBGET,                                                                       \
            (T * dest, const T *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize,                \
             size_t nblocks, int pe),                                                              \
            weft_shmem_get_blocks(dest, source, dst, sst, bsize, nblocks, BYTES, to, who);)
#define WEFT_RMA_STRIDED(FN, N, T)                                                                 \
  WEFT_RMA_STRIDED_AS(FN, N##_iput, N##_iget, N##_ibput, N##_ibget, T, sizeof(T))
#define WEFT_RMA_STRIDED_SIZE(FN, BITS, BYTES)                                                     \
  WEFT_RMA_STRIDED_AS(FN, iput##BITS, iget##BITS, ibput##BITS, ibget##BITS, void, BYTES)

#define WEFT_SHMEM_RMA_STRIDED(FN)                                                                 \
  WEFT_TYPES_RMA(WEFT_RMA_STRIDED, FN)                                                             \
  WEFT_SIZES(WEFT_RMA_STRIDED_SIZE, FN)

#pragma GCC visibility push(default)
#ifdef __cplusplus
extern "C" {
#endif
WEFT_SHMEM_RMA_HOT(WEFT_HOT)
WEFT_SHMEM_RMA_STRIDED(WEFT_PROTOTYPE)
#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop

#endif
