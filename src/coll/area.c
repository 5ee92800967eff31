/*
 * area: the areas that sets are given, and which are taken. A split cannot allocate, because only
 * the parent's members call it: the areas are there from the start, as holes of the window that get
 * pages when they are touched, and the members of the parent agree on one that is free on all of
 * them. Disjoint sets may have the same one.
 *
 * They also agree on where to begin: above every generation that any area of any of them has
 * reached, so that what is left of former sets looks old.
 */
#include "coll/coll_internal.h"

_Static_assert(WEFT_COLL_AREA_NODE + 1 < (int)WEFT_COLL_AREA_ACTIVE, "room for splits");

enum { WORDS = WEFT_COLL_AREAS / 64, FIRST = WEFT_COLL_AREA_NODE + 1 };

static struct {
  weft_lock_t lock;
  uint64_t taken[WORDS];
  uint64_t highest; /* generation of closed sets */
  uint64_t node;    /* the same for the set of the node, which always has the same members */
  weft_coll_t world;
  bool started;
} areas;

static uint64_t area_bytes(void) {
  return weft_job.layout.coll_area;
}

static void begin(weft_coll_t *coll, int me, int area, uint64_t base) {
  coll->me = me;
  coll->area = area;
  coll->sync = weft_job.layout.coll_sync + (uintptr_t)area * area_bytes();
  coll->gen = coll->known = coll->step = base;
  coll->turn = coll->oneway = 0;
}

int weft_coll_open_at(weft_coll_t *coll, const weft_set_t *set, int me, int area, uint64_t base) {
  weft_coll_t opened = {.set = *set};
  const int rc = weft_members_find(&opened.members, set, me);
  if (rc < 0) return rc;
  begin(&opened, me, area, base);
  *coll = opened;
  return 0;
}

int weft_coll_open(weft_coll_t *coll, const weft_set_t *set, int me, int area) {
  if (weft_job_commit(weft_job.layout.coll_sync + (uintptr_t)area * area_bytes(), area_bytes()) < 0)
    return -ENOMEM;
  const int rc = weft_coll_open_at(coll, set, me, area, areas.node);
  if (rc == 0 && weft_job_goes_on()) weft_careful_open(coll);
  return rc;
}

/* The table is PE 0's, so that all have the same; while it is on its way all use the defaults.
 * Often these are it, and then few words travel: after several broadcasts every PE would have to
 * see that all others are through with them, and touch their memory. */
void weft_coll_start(void) {
  weft_rule_t table[WEFT_RULES_MAX];
  int count = 0;
  if (areas.started) return;
  areas.started = true;
  const bool own = weft_options.coll_table && *weft_options.coll_table;
  if (weft_job.pe == 0 && own) {
    count = weft_choose_load(weft_options.coll_table);
    memcpy(table, weft_choose_rules(), sizeof table);
  }
  const int usual = weft_choose_load(NULL);
  weft_choose_sort(usual);
  weft_coll_share(&count, sizeof count);
  for (size_t at = 0; at < (size_t)count * sizeof *table; at += WEFT_COLL_SHARE_MAX)
    weft_coll_share((char *)table + at, WEFT_COLL_SHARE_MAX);
  if (count > 0) {
    memcpy(weft_choose_rules(), table, sizeof table);
    weft_choose_sort(count);
  }
  if (weft_job_goes_on()) weft_careful_open(weft_coll_world());
}

void weft_coll_end(void) {
  weft_members_free(&areas.world.members);
  memset(&areas, 0, sizeof areas);
  weft_members_end();
  weft_coll_active_end();
  weft_teams_end();
}

weft_coll_t *weft_coll_world(void) {
  weft_coll_t *world = &areas.world;
  if (weft_unlikely(world->set.size != weft_job.npes)) {
    const weft_set_t set = {.start = 0, .stride = 1, .size = weft_job.npes};
    if (weft_job.layout.coll_scratch_size < 2048)
      weft_fatal("WEFT_DEBUG=coll_scratch=%zu is too small: 2K is the least",
                 weft_job.layout.coll_scratch_size);
    if (weft_job_commit(weft_job.layout.coll_sync, area_bytes()) < 0 ||
        weft_coll_open_at(world, &set, weft_job.pe, 0, 0) < 0)
      weft_fatal("no memory for the collectives");
  }
  return world;
}

uintptr_t weft_coll_landing(weft_coll_t *coll) {
  const uintptr_t bulk = weft_job.layout.coll_bulk;
  if (coll->area != 0) return weft_coll_box(coll);
  if (!coll->bulk && weft_job_commit(bulk, WEFT_COLL_BULK) < 0)
    weft_fatal("no memory for a collective operation's data");
  coll->bulk = true;
  return bulk + (coll->step & 1) * (WEFT_COLL_BULK / 2);
}

bool weft_coll_fits(int op, int algorithm, int members, size_t bytes) {
  switch (op) {
  case WEFT_OP_ALLTOALL: bytes *= (size_t)members; break;
  case WEFT_OP_REDUCE:
  case WEFT_OP_COLLECT:
  case WEFT_OP_FCOLLECT:
  case WEFT_OP_SCAN: break;
  default: return true;
  }
  return bytes <= weft_coll_room() || !weft_choose_posts(op, algorithm);
}

