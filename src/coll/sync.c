/*
 * sync: everyone has arrived. The world goes by nodes: flags inside a node, dissemination (Hensgen,
 * Finkel and Manber, 1988) between the nodes' leaders. Other sets disseminate among all members,
 * wherever these are.
 */
#include "coll/coll_internal.h"

_Static_assert((int)WEFT_WORLD_END <= (int)WEFT_COLL_SYNC_BYTES,
               "the world's flags fit their area");

/* Syncs of the world that this PE has entered. Its words carry generation * 2 + flag. */
static uint64_t world_generation;

const weft_coll_t *weft_coll_world(void) {
  static weft_coll_t world;
  if (weft_unlikely(world.set.size != weft_job.npes)) {
    world.sync = weft_job.layout.coll_sync;
    world.me = weft_job.pe;
    world.set = (weft_set_t){.start = 0, .stride = 1, .size = weft_job.npes};
  }
  return &world;
}

/* Wait until a word reaches generation g; its flag. Words do not get ahead of a waiter by more than
 * one generation, and where they might (between nodes) each parity has its own. */
static int world_await(const uint64_t *word, uint64_t g) {
  uint64_t value;
  for (weft_wait_t w = weft_wait_begin(); (value = weft_observe(word)) >> 1 < g;)
    weft_wait_step(&w);
  return value & 1;
}

static int world_disseminate(uint64_t g, int flag) {
  uintptr_t off = weft_job.layout.coll_sync + WEFT_WORLD_ROUND + (g & 1) * 32 * 8;
  for (int64_t distance = 1; distance < weft_job.nnodes; distance *= 2, off += 8) {
    int to = weft_job_leader((int)((weft_job.node + distance) % weft_job.nnodes));
    weft_rma_tell(to, off, g << 1 | (uint64_t)flag);
    flag &= world_await(weft_coll_own(off), g);
  }
  return flag;
}

int weft_coll_agree(int flag) {
  uintptr_t area = weft_job.layout.coll_sync;
  uint64_t g = ++world_generation, *word;
  flag = !!flag;
  if (weft_job.slot != 0) {
    char *leader = weft_job_slot(weft_job_leader(weft_job.node));
    weft_publish(weft_coll_own(area + WEFT_WORLD_ARRIVED), g << 1 | (uint64_t)flag);
    return world_await((uint64_t *)(void *)(leader + area + WEFT_WORLD_RELEASED), g);
  }
  for (int slot = 1; slot < weft_job.nslots; slot++) {
    word = (uint64_t *)(void *)(weft_job_slot(weft_job.local[slot]) + area + WEFT_WORLD_ARRIVED);
    flag &= world_await(word, g);
  }
  if (weft_job.nnodes > 1) flag = world_disseminate(g, flag);
  weft_publish(weft_coll_own(area + WEFT_WORLD_RELEASED), g << 1 | (uint64_t)flag);
  return flag;
}

/* Add 1 to a round's count of another member. It carries no data, but what this PE has stored on
 * its node is seen by who hears of it. */
static void round_tell(const weft_coll_t *coll, int member, int word) {
  int pe = weft_set_world(&coll->set, member);
  uintptr_t off = weft_coll_word(coll, word);
  char *slot = weft_job_slot(pe);
  if (slot)
    __atomic_fetch_add((uint64_t *)(void *)(slot + off), 1, __ATOMIC_RELEASE);
  else
    weft_rma_add(pe, off, 1);
}

static void round_hear(const weft_coll_t *coll, int word) {
  uint64_t *own = weft_coll_own(weft_coll_word(coll, word));
  for (weft_wait_t w = weft_wait_begin(); !weft_observe(own);) weft_wait_step(&w);
  __atomic_fetch_sub(own, 1, __ATOMIC_RELAXED);
}

void weft_coll_sync(const weft_coll_t *coll) {
  int64_t size = coll->set.size;
  int word = WEFT_COLL_ROUND;
  if (coll->sync == weft_job.layout.coll_sync) {
    weft_coll_agree(1);
    return;
  }
  for (int64_t distance = 1; distance < size; distance *= 2, word++) {
    round_tell(coll, (int)((coll->me + distance) % size), word);
    round_hear(coll, word);
  }
}
