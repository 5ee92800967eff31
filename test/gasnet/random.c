/*
 * A random program: phases of puts, gets, non-contiguous transfers, atomics, active messages and
 * collectives by every actor, with teams of their own; after each phase the whole memory is what
 * the seed says. By hand: random SEED PHASES THREADS (threads of each process, with PAR).
 */
#include "gasnet/random.h"
#include "gasnet/random_ad.h"
#include "gasnet/random_am.h"
#include "gasnet/random_coll.h"

enum { STEPS = 60 };

/* ---- what an actor does: known to all -------------------------------------------------------- */

static uint64_t stream(int actor) {
  return mix(seed, (uint64_t)phase << 16 | (uint64_t)(actor + 1));
}

static plan_t next(int actor, uint64_t *state) {
  static const int kinds[] = {PUT,       PUT,       PUT,     PUT,     GET,     GET,     GET_VIS,
                              PUT_VALUE, GET_VALUE, PUT_VIS, PUT_VIS, FILL,    ATOMIC,  ATOMIC,
                              ATOMIC,    ATOMIC,    MESSAGE, MESSAGE, MESSAGE, MESSAGE};
  plan_t p = {.kind = (unsigned)kinds[draw(state, sizeof kinds / sizeof *kinds)]};
  const bool writes = p.kind != GET && p.kind != GET_VALUE && p.kind != GET_VIS;
  p.seed = world_random(state);
  p.n = some_size(state, BLOCK);
  if (p.kind == PUT_VALUE || p.kind == GET_VALUE) p.n = 1 + draw(state, 8);
  if (p.kind == PUT_VIS || p.kind == GET_VIS) p.n = VIS_REGION;
  if ((p.kind == PUT || p.kind == GET || p.kind == FILL || p.kind == MESSAGE) &&
      draw(state, 20) == 0)
    p.n = 0;
  p.at = draw(state, BLOCK - p.n + 1);
  if (p.kind == MESSAGE) plan_message(&p, state);
  if (p.kind == ATOMIC)
    plan_atomic(&p, state, actor);
  else if ((p.kind != MESSAGE || p.category == LONG) && !find_block(&p, state, actor, writes))
    p.kind = NOTHING;
  if (p.kind == FILL && p.block == OTHERS) p.kind = NOTHING; /* GASNet-1 knows one endpoint */
  return p;
}

static void keep(const plan_t *p) {
  model_put(p);
  pthread_mutex_lock(&common);
  if (p->kind == ATOMIC) model_atomic(p);
  model_message(p);
  pthread_mutex_unlock(&common);
}

static void perform(const plan_t *p) {
  gex_Rank_t rank;
  gex_TM_t tm = some_team(p->to, p->block, &rank);
  slot_t *s = take_slot(p);
  if (chance(12) == 0) open_region();
  switch (p->kind) {
  case PUT: put(s, tm, rank); break;
  case GET: get(s, tm, rank); break;
  case PUT_VALUE: put_value(s, tm, rank); break;
  case GET_VALUE: get_value(s, tm, rank); break;
  case FILL: put_bytes(s); break;
  case PUT_VIS: put_vis(s, tm, rank); break;
  case GET_VIS: get_vis(s, tm, rank); break;
  case ATOMIC: perform_atomic(s); break;
  case MESSAGE: request(s, tm, rank); break;
  case NOTHING: break;
  }
}

static void act(void) {
  uint64_t state = stream(myself());
  by_chance = mix(stream(myself()), 5);
  for (int i = 0; i < STEPS; i++) {
    const plan_t p = next(myself(), &state);
    if (p.kind != NOTHING) perform(&p);
    keep(&p);
    if (chance(10) == 0) close_region();
    if (chance(4) == 0) settle(&slots[thread][chance(SLOTS)]);
    if (thread == 0 && chance(5) == 0 && colls_begun < COLLS) begin_coll();
    if (chance(9) == 0) gasnet_AMPoll();
    if (chance(3) == 0) take_gifts();
    if (chance(6) == 0) wait_later();
    if (chance(12) == 0) ask_at_once((gex_Rank_t)chance(world.n), chance(2));
  }
  for (int i = 0; i < SLOTS; i++) settle(&slots[thread][i]);
  wait_region();
}

static void *act_as(void *number) {
  thread = (int)(intptr_t)number;
  act();
  return NULL;
}

static void act_all(void) {
  pthread_t others[THREADS];
  for (gex_Rank_t i = 1; i < threads; i++)
    CHECK_EQ(pthread_create(&others[i], NULL, act_as, (void *)(intptr_t)i), 0);
  act();
  for (gex_Rank_t i = 1; i < threads; i++)
    while (pthread_tryjoin_np(others[i], NULL)) gasnet_AMPoll();
}

