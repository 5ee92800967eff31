/*
 * weft/upc_loop.h: what the loops of generated code need: waiting loops, the own iterations of a
 * upc_forall, and dealing out the elements of an initialised array. Part of weft/upc_access.h.
 */
#ifndef WEFT_UPC_LOOP_H
#define WEFT_UPC_LOOP_H

#include "weft/upc_access.h"

/* For a loop that reads shared data in its condition and may be waiting for another thread: what
 * was read is read again, and now and then the processor is given away. */
WEFT_UPC_INLINE void weft_upc_spin(void) {
  static unsigned turns;
  __asm__ volatile("" ::: "memory");
  if (__builtin_expect((++turns & 255) == 0, 0)) weft_upc_poll();
}

/* The first index from `from` on that is this thread's in a cyclic layout, and the start of the
 * first block that is this thread's and ends behind `from`. */
WEFT_UPC_INLINE weft_upc_i64 weft_upc_first(weft_upc_i64 from) {
  weft_upc_i64 t = WEFT_UPC_THREADS,
               ahead = WEFT_UPC_MYTHREAD - (weft_upc_i64)weft_upc_mod_floor(from);
  return from + (ahead < 0 ? ahead + t : ahead);
}
/* How many of first, first + THREADS, ... are below `end`. */
WEFT_UPC_INLINE weft_upc_i64 weft_upc_count(weft_upc_i64 first, weft_upc_i64 end) {
  return first < end ? (weft_upc_i64)weft_upc_div((weft_upc_u64)(end - first - 1)) + 1 : 0;
}
WEFT_UPC_INLINE weft_upc_i64 weft_upc_first_block(weft_upc_i64 from, weft_upc_i64 block) {
  return weft_upc_first(weft_upc_floor(from, block)) * block;
}

/* At the end of a upc_forall that is not "continue", however it is left. */
WEFT_UPC_INLINE void weft_upc_forall_end(int *outer) {
  weft_upc_forall_depth = *outer;
}

/* The initialiser of a shared array: element i of the table of n is the array's element first + i,
 * and goes to its owner. `own` is this thread's part, `block` the block size (0: all on thread 0).
 */
static __inline__ WEFT_UPC_OURS __attribute__((unused)) void
weft_upc_spread(void *own, const void *table, weft_upc_size n, weft_upc_size first,
                weft_upc_size block, weft_upc_size size) {
  weft_upc_u64 threads = (weft_upc_u64)WEFT_UPC_THREADS, me = (weft_upc_u64)WEFT_UPC_MYTHREAD;
  for (weft_upc_size i = first; i < first + n; i++) {
    weft_upc_u64 b = block ? i / block : 0, place = block ? b / threads * block + i % block : i;
    if (b % threads == me)
      __builtin_memcpy((char *)own + place * size, (const char *)table + (i - first) * size, size);
  }
}

/* Reads of one expression that begin together (upcc's together.c). OPERAND works out where operand
 * n of type T is, and declares what the others use: h, whether it is on this node; v, its value.
 * Where all are, LOAD is all; else BEGIN each, weft_upc_far_read_end(0), END each. */
#define WEFT_UPC_OPERAND_(T, n, here)                                                              \
  weft_upc_u64 weft_upc_a##n;                                                                      \
  __typeof__(T) weft_upc_v##n;                                                                     \
  const int weft_upc_h##n = (here);
