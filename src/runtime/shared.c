/*
 * Symmetric memory of a team: one offset on all members, several teams at a time, all of a team
 * given back together (Fortran's end team). The offsets come from global memory (job/private.h), so
 * what teams with common members get never overlaps.
 */
#include <stdlib.h>

#include "coll/coll.h"
#include "rma/rma.h"
#include "runtime/runtime_internal.h"

/* One allocation; every member has the same list. */
struct weft_block {
  struct weft_block *next;
  uintptr_t off;
  size_t n;
};

enum { GIVE_BACK_FROM = 256 << 10 /* bytes whose pages are worth a system call */ };

static void broadcast(weft_team_t *team, uint64_t *value) {
  weft_op_t op = {0};
  weft_team_broadcast_begin(team, 0, value, value, sizeof *value, &op);
  weft_team_wait(&op);
}

/* A barrier; did all say yes? */
static bool all_say(weft_team_t *team, bool yes) {
  enum { YES = 1, NO = 2 };
  uint64_t name = weft_name(yes ? YES : NO);
  weft_op_t op = {0};
  weft_team_notify(team, &name, &op);
  weft_team_wait(&op);
  return name == weft_name(YES);
}

/* Member 0's: a slot offset, or why there is none. */
static uint64_t ask(size_t align, size_t n) {
  if (align > weft_job.align_max) return WEFT_SHORT_ALIGNMENT;
  const uintptr_t off = weft_global_alloc(align, n);
  return off ? off : weft_shortage_last();
}

void *weft_team_alloc(weft_team_t *team, weft_blocks_t *blocks, size_t align, size_t n) {
  struct weft_block *block = malloc(sizeof *block);
  uint64_t off = team->me == 0 ? ask(align, n) : 0;
  broadcast(team, &off);
  const bool given = off >= WEFT_SHORTAGES;
  const bool mine = given && block && weft_global_commit(off, n) == 0;
  if (!all_say(team, mine)) {
    free(block);
    if (given && team->me == 0) weft_global_free(off);
    if (given)
      weft_shortage_set(mine ? WEFT_SHORT_OTHER : WEFT_SHORT_MEMORY, weft_job.pe);
    else
      weft_shortage_set((enum weft_shortage)off, 0);
    return NULL;
  }
  *block = (struct weft_block){.next = blocks->first, .off = off, .n = n};
  blocks->first = block;
  return (void *)(weft_job.window.base + off);
}

/* Nobody uses these blocks any more. Before one's own pages go everybody has stopped using them,
 * and before an offset goes to another team everybody's pages have gone. */
static void give_back(weft_team_t *team, struct weft_block *blocks) {
  bool large = false;
  weft_rma_quiet();
  weft_coll_sync(team);
  for (struct weft_block *b = blocks; b; b = b->next) {
    if (b->n < GIVE_BACK_FROM) continue;
    weft_global_discard(b->off, b->n);
    large = true;
  }
  if (large) weft_coll_sync(team);
  for (struct weft_block *b; (b = blocks);) {
    blocks = b->next;
    if (team->me == 0) weft_global_free(b->off);
    free(b);
  }
}

int weft_team_dealloc(weft_team_t *team, weft_blocks_t *blocks, void *p) {
  struct weft_block **link = &blocks->first;
  while (*link && (*link)->off != weft_job_offset(p)) link = &(*link)->next;
  struct weft_block *block = *link;
  if (!block) return -EINVAL;
  *link = block->next;
  block->next = NULL;
  give_back(team, block);
  return 0;
}

void weft_team_dealloc_all(weft_team_t *team, weft_blocks_t *blocks) {
  if (blocks->first) give_back(team, blocks->first);
  blocks->first = NULL;
}
