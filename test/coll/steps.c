/*
 * How many steps a turn of a begun collective takes between 2 to 4,096 nodes of one member each:
 * the state machines of src/coll/begun_*.c over boxes that are made up here. In one step every node
 * may send one message, which can be taken in the next. Results are right, and steps grow as
 * log(nodes). test: unit
 */
#include "coll/begun_internal.h"

#include "check.h"

enum { NODES = 4096, BOXES = 16, ROOM = 8192 };

typedef struct node {
  weft_team_t team;
  weft_turn_t turn;
  weft_begun_t begun;
  struct {
    int from_step; /* 0: nothing came */
    uint64_t data[8];
  } box[BOXES];
  int lent; /* times that it lent its memory and has not taken it back */
  char *landing; /* of a large reduction */
  uint64_t value, result, sum;
  int sent_step, sent, last;
  bool done;
} node_t;

static node_t *nodes;
static int step, unwilling; /* every so many-th member lends nothing; 0: all lend */
static bool large; /* broadcasts and reductions to all are */
static int asks;   /* the node that begins one */
static int told;   /* steps in which nodes said where they want a reduction's parts */
static size_t of_bytes = 8; /* the operation that the turn is a part of */

static node_t *node_of(const weft_team_t *team) {
  return &nodes[team->members.node];
}

/* ---- instead of begun_net.c, begun_node.c, begun_turns.c, members.c and lend.c -------------- */

bool weft_box_send(weft_team_t *team, weft_turn_t *turn, int to, int box, const void *data,
                   size_t n) {
  node_t *from = node_of(team);
  (void)turn;
  if (from->sent_step == step) return false;
  CHECK(to >= 0 && to < team->set.size && to != team->me && box >= 0 && box < BOXES);
  CHECK(n <= sizeof nodes[to].box[box].data);
  CHECK_EQ(nodes[to].box[box].from_step, 0); /* a box has one sender per turn */
  from->sent_step = from->last = step;
  from->sent++;
  nodes[to].box[box].from_step = step + 1;
  memcpy(nodes[to].box[box].data, data, n);
  return true;
}

char *weft_box_take(const weft_team_t *team, const weft_turn_t *turn, int box, size_t n) {
  node_t *me = node_of(team);
  (void)turn, (void)n;
  if (me->box[box].from_step == 0 || me->box[box].from_step > step) return NULL;
  return (char *)me->box[box].data;
}

/* Begun at once, whatever else leaves in this step. */
void weft_box_tell(weft_team_t *team, weft_turn_t *turn, int to, int box, const weft_lent_t *lent,
                   const void *data, size_t n, weft_op_t *sent) {
  (void)turn, (void)sent;
  const uintptr_t landing = (uintptr_t)nodes[to].landing;
  if (lent->addr == (uintptr_t)&nodes[to].result)
    CHECK_EQ(nodes[to].lent, 1);
  else
    CHECK(landing && lent->addr >= landing && lent->addr + n <= landing + ROOM);
  CHECK_EQ(nodes[to].box[box].from_step, 0);
  memcpy((void *)lent->addr, data, n);
  nodes[to].box[box].from_step = step + 1;
  node_of(team)->last = step;
  node_of(team)->sent++;
}

bool weft_rma_lend(weft_lent_t *lent, void *p, size_t n) {
  node_t *me = &nodes[asks];
  *lent = (weft_lent_t){.addr = (uintptr_t)p};
  if (p == me->landing) {
    CHECK(n <= ROOM);
    return true; /* it is in the slot */
  }
  CHECK(p == me->begun.dst && n == of_bytes);
  if (unwilling && me->team.me % unwilling == 0) return false;
  me->lent++;
  lent->region = (void *)me;
  return true;
}

void weft_rma_take_back(weft_lent_t *lent) {
  if (lent->region) ((node_t *)(void *)lent->region)->lent--;
  lent->region = NULL;
}

enum weft_cut weft_cut_parts(weft_begun_t *begun, weft_turn_t *turn) {
  turn->kind = begun->kind;
  return WEFT_CUT_TURN;
}

int weft_members_leader_in(const weft_members_t *m, const weft_set_t *set, int node) {
  (void)m, (void)set;
  return node;
}
int weft_members_node_in(const weft_members_t *m, const weft_set_t *set, int member) {
  (void)m, (void)set;
  return member;
}
int weft_members_local_of(const weft_members_t *m, int member) {
  return member == m->node ? 0 : -1;
}

