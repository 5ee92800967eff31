/*
 * coll: collective operations over a set of PEs, with whatever the hardware below offers (loads and
 * stores inside a node, puts between nodes). Knows sets, not teams of a front end. All members
 * call; no member may call another collective on the same sync words before the calls before it are
 * through locally (two generations are kept, so back-to-back calls are fine).
 *
 * `sync` is the slot offset of WEFT_COLL_SYNC_WORDS longs that every member has zeroed once. One
 * set uses them at a time; they are 0 again when every member has returned, so a different set may
 * use them then (the pSync arrays of OpenSHMEM 1.4). The scratch is one per PE: a process runs one
 * reduction at a time.
 */
#ifndef WEFT_COLL_H
#define WEFT_COLL_H

#include <stddef.h>
#include <stdint.h>

#include "team/team.h"

#define WEFT_COLL_SYNC_WORDS 128
#define WEFT_COLL_SHARE_MAX 256

typedef struct weft_coll {
  weft_set_t set;
  int me;         /* my member number */
  uintptr_t sync; /* slot offset of the sync words, the same on every member */
} weft_coll_t;

/* Combine n elements: inout[i] = inout[i] op in[i]. */
typedef void (*weft_combine_t)(void *inout, const void *in, size_t n);

/* All members have arrived. Completes no RMA. */
void weft_coll_sync(const weft_coll_t *coll);
/* The same, and tells everyone the bitwise AND of every member's `flag` (0 or 1): agreement on
 * success. World only. */
int weft_coll_agree(int flag);
/* dest on every member, the root included, becomes the root's source (n bytes). */
void weft_coll_broadcast(const weft_coll_t *coll, void *dest, const void *source, size_t n,
                         int root);
/* dest[0..nelems) = op over all members' source. dest == source is allowed. */
void weft_coll_reduce(const weft_coll_t *coll, void *dest, const void *source, size_t nelems,
                      size_t width, weft_combine_t combine);
/* dest = concatenation of every member's n bytes (n may differ, and may be 0), in member order. */
void weft_coll_collect(const weft_coll_t *coll, void *dest, const void *source, size_t n);

/* PE 0's n bytes at p, at most WEFT_COLL_SHARE_MAX, on every PE of the world. p may be private
 * memory. */
void weft_coll_share(void *p, size_t n);

/* The world. */
const weft_coll_t *weft_coll_world(void);

#endif
