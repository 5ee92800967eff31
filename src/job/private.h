/*
 * private: memory of slots that peers may touch but that is not symmetric. Every PE has one heap of
 * it, whose state lies in its slot: any process of the node may allocate from it and free into it.
 * And where such memory is: a PE's address, as its owner sees it, becomes an address here or a slot
 * offset. Part of job's interface; knows no messages (the runtime reaches PEs of other nodes).
 */
#ifndef WEFT_JOB_PRIVATE_H
#define WEFT_JOB_PRIVATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/base.h"

/* Waits while another thread holds it, of whatever process of the node, and takes over from one
 * that has died. */
void weft_node_lock(weft_node_lock_t *lock);
/* This process as the holder of such a lock: its slot + 1, or the number of a port's process. */
enum { WEFT_HOLDER_PORTER = 1 << 16 };
uint32_t weft_job_lock_holder(void);

enum { WEFT_SHUT_BYTES = 4416 };

/* What a slot has for the layers above, at the slot offset weft_job.layout.shared. Zero at start.
 */
typedef struct weft_shared {
  weft_node_lock_t private_lock; /* of the private heap */
  bool private_made;
  weft_node_lock_t queue_lock;  /* sync/lock.c: of the queues of this PE's locks */
  uint64_t queue_free;          /* slot offset of the first free entry of these; 0: none */
  weft_node_lock_t global_lock; /* global.c; PE 0's counts */
  bool global_made;
  weft_node_lock_t owner_lock; /* sync/owner.c: of what this PE is asked to do itself: */
  struct {
    uint64_t first, last;     /* slot offsets; 0: nothing */
  } owner_queue[2];           /* for its thread, and for a thread that waits for an answer */
  weft_node_lock_t meet_lock; /* sync/alive.c: of its meetings: */
  uint64_t meetings;          /* slot offset of the first table; 0: none */
  uint32_t owner_bell;        /* a futex: grows with every request */
  weft_block_lock_t block[WEFT_BLOCK_LOCKS]; /* data/accumulate.h */
  weft_log_first_t last_line;                /* base/log.c; the first slot's counts */
  bool port_left;        /* job/alive.c: this PE needs its node's port no more */
  uint32_t flush_state;  /* runtime/ending.c: how far its flush of stdio is while another PE ends */
  int32_t flush_status;  /* the status with which that one ends the job */
  bool locks_left;       /* sync/lock.c: this PE is at its end, and releases no lock any more */
  bool said_no_room;     /* runtime/memory.c; the first slot's counts */
  _Alignas(64) char shut[WEFT_SHUT_BYTES]; /* am/message.c: its inbox while that is not open */
} weft_shared_t;

/* Of a PE of this node. */
weft_shared_t *weft_job_shared(int pe);

/* ---- private.c: one's own ---------------------------------------------------------------------
 * PEs of the node reach it at its address + disp[pe] of that PE, others at its slot offset
 * (weft_job_offset); nothing is collective. Any thread may call. */

/* NULL: no room. It is not zeroed, and costs memory only where it is touched. */
void *weft_private_alloc(size_t align, size_t n);
/* Why there was no room when this thread last asked for some, or for another PE's or global memory
 * below: the limit, or memory. The end of a line, in words. */
const char *weft_private_shortage(void);
/* The same as a number that no slot offset has, so that it may travel in place of one. */
enum weft_shortage {
  WEFT_SHORT_PRIVATE = 1, /* the limit of private memory */
  WEFT_SHORT_SYMMETRIC,   /* of the symmetric heap, and of global memory */
  WEFT_SHORT_MEMORY,      /* this node has no memory */
  WEFT_SHORT_AWAY,        /* another node has none */
  WEFT_SHORT_OTHER,       /* another PE says so */
  WEFT_SHORT_ALIGNMENT,   /* more than weft_job.align_max */
  WEFT_SHORT_GONE,        /* a PE or node that was to answer is gone */
  WEFT_SHORTAGES
};
enum weft_shortage weft_shortage_last(void);
const char *weft_shortage_text(enum weft_shortage why);
/* This is why from now on, of memory whose pages are a PE's node's business. */
void weft_shortage_set(enum weft_shortage why, int pe);
/* A pointer that did not come from weft_private_alloc, or came back before, is fatal. NULL is
 * nothing. */
void weft_private_free(void *p);
/* What is wrong with a block that was not freed; `unknown`: it never was one. For messages. */
const char *weft_private_fault(int rc, const char *unknown);
/* The largest allocation that a PE with nothing allocated could make; equal on all PEs. */
size_t weft_private_limit(void);
/* The largest that this PE could make now, if it has freed nothing. */
size_t weft_private_room(void);
/* Make [pages, pages + n), the program's own page-aligned memory, part of the window: it keeps
 * address and contents, and peers find it where *inside is, an address of the own slot as of
 * weft_private_alloc. What is static data or in a heap already is its own `inside`, what lies in
 * adopted memory has one more user. Nobody may write to it meanwhile. 0, -EINVAL (not page-aligned,
 * or partly adopted already) or -ENOMEM. */
int weft_private_adopt(void *pages, size_t n, void **inside);
/* Undo, by each user: private memory again with the last one, contents kept. 0, -ENOENT (never
 * adopted, or needed no adoption) or -ENOMEM. */
int weft_private_release(void *pages);

/* ---- private.c: another PE's, of this node ---- */

/* Slot offset of n bytes of that PE's private memory, aligned as its owner sees them; 0: no room.
 */
uintptr_t weft_private_alloc_of(int pe, size_t align, size_t n);
/* 0; -EALREADY: was freed before; -EINVAL: never came from there. */
int weft_private_free_of(int pe, uintptr_t off);
/* Do n bytes there lie inside one live allocation? For checks. */
bool weft_private_owns_of(int pe, uintptr_t off, size_t n);

/* ---- global.c: one slot offset on every PE, given out by one caller ------------------------- */

/* PE 0's node only (the runtime reaches it from others): n bytes at an offset that is free on all
 * PEs, 0 if there is no room. Like private memory it is promised, not committed. */
uintptr_t weft_global_alloc_here(size_t align, size_t n);
/* 0; -EALREADY: was freed before; -EINVAL: never came from there. */
int weft_global_free_here(uintptr_t off);
/* Do n bytes there lie inside one live allocation? For checks. */
bool weft_global_owns_here(uintptr_t off, size_t n);
/* Pages of [off, off + n) of the own slot, where touching a hole could fail. 0 or -ENOMEM. */
int weft_global_commit(uintptr_t off, size_t n);
/* What was there is not wanted any more; the memory goes back. */
void weft_global_discard(uintptr_t off, size_t n);

#endif
