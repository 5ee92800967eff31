/*
 * pool: buffers for payloads that do not fit into the cells of a ring. The PE (or the helper in its
 * process) takes one and fills it, the receiver reads it in place and gives it back.
 */
#ifndef WEFT_POOL_H
#define WEFT_POOL_H

#include "am/inbox.h"

/* A pool has as many buffers as a ring has cells: a burst of payloads of up to 4 KB that fills one
 * ring waits for none. */
enum {
  WEFT_POOL_SMALL = 4096, /* bytes of a small buffer; large ones have WEFT_INBOX_LARGE */
  WEFT_POOL_SMALLS = 56,
  WEFT_POOL_LARGES = 8,
  WEFT_POOLS = 2 * WEFT_LANES /* the PE's, then the helper's */
};
_Static_assert(WEFT_POOL_SMALLS + WEFT_POOL_LARGES <= 64, "bits of owner_t's words");

/* Which time, 0 and 1 in turns, each buffer of a pool was given back last (the small ones first).
 * Only receivers write here, and the owner looks seldom: so the line mostly stays where it is
 * written. */
typedef struct weft_returned {
  _Alignas(64) uint8_t turn[WEFT_POOL_SMALLS + WEFT_POOL_LARGES];
} weft_returned_t;

typedef struct weft_pool {
  _Alignas(4096) char small[WEFT_POOL_SMALLS][WEFT_POOL_SMALL];
  char large[WEFT_POOL_LARGES][WEFT_INBOX_LARGE];
} weft_pool_t;

/* At the beginning of each inbox. */
typedef struct weft_pools {
  weft_pool_t pool[WEFT_POOLS];
  weft_returned_t returned[WEFT_POOLS];
} weft_pools_t;

/* The own ones, with all buffers free. */
void weft_pools_open(void);
/* A buffer of a pool of this process for n bytes: its address, and what weft_message_t names it by;
 * NULL if all are in use. `slot`: the helper takes it, for that one of its node (which may have no
 * more just now); -1: the PE does. */
void *weft_pool_take(enum weft_lane lane, int slot, size_t n, uint64_t *name);
/* The name of a buffer that weft_pool_take gave; the buffer of a name, in whoever's pool; give it
 * back. */
uint64_t weft_pool_name(const void *buffer);
char *weft_pool_buffer(uint64_t name);
void weft_pool_give_back(uint64_t name);
/* What is written when it is given back: for weft_seen_given. */
void *weft_pool_returned(uint64_t name);
/* To do where there is nothing else to do. */
void weft_pools_collect_first(void);

#endif
