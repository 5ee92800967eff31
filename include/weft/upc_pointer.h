/*
 * weft/upc_pointer.h: the packed pointer-to-shared of UPC programs and its arithmetic, inline. The
 * code that upcc generates calls it, and so does the library (src/upc). No interface for programs.
 *
 * A pointer-to-shared is 64 bits: the thread on top, then the phase, then the slot offset (the
 * distance from the start of the thread's slot; weft/direct.h). All zero bits are the null pointer:
 * no shared object lies at slot offset 0. Phases are canonical: 0 where the block size is 0
 * (indefinite) or 1, so such pointers ("flat" ones) may be used as they are.
 *
 * The widths are constants of a compilation (upcc -fupc-packed-bits=T,P,A) and equal in all objects
 * of a program: struct weft_upc_unit carries them, the runtime compares them at start.
 * Source: UPC Language Specification 1.3, 6.4.2 and 6.4.3.
 */
#ifndef WEFT_UPC_POINTER_H
#define WEFT_UPC_POINTER_H

/* Nothing is included, and no name but weft_upc_ and WEFT_UPC_ is declared: generated code reads
 * this before the text of a program, whose own system headers follow, already expanded. */
typedef __UINT64_TYPE__ weft_upc_u64;
typedef __INT64_TYPE__ weft_upc_i64;
typedef __UINTPTR_TYPE__ weft_upc_uptr;
typedef __SIZE_TYPE__ weft_upc_size;
__extension__ typedef unsigned __int128 weft_upc_u128;

#ifndef WEFT_UPC_THREAD_BITS
#define WEFT_UPC_THREAD_BITS 10
#define WEFT_UPC_PHASE_BITS 20
#define WEFT_UPC_ADDR_BITS 34
#endif

#define WEFT_UPC_THREAD_SHIFT (64 - WEFT_UPC_THREAD_BITS)
#define WEFT_UPC_ADDR_MASK ((((weft_upc_u64)1) << WEFT_UPC_ADDR_BITS) - 1)
#define WEFT_UPC_PHASE_MASK (((((weft_upc_u64)1) << WEFT_UPC_PHASE_BITS) - 1) << WEFT_UPC_ADDR_BITS)

typedef weft_upc_u64 weft_upc_ptr_t;

/* What this thread knows of the job; filled in by weft_upc_start (src/upc/start.c). Generated code
 * sees it as constant, so that compilers keep it in registers: only the runtime defines
 * WEFT_UPC_RUNTIME, and writes it before any code of the program runs. What `entry` and `disp`
 * point at may change later, in place.
 *
 * entry[t] added to a flat pointer to thread t gives the address of the object in this process
 * (bit 63 clear), or bit 63 and the slot offset: the thread is on another node, or every access
 * is to be seen (WEFT_CHECK=1, recording).
 *   oneself           base - (t << shift)
 *   on this node      address of t's slot offset 0 here - (t << shift)
 *   elsewhere         (1 << 63) - (t << shift)
 * disp[t] is the same for symmetric addresses, as weft_direct.disp: the sum is the address (no
 * carry), or the slot offset (carry). */
struct weft_upc {
  const weft_upc_u64 *entry;
  const weft_upc_uptr *disp;
  weft_upc_uptr base;      /* the address of this thread's slot offset 0 */
  weft_upc_u64 reciprocal; /* (2^64 - 1) / threads, see weft_upc_div */
  int threads;
  int mythread;
  int far; /* some entry has bit 63: strict accesses and fences must call weft_upc_far_quiet */
};
#ifdef WEFT_UPC_RUNTIME
extern __attribute__((visibility("default"))) struct weft_upc weft_upc;
#else
extern __attribute__((visibility("default"))) const struct weft_upc weft_upc;
#endif

/* Functions of ours in the program's objects: -finstrument-functions leaves them out, like the
 * library's. C's main is one of them, by another name in C, so that gcc must be told to keep it. */
#define WEFT_UPC_OURS __attribute__((no_instrument_function))
#ifdef __clang__
#define WEFT_UPC_C_MAIN WEFT_UPC_OURS __attribute__((used))
#else
#define WEFT_UPC_C_MAIN WEFT_UPC_OURS __attribute__((used, externally_visible))
#endif
#define WEFT_UPC_INLINE static __inline__ WEFT_UPC_OURS __attribute__((always_inline, unused))

