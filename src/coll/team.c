/*
 * team.c: teams as objects: how their members agree on a new one, and the end of a team. What
 * members must know of each other before they begin operations is where each one's turn area lies;
 * the rest is arithmetic.
 */
#include <errno.h>

#include "am/am.h"
#include "coll/begun_internal.h"

enum { CHAINS = 256 };

/* A turn area that its owner has left. Members of the node may still look at its flags; the last
 * of them gone, it is freed. */
typedef struct turns_left {
  weft_turn_area_t *turns;
  uint64_t others;
  struct turns_left *next;
} turns_left_t;

static struct {
  weft_lock_t lock;
  weft_team_t world;
  weft_team_t *chain[CHAINS];
  turns_left_t *left;
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

void weft_team_name(weft_team_t *team, const char *who) {
  weft_poke(&team->who, who);
}

void weft_team_lend(weft_team_t *team, void *scratch, size_t n) {
  if (n >= WEFT_TEAM_SCRATCH && weft_window_contains(&weft_job.window, scratch, n))
    team->scratch = scratch;
}

/* ---- the object ------------------------------------------------------------------------------ */

static WEFT_COLD void no_memory(void) {
  weft_fatal("no memory for a team");
}

static void *room_for(size_t n) {
  void *p = calloc(n ? n : 1, 1);
  if (!p) no_memory();
  return p;
}

/* A team of this set (copied) that has nothing yet. The world's object is static. */
static int fill(weft_team_t *team, const weft_set_t *set) {
  *team = (weft_team_t){.area = -1, .tail = &team->head, .who = "a collective operation"};
  if (weft_set_copy(&team->set, set) < 0) return -ENOMEM;
  team->me = weft_set_index(&team->set, weft_job.pe);
  return weft_members_find(&team->members, &team->set, team->me);
}

weft_team_t *weft_team_new(const weft_set_t *set) {
  weft_team_t *team = malloc(sizeof *team);
  if (!team || fill(team, set) == 0) return team;
  weft_team_release(team);
  return NULL;
}

void weft_team_release(weft_team_t *team) {
  for (int i = 0; i < WEFT_TURN_WINDOW * team->boxes; i++) free(team->box[i].data);
  for (weft_begun_t *begun; (begun = team->free);) {
    team->free = begun->next;
    free(begun);
  }
  if (team->bulk_mine && !team->broken) weft_private_free(team->bulk);
  weft_private_free(team->spare);
  weft_members_free(&team->members);
  weft_set_free(&team->set);
  free(team->place);
  free(team->box);
  free(team->sums);
  free(team->local);
  free(team->turn);
  if (team != &teams.world) free(team);
}

/* ---- turn areas ----------------------------------------------------------------------------- */

/* In the own slot. Others look at the flags, which must not be those of somebody before. */
weft_turn_area_t *weft_turns_new(int n, uint64_t *place) {
  weft_turn_area_t *turns = weft_private_alloc(WEFT_CACHELINE, weft_boxes_area_bytes(n));
  if (!turns) return NULL;
  memset(turns, 0, sizeof *turns + weft_boxes_words_bytes(n));
  *place = weft_job_offset(turns);
  return turns;
}

static weft_turn_area_t *turns_of(int n, uint64_t *place) {
  weft_turn_area_t *turns = weft_turns_new(n, place);
  if (!turns) no_memory();
  return turns;
}

uint32_t weft_team_new_id(void) {
  return __atomic_add_fetch(&teams.ids, 1, __ATOMIC_RELAXED);
}

/* What a member has said: is it where its turn area can be? */
static void check_place(const weft_team_t *team, int member, uint64_t place) {
  const weft_layout_t *l = &weft_job.window.layout;
  const size_t room = l->private_limit - weft_boxes_area_bytes(team->set.size);
  if (weft_unlikely(place % 8 || place - l->private_heap > room))
    weft_fatal("pe %d has a damaged place in a new team", weft_team_pe(team, member));
}

/* The members of this node, and where other nodes put what is for a member. */
static void find_neighbours(weft_team_t *team, const uint64_t *places) {
  const weft_members_t *m = &team->members;
  bool same = true;
  for (int i = 0; places && i < team->set.size; i++) check_place(team, i, places[i]);
  team->local = room_for((size_t)m->locals * sizeof *team->local);
  for (int k = 0; k < m->locals; k++) {
    const int member = weft_members_local_in(m, k);
    char *slot = weft_job_slot(weft_team_pe(team, member));
    const uint64_t place = places ? places[member] : team->turns_at;
    team->local[k] = (weft_neighbour_t){(weft_turn_area_t *)(void *)(slot + place), slot};
  }
  if (m->nodes == 1) return;
  for (int i = 0; places && i < team->set.size; i++) same = same && places[i] == team->turns_at;
  if (!same) {
    team->place = room_for((size_t)team->set.size * sizeof *team->place);
    memcpy(team->place, places, (size_t)team->set.size * sizeof *places);
  }
  weft_boxes_make(team);
}

void weft_team_enter(weft_team_t *team, uint32_t id, weft_turn_area_t *turns,
                     const uint64_t *places) {
  team->id = id;
  team->maker = weft_team_pe(team, 0);
  team->turns_at = weft_job_offset(turns);
  team->turns = turns;
  team->turn = room_for(WEFT_TURN_WINDOW * sizeof *team->turn);
  find_neighbours(team, places);
  weft_teams_lock();
  weft_team_t **chain = chain_of(id, team->maker);
  team->chain = *chain;
  *chain = team;
  weft_teams_unlock();
}

/* ---- all PEs --------------------------------------------------------------------------------- */

weft_team_t *weft_team_world(void) {
  weft_team_t *world = &teams.world;
  if (weft_unlikely(world->set.size != weft_job.npes)) {
    if (weft_job.layout.coll_scratch_size < 2048)
      weft_fatal("WEFT_DEBUG=coll_scratch=%zu is too small: 2K is the least",
                 weft_job.layout.coll_scratch_size);
    const weft_set_t all = {.stride = 1, .size = weft_job.npes};
    if (fill(world, &all) < 0 || weft_area_open(world, 0) < 0) no_memory();
  }
  return world;
}

static void receive_places(int pe, uint64_t key, uint64_t *places, size_t bytes) {
  const size_t n = weft_mail_receive(pe, key, places, bytes, NULL);
  if (n != bytes) weft_fatal("pe %d sent a damaged list of a team's members", pe);
}

/* Where the PEs' turn areas lie, if not all at the same place: PE 0 collects that and tells all. */
static uint64_t *share_places(uint64_t mine) {
  enum { KEY = 0x7465616d, PART = WEFT_COLL_SHARE_MAX / sizeof(uint64_t) };
  const int n = weft_job.npes;
  uint64_t *places = room_for(((size_t)n + PART) * sizeof *places);
  if (weft_job.pe != 0) weft_mail_send(0, KEY, &mine, sizeof mine);
  places[0] = mine;
  for (int pe = 1; weft_job.pe == 0 && pe < n; pe++)
    receive_places(pe, KEY, &places[pe], sizeof *places);
  for (int at = 0; at < n; at += PART) weft_coll_share(&places[at], WEFT_COLL_SHARE_MAX);
  return places;
}

static void greater(void *inout, const void *in, size_t n) {
  uint64_t *a = inout;
  const uint64_t *b = in;
  for (size_t i = 0; i < n; i++)
    if (b[i] > a[i]) a[i] = b[i];
}

/* Do all PEs say the same? */
static bool is_equal(weft_team_t *world, uint64_t value) {
  uint64_t *agreed = (uint64_t *)(void *)(weft_job.window.base + world->sync) + WEFT_WORD_AGREE;
  const uint64_t mine[2] = {value, ~value};
  weft_coll_reduce(world, agreed, mine, 2, sizeof *mine, greater);
  return agreed[0] == ~agreed[1];
}

static bool starting; /* where PEs may fail: all are needed once more */

/* A step of waits. Who died may have been through with its part: so a wait gets some time to end.
 * One PE speaks, and ends the job for all. */
static int look_for_deaths(void) {
  static uint64_t since; /* ns: when a death was seen */
  int failed = 0, first = 0;
  if (weft_likely(!weft_peek(&starting)) || weft_job_changes() == 0) return 0;
  while (failed < weft_job.npes && weft_job_state(failed) != WEFT_FAILED) failed++;
  while (first < weft_job.npes && weft_job_state(first) == WEFT_FAILED) first++;
  if (failed == weft_job.npes) return 0;
  const uint64_t now = weft_clock_ns();
  if (since == 0) since = now;
  if (now - since < WEFT_DEATH_TOLD_NS) return 0;
  if (first != weft_job.pe) weft_sleep_ms(WEFT_DEATH_TOLD_NS / 1000000);
  weft_fatal("pe %d died while the job started, and the others cannot go on without it", failed);
}

void weft_teams_need_all(void) {
  weft_progress_add(look_for_deaths);
  weft_poke(&starting, true);
}

/* Where PEs may fail, the blocking operations go by the begun ones from here on. */
void weft_teams_start(void) {
  weft_team_t *world = weft_team_world();
  uint64_t mine, *places = NULL;
  if (world->turns) return;
  weft_turn_area_t *turns = turns_of(weft_job.npes, &mine);
  weft_mail_start();
  weft_boxes_start();
  weft_coll_sync(world);
  if (!is_equal(world, mine)) places = share_places(mine);
  weft_team_enter(world, 0, turns, places);
  free(places);
  weft_coll_sync(world);
  if (weft_job_goes_on()) world->area = -1;
  weft_poke(&starting, false);
}

weft_team_t *weft_team_node(void) {
  weft_set_t set;
  if (weft_set_from_list(&set, weft_job.local, weft_job.nslots) < 0) return NULL;
  weft_team_t *team = weft_job_goes_on() ? weft_team_meet(&set) : weft_team_new(&set);
  weft_set_free(&set);
  if (!team || weft_job_goes_on() || weft_area_open(team, WEFT_COLL_AREA_NODE) == 0) return team;
  weft_team_release(team);
  return NULL;
}

/* ---- from a parent --------------------------------------------------------------------------- */

typedef struct record {
  int32_t color, key;
  uint16_t wants;   /* to be a member */
  uint16_t refuses; /* to have any team made */
  uint32_t id;      /* the new team's, should this be its member 0 */
  uint64_t place;   /* slot offset of its turn area */
} record_t;

/* Everybody's record, by rank of the parent: a reduction to which everybody else's is zero. NULL:
 * one of them is gone. */
static record_t *exchange(weft_team_t *parent, const record_t *mine) {
  _Static_assert(sizeof(record_t) % 8 == 0, "words");
  const weft_reducer_t how = {.combine = weft_data_combine(WEFT_TYPE_U64, WEFT_COMBINE_or),
                              .width = 8};
  record_t *all = room_for((size_t)parent->set.size * sizeof *all);
  weft_op_t op = {0};
  all[parent->me] = *mine;
  weft_team_reduce_all_begin(parent, all, all, (size_t)parent->set.size * sizeof *all / 8, &how,
                             &op);
  if (weft_team_finish(parent, &op) == 0) return all;
  free(all);
  return NULL;
}

/* What the members of a new team have to know of each other is in their records. */
static void enter(weft_team_t *team, weft_turn_area_t *turns, const weft_team_t *parent,
                  const record_t *all) {
  const int n = team->set.size;
  uint64_t *places = room_for((size_t)n * sizeof *places);
  uint32_t id = 0;
  for (int i = 0; i < n; i++) {
    const record_t *r = &all[weft_set_index(&parent->set, weft_team_pe(team, i))];
    places[i] = r->place;
    if (i == 0) id = r->id;
  }
  weft_team_enter(team, id, turns, places);
  free(places);
}

/* Nobody writes to a member that has no team yet. An area would be good to have. *team: the new one
 * or NULL. */
static int settle(weft_team_t *parent, weft_team_t **team) {
  if (parent->area >= 0) {
    weft_area_find(parent, true, *team);
    return 0;
  }
  weft_op_t op = {0};
  weft_team_barrier_begin(parent, &op);
  if (weft_team_finish(parent, &op) == 0) return 0;
  if (*team) weft_team_free(*team);
  *team = NULL;
  return -EHOSTDOWN;
}

int weft_team_split_told(weft_team_t *parent, bool wants, int color, int key, weft_team_t **team,
                         weft_bid_t **told) {
  record_t mine = {.color = color, .key = key, .wants = wants};
  weft_turn_area_t *turns = wants ? turns_of(parent->set.size, &mine.place) : NULL;
  if (wants) mine.id = weft_team_new_id();
  record_t *all = exchange(parent, &mine);
  *team = NULL;
  if (!all) {
    weft_private_free(turns);
    return -EHOSTDOWN;
  }
  if (wants) {
    weft_bid_t *bids = room_for((size_t)parent->set.size * sizeof *bids);
    weft_set_t set;
    for (int i = 0; i < parent->set.size; i++)
      bids[i] = (weft_bid_t){all[i].color, all[i].key, all[i].wants};
    if (weft_set_from_split(&set, &parent->set, bids, color) < 0) no_memory();
    if (told)
      *told = bids;
    else
      free(bids);
    *team = weft_team_new(&set);
    if (!*team) no_memory();
    weft_set_free(&set);
    enter(*team, turns, parent, all);
  }
  free(all);
  return settle(parent, team);
}

int weft_team_split(weft_team_t *parent, bool wants, int color, int key, weft_team_t **team) {
  return weft_team_split_told(parent, wants, color, key, team, NULL);
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

/* *team: the new one or NULL, which has nothing yet; given back if there is an error. */
static int introduce(weft_team_t *parent, bool willing, weft_team_t **team) {
  record_t mine = {.wants = *team != NULL, .refuses = !willing};
  weft_turn_area_t *turns = NULL;
  int rc = 0;
  if (*team) {
    const uint64_t digest = weft_set_digest(&(*team)->set);
    mine.color = (int32_t)digest, mine.key = (int32_t)(digest >> 32);
    mine.id = weft_team_new_id();
    turns = weft_turns_new((*team)->set.size, &mine.place);
    mine.refuses = mine.refuses || !turns;
  }
  record_t *all = exchange(parent, &mine);
  if (!all) rc = -EHOSTDOWN;
  for (int i = 0; all && i < parent->set.size; i++)
    if (all[i].refuses) rc = -ENOMEM;
  const bool settles = rc == 0;
  if (rc == 0 && *team && !all_name(parent, all, &(*team)->set, &mine)) rc = -EINVAL;
  if (rc == 0 && *team) {
    enter(*team, turns, parent, all);
  } else {
    weft_private_free(turns);
    if (*team) weft_team_release(*team);
    *team = NULL;
  }
  free(all);
  const int end = settles ? settle(parent, team) : 0;
  return rc < 0 ? rc : end;
}

int weft_team_create(weft_team_t *parent, const weft_set_t *set, bool willing, weft_team_t **team) {
  const bool member = set && weft_set_index(set, weft_job.pe) >= 0;
  weft_team_t *made = willing && member ? weft_team_new(set) : NULL;
  willing = willing && (made || !member);
  const int rc =
      parent->turns ? introduce(parent, willing, &made) : weft_area_find(parent, willing, made);
  if (rc < 0 && made) weft_team_release(made);
  *team = rc == 0 ? made : NULL;
  return rc;
}

/* ---- by the members alone -------------------------------------------------------------------- */

/* Member 0 collects what is to be known and tells the others, down and up a binomial tree of the
 * members: the children of member m are m + 1, m + 2, m + 4 ... below m's lowest bit. */
weft_team_t *weft_team_meet(const weft_set_t *set) {
  if (weft_job_goes_on()) return weft_team_meet_living(set);
  const int n = set->size, me = weft_set_index(set, weft_job.pe);
  const uint64_t key = weft_set_digest(set);
  uint64_t *places = room_for(((size_t)n + 1) * sizeof *places); /* behind them the id */
  weft_turn_area_t *turns = turns_of(n, &places[me]);
  int bit = 1;
  for (; bit < n && !(me & bit); bit *= 2) {
    const int child = me + bit, count = n - child < bit ? n - child : bit;
    if (child < n)
      receive_places(weft_set_world(set, child), key, &places[child],
                     (size_t)count * sizeof *places);
  }
  const size_t bytes = ((size_t)n + 1) * sizeof *places;
  if (me == 0) {
    places[n] = weft_team_new_id();
  } else {
    const int parent = weft_set_world(set, me - bit), count = n - me < bit ? n - me : bit;
    weft_mail_send(parent, key, &places[me], (size_t)count * sizeof *places);
    receive_places(parent, ~key, places, bytes);
  }
  for (int below = bit / 2; below > 0; below /= 2)
    if (me + below < n) weft_mail_send(weft_set_world(set, me + below), ~key, places, bytes);
  weft_team_t *team = weft_team_new(set);
  if (!team) no_memory();
  weft_team_enter(team, (uint32_t)places[n], turns, places);
  free(places);
  weft_coll_sync(team); /* nobody writes to a member that has no team yet */
  return team;
}

/* ---- the end --------------------------------------------------------------------------------- */

/* Turn areas that nobody looks at any more. */
static void sweep(void) {
  for (turns_left_t **p = &teams.left, *left; (left = *p);) {
    if (weft_observe(&left->turns->left) < left->others) {
      p = &left->next;
      continue;
    }
    *p = left->next;
    weft_private_free(left->turns);
    free(left);
  }
}

/* Tell the others of the node that I look at their turn areas no more, and leave mine. */
static void leave(weft_team_t *team) {
  turns_left_t *left = room_for(sizeof *left);
  *left = (turns_left_t){.turns = team->turns, .others = (uint64_t)team->members.locals - 1};
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
  weft_area_leave(team);
  if (!team->turns) {
    weft_team_release(team);
    return;
  }
  WEFT_WAIT_UNTIL(team->members.nodes == 1 || weft_team_idle(team)); /* no put is to come */
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
  if (!teams.world.turns) weft_team_release(&teams.world);
  weft_team_meetings_end();
  for (turns_left_t *left; (left = teams.left);) {
    teams.left = left->next;
    free(left);
  }
  memset(&teams, 0, sizeof teams);
}