/* ---- agreement ------------------------------------------------------------------------------- */

typedef struct offer {
  uint64_t base; /* the largest wins */
  uint64_t all;  /* this is all I have: wins only if all say so */
  uint64_t free[WORDS];
} offer_t;
_Static_assert((int)WEFT_WORD_AGREE * 8 + sizeof(offer_t) <= WEFT_COLL_SHARE, "the offer fits");

static void combine(void *inout, const void *in, size_t n) {
  offer_t *a = inout;
  const offer_t *b = in;
  (void)n;
  if (b->base > a->base) a->base = b->base;
  a->all &= b->all;
  for (int w = 0; w < WORDS; w++) a->free[w] &= b->free[w];
}

uint64_t weft_coll_highest(void) {
  return weft_peek(&areas.highest);
}

/* The first `most` free areas that there is memory for. */
static void make_offer(offer_t *mine, bool willing, int most) {
  memset(mine, 0, sizeof *mine);
  mine->base = areas.highest;
  mine->all = 1;
  for (int a = FIRST; willing && a < WEFT_COLL_AREA_ACTIVE; a++) {
    const uint64_t bit = UINT64_C(1) << a % 64;
    if (areas.taken[a / 64] & bit) continue;
    if (most-- == 0) {
      mine->all = 0;
      return;
    }
    if (weft_job_commit(weft_job.layout.coll_sync + (uintptr_t)a * area_bytes(), area_bytes()) < 0)
      return;
    mine->free[a / 64] |= bit;
  }
}

/* An area that is free on all members of the parent, and where it begins, or -1 on all of them. */
static int agree(weft_coll_t *parent, bool willing, uint64_t *base) {
  offer_t *agreed = (offer_t *)(void *)(weft_job.window.base + parent->sync + WEFT_WORD_AGREE * 8);
  for (int most = 16;; most *= 4) {
    offer_t mine;
    weft_lock(&areas.lock);
    make_offer(&mine, willing, most);
    weft_unlock(&areas.lock);
    weft_coll_reduce(parent, agreed, &mine, 1, sizeof mine, combine);
    *base = agreed->base;
    for (int w = 0; w < WORDS; w++)
      if (agreed->free[w]) return w * 64 + __builtin_ctzll(agreed->free[w]);
    if (agreed->all) return -1;
  }
}

static void greater(void *inout, const void *in, size_t n) {
  uint64_t *a = inout;
  const uint64_t *b = in;
  for (size_t i = 0; i < n; i++)
    if (b[i] > a[i]) a[i] = b[i];
}

bool weft_coll_equal(weft_coll_t *coll, uint64_t value) {
  uint64_t *agreed = (uint64_t *)(void *)(weft_job.window.base + coll->sync) + WEFT_WORD_AGREE;
  const uint64_t mine[2] = {value, ~value};
  weft_coll_reduce(coll, agreed, mine, 2, sizeof *mine, greater);
  return agreed[0] == ~agreed[1];
}

/* Two threads may split two parents at a time and agree on the same area: the second asks again. */
static bool take(int area) {
  const uint64_t bit = UINT64_C(1) << area % 64;
  weft_lock(&areas.lock);
  const bool free = !(areas.taken[area / 64] & bit);
  areas.taken[area / 64] |= bit;
  weft_unlock(&areas.lock);
  return free;
}

static void give_back(int area, uint64_t reached) {
  weft_lock(&areas.lock);
  if (reached > areas.highest) areas.highest = reached;
  areas.taken[area / 64] &= ~(UINT64_C(1) << area % 64);
  weft_unlock(&areas.lock);
}

int weft_coll_split(weft_coll_t *parent, const weft_set_t *set, bool willing, weft_coll_t *coll) {
  if (parent->team) return weft_careful_split(parent, set, willing, coll);
  weft_coll_t made = {.set = *set};
  const int me = set->size > 0 ? weft_set_index(set, weft_job.pe) : -1;
  uint64_t base = 0;
  if (willing && me >= 0) willing = weft_members_find(&made.members, set, me) == 0;
  for (;;) {
    const int area = agree(parent, willing, &base);
    if (area < 0) break;
    const bool mine = me < 0 || take(area);
    if (weft_coll_meet(parent, mine)) {
      if (me < 0) return 0;
      begin(&made, me, area, base);
      *coll = made;
      return 0;
    }
    if (mine && me >= 0) give_back(area, 0);
  }
  weft_members_free(&made.members);
  return -ENOMEM;
}

void weft_coll_close(weft_coll_t *coll) {
  const uint64_t reached = coll->gen > coll->step ? coll->gen : coll->step;
  weft_members_free(&coll->members);
  weft_careful_close(coll);
  if (coll->area == WEFT_COLL_AREA_NODE)
    areas.node = reached;
  else if (coll->area >= FIRST)
    give_back(coll->area, reached);
}
