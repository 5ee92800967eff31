/*
 * weft/am.h: the on-node path of a short active message, which the front ends' headers inline. Not
 * an interface for programs.
 *
 * Every PE has an inbox in the memory that its node shares: one ring of 64-byte cells per sender of
 * the node for requests, and one for replies (docs/architecture.md, "An active message, traced").
 * This PE's ring has the same place in every inbox, so its address in a peer's inbox is one's own
 * plus the displacement of weft/direct.h, and a carry says that the peer is elsewhere or that
 * operations are to be checked: then the library's function does it (src/am/short.c).
 */
#ifndef WEFT_AM_DIRECT_H
#define WEFT_AM_DIRECT_H

#include "weft/am_arity.h"
#include "weft/direct.h"
#include "weft/sanitizers.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
  WEFT_CELL_SIZE = 64,
  WEFT_RING_CELLS = 64, /* power of two */
  WEFT_RING_SPILL = 3,  /* cells behind them: see weft_ring_t */
  WEFT_CELL_ARGS = 13   /* arguments that fit into one cell */
};

/* One message, or the first part of one that takes several cells in a row. */
typedef struct weft_cell {
  uint8_t handler; /* 0: the cell is free. Written last, and set back by the receiver. */
  uint8_t unused[3];
  uint32_t shape; /* WEFT_CELL_SHAPE */
  uint32_t from;  /* PE */
  int32_t args[WEFT_CELL_ARGS];
} weft_cell_t;

/* cells: how many the message takes; category: 0 short, 1 medium, 2 long. */
#define WEFT_CELL_SHAPE(nargs, category, cells, place)                                             \
  ((uint32_t)(nargs) | (uint32_t)(category) << 8 | (uint32_t)(cells) << 16 |                       \
   (uint32_t)(place) << 24)

/* A message of several cells may begin in the last one and use the spill; behind it stands a cell
 * that is never free. `next`: offset of the cell that comes next, counted from cells; it points to
 * the cell that is never free while another thread or process is at the ring. Senders write only
 * `next`, cells that are free, and nothing else. */
enum { WEFT_RING_TAKEN = (WEFT_RING_CELLS + WEFT_RING_SPILL) * 64 };

typedef struct weft_ring {
  __attribute__((aligned(64))) uint32_t next;
  uint32_t shared; /* where `next` stands if several processes use the ring: `next` is TAKEN then */
  __attribute__((aligned(64))) weft_cell_t cells[WEFT_RING_CELLS + WEFT_RING_SPILL + 1];
} weft_ring_t;

struct weft_am_direct {
  uintptr_t requests, replies; /* address of this PE's rings in its own inbox */
  uint32_t pe;
};

extern __attribute__((visibility("default"))) struct weft_am_direct weft_am_direct;

/* Is a cell in use? If not, a fence must come before anything is written to it. (A byte is read
 * whole anyway, and gcc compares an atomic one by way of a register, of which there is none left
 * here.) */
WEFT_DIRECT_INLINE int weft_am_in_use(const weft_cell_t *cell) {
#if WEFT_TSAN
  return __atomic_load_n(&cell->handler, __ATOMIC_ACQUIRE);
#else
  return cell->handler;
#endif
}

/* The next cell of this PE's ring in a PE's inbox, if that is on this node and the cell is free,
 * else NULL. `threads`, a constant: others of this process may be sending; then the ring is kept
 * from them until the message is published. Between reserve and publish nothing may wait. */
WEFT_DIRECT_INLINE weft_cell_t *weft_am_reserve(uintptr_t rings, long pe, int threads,
                                                weft_ring_t **ring, uintptr_t *next) {
  uintptr_t at;
  if (__builtin_expect(__builtin_add_overflow(rings, weft_direct.disp[pe], &at), 0)) return NULL;
  weft_ring_t *r = (weft_ring_t *)at;
  const uintptr_t n =
      threads ? __atomic_exchange_n(&r->next, (uint32_t)WEFT_RING_TAKEN, __ATOMIC_ACQUIRE)
              : __atomic_load_n(&r->next, __ATOMIC_RELAXED);
  weft_cell_t *cell = (weft_cell_t *)((char *)r->cells + n);
  if (__builtin_expect(weft_am_in_use(cell), 0)) {
    if (threads && n != WEFT_RING_TAKEN) __atomic_store_n(&r->next, (uint32_t)n, __ATOMIC_RELEASE);
    return NULL;
  }
  __atomic_thread_fence(__ATOMIC_ACQUIRE);
  *ring = r;
  *next = n;
  return cell;
}

/* A short message in a cell that was reserved; its arguments have been written. */
WEFT_DIRECT_INLINE void weft_am_publish(weft_cell_t *cell, int handler, int nargs,
                                        weft_ring_t *ring, uintptr_t next) {
  cell->shape = WEFT_CELL_SHAPE(nargs, 0, 1, 0);
  cell->from = weft_am_direct.pe;
  __atomic_store_n(&cell->handler, (uint8_t)handler, __ATOMIC_RELEASE);
  __atomic_store_n(&ring->next,
                   (uint32_t)(next + WEFT_CELL_SIZE) & (WEFT_RING_CELLS * WEFT_CELL_SIZE - 1),
                   __ATOMIC_RELEASE);
}

/* Where a cell could not be reserved: weft_am_request_short0 (set, pe, handler, flags) to ...16
 * (set, pe, handler, flags, a0, ..., a15). flags: 1, return 1 instead of waiting for room. `set` is
 * not looked at: with it the arguments stand in the registers where GASNet-EX's callers have them.
 */
#define WEFT_AM_DECLARE(n)                                                                         \
  __attribute__((visibility("default"))) int weft_am_request_short##n(                             \
      const void *set, long pe, int handler, unsigned flags WEFT_AM_PARAMS_##n);
WEFT_AM_ARITIES(WEFT_AM_DECLARE)
#undef WEFT_AM_DECLARE

#ifdef __cplusplus
}
#endif

#endif
