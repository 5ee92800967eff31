/*
 * begun_team.c: teams as objects: how their members agree on a new one, and the end of a team. What
 * members must know of each other is where each one's area lies; the rest is arithmetic.
 */
#include <errno.h>

#include "am/am.h"
#include "coll/begun_internal.h"

enum { CHAINS = 256 };

/* An area that its owner has left. Members of the node may still look at its flags; the last of
 * them gone, it is freed. */
typedef struct area_left {
  weft_turn_area_t *area;
  uint64_t others;
  struct area_left *next;
} area_left_t;

static struct {
  weft_lock_t lock;
  weft_team_t *world;
  weft_team_t *chain[CHAINS];
  area_left_t *left;
  uint32_t ids;
} teams;

void weft_teams_lock(void) {
  weft_lock(&teams.lock);
}

void weft_teams_unlock(void) {
  weft_unlock(&teams.lock);
}

static weft_team_t **chain_of(uint32_t id, int maker) {
  return &teams.chain[(id * 31 + (uint32_t)maker) % CHAINS];
}

weft_team_t *weft_team_find(uint32_t id, int maker, int rank) {
  weft_team_t *team = *chain_of(id, maker);
  while (team && (team->id != id || team->maker != maker || team->me != rank)) team = team->chain;
  return team;
}

const weft_set_t *weft_team_set(const weft_team_t *team) {
  return &team->set;
}

int weft_team_me(const weft_team_t *team) {
  return team->me;
}

void weft_team_name(weft_team_t *team, const char *who) {
  team->who = who;
}

void weft_team_lend(weft_team_t *team, void *scratch, size_t n) {
  if (n >= WEFT_TEAM_SCRATCH && weft_window_contains(&weft_job.window, scratch, n))
    team->scratch = scratch;
}

/* ---- making ---------------------------------------------------------------------------------- */

static WEFT_COLD void no_memory(void) {
  weft_fatal("no memory for a team");
}

static void *room_for(size_t n) {
  void *p = calloc(n ? n : 1, 1);
  if (!p) no_memory();
  return p;
}

/* For a team of at most so many, in the own slot. Others look at the flags, which must not be those
 * of somebody before. */
static weft_turn_area_t *area_new(int size) {
  weft_turn_area_t *area = weft_private_alloc(WEFT_CACHELINE, weft_boxes_area_bytes(size));
  if (!area) no_memory();
  memset(area, 0, sizeof *area + weft_boxes_words_bytes(size));
  return area;
}

static uint32_t new_id(void) {
  return __atomic_add_fetch(&teams.ids, 1, __ATOMIC_RELAXED);
}

/* The members of this node, and where other nodes put what is for a member. */
static void find_areas(weft_team_t *team, const uint64_t *places) {
  const weft_members_t *m = &team->members;
  bool same = true;
  team->local = room_for((size_t)m->locals * sizeof *team->local);
  for (int k = 0; k < m->locals; k++) {
    const int member = weft_members_local_in(m, k);
    char *slot = weft_job_slot(weft_team_pe(team, member));
    const uint64_t place = places ? places[member] : team->area_place;
    team->local[k] = (weft_neighbour_t){(weft_turn_area_t *)(void *)(slot + place), slot};
  }
  if (m->nodes == 1) return;
  for (int i = 0; places && i < team->size; i++) same = same && places[i] == team->area_place;
  if (!same) {
    team->place = room_for((size_t)team->size * sizeof *team->place);
    memcpy(team->place, places, (size_t)team->size * sizeof *places);
  }
  weft_boxes_make(team);
}

/* The object of a team, found by (id, PE of member 0, me) from now on. The set becomes the team's;
 * places: slot offset of each member's area, or NULL: where mine is. */
static weft_team_t *team_new(uint32_t id, weft_set_t set, weft_turn_area_t *area,
                             const uint64_t *places) {
  weft_team_t *team = room_for(sizeof *team);
  team->set = set;
  team->size = set.size;
  team->me = weft_set_index(&set, weft_job.pe);
  team->id = id;
  team->maker = weft_set_world(&set, 0);
  team->area = area;
  team->area_place = weft_job_offset(area);
  team->tail = &team->head;
  team->who = "a collective operation";
  if (weft_members_find(&team->members, &team->set, team->me) < 0) no_memory();
  find_areas(team, places);
  weft_teams_lock();
  weft_team_t **chain = chain_of(id, team->maker);
  team->chain = *chain;
  *chain = team;
  weft_teams_unlock();
  return team;
}

weft_turn_area_t *weft_team_place(int n, uint64_t *place) {
  weft_turn_area_t *area = area_new(n);
  *place = weft_job_offset(area);
  return area;
}

uint32_t weft_team_new_id(void) {
  return new_id();
}

weft_team_t *weft_team_from_places(weft_set_t set, weft_turn_area_t *area, const uint64_t *places) {
  return team_new((uint32_t)places[set.size], set, area, places);
}

