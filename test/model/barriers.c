/*
 * What the processes of barrier.c run: a team of one copy of the library, and the functions that
 * its turns (begun_turns.c) want of layers that have no part in a barrier.
 */
#include "coll/begun_internal.h"
#include "model.h"

WEFT_API void model_team(int me, int members, int nodes, weft_turn_area_t *areas);
WEFT_API void model_notify(uint32_t value);
WEFT_API uint64_t model_wait_name(void);

static weft_team_t team;
static weft_turn_t turns[WEFT_TURN_WINDOW];
static weft_neighbour_t neighbours[MODEL_THREADS];
static weft_op_t op;
static uint64_t name, other_node;
weft_options_t weft_options;

/* A new team of all threads, with `nodes` nodes: the others', if any, say what node 0 says. */
void model_team(int me, int members, int nodes, weft_turn_area_t *areas) {
  weft_begun_t *spare = team.free;
  team = (weft_team_t){.free = spare, .me = me, .local = neighbours, .turn = turns};
  memset(turns, 0, sizeof turns);
  team.set.size = members;
  team.members.locals = members;
  team.members.local = me;
  team.members.nodes = nodes;
  team.turns = &areas[me];
  team.tail = &team.head;
  for (int i = 0; i < members; i++) neighbours[i].area = &areas[i];
  op = (weft_op_t){0};
}

void model_notify(uint32_t value) {
  name = weft_name(value);
  weft_begun_t *begun = weft_begun_new(&team, &op);
  begun->cut = weft_cut_barrier;
  begun->name = name;
  begun->tell = &name;
  weft_begun_start(begun);
}

uint64_t model_wait_name(void) {
  while (weft_observe(&op.pending))
    if (team.pending.advance(&team.pending) <= 0 && weft_observe(&op.pending)) model_wait(false);
  team.polled = false;
  return name;
}

void weft_pending_add(weft_pending_t *pending) {
  (void)pending;
}

/* WEFT_CHECK=1 alone looks at the time. */
uint64_t weft_clock_ns(void) {
  return 0;
}
bool weft_patience_over(const char *who, uint64_t since, int seconds) {
  (void)who, (void)since, (void)seconds;
  return false;
}

/* Looks that find nothing are waits here (model_wait). */
bool weft_progress_is_crowded(void) {
  return true;
}

/* ---- between nodes --------------------------------------------------------------------------- */

bool weft_box_send(weft_team_t *t, weft_turn_t *turn, int to, int box, const void *data, size_t n) {
  (void)t, (void)turn, (void)to, (void)box;
  memcpy(&other_node, data, n);
  return true;
}
char *weft_box_take(const weft_team_t *t, const weft_turn_t *turn, int box, size_t n) {
  (void)t, (void)turn, (void)box, (void)n;
  return (char *)&other_node;
}
int weft_members_leader_in(const weft_members_t *m, const weft_set_t *set, int node) {
  (void)m, (void)set;
  return node;
}

/* ---- nothing to do in a barrier -------------------------------------------------------------- */

bool weft_team_look(weft_team_t *t) {
  (void)t;
  return false;
}
void weft_team_release(weft_team_t *t) {
  (void)t;
}
void weft_boxes_clear(weft_team_t *t, const weft_turn_t *turn) {
  (void)t, (void)turn;
}
void weft_private_free(void *p) {
  (void)p;
}
#define NO_STEP(kind)                                                                              \
  bool weft_step_##kind(weft_team_t *t, weft_turn_t *turn) {                                       \
    (void)t, (void)turn;                                                                           \
    return true;                                                                                   \
  }
NO_STEP(broadcast)
NO_STEP(reduce)
NO_STEP(reduce_all)
NO_STEP(offer)
NO_STEP(reduce_large)
NO_STEP(send)
NO_STEP(shift)