/* THREADS and MYTHREAD, as int (6.3); THREADS is a constant with upcc -T. */
#ifdef WEFT_UPC_STATIC_THREADS
#define WEFT_UPC_THREADS WEFT_UPC_STATIC_THREADS
#else
#define WEFT_UPC_THREADS weft_upc.threads
#endif
#if defined WEFT_UPC_STATIC_THREADS && WEFT_UPC_STATIC_THREADS == 1
#define WEFT_UPC_MYTHREAD 0
#else
#define WEFT_UPC_MYTHREAD weft_upc.mythread
#endif

/* n / THREADS for 0 <= n < 2^64 / THREADS - 1, which every index of an array that fits in offsets
 * satisfies: (n + 1) * ((2^64 - 1) / T) >> 64 is exact there, for T = 1 too. */
WEFT_UPC_INLINE weft_upc_u64 weft_upc_div(weft_upc_u64 n) {
#ifdef WEFT_UPC_STATIC_THREADS
  return n / WEFT_UPC_STATIC_THREADS;
#else
  return (weft_upc_u64)(((weft_upc_u128)(n + 1) * weft_upc.reciprocal) >> 64);
#endif
}
/* The same for negative n too, rounded down. */
WEFT_UPC_INLINE weft_upc_i64 weft_upc_div_floor(weft_upc_i64 n) {
  weft_upc_i64 sign = n >> 63;
  return (weft_upc_i64)weft_upc_div((weft_upc_u64)(n ^ sign)) ^ sign;
}
/* n mod THREADS for any value (the affinity of upc_forall): a division only beyond 2^32. */
WEFT_UPC_INLINE weft_upc_u64 weft_upc_mod(weft_upc_u64 n) {
  return n >> 32 ? n % (weft_upc_u64)WEFT_UPC_THREADS
                 : n - weft_upc_div(n) * (weft_upc_u64)WEFT_UPC_THREADS;
}

/* The same for signed values: negative affinity is undefined (6.6.2), programs want it rounded
 * down. */
WEFT_UPC_INLINE weft_upc_u64 weft_upc_mod_floor(weft_upc_i64 n) {
  weft_upc_u64 sign = (weft_upc_u64)(n >> 63), rest = weft_upc_mod((weft_upc_u64)n ^ sign);
  return sign ? (weft_upc_u64)WEFT_UPC_THREADS - 1 - rest : rest;
}

/* Fields. weft_upc_flat sets the phase to 0. */
WEFT_UPC_INLINE weft_upc_u64 weft_upc_thread(weft_upc_ptr_t p) {
  return p >> WEFT_UPC_THREAD_SHIFT;
}
WEFT_UPC_INLINE weft_upc_u64 weft_upc_phase(weft_upc_ptr_t p) {
  return (p & WEFT_UPC_PHASE_MASK) >> WEFT_UPC_ADDR_BITS;
}
WEFT_UPC_INLINE weft_upc_u64 weft_upc_offset(weft_upc_ptr_t p) {
  return p & WEFT_UPC_ADDR_MASK;
}
WEFT_UPC_INLINE weft_upc_ptr_t weft_upc_flat(weft_upc_ptr_t p) {
  return p & ~WEFT_UPC_PHASE_MASK;
}
WEFT_UPC_INLINE weft_upc_ptr_t weft_upc_flat_if(int other, weft_upc_ptr_t p) {
  return other ? weft_upc_flat(p) : p;
}
WEFT_UPC_INLINE weft_upc_ptr_t weft_upc_make(weft_upc_u64 thread, weft_upc_u64 phase,
                                             weft_upc_u64 offset) {
  return thread << WEFT_UPC_THREAD_SHIFT | phase << WEFT_UPC_ADDR_BITS | offset;
}

/* The pointer to thread `thread`'s copy of the static object whose own copy is at `object`. */
WEFT_UPC_INLINE weft_upc_ptr_t weft_upc_at(const volatile void *object, weft_upc_u64 thread,
                                           weft_upc_u64 phase) {
  return weft_upc_make(thread, phase, (weft_upc_uptr)object - weft_upc.base);
}

/* A cast to a pointer-to-local: for the own thread only (6.4.3); null stays null. */
WEFT_UPC_INLINE void *weft_upc_local(weft_upc_ptr_t p) {
  return p ? (void *)(weft_upc.base + weft_upc_offset(p)) : (void *)0;
}

/* p + e, e in ultimate elements of `size` bytes, for block size 1. A step of a known sign that is
 * less than THREADS needs no division: weft_upc_next_1. */
