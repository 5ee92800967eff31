/*
 * active: plain sets that were used before have an area (the teams that GSHMEM keeps for recently
 * used active sets). Which sets have one is the same on all their members at any time:
 *   - a set gets its area in the closing sync of a plain operation, when every member has one to
 *     offer, and from the next call on all members find it;
 *   - no member forgets a set on its own. When a PE has no room left, the next sync of a kept set
 * of all PEs makes all PEs forget all sets (weft_coll_active_full, weft_coll_active_forget); a set
 * that finds no room until then stays plain. So no member takes a set for kept that another takes
 * for plain.
 *
 * Where PEs may fail a set has a team from its first use on instead, as any other.
 *
 * A set is told by its PEs and by the caller's words: two threads may use equal sets at a time if
 * the words differ.
 */
#include <stdlib.h>
#include <string.h>

#include "coll/begun_internal.h"
#include "coll/coll_internal.h"

enum { BUCKETS = 128 };

static struct {
  weft_lock_t lock;
  uint64_t used, offered;  /* a bit per area */
  uint8_t bucket[BUCKETS]; /* number + 1 of a kept set; the next buckets take what collides */
  struct {
    uintptr_t words;
    weft_team_t team;
  } kept[WEFT_COLL_ACTIVE];
} active;

static unsigned first_bucket(const weft_set_t *set, uintptr_t words) {
  uint64_t hash = words >> 3;
  hash = (hash ^ (uint64_t)(unsigned)set->start) * UINT64_C(0x9e3779b97f4a7c15);
  hash = (hash ^ (uint64_t)(unsigned)set->stride) * UINT64_C(0x9e3779b97f4a7c15);
  hash = (hash ^ (uint64_t)(unsigned)set->size) * UINT64_C(0x9e3779b97f4a7c15);
  return (unsigned)(hash >> 57);
}

weft_team_t *weft_coll_active(const weft_set_t *set, uintptr_t words) {
  for (unsigned b = first_bucket(set, words);; b = (b + 1) % BUCKETS) {
    const int number = weft_observe(&active.bucket[b]);
    if (number == 0) return NULL;
    const weft_set_t *kept = &active.kept[number - 1].team.set;
    if (kept->start == set->start && kept->stride == set->stride && kept->size == set->size &&
        active.kept[number - 1].words == words)
      return &active.kept[number - 1].team;
  }
}

static uint64_t all_bits(void) {
  const int most = weft_options.coll_sets;
  return most <= 0 ? 0 : ~UINT64_C(0) >> (64 - (most < WEFT_COLL_ACTIVE ? most : WEFT_COLL_ACTIVE));
}

bool weft_coll_active_full(void) {
  return all_bits() && !(all_bits() & ~weft_peek(&active.used));
}

uint64_t weft_coll_active_offer(void) {
  weft_lock(&active.lock);
  uint64_t offer = all_bits() & ~active.used & ~active.offered;
  for (uint64_t rest = offer; rest; rest &= rest - 1) {
    const int bit = __builtin_ctzll(rest);
    const size_t n = weft_job.layout.coll_area;
    const uintptr_t off = weft_job.layout.coll_sync + (uintptr_t)(WEFT_COLL_AREA_ACTIVE + bit) * n;
    if (weft_job_commit(off, n) < 0) offer &= ~(UINT64_C(1) << bit);
  }
  active.offered |= offer; /* another thread must not offer the same */
  weft_unlock(&active.lock);
  return offer;
}

void weft_coll_active_settle(const weft_team_t *plain, uint64_t offered, uint64_t agreed,
                             uint64_t base) {
  weft_lock(&active.lock);
  active.offered &= ~offered;
  if (agreed) {
    const int bit = __builtin_ctzll(agreed);
    active.used |= UINT64_C(1) << bit;
    active.kept[bit].words = plain->sync;
    weft_team_t *team = &active.kept[bit].team;
    *team = (weft_team_t){.set = plain->set, .me = plain->me};
    if (weft_members_find(&team->members, &team->set, team->me) < 0)
      weft_fatal("no memory for an active set of %d PEs", plain->set.size);
    weft_area_enter(team, WEFT_COLL_AREA_ACTIVE + bit, base);
    unsigned b = first_bucket(&plain->set, plain->sync);
    while (active.bucket[b]) b = (b + 1) % BUCKETS;
    weft_publish(&active.bucket[b], (uint8_t)(bit + 1));
  }
  weft_unlock(&active.lock);
}

void weft_coll_active_forget(void) {
  for (uint64_t used = active.used; used; used &= used - 1) {
    weft_team_t *team = &active.kept[__builtin_ctzll(used)].team;
    weft_area_leave(team);
    weft_members_free(&team->members);
  }
  active.used = 0;
  memset(active.bucket, 0, sizeof active.bucket);
}

/* ---- where PEs may fail ---------------------------------------------------------------------- */

typedef struct mortal {
  struct mortal *next;
  uintptr_t words;
  weft_team_t *members; /* all of the set; made only so that they agree on who lives */
  weft_team_t *team;    /* those that ran when it was first used with these words */
} mortal_t;
static mortal_t *mortals;

static mortal_t *find_mortal(const weft_set_t *set, uintptr_t words) {
  mortal_t *m = mortals;
  while (m && (m->words != words || m->members->set.start != set->start ||
               m->members->set.stride != set->stride || m->members->set.size != set->size))
    m = m->next;
  return m;
}

weft_team_t *weft_coll_active_living(const weft_set_t *set, uintptr_t words, bool *whole) {
  weft_lock(&active.lock);
  mortal_t *m = find_mortal(set, words);
  weft_unlock(&active.lock);
  if (!m) {
    m = calloc(1, sizeof *m);
    if (!m || !(m->members = weft_team_new(set))) weft_fatal("no memory for an active set");
    m->words = words;
    m->members->maker = set->start; /* no team has this name */
    m->members->id = (uint32_t)(weft_set_digest(set) ^ words >> 3) | UINT32_C(1) << 31;
    m->team = weft_team_living(m->members);
    weft_lock(&active.lock);
    m->next = mortals;
    mortals = m;
    weft_unlock(&active.lock);
  }
  *whole = m->team->set.size == set->size;
  return m->team;
}

static void forget_mortals(void) {
  for (mortal_t *m; (m = mortals);) {
    mortals = m->next;
    weft_team_release(m->members);
    free(m);
  }
}

void weft_coll_active_end(void) {
  forget_mortals();
  for (int i = 0; i < WEFT_COLL_ACTIVE; i++) weft_members_free(&active.kept[i].team.members);
  memset(&active, 0, sizeof active);
}
