/*
 * am: messages between nodes that are not plain RMA. A PE packs records (small puts, atomics) into
 * packets, one staging area per destination node; a packet goes to the node's port, whose helper
 * thread applies the records to the window with the same loads, stores and atomics that local PEs
 * use, and replies with the fetched values. Every packet is answered, so a PE knows when all its
 * records have been applied.
 *
 * The staging areas lie in the window: the helper of the PE's own node sends what has aged there,
 * so a program that never calls Weft again still has its puts delivered. Each destination node has
 * WEFT_STAGE_BUFFERS buffers; that many packets of a PE can be on their way to a node, and no more
 * (the port's credits).
 *
 * Knows PEs, nodes and slot offsets; no symmetric addresses, no front end.
 */
#ifndef WEFT_AM_H
#define WEFT_AM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "job/job.h"
#include "weft/direct.h"

enum { WEFT_STAGE_BUFFERS = 4 };

/* Bytes of the runtime area per node of the job. */
size_t weft_am_stage_size(void);

/* ---- helper.c ---- */

/* Start the helper thread and connect to every node. Collective; returns at once on a one-node job.
 */
int weft_am_start(void);
void weft_am_stop(void);
/* Something was posted that nobody may be waiting for: see that it is carried on, from now on. */
void weft_helper_arm(void);
/* One step of any wait: progress, and when there was none, a pause or the processor to someone
 * else. *steps starts at 0. */
void weft_am_wait_step(unsigned *steps);
/* The same for who waits for its own memory to change, not for a completion. */
void weft_am_idle_step(unsigned *steps);

/* ---- stage.c: the sending side. All may wait for a free buffer, making progress meanwhile. --- */

/* Store n bytes (at most WEFT_AM_PUT_MAX) at a PE's slot offset. */
void weft_am_put(int pe, uintptr_t off, const void *source, size_t n);
enum { WEFT_AM_PUT_MAX = 4096 };
/* The same for the low n bytes (1, 2, 4 or 8) of a word. */
void weft_am_put_word(int pe, uintptr_t off, uint64_t value, size_t n);
/* Atomic without a result. */
void weft_am_post(int pe, uintptr_t off, enum weft_amo op, size_t width, uint64_t operand);
/* Atomic whose old value is stored at `result` (width bytes) by the time weft_am_quiet returns. */
void weft_am_fetch_nbi(int pe, uintptr_t off, enum weft_amo op, size_t width, uint64_t operand,
                       uint64_t cond, void *result);
/* Atomic; returns the old value. */
uint64_t weft_am_fetch(int pe, uintptr_t off, enum weft_amo op, size_t width, uint64_t operand,
                       uint64_t cond);
/* This PE's staging at a glance, in the window. */
typedef struct weft_am_glance {
  uint64_t *open;        /* a bit per node for which something is staged */
  uint32_t *outstanding; /* packets sent, by this PE or for it by the helper, and not answered */
  uint32_t *due;         /* replies that were asked for and are not there */
  int words;             /* of open; 0 on a one-node job */
} weft_am_glance_t;
extern weft_am_glance_t weft_am_glance __attribute__((visibility("hidden")));

/* Is anything staged? */
static inline bool weft_am_staged(void) {
  for (int w = 0; w < weft_am_glance.words; w++)
    if (weft_observe(&weft_am_glance.open[w])) return true;
  return false;
}
/* Send what is staged, to have it answered. */
void weft_am_flush(void);
/* Send what is staged; the answers may come with later ones. For who waits for something else. */
void weft_am_release(void);
/* Send what is staged and wait until everything sent has been applied. */
void weft_am_quiet(void);
/* Is anything staged or unanswered? */
static inline bool weft_am_busy(void) {
  return weft_am_staged() || (weft_am_glance.words && weft_observe(weft_am_glance.outstanding));
}

/* Apply an atomic to memory of this node; the old value. The one definition of what the operations
 * do. */
uint64_t weft_am_apply(void *object, enum weft_amo op, size_t width, uint64_t operand,
                       uint64_t cond);

/* Copy to memory of this node. A scalar (1, 2, 4 or 8 bytes, aligned) is stored once and whole: its
 * owner may be polling it. */
void weft_am_store(void *to, const void *from, size_t n);

#endif
