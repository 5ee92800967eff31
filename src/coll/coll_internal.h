/*
 * coll_internal: what the sync words of a set are used for, and how members signal one another by
 * them. Only src/coll includes it. All words are 0 whenever no collective of the set is running, so
 * that another set may use them next (the active sets of OpenSHMEM 1.4 do this).
 */
#ifndef WEFT_COLL_INTERNAL_H
#define WEFT_COLL_INTERNAL_H

#include "base/base.h"
#include "coll/coll.h"
#include "job/job.h"
#include "rma/rma.h"
#include "sync/sync.h"

/*
 * Two kinds of words.
 *   - Rounds of the sync are counts: the one sender adds 1, the receiver takes 1 away. A sender
 * that is a whole sync ahead is not lost.
 *   - All others are set once in a collective by one sender (weft_coll_tell) and put back to 0 by
 * the receiver. Every collective that uses them ends with a sync of the set, so the next sender
 * finds them 0.
 */
enum {
  WEFT_COLL_ROUND = 0,      /* 32 words, one per round of the dissemination */
  WEFT_COLL_SCAN = 32,      /* 32 words, one per round of the scan of sizes: sum + 1 */
  WEFT_COLL_BROADCAST = 64, /* the data is in dest */
  WEFT_COLL_ARRIVED = 66,   /* 2 words: data is in buffer 0, 1 of the scratch */
  WEFT_COLL_CREDIT = 68     /* 2 words: buffer 0, 1 of the parent's scratch is yours to fill */
};

/* The world has more, behind its sync words. Bytes. Generations only count up, so nothing there is
 * put back. */
enum {
  WEFT_WORLD_ARRIVED = WEFT_COLL_SYNC_WORDS * 8,    /* written by its owner */
  WEFT_WORLD_RELEASED = WEFT_WORLD_ARRIVED + 64,    /* written by the node's leader into its own */
  WEFT_WORLD_ROUND = WEFT_WORLD_RELEASED + 64,      /* [2][32]: generation parity, round */
  WEFT_WORLD_SHARE = WEFT_WORLD_ROUND + 2 * 32 * 8, /* [2]: one is read while the next is written */
  WEFT_WORLD_END = WEFT_WORLD_SHARE + 2 * WEFT_COLL_SHARE_MAX
};

static inline uint64_t *weft_coll_own(uintptr_t off) {
  return (uint64_t *)(void *)(weft_job_own() + off);
}

static inline uintptr_t weft_coll_word(const weft_coll_t *coll, int word) {
  return coll->sync + (uintptr_t)word * 8;
}

/*
 * Set a word of a member to a value that is not 0, behind everything put to that member before. To
 * another node this is an atomic addition to the 0 that is there, never a put: a provider may store
 * a put twice (glibc's memcpy of 8 bytes is two stores of all 8), and if the receiver hears the
 * first and puts the word back to 0, the second brings it up again.
 */
static inline void weft_coll_tell(const weft_coll_t *coll, int member, int word, uint64_t value) {
  int pe = weft_set_world(&coll->set, member);
  uintptr_t off = weft_coll_word(coll, word);
  char *slot = weft_job_slot(pe);
  if (slot) {
    weft_publish((uint64_t *)(void *)(slot + off), value);
  } else {
    weft_rma_fence();
    weft_rma_add(pe, off, value);
  }
}

/* Wait for a word of one's own to be told, and put it back. */
static inline uint64_t weft_coll_hear(const weft_coll_t *coll, int word) {
  uint64_t *own = weft_coll_own(weft_coll_word(coll, word)), value;
  for (weft_wait_t w = weft_wait_begin(); !(value = weft_observe(own));) weft_wait_step(&w);
  weft_poke(own, 0);
  return value;
}

/* ---- broadcast.c: without the closing sync; dest of the root holds the data --- */
void weft_coll_spread(const weft_coll_t *coll, void *dest, size_t n, int root);

#endif