/* What the others did, as far as it is known without them. */
static void follow_others(void) {
  for (int actor = 0; actor < (int)(world.n * threads); actor++) {
    uint64_t state = stream(actor);
    for (int i = 0; rank_of(actor) != world.me && i < STEPS; i++) {
      const plan_t p = next(actor, &state);
      keep(&p);
    }
  }
}

/* ---- phases ---------------------------------------------------------------------------------- */

static void some_barrier(uint64_t *state) {
  const size_t how = draw(state, 4);
  if (how == 0) return gex_Event_Wait(gex_Coll_BarrierNB(world.tm, 0));
  if (how == 1) return gex_Coll_BarrierBlocking(world.tm, 0);
  const int anonymous = how == 2 && chance(2) ? GASNET_BARRIERFLAG_ANONYMOUS : 0;
  gasnet_barrier_notify((int)phase, anonymous);
  CHECK_EQ(gasnet_barrier_wait((int)phase, anonymous), GASNET_OK);
}

static void open_other(bool clients);

static void run_phase(void) {
  uint64_t state = stream(-1);
  if (draw(&state, 3) == 0) open_other(draw(&state, 2));
  open_teams(&state);
  deal_blocks(&state);
  deal_words(&state);
  open_domains(&state);
  plan_colls(&state);
  plan_olds(&state);
  some_barrier(&state);
  act_all();
  finish_colls();
  finish_olds();
  follow_others();
  GASNET_BLOCKUNTIL(__atomic_load_n(&came, __ATOMIC_ACQUIRE) >= expected[world.me]);
  some_barrier(&state);
  wait_later();
  CHECK_EQ(came, expected[world.me]);
  CHECK_EQ(came_sum, expected_sum[world.me]);
  for (int b = 0; b < BLOCKS; b++)
    CHECK(memcmp(block_of(world.me, b), model[world.me] + b * BLOCK, BLOCK) == 0);
  check_words();
  check_olds();
  close_domains();
  some_barrier(&state);
  close_teams(draw(&state, 2));
}

/* Another endpoint, whose segment is the client's memory or not, takes the last one's place. */
static void open_other(bool clients) {
  enum { SIZE = BLOCK + THREADS * SLOTS * REPLY };
  gex_Segment_t segment;
  if (other_ep && gex_EP_QueryIndex(other_ep) == GASNET_MAXEPS - 1) return;
  const char *old = others[world.me];
  void *memory = clients ? aligned_alloc(GASNET_PAGESIZE, SIZE) : NULL;
  CHECK_EQ(gex_EP_Create(&other_ep, world.client,
                         GEX_EP_CAPABILITY_RMA | GEX_EP_CAPABILITY_AM | GEX_EP_CAPABILITY_VIS, 0),
           GASNET_OK);
  CHECK_EQ(gex_Segment_Create(&segment, world.client, memory, SIZE, GEX_MK_HOST, 0), GASNET_OK);
  CHECK_EQ(gex_EP_BindSegment(other_ep, segment, 0), GASNET_OK);
  register_handlers(other_ep);
  char *now = gex_Segment_QueryAddr(segment);
  memset(now, 0, SIZE);
  if (old) memcpy(now, old, SIZE);
  CHECK_EQ(gex_EP_PublishBoundSegment(world.tm, &other_ep, 1, 0), GASNET_OK);
  for (gex_Rank_t i = 0; i < world.n; i++)
    gex_Event_Wait(gex_EP_QueryBoundSegmentNB(names(world.ep, 1), i, (void **)&others[i], NULL,
                                              NULL, 0));
}

int main(int argc, char **argv) {
  seed = argc > 1 ? strtoull(argv[1], NULL, 0) : 1;
  const unsigned phases = argc > 2 ? (unsigned)atoi(argv[2]) : 6;
  if (argc > 3) threads = (gex_Rank_t)atoi(argv[3]);
  CHECK(threads >= 1 && threads <= THREADS);
#ifdef GASNET_SEQ
  CHECK_EQ(threads, 1);
#endif
  world_open();
  register_handlers(world.ep);
  open_other(seed % 2);
  for (gex_Rank_t i = 0; i < world.n; i++) model[i] = calloc(BLOCKS, BLOCK);
  for (int t = 0; t < THREADS; t++)
    for (int i = 0; i < SLOTS; i++) {
      slots[t][i].local = calloc(1, BLOCK + 4 * GUARD);
      slots[t][i].want = calloc(1, BLOCK + 4 * GUARD);
    }
  check_scratch();
  open_old_teams();
  world_barrier();
  for (phase = 0; phase < phases; phase++) run_phase();
  world_close();
  return 0;
}