/* ---- all PEs --------------------------------------------------------------------------------- */

/* Areas of the PEs, where they do not lie at the same place: PE 0 collects them and tells all. */
static uint64_t *share_places(uint64_t mine) {
  enum { KEY = 0x7465616d, PART = WEFT_COLL_SHARE_MAX / sizeof(uint64_t) };
  const int n = weft_job.npes;
  uint64_t *places = room_for(((size_t)n + PART) * sizeof *places);
  if (weft_job.pe != 0) weft_mail_send(0, KEY, &mine, sizeof mine);
  places[0] = mine;
  for (int pe = 1; weft_job.pe == 0 && pe < n; pe++)
    weft_mail_receive(pe, KEY, &places[pe], sizeof *places, NULL);
  for (int at = 0; at < n; at += PART) weft_coll_share(&places[at], WEFT_COLL_SHARE_MAX);
  return places;
}

weft_team_t *weft_team_world(void) {
  if (teams.world) return teams.world;
  const weft_set_t all = {.stride = 1, .size = weft_job.npes};
  weft_turn_area_t *area = area_new(weft_job.npes);
  const uint64_t mine = weft_job_offset(area);
  uint64_t *places = NULL;
  weft_mail_start();
  weft_boxes_start();
  weft_coll_sync(weft_coll_world());
  if (!weft_coll_equal(weft_coll_world(), mine)) places = share_places(mine);
  teams.world = team_new(0, all, area, places);
  free(places);
  weft_coll_sync(weft_coll_world());
  return teams.world;
}

/* ---- from a parent --------------------------------------------------------------------------- */

typedef struct record {
  int32_t color, key;
  uint32_t wants; /* to be a member */
  uint32_t id;    /* the new team's, should this be its member 0 */
  uint64_t area;  /* slot offset */
} record_t;

/* Everybody's record, by rank of the parent: a reduction to which everybody else's is zero. */
static record_t *exchange(weft_team_t *parent, const record_t *mine) {
  _Static_assert(sizeof(record_t) % 8 == 0, "words");
  const weft_reducer_t how = {.combine = weft_data_combine(WEFT_TYPE_U64, WEFT_COMBINE_or),
                              .width = 8};
  record_t *all = room_for((size_t)parent->size * sizeof *all);
  weft_op_t op = {0};
  all[parent->me] = *mine;
  weft_team_reduce_all_begin(parent, all, all, (size_t)parent->size * sizeof *all / 8, &how, &op);
  weft_team_wait(&op);
  return all;
}

/* The new team of these members of the parent, of which this PE is one. */
static weft_team_t *team_of(weft_team_t *parent, const record_t *all, weft_set_t set,
                            weft_turn_area_t *area) {
  uint64_t *places = room_for((size_t)set.size * sizeof *places);
  uint32_t id = 0;
  for (int i = 0; i < set.size; i++) {
    const record_t *r = &all[weft_set_index(&parent->set, weft_set_world(&set, i))];
    places[i] = r->area;
    if (i == 0) id = r->id;
  }
  weft_team_t *team = team_new(id, set, area, places);
  free(places);
  return team;
}

void weft_team_split(weft_team_t *parent, bool wants, int color, int key, weft_team_t **team) {
  weft_turn_area_t *area = wants ? area_new(parent->size) : NULL;
  record_t mine = {.color = color, .key = key, .wants = wants};
  if (wants) mine.id = new_id(), mine.area = weft_job_offset(area);
  record_t *all = exchange(parent, &mine);
  *team = NULL;
  if (wants) {
    weft_bid_t *bids = room_for((size_t)parent->size * sizeof *bids);
    weft_set_t set;
    for (int i = 0; i < parent->size; i++)
      bids[i] = (weft_bid_t){all[i].color, all[i].key, all[i].wants};
    if (weft_set_from_split(&set, &parent->set, bids, color) < 0) no_memory();
    *team = team_of(parent, all, set, area);
    free(bids);
  }
  free(all);
  weft_team_barrier(parent);
}

/* Do all members of the set name the same one? */
static bool all_name(const weft_team_t *parent, const record_t *all, const weft_set_t *set,
                     const record_t *mine) {
  for (int i = 0; i < set->size; i++) {
    const int member = weft_set_index(&parent->set, weft_set_world(set, i));
    if (member < 0 || !all[member].wants || all[member].color != mine->color ||
        all[member].key != mine->key)
      return false;
  }
  return true;
}

int weft_team_create(weft_team_t *parent, const weft_set_t *set, weft_team_t **team) {
  const bool wants = set && weft_set_index(set, weft_job.pe) >= 0;
  weft_turn_area_t *area = wants ? area_new(parent->size) : NULL;
  record_t mine = {.wants = wants};
  if (wants) {
    const uint64_t digest = weft_set_digest(set);
    mine.color = (int32_t)digest, mine.key = (int32_t)(digest >> 32);
    mine.id = new_id(), mine.area = weft_job_offset(area);
  }
  record_t *all = exchange(parent, &mine);
  const bool agreed = !wants || all_name(parent, all, set, &mine);
  *team = NULL;
  if (wants && agreed) {
    weft_set_t own;
    if (weft_set_copy(&own, set) < 0) no_memory();
    *team = team_of(parent, all, own, area);
  } else {
    weft_private_free(area);
  }
  free(all);
  weft_team_barrier(parent);
  return agreed ? 0 : -EINVAL;
}

