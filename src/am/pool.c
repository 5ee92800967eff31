/*
 * The pools: buffers in shared memory, of which only their owner and who reads a message know.
 */
#include "am/pool.h"

#include <string.h>

#include "job/job.h"

#define SMALL_BUFFERS (((uint64_t)1 << WEFT_POOL_SMALLS) - 1)
#define LARGE_BUFFERS ((((uint64_t)1 << WEFT_POOL_LARGES) - 1) << WEFT_POOL_SMALLS)
#define ALL_BUFFERS (SMALL_BUFFERS | LARGE_BUFFERS)
#define FIRST_SMALL ((uint64_t)3)
#define FIRST_LARGE (FIRST_SMALL << WEFT_POOL_SMALLS)

/* What the owner knows about its buffers: bit i of `free`, that buffer i is free for certain; of
 * `turns`, the turn that it has been given back with when it is free. */
typedef struct owner {
  weft_lock_t lock;
  uint64_t free, turns;
  uint16_t slot[WEFT_POOL_SMALLS + WEFT_POOL_LARGES]; /* of the helper's: taken for whom */
} owner_t;
static owner_t owners[WEFT_POOLS];

/* They stand at the beginning of an inbox. */
static weft_pools_t *pools_of(int slot) {
  return (weft_pools_t *)(weft_window_slot(&weft_job.window, slot) + weft_job.layout.inbox);
}

void weft_pools_open(void) {
  weft_pools_t *own = pools_of(weft_job.slot);
  memset(own->returned, 0, sizeof own->returned);
  for (int i = 0; i < WEFT_POOLS; i++) owners[i] = (owner_t){.free = ALL_BUFFERS};
}

/* The name of a buffer: slot of its owner, pool, the turn that it is given back with, and a number
 * that counts the small ones first. Not 0. */
static uint64_t make_name(int pool, unsigned number) {
  const uint64_t turn = weft_peek(&owners[pool].turns) >> number & 1;
  return (uint64_t)(weft_job.slot + 1) << 32 | (uint64_t)pool << 16 | turn << 8 | number;
}

void *weft_pool_returned(uint64_t name) {
  return &pools_of((int)(name >> 32) - 1)->returned[name >> 16 & 3];
}

char *weft_pool_buffer(uint64_t name) {
  const unsigned number = name & 0xff;
  weft_pool_t *pool = &pools_of((int)(name >> 32) - 1)->pool[name >> 16 & 3];
  return number < WEFT_POOL_SMALLS ? pool->small[number] : pool->large[number - WEFT_POOL_SMALLS];
}

/* What receivers have given back is free. With the owner's lock. */
static void collect(owner_t *own, int pool) {
  const weft_returned_t *returned = &pools_of(weft_job.slot)->returned[pool];
  uint64_t free = 0;
  for (unsigned i = 0; i < WEFT_POOL_SMALLS + WEFT_POOL_LARGES; i++)
    free |= (uint64_t)(weft_observe(&returned->turn[i]) == (own->turns >> i & 1)) << i;
  weft_poke(&own->free, free);
  weft_seen_got(returned);
}

/* The buffers of each size that are taken first have come back perhaps. Called when there is
 * nothing else to do: to look takes a transfer from the receiver's cache, and to send from buffers
 * that are not in the own cache takes several. */
void weft_pools_collect_first(void) {
  for (int pool = 0; pool < WEFT_LANES; pool++) {
    owner_t *own = &owners[pool];
    const uint64_t free = weft_peek(&own->free);
    if (weft_likely(free & FIRST_SMALL && free & FIRST_LARGE) || !weft_lock_try(&own->lock))
      continue;
    collect(own, pool);
    weft_unlock(&own->lock);
  }
}

/* The helper takes buffers for all PEs of its node, of which one may not poll: half of them are
 * divided among the PEs, at least one each as far as they go, and only the others are for
 * everybody. May it take one more for this slot? */
static bool leaves_shares(const owner_t *own, uint64_t bits, int slot) {
  const int nslots = weft_job.nslots, half = __builtin_popcountll(bits) / 2;
  const int share = half / nslots > 0 ? half / nslots : 1;
  int kept = 0, used[nslots];
  memset(used, 0, sizeof used);
  for (uint64_t rest = bits & ~own->free; rest; rest &= rest - 1)
    used[own->slot[__builtin_ctzll(rest)]]++;
  for (int i = 0; i < nslots; i++)
    if (i != slot && used[i] < share) kept += share - used[i];
  if (kept > half) kept = half;
  return used[slot] < share || __builtin_popcountll(own->free & bits) > kept;
}

static bool may_take(const owner_t *own, uint64_t bits, int slot) {
  return own->free & bits && (slot < 0 || weft_job.nslots == 1 || leaves_shares(own, bits, slot));
}

/* The number of a buffer of the kinds in `bits`, which is now in use; or -1. */
static int take_buffer(owner_t *own, int pool, uint64_t bits, int slot) {
  int number = -1;
  weft_lock(&own->lock);
  if (!may_take(own, bits, slot)) collect(own, pool);
  if (may_take(own, bits, slot)) {
    number = __builtin_ctzll(own->free & bits);
    if (slot >= 0) own->slot[number] = (uint16_t)slot;
    weft_poke(&own->free, own->free & ~((uint64_t)1 << number));
    weft_poke(&own->turns, own->turns ^ (uint64_t)1 << number);
  }
  weft_unlock(&own->lock);
  return number;
}

void *weft_pool_take(enum weft_lane lane, int slot, size_t n, uint64_t *name) {
  const int pool = (int)lane + (slot < 0 ? 0 : WEFT_LANES);
  owner_t *own = &owners[pool];
  int number = n <= WEFT_POOL_SMALL ? take_buffer(own, pool, SMALL_BUFFERS, slot) : -1;
  if (number < 0) number = take_buffer(own, pool, LARGE_BUFFERS, slot);
  if (number < 0) return NULL;
  *name = make_name(pool, (unsigned)number);
  return weft_pool_buffer(*name);
}

uint64_t weft_pool_name(const void *buffer) {
  const weft_pools_t *own = pools_of(weft_job.slot);
  const size_t off = (size_t)((const char *)buffer - (const char *)own->pool);
  const size_t pool = off / sizeof(weft_pool_t), at = off % sizeof(weft_pool_t);
  const size_t larges = offsetof(weft_pool_t, large);
  const size_t number = at < larges ? at / WEFT_POOL_SMALL
                                    : WEFT_POOL_SMALLS + (at - larges) / WEFT_INBOX_LARGE;
  return make_name((int)pool, (unsigned)number);
}

void weft_pool_give_back(uint64_t name) {
  weft_returned_t *returned = weft_pool_returned(name);
  weft_publish(&returned->turn[name & 0xff], (uint8_t)(name >> 8 & 1));
}