bool weft_turn_all_up(weft_team_t *team, weft_turn_t *turn) {
  (void)team, (void)turn;
  return true;
}
bool weft_turn_all_acked(weft_team_t *team, weft_turn_t *turn) {
  (void)team, (void)turn;
  return true;
}
char *weft_turn_sum(weft_team_t *team, weft_turn_t *turn, size_t n) {
  (void)turn, (void)n;
  return (char *)&node_of(team)->sum;
}
char *weft_turn_bulk(weft_team_t *team, const weft_turn_t *turn) {
  (void)turn;
  return (char *)&node_of(team)->sum;
}
void weft_turn_show(weft_team_t *team, weft_turn_t *turn, weft_shown_t *post, const void *data,
                    size_t n, bool stays) {
  (void)team, (void)turn, (void)post, (void)data, (void)n, (void)stays;
  CHECK(!"a node has one member: it has nobody to show anything to");
}
const void *weft_turn_seen(const weft_team_t *team, int local, const weft_shown_t *post) {
  (void)team, (void)local;
  CHECK(!"a node has one member");
  return post;
}

/* ---- the steps ------------------------------------------------------------------------------- */

static void first_of_two(const void *left, void *right, size_t n, const void *arg) {
  (void)n, (void)arg;
  const uint64_t *l = left;
  uint64_t *r = right; /* low word: from, high word: to; only neighbours combine */
  CHECK_EQ(*l >> 32, *r & 0xffffffff);
  *r = (*l & 0xffffffff) | (*r >> 32) << 32;
}

static bool advance(node_t *me, enum weft_turn_kind kind) {
  switch (kind) {
  case WEFT_TURN_BARRIER: return weft_step_barrier(&me->team, &me->turn);
  case WEFT_TURN_BROADCAST: return weft_step_broadcast(&me->team, &me->turn);
  case WEFT_TURN_REDUCE: return weft_step_reduce(&me->team, &me->turn);
  case WEFT_TURN_OFFER: return weft_step_offer(&me->team, &me->turn);
  case WEFT_TURN_REDUCE_LARGE: return weft_step_reduce_large(&me->team, &me->turn);
  default: return weft_step_reduce_all(&me->team, &me->turn);
  }
}

/* Until a turn of all nodes is done. */
static void take_turn(int n, enum weft_turn_kind kind) {
  int left = n;
  for (int i = 0; i < n; i++) nodes[i].done = false;
  for (step = 1; left > 0; step++) {
    CHECK(step < 3 * n + 10); /* it does not end */
    for (int i = 0; i < n; i++)
      if (asks = i, !nodes[i].done && advance(&nodes[i], kind)) nodes[i].done = true, left--;
  }
}

/* What members say before a large reduction, and the steps of that. */
static int tell(int n) {
  int steps = 0;
  for (;;) {
    for (asks = 0; asks < n; asks++)
      CHECK_EQ(nodes[asks].begun.cut(&nodes[asks].begun, &nodes[asks].turn), WEFT_CUT_TURN);
    if (nodes[0].turn.kind != WEFT_TURN_OFFER) return steps;
    for (int i = 0; i < n; i++) nodes[i].turn.begun = &nodes[i].begun;
    take_turn(n, WEFT_TURN_OFFER);
    int last = 0;
    for (int i = 0; i < n; i++) {
      if (nodes[i].last > last) last = nodes[i].last;
      memset(nodes[i].box, 0, sizeof nodes[i].box);
      nodes[i].sent = nodes[i].sent_step = nodes[i].last = 0;
      nodes[i].turn = (weft_turn_t){0};
    }
    steps += last;
  }
}

/* How many steps until all are done; the most messages of one node into *most. */
static int run(int n, enum weft_turn_kind kind, int root, const weft_reducer_t *how, int *most) {
  static weft_turn_area_t area; /* nobody looks at it */
  static weft_neighbour_t alone = {.area = &area};
  for (int i = 0; i < n; i++) {
    node_t *me = &nodes[i];
    const uint64_t value = how->ordered ? (uint64_t)i | (uint64_t)(i + 1) << 32 : (uint64_t)i + 1;
    memset(me, 0, sizeof *me);
    me->team.set.size = me->team.members.nodes = n;
    me->team.me = me->team.members.node = i;
    me->team.members.locals = 1;
    me->team.members.runs = true;
    me->team.boxes = BOXES;
    me->team.turns = &area;
    me->team.local = &alone;
    me->team.set = (weft_set_t){.stride = 1, .size = n};
    me->value = value;
    me->begun.how = *how;
    me->begun.dst = (char *)&me->result - (of_bytes > 8 ? 8 * root : 0); /* the root's turn */
    me->begun.bytes = of_bytes;
    me->begun.src = (char *)&me->value;
    me->begun.most = 8;
    me->begun.team = &me->team;
    me->begun.kind = kind;
    asks = i;
    if (kind == WEFT_TURN_REDUCE_LARGE) {
      me->landing = me->team.spare = aligned_alloc(WEFT_CACHELINE, ROOM);
      me->team.spare_room = ROOM;
    }
    if (large && kind == WEFT_TURN_BROADCAST) weft_broadcast_large_begin(&me->begun);
    if (kind == WEFT_TURN_REDUCE_LARGE) weft_reduce_large_begin(&me->begun, 8);
  }
  told = kind == WEFT_TURN_REDUCE_LARGE ? tell(n) : 0;
  for (int i = 0; i < n; i++) {
    node_t *me = &nodes[i];
    me->turn = (weft_turn_t){.begun = &me->begun, .kind = kind, .root = root, .n = 8};
    me->turn.src = (char *)&me->value;
    me->turn.dst = (char *)&me->result;
    if (kind == WEFT_TURN_BARRIER && i == root) me->turn.name = weft_name(5);
  }
  take_turn(n, kind);
  for (int i = 0; large && i < n; i++) {
    nodes[i].begun.end(&nodes[i].begun);
    free(nodes[i].team.spare);
    CHECK_EQ(nodes[i].lent, 0);
  }
  int last = 0;
  *most = 0;
  for (int i = 0; i < n; i++) {
    if (nodes[i].last > last) last = nodes[i].last;
    if (nodes[i].sent > *most) *most = nodes[i].sent;
  }
  return last;
}