WEFT_UPC_INLINE weft_upc_ptr_t weft_upc_add_1(weft_upc_ptr_t p, weft_upc_i64 e, weft_upc_u64 size) {
  weft_upc_i64 sum = (weft_upc_i64)weft_upc_thread(p) + e;
  weft_upc_i64 rows = weft_upc_div_floor(sum);
  weft_upc_u64 thread = (weft_upc_u64)(sum - rows * WEFT_UPC_THREADS);
  return (thread << WEFT_UPC_THREAD_SHIFT) | (weft_upc_offset(p) + (weft_upc_u64)rows * size);
}
WEFT_UPC_INLINE weft_upc_ptr_t weft_upc_next_1(weft_upc_ptr_t p, weft_upc_u64 size) {
  weft_upc_u64 next = weft_upc_thread(p) + 1;
  return next == (weft_upc_u64)WEFT_UPC_THREADS ? weft_upc_offset(p) + size
                                                : p + ((weft_upc_u64)1 << WEFT_UPC_THREAD_SHIFT);
}

/* p + e for an indefinite block size. */
WEFT_UPC_INLINE weft_upc_ptr_t weft_upc_add_0(weft_upc_ptr_t p, weft_upc_i64 e, weft_upc_u64 size) {
  return p + (weft_upc_u64)e * size;
}

/* Floor division by a positive number, a constant in generated code. */
WEFT_UPC_INLINE weft_upc_i64 weft_upc_floor(weft_upc_i64 n, weft_upc_i64 by) {
  return n / by - (n % by < 0);
}

/* p + e for block size `block` > 1. */
WEFT_UPC_INLINE weft_upc_ptr_t weft_upc_add(weft_upc_ptr_t p, weft_upc_i64 e, weft_upc_i64 block,
                                            weft_upc_u64 size) {
  weft_upc_i64 phase = (weft_upc_i64)weft_upc_phase(p);
  weft_upc_i64 place = phase + e;
  weft_upc_i64 blocks = weft_upc_floor(place, block);
  weft_upc_i64 to = place - blocks * block;
  weft_upc_i64 sum = (weft_upc_i64)weft_upc_thread(p) + blocks;
  weft_upc_i64 rows = weft_upc_div_floor(sum);
  return weft_upc_make((weft_upc_u64)(sum - rows * WEFT_UPC_THREADS), (weft_upc_u64)to,
                       weft_upc_offset(p) + (weft_upc_u64)(rows * block + to - phase) * size);
}
/* The same out of line, for the end of a block. */
static WEFT_UPC_OURS __attribute__((noinline, unused, const)) weft_upc_ptr_t
weft_upc_next_block(weft_upc_ptr_t p, weft_upc_i64 block, weft_upc_u64 size) {
  return weft_upc_add(p, 1, block, size);
}
/* p + 1 element of size `size`, block size `block` > 1: inside the block one addition. */
WEFT_UPC_INLINE weft_upc_ptr_t weft_upc_next(weft_upc_ptr_t p, weft_upc_i64 block,
                                             weft_upc_u64 size) {
  if (__builtin_expect((weft_upc_i64)weft_upc_phase(p) + 1 < block, 1))
    return p + ((weft_upc_u64)1 << WEFT_UPC_ADDR_BITS) + size;
  return weft_upc_next_block(p, block, size);
}

/* p - q in ultimate elements of `size` bytes: block size > 1 or 1 (`block`), and indefinite. */
WEFT_UPC_INLINE weft_upc_i64 weft_upc_sub(weft_upc_ptr_t p, weft_upc_ptr_t q, weft_upc_i64 block,
                                          weft_upc_i64 size) {
  weft_upc_i64 phase = (weft_upc_i64)weft_upc_phase(p) - (weft_upc_i64)weft_upc_phase(q);
  weft_upc_i64 thread = (weft_upc_i64)weft_upc_thread(p) - (weft_upc_i64)weft_upc_thread(q);
  weft_upc_i64 places = (weft_upc_i64)(weft_upc_offset(p) - weft_upc_offset(q)) / size;
  return ((places - phase) / block * WEFT_UPC_THREADS + thread) * block + phase;
}
WEFT_UPC_INLINE weft_upc_i64 weft_upc_sub_0(weft_upc_ptr_t p, weft_upc_ptr_t q, weft_upc_i64 size) {
  return (weft_upc_i64)(weft_upc_offset(p) - weft_upc_offset(q)) / size;
}

#endif