/* ---- by the members alone -------------------------------------------------------------------- */

/* Member 0 collects what is to be known and tells the others, down and up a binomial tree of the
 * members: the children of member m are m + 1, m + 2, m + 4 ... below m's lowest bit. */
weft_team_t *weft_team_meet(const weft_set_t *set) {
  const int n = set->size, me = weft_set_index(set, weft_job.pe);
  const uint64_t key = weft_set_digest(set);
  weft_turn_area_t *area = area_new(n);
  uint64_t *places = room_for(((size_t)n + 1) * sizeof *places); /* behind them the id */
  int bit = 1;
  places[me] = weft_job_offset(area);
  for (; bit < n && !(me & bit); bit *= 2) {
    const int child = me + bit, count = n - child < bit ? n - child : bit;
    if (child < n)
      weft_mail_receive(weft_set_world(set, child), key, &places[child],
                        (size_t)count * sizeof *places, NULL);
  }
  const size_t bytes = ((size_t)n + 1) * sizeof *places;
  if (me == 0) {
    places[n] = new_id();
  } else {
    const int parent = weft_set_world(set, me - bit), count = n - me < bit ? n - me : bit;
    weft_mail_send(parent, key, &places[me], (size_t)count * sizeof *places);
    weft_mail_receive(parent, ~key, places, bytes, NULL);
  }
  for (int below = bit / 2; below > 0; below /= 2)
    if (me + below < n) weft_mail_send(weft_set_world(set, me + below), ~key, places, bytes);
  weft_set_t own;
  if (weft_set_copy(&own, set) < 0) no_memory();
  weft_team_t *team = team_new((uint32_t)places[n], own, area, places);
  free(places);
  weft_team_barrier(team); /* nobody writes to a member that has no team yet */
  return team;
}

/* ---- the end --------------------------------------------------------------------------------- */

/* What only this process knows of it. */
void weft_team_release(weft_team_t *team) {
  for (int i = 0; i < WEFT_TURN_WINDOW * team->boxes; i++) free(team->box[i].data);
  for (weft_begun_t *begun; (begun = team->free);) {
    team->free = begun->next;
    free(begun);
  }
  if (team->bulk_mine && !team->broken) weft_private_free(team->bulk);
  weft_members_free(&team->members);
  weft_set_free(&team->set);
  free(team->place);
  free(team->box);
  free(team->sums);
  free(team->local);
  free(team);
}

/* Areas that nobody looks at any more. */
static void sweep(void) {
  for (area_left_t **p = &teams.left, *left; (left = *p);) {
    if (weft_observe(&left->area->left) < left->others) {
      p = &left->next;
      continue;
    }
    *p = left->next;
    weft_private_free(left->area);
    free(left);
  }
}

/* Tell the others of the node that I look at their areas no more, and leave mine. */
static void leave(weft_team_t *team) {
  area_left_t *left = room_for(sizeof *left);
  *left = (area_left_t){.area = team->area, .others = (uint64_t)team->members.locals - 1};
  if (weft_unlikely(team->broken)) left->others = UINT64_MAX;
  weft_teams_lock();
  weft_team_t **p = chain_of(team->id, team->maker);
  while (*p != team) p = &(*p)->chain;
  *p = team->chain;
  left->next = teams.left;
  teams.left = left;
  for (int k = 0; k < team->members.locals; k++)
    if (k != team->members.local)
      __atomic_fetch_add(&team->local[k].area->left, 1, __ATOMIC_RELEASE);
  sweep();
  weft_teams_unlock();
}

void weft_team_free(weft_team_t *team) {
  for (weft_wait_t w = weft_wait_begin(); team->members.nodes > 1 && !weft_team_idle(team);)
    weft_wait_step(&w); /* no put is to come */
  leave(team);
  weft_lock(&team->lock);
  if (team->polled) {
    team->dead = true; /* released by the next wait */
    weft_unlock(&team->lock);
  } else {
    weft_team_release(team);
  }
}

void weft_teams_end(void) {
  weft_pending_advance(); /* teams that are freed or idle leave the list */
  weft_pending_end();
  for (int i = 0; i < CHAINS; i++)
    for (weft_team_t *team; (team = teams.chain[i]);) {
      teams.chain[i] = team->chain;
      weft_team_release(team);
    }
  for (area_left_t *left; (left = teams.left);) {
    teams.left = left->next;
    free(left);
  }
  memset(&teams, 0, sizeof teams);
}