static void all_kinds(int n, int root) {
  const weft_reducer_t add = {.combine = weft_data_combine(WEFT_TYPE_U64, WEFT_COMBINE_sum),
                              .width = 8};
  const weft_reducer_t ordered = {.user = first_of_two, .width = 8, .ordered = true};
  const uint64_t sum = (uint64_t)n * (uint64_t)(n + 1) / 2, chain = (uint64_t)n << 32;
  int log = 0, most, power;
  while (1 << log < n) log++;
  power = 1 << log == n;
  CHECK_EQ(run(n, WEFT_TURN_BARRIER, root, &add, &most), log);
  CHECK_EQ(most, log);
  for (int i = 0; i < n; i++) CHECK_EQ(nodes[i].turn.name, weft_name(5));
  CHECK_EQ(run(n, WEFT_TURN_BROADCAST, root, &add, &most), log);
  CHECK(most <= log);
  for (int i = 0; i < n; i++) CHECK_EQ(nodes[i].result, (uint64_t)root + 1);
  large = true;
  for (unwilling = 0; unwilling < 4; unwilling++) { /* a step more: where they want it */
    CHECK(run(n, WEFT_TURN_BROADCAST, root, &add, &most) <= log + 1);
    CHECK(most <= log + 1);
    for (int i = 0; i < n; i++) CHECK_EQ(nodes[i].result, (uint64_t)root + 1);
    for (int i = 0; i < n; i++)
      CHECK(unwilling || i == root || nodes[i].box[BOXES - 1].from_step > 0); /* all at once */
  }
  large = false;
  const int steps = run(n, WEFT_TURN_REDUCE, root, &add, &most);
  CHECK(steps <= log && (steps == log || !power));
  CHECK(most <= 1 && nodes[root].result == sum);
  CHECK(run(n, WEFT_TURN_REDUCE, root, &ordered, &most) <= log + 1); /* and on to the root */
  CHECK_EQ(nodes[root].result, chain);
  CHECK(run(n, WEFT_TURN_REDUCE_ALL, 0, &add, &most) <= (power ? log : log + 1));
  CHECK(most <= log + 1);
  for (int i = 0; i < n; i++) CHECK_EQ(nodes[i].result, sum);
  of_bytes = 1 << 20; /* summed at one, another one each turn: to it, and back */
  CHECK(run(n, WEFT_TURN_REDUCE_ALL, root, &add, &most) <= 2 * log);
  CHECK(most <= log && nodes[root].sent == log);
  for (int i = 0, sent = 0; i < n; i++) {
    sent += nodes[i].sent;
    CHECK_EQ(nodes[i].result, sum);
    CHECK(i < n - 1 || sent == 2 * (n - 1));
  }
  large = true; /* and once before it: where they want what comes */
  for (unwilling = 0; unwilling < 4; unwilling += 3) {
    CHECK(run(n, WEFT_TURN_REDUCE_LARGE, root, &add, &most) <= 2 * log);
    CHECK(told <= 2 * log);
    CHECK(most <= log && nodes[root].sent == log);
    for (int i = 0; i < n; i++) CHECK_EQ(nodes[i].result, sum);
  }
  large = false;
  CHECK(run(n, WEFT_TURN_REDUCE_ALL, 0, &ordered, &most) <= (power ? log : log + 1));
  for (int i = 0; i < n; i++) CHECK_EQ(nodes[i].result, chain);
  of_bytes = 8;
  CHECK(run(n, WEFT_TURN_REDUCE_ALL, 0, &ordered, &most) <= (power ? log : log + 1));
  for (int i = 0; i < n; i++) CHECK_EQ(nodes[i].result, chain);
}

int main(void) {
  nodes = calloc(NODES, sizeof *nodes);
  CHECK(nodes);
  for (int n = 2; n <= 40; n++) all_kinds(n, n * 7 % n ? n * 7 % n : n - 1);
  for (int n = 64; n <= NODES; n *= 2) {
    all_kinds(n - 1, 1);
    all_kinds(n, n / 3);
    if (n < NODES) all_kinds(n + 1, n);
  }
  return 0;
}