#define WEFT_UPC_OPERAND(T, n, p)                                                                  \
  const weft_upc_ptr_t weft_upc_p##n = (p);                                                        \
  const weft_upc_u64 weft_upc_t##n = weft_upc_thread(weft_upc_p##n);                               \
  WEFT_UPC_OPERAND_(T, n, weft_upc_here(weft_upc_p##n, &weft_upc_a##n))
#define WEFT_UPC_OPERAND_COPY(T, n, own, t)                                                        \
  const weft_upc_u64 weft_upc_t##n = (weft_upc_u64)(t);                                            \
  WEFT_UPC_OPERAND_(T, n, weft_upc_copy_here((own), weft_upc_t##n, &weft_upc_a##n))
#define WEFT_UPC_OPERAND_LOAD(n) weft_upc_v##n = *(__typeof__(weft_upc_v##n) *)weft_upc_a##n;
#define WEFT_UPC_OPERAND_BEGIN(n)                                                                  \
  weft_upc_u64 weft_upc_b##n;                                                                      \
  if (!weft_upc_h##n)                                                                              \
    weft_upc_far_read_begin(&weft_upc_b##n, weft_upc_a##n &WEFT_UPC_ADDR_MASK,                     \
                            sizeof weft_upc_v##n, (int)weft_upc_t##n, 0);
#define WEFT_UPC_OPERAND_END(n)                                                                    \
  if (weft_upc_h##n)                                                                               \
    WEFT_UPC_OPERAND_LOAD(n)                                                                       \
  else                                                                                             \
    __builtin_memcpy((void *)&weft_upc_v##n, &weft_upc_b##n, sizeof weft_upc_v##n);

/* A loop over consecutive elements, in pieces (upcc's bulk.c). One operand of a piece: `here`, its
 * address, or the slot offset on `thread`. */
#ifndef WEFT_UPC_PIECE /* tests make it smaller; the runtime's buffers have these bytes */
#define WEFT_UPC_PIECE 131072
#endif
#define WEFT_UPC_WHOLE (~(weft_upc_size)0 >> 1)
#define WEFT_UPC_OPERANDS 6 /* of a loop, at most */
struct weft_upc_piece {
  weft_upc_u64 at;
  weft_upc_size size;
  int here, thread;
};
/* The operand that is at p when the index is `from`. *end, where the piece ends, comes down to the
 * end of p's block (block 0: none), and to what a buffer of so many bytes holds. */
WEFT_UPC_INLINE struct weft_upc_piece weft_upc_piece(weft_upc_ptr_t p, weft_upc_i64 block,
                                                     weft_upc_size size, weft_upc_size most,
                                                     weft_upc_i64 from, weft_upc_i64 *end) {
  struct weft_upc_piece run = {0, size, 0, (int)weft_upc_thread(p)};
  weft_upc_i64 left = block ? block - (weft_upc_i64)weft_upc_phase(p) : *end - from;
  run.here = weft_upc_here(weft_upc_flat(p), &run.at);
  run.at = run.here ? run.at : run.at & WEFT_UPC_ADDR_MASK;
  if (!run.here && left > (weft_upc_i64)(most / size)) left = (weft_upc_i64)(most / size);
  if (from + left < *end) *end = from + left;
  return run;
}
/* Where the n elements are: in place, or a buffer, to be filled if they are read (until
 * weft_upc_far_read_end of the set). */
WEFT_UPC_INLINE void *weft_upc_piece_begin(struct weft_upc_piece *run, weft_upc_i64 n, int operand,
                                           int load, int set) {
  if (run->here) return (void *)run->at;
  return weft_upc_far_piece(run, (weft_upc_size)n, operand, load, set);
}
WEFT_UPC_INLINE void weft_upc_piece_end(const struct weft_upc_piece *run, weft_upc_i64 n,
                                        const void *elements, int set) {
  if (!run->here) weft_upc_far_piece_write(run, (weft_upc_size)n, elements, set);
}
/* How many elements of x[index[i]] are read as one list. */
#define WEFT_UPC_LIST 512
/* Where weft_upc.far is 0 all are on this node: addresses without a test. A loop reads where the
 * tables are once: compilers would read that constant anew in each turn. */
WEFT_UPC_INLINE const void *weft_upc_once(const void *table) {
  __asm__("" : "+r"(table));
  return table;
}
WEFT_UPC_INLINE void *weft_upc_near(const weft_upc_u64 *entry, weft_upc_ptr_t flat) {
  return (void *)(flat + entry[flat >> WEFT_UPC_THREAD_SHIFT]);
}
WEFT_UPC_INLINE void *weft_upc_near_copy(const weft_upc_uptr *disp, const volatile void *own,
                                         weft_upc_u64 thread) {
  if (__builtin_constant_p(WEFT_UPC_THREADS) && WEFT_UPC_THREADS == 1) return (void *)own;
  return (void *)((weft_upc_uptr)own + disp[thread]);
}

#endif
