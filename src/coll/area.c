/*
 * area: the areas that teams are given, and which are taken. A split cannot allocate, because only
 * the parent's members call it: the areas are there from the start, as holes of the window that get
 * pages when they are taken, and the members of the parent agree on one that is free on all of
 * them. Disjoint teams may have the same one.
 *
 * They also agree on where to begin: above every generation that any area of any of them has
 * reached, so that what is left of former teams looks old.
 */
#include "coll/coll_internal.h"
#include "coll/posts.h"

_Static_assert(WEFT_COLL_AREA_NODE + 1 < (int)WEFT_COLL_AREA_ACTIVE, "room for splits");

enum { WORDS = WEFT_COLL_AREAS / 64, FIRST = WEFT_COLL_AREA_NODE + 1 };

static struct {
  weft_lock_t lock;
  uint64_t taken[WORDS];
  uint64_t highest; /* generation of teams that have left theirs */
  uint64_t node;    /* the same for the node's, which always has the same members */
  bool started;
} areas;

static uint64_t area_bytes(void) {
  return weft_job.layout.coll_area;
}

void weft_area_enter(weft_team_t *team, int area, uint64_t base) {
  team->area = area;
  team->sync = weft_job.layout.coll_sync + (uintptr_t)area * area_bytes();
  team->gen = team->known = team->step = base;
  team->casts = team->oneway = 0;
  team->scan_step = base - 1; /* none */
}

int weft_area_open(weft_team_t *team, int area) {
  if (weft_job_commit(weft_job.layout.coll_sync + (uintptr_t)area * area_bytes(), area_bytes()) < 0)
    return -ENOMEM;
  weft_area_enter(team, area, area == WEFT_COLL_AREA_NODE ? areas.node : 0);
  return 0;
}

/* The table is PE 0's, so that all have the same; while it is on its way all use the defaults.
 * Where PE 0 has no table of its own only a count of 0 travels: after several broadcasts every PE
 * would have to see that all others have read them, and touch their memory. */
void weft_coll_start(void) {
  weft_rule_t table[WEFT_RULES_MAX];
  int count = 0;
  if (areas.started) return;
  areas.started = true;
  if (weft_job_goes_on()) weft_teams_need_all();
  const bool own = weft_options.coll_table && *weft_options.coll_table;
  if (weft_job.pe == 0 && own) {
    count = weft_choose_load(weft_options.coll_table);
    memcpy(table, weft_choose_rules(), sizeof table);
  }
  const int usual = weft_choose_load(NULL);
  weft_choose_sort(usual);
  weft_coll_share(&count, sizeof count);
  if (count < 0 || count > WEFT_RULES_MAX)
    weft_fatal("pe 0 sent a table of %d algorithms, and %d is the most", count, WEFT_RULES_MAX);
  for (size_t at = 0; at < (size_t)count * sizeof *table; at += WEFT_COLL_SHARE_MAX)
    weft_coll_share((char *)table + at, WEFT_COLL_SHARE_MAX);
  if (count > 0) {
    memcpy(weft_choose_rules(), table, sizeof table);
    weft_choose_sort(count);
  }
  if (weft_job_goes_on()) weft_teams_start();
}

void weft_coll_end(void) {
  weft_teams_end();
  weft_coll_active_end();
  memset(&areas, 0, sizeof areas);
  weft_members_end();
}

/* Programs give each of a few calls in a row a pSync, and so an active set, of its own. */
int weft_coll_bulk(int area) {
  enum { SPLITS = 8 };
  const int active = area - WEFT_COLL_AREA_ACTIVE;
  if (active < 0) return area < SPLITS ? area : -1;
  return active < WEFT_COLL_BULKS - SPLITS ? active + SPLITS : -1;
}

uintptr_t weft_coll_landing(weft_team_t *team, uint64_t step) {
  const int number = weft_coll_bulk(team->area);
  if (number < 0) return weft_coll_box_half(team, step & 1);
  const uintptr_t bulk = weft_job.layout.coll_bulk + (uintptr_t)number * WEFT_COLL_BULK;
  if (!team->has_landing && weft_job_commit(bulk, WEFT_COLL_BULK) < 0)
    weft_fatal("no memory for a collective operation's data");
  team->has_landing = true;
  return bulk + (step & 1) * (WEFT_COLL_BULK / 2);
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
  uint64_t free[WORDS];
} offer_t;
_Static_assert((int)WEFT_WORD_AGREE * 8 + sizeof(offer_t) <= WEFT_COLL_SHARES_AT, "the offer fits");

static void combine(void *inout, const void *in, size_t n) {
  offer_t *a = inout;
  const offer_t *b = in;
  (void)n;
  if (b->base > a->base) a->base = b->base;
  for (int w = 0; w < WORDS; w++) a->free[w] &= b->free[w];
}

uint64_t weft_coll_highest(void) {
  return weft_peek(&areas.highest);
}

static void make_offer(offer_t *mine, bool willing) {
  memset(mine, 0, sizeof *mine);
  weft_lock(&areas.lock);
  mine->base = areas.highest;
  for (int a = FIRST; willing && a < WEFT_COLL_AREA_ACTIVE; a++)
    mine->free[a / 64] |= ~areas.taken[a / 64] & UINT64_C(1) << a % 64;
  weft_unlock(&areas.lock);
}

/* An area that is free on all members of the parent, and where it begins, or -1 on all of them. */
static int agree(weft_team_t *parent, bool willing, uint64_t *base) {
  offer_t *agreed = (offer_t *)(void *)(weft_job.window.base + parent->sync + WEFT_WORD_AGREE * 8);
  offer_t mine;
  make_offer(&mine, willing);
  weft_coll_reduce(parent, agreed, &mine, 1, sizeof mine, combine);
  *base = agreed->base;
  for (int w = 0; w < WORDS; w++)
    if (agreed->free[w]) return w * 64 + __builtin_ctzll(agreed->free[w]);
  return -1;
}

/* Two threads may have two parents agree on the same area at a time: the second gets -EAGAIN. */
static int take(int area) {
  const uint64_t bit = UINT64_C(1) << area % 64;
  weft_lock(&areas.lock);
  const bool free = !(areas.taken[area / 64] & bit);
  areas.taken[area / 64] |= bit;
  weft_unlock(&areas.lock);
  if (!free) return -EAGAIN;
  const uintptr_t off = weft_job.layout.coll_sync + (uintptr_t)area * area_bytes();
  return weft_job_commit(off, area_bytes()) < 0 ? -ENOMEM : 0;
}

static void give_back(int area, uint64_t reached) {
  weft_lock(&areas.lock);
  if (reached > areas.highest) areas.highest = reached;
  areas.taken[area / 64] &= ~(UINT64_C(1) << area % 64);
  weft_unlock(&areas.lock);
}

int weft_area_find(weft_team_t *parent, bool willing, weft_team_t *team) {
  for (;;) {
    uint64_t base;
    const int area = agree(parent, willing, &base);
    if (area < 0) return -ENOMEM;
    const int rc = team ? take(area) : 0;
    if (weft_coll_meet(parent, rc == 0)) {
      if (team) weft_area_enter(team, area, base);
      return 0;
    }
    if (team && rc != -EAGAIN) give_back(area, 0);
    willing = willing && rc != -ENOMEM;
  }
}

void weft_area_leave(weft_team_t *team) {
  const uint64_t reached = team->gen > team->step ? team->gen : team->step;
  if (team->area == WEFT_COLL_AREA_NODE)
    areas.node = reached;
  else if (team->area >= FIRST)
    give_back(team->area, reached);
  team->area = -1;
}
