/*
 * The random test: puts, gets, values, memset and non-contiguous transfers, and how operations of
 * all kinds are waited for.
 */
#ifndef TEST_GASNET_RANDOM_RMA_H
#define TEST_GASNET_RANDOM_RMA_H

#include "gasnet/random.h"
#define VIS_TM tm
#include <gasnet.h>

#include "gasnet/vis.h"

/* ---- waiting --------------------------------------------------------------------------------- */

static __thread gex_Event_t closed; /* of the last access region */

static void open_region(void) {
  for (int i = 0; i < SLOTS; i++)
    if (slots[thread][i].state == REGION) return;
  if (!region) gex_NBI_BeginAccessRegion(0);
  region = true;
}

static void close_region(void) {
  if (region) closed = gex_NBI_EndAccessRegion(0);
  region = false;
}

/* Another thread of this process may wait for a thread's event. */
static struct {
  gex_Event_t event;
  int is_over;
} gifts[THREADS];

static gex_Event_t take_gift(int from) {
  return __atomic_exchange_n(&gifts[from].event, GEX_EVENT_INVALID, __ATOMIC_ACQ_REL);
}
static void take_gifts(void) {
  for (int t = 0; t < (int)threads; t++) {
    const gex_Event_t event = t == thread ? GEX_EVENT_INVALID : take_gift(t);
    if (!event) continue;
    gex_Event_Wait(event);
    __atomic_store_n(&gifts[t].is_over, 1, __ATOMIC_RELEASE);
  }
}
static void give_away(gex_Event_t event) {
  __atomic_store_n(&gifts[thread].is_over, 0, __ATOMIC_RELAXED);
  __atomic_store_n(&gifts[thread].event, event, __ATOMIC_RELEASE);
  for (size_t left = chance(50); left > 0; left--) gasnet_AMPoll();
  const gex_Event_t back = take_gift(thread);
  if (back) return gex_Event_Wait(back);
  GASNET_BLOCKUNTIL(__atomic_load_n(&gifts[thread].is_over, __ATOMIC_ACQUIRE));
}

static void wait_for(gex_Event_t event) {
  if (threads > 1 && event && chance(5) == 0) return give_away(event);
  switch (chance(4)) {
  case 0:
    while (gex_Event_Test(event) != GASNET_OK) chance(2) ? (void)gasnet_AMPoll() : (void)0;
    break;
  case 1: gex_Event_WaitSome(&event, 1, 0); break;
  case 2: gex_Event_WaitAll(&event, 1, 0); break;
  default: gex_Event_Wait(event);
  }
}

/* The source may be used again. */
static void scribble(slot_t *s) {
  if (chance(2)) memset(local(s), 0x55, s->plan.n);
}

/* Several at a time, and this one: roots and leaves, which may stand before or behind them. */
static void wait_array(slot_t *s) {
  enum { BOTH = 2 * SLOTS };
  gex_Event_t array[BOTH];
  const size_t turn = chance(BOTH), mine = (turn + 2 * (size_t)(s - slots[thread])) % BOTH;
  for (size_t i = 0; i < SLOTS; i++) {
    const slot_t *of = &slots[thread][i];
    array[(turn + 2 * i) % BOTH] = of->state == EVENT ? of->event : GEX_EVENT_INVALID;
    array[(turn + 2 * i + 1) % BOTH] = of->state == EVENT ? of->leaf : GEX_EVENT_INVALID;
  }
  while (array[mine]) {
    const size_t how = chance(4);
    if (how == 0) gex_Event_WaitAll(array, BOTH, 0);
    if (how == 1) gex_Event_WaitSome(array, BOTH, 0);
    if (how == 2 && gex_Event_TestAll(array, BOTH, 0)) gasnet_AMPoll();
    if (how == 3 && gex_Event_TestSome(array, BOTH, 0)) gasnet_AMPoll();
  }
  for (size_t i = 0; i < SLOTS; i++) {
    slot_t *of = &slots[thread][i];
    const gex_Event_t event = array[(turn + 2 * i) % BOTH], leaf = array[(turn + 2 * i + 1) % BOTH];
    if (of->state != EVENT) continue;
    CHECK(event || !leaf);
    if (of->leaf && !leaf) scribble(of);
    of->event = event;
    of->leaf = leaf;
  }
}

static void wait_implicit(gex_EC_t category) {
  const gex_EC_t all = chance(2) ? GEX_EC_ALL : chance(2) ? category | GEX_EC_PUT : category;
  close_region();
  if (chance(3) == 0)
    while (gex_NBI_Test(all, 0) != GASNET_OK) chance(2) ? (void)gasnet_AMPoll() : (void)0;
  else
    gex_NBI_Wait(all, 0);
  for (int i = 0; i < SLOTS; i++)
    if (slots[thread][i].state == IMPLICIT && (slots[thread][i].category & all))
      is_event(&slots[thread][i], GEX_EVENT_INVALID);
}

static void wait_region(void) {
  close_region();
  for (gex_EC_t left = region_has; left; left &= left - 1)
    if (chance(4) == 0) wait_for(gex_Event_QueryLeaf(closed, left & -left));
  wait_for(closed);
  closed = GEX_EVENT_INVALID;
  region_has = 0;
  for (int i = 0; i < SLOTS; i++)
    if (slots[thread][i].state == REGION) is_event(&slots[thread][i], GEX_EVENT_INVALID);
}

/* ---- what a get has found -------------------------------------------------------------------- */

static void expect(slot_t *s, const void *want, size_t n) {
  memcpy(s->want + GUARD, want, n);
  memset(local(s) - GUARD, 0x77, n + 2 * GUARD);
}

static void look(slot_t *s) {
  const plan_t *p = &s->plan;
  char guard[GUARD];
  memset(guard, 0x77, GUARD);
  if (p->kind != GET && p->kind != GET_VIS) return;
  CHECK(memcmp(local(s), s->want + GUARD, p->n) == 0);
  CHECK(memcmp(local(s) - GUARD, guard, GUARD) == 0);
  CHECK(memcmp(local(s) + p->n, guard, GUARD) == 0);
}

static void look_at_word(slot_t *s);

static void settle(slot_t *s) {
  if (s->state == FREE) return;
  if (s->state == IMPLICIT) wait_implicit(s->category);
  if (s->state == REGION) wait_region();
  if (s->leaf && chance(3) == 0) {
    wait_for(s->leaf);
    s->leaf = GEX_EVENT_INVALID;
    scribble(s);
  }
  if (s->event && chance(2)) wait_array(s);
  if (s->event) wait_for(s->event);
  s->leaf = GEX_EVENT_INVALID;
  if (s->awaits) GASNET_BLOCKUNTIL(__atomic_load_n(&s->answered, __ATOMIC_ACQUIRE));
  look(s);
  look_at_word(s);
  s->state = FREE;
}

/* ---- contiguous ------------------------------------------------------------------------------ */

/* Immediate at first, if anything; PERFORMED says that it was done. */
#define INSISTING(performed)                                                                       \
  do {                                                                                             \
    gex_Flags_t flags = chance(4) ? 0 : GEX_FLAG_IMMEDIATE;                                        \
    while (!(performed))                                                                           \
      if (chance(3) == 0)                                                                          \
        flags = 0;                                                                                 \
      else                                                                                         \
        gasnet_AMPoll();                                                                           \
  } while (0)

static void put_nb(slot_t *s, gex_TM_t tm, gex_Rank_t rank) {
  gex_Event_t lc, event, *how = chance(3) ? &lc : chance(2) ? GEX_EVENT_NOW : GEX_EVENT_DEFER;
  INSISTING((event = gex_RMA_PutNB(tm, rank, there(&s->plan), local(s), s->plan.n, how, flags)) !=
            GEX_EVENT_NO_OP);
  if (how == &lc) s->leaf = lc;
  is_event(s, event);
  if (how == &lc && chance(2)) return; /* or the leaf goes with its root */
  if (how == &lc) wait_for(lc), s->leaf = GEX_EVENT_INVALID;
  if (how != GEX_EVENT_DEFER) scribble(s);
}

static void put_nbi(slot_t *s, gex_TM_t tm, gex_Rank_t rank) {
  gex_Event_t *how = chance(3)   ? GEX_EVENT_GROUP
                     : chance(2) ? GEX_EVENT_NOW
                                 : GEX_EVENT_DEFER;
  INSISTING(!gex_RMA_PutNBI(tm, rank, there(&s->plan), local(s), s->plan.n, how, flags));
  is_implicit(s, GEX_EC_PUT);
  if (how == GEX_EVENT_GROUP && region) region_has |= GEX_EC_LC;
  if (how == GEX_EVENT_GROUP && !region && chance(3)) {
    gex_NBI_Wait(GEX_EC_LC, 0);
    how = GEX_EVENT_NOW;
  }
  if (how == GEX_EVENT_NOW) scribble(s);
}

/* By GASNet-1's names, which know one endpoint. */
static void put_old(slot_t *s) {
  const plan_t *p = &s->plan;
  const size_t how = chance(6);
  is_event(s, GEX_EVENT_INVALID);
  switch (how) {
  case 0: gasnet_put(p->to, there(p), local(s), p->n); break;
  case 1: gasnet_put_bulk(p->to, there(p), local(s), p->n); break;
  case 2: s->event = gasnet_put_nb(p->to, there(p), local(s), p->n); break;
  case 3: s->event = gasnet_put_nb_bulk(p->to, there(p), local(s), p->n); break;
  case 4: gasnet_put_nbi(p->to, there(p), local(s), p->n); break;
  default: gasnet_put_nbi_bulk(p->to, there(p), local(s), p->n);
  }
  if (how > 3) is_implicit(s, GEX_EC_PUT);
  if (how != 3 && how != 5) scribble(s);
}
static void get_old(slot_t *s) {
  const plan_t *p = &s->plan;
  const size_t how = chance(4);
  is_event(s, GEX_EVENT_INVALID);
  switch (how) {
  case 0: gasnet_get(local(s), p->to, there(p), p->n); break;
  case 1: gasnet_get_bulk(local(s), p->to, there(p), p->n); break;
  case 2: s->event = gasnet_get_nb(local(s), p->to, there(p), p->n); break;
  default: gasnet_get_nbi_bulk(local(s), p->to, there(p), p->n);
  }
  if (how > 2) is_implicit(s, GEX_EC_GET);
}

static void put(slot_t *s, gex_TM_t tm, gex_Rank_t rank) {
  fill(local(s), s->plan.n, s->plan.seed);
  if (s->plan.block != OTHERS && chance(4) == 0) return put_old(s);
  switch (chance(3)) {
  case 0: put_nb(s, tm, rank); break;
  case 1: put_nbi(s, tm, rank); break;
  default:
    INSISTING(!gex_RMA_PutBlocking(tm, rank, there(&s->plan), local(s), s->plan.n, flags));
    is_event(s, GEX_EVENT_INVALID);
    scribble(s);
  }
}

static void put_value(slot_t *s, gex_TM_t tm, gex_Rank_t rank) {
  const plan_t *p = &s->plan;
  gex_RMA_Value_t value = mix(p->seed, 1); /* more than what is put */
  gex_Event_t event = GEX_EVENT_INVALID;
  fill(&value, p->n, p->seed);
  switch (chance(3)) {
  case 0:
    INSISTING((event = gex_RMA_PutNBVal(tm, rank, there(p), value, p->n, flags)) !=
              GEX_EVENT_NO_OP);
    is_event(s, event);
    break;
  case 1:
    INSISTING(!gex_RMA_PutNBIVal(tm, rank, there(p), value, p->n, flags));
    is_implicit(s, GEX_EC_PUT);
    break;
  default:
    INSISTING(!gex_RMA_PutBlockingVal(tm, rank, there(p), value, p->n, flags));
    is_event(s, GEX_EVENT_INVALID);
  }
}

static void put_bytes(slot_t *s) { /* of one value: GASNet-1 has that */
  const plan_t *p = &s->plan;
  const int byte = (int)(p->seed & 0xff);
  is_event(s, GEX_EVENT_INVALID);
  switch (chance(3)) {
  case 0: s->event = gasnet_memset_nb(p->to, there(p), byte, p->n); break;
  case 1:
    gasnet_memset_nbi(p->to, there(p), byte, p->n);
    is_implicit(s, GEX_EC_PUT);
    break;
  default: gasnet_memset(p->to, there(p), byte, p->n);
  }
}

static void get(slot_t *s, gex_TM_t tm, gex_Rank_t rank) {
  const plan_t *p = &s->plan;
  gex_Event_t event = GEX_EVENT_INVALID;
  expect(s, in_model(p), p->n);
  if (p->block != OTHERS && chance(4) == 0) return get_old(s);
  switch (chance(3)) {
  case 0:
    INSISTING((event = gex_RMA_GetNB(tm, local(s), rank, there(p), p->n, flags)) !=
              GEX_EVENT_NO_OP);
    is_event(s, event);
    break;
  case 1:
    INSISTING(!gex_RMA_GetNBI(tm, local(s), rank, there(p), p->n, flags));
    is_implicit(s, GEX_EC_GET);
    break;
  default:
    INSISTING(!gex_RMA_GetBlocking(tm, local(s), rank, there(p), p->n, flags));
    is_event(s, GEX_EVENT_INVALID);
  }
}

static void get_value(slot_t *s, gex_TM_t tm, gex_Rank_t rank) {
  const plan_t *p = &s->plan;
  gex_RMA_Value_t want = 0, got;
  memcpy(&want, in_model(p), p->n);
  if (p->block == OTHERS || chance(3))
    got = gex_RMA_GetBlockingVal(tm, rank, there(p), p->n, 0);
  else
    got = gasnet_wait_syncnb_valget(gasnet_get_nb_val(p->to, there(p), p->n));
  CHECK_EQ(got, want);
  is_event(s, GEX_EVENT_INVALID);
}

/* ---- non-contiguous -------------------------------------------------------------------------- */

typedef struct layout {
  enum vis_kind kind;
  vis_size_t size;
  vis_side_t dst, src;
} layout_t;

/* dst and src: where the regions begin. */
static void lay_out(layout_t *l, const plan_t *p, char *dst, char *src) {
  vis_seed = p->seed;
  l->kind = (enum vis_kind)vis_random(VIS_KINDS);
  l->size = vis_size();
  vis_lay(l->kind, &l->dst, dst, &l->size);
  vis_lay(l->kind, &l->src, src, &l->size);
}

enum { PEER_HANDLER = 250 };
/* Does its target get a message when it has arrived? */
#define HAS_PEER(p) ((p)->seed % 4 == 0)

static void put_vis(slot_t *s, gex_TM_t tm, gex_Rank_t rank) {
  static layout_t layouts[THREADS][SLOTS];
  layout_t *l = &layouts[thread][s - slots[thread]];
  const gex_Flags_t leaf = chance(2) ? GEX_FLAG_ENABLE_LEAF_LC : 0;
  uint32_t payload[2] = {s->plan.seed, s->plan.block == OTHERS};
  gex_Event_t event = GEX_EVENT_INVALID;
  fill(local(s), VIS_REGION, s->plan.seed);
  lay_out(l, &s->plan, there(&s->plan), local(s));
  const bool peer = HAS_PEER(&s->plan);
  if (peer) gex_VIS_SetPeerCompletionHandler(PEER_HANDLER, payload, sizeof payload, 0);
#define AS(form) VIS_PUT(form, l->kind, rank, &l->dst, &l->src, &l->size, leaf | (peer ? 0 : flags))
  switch (chance(3)) {
  case 0:
    INSISTING((event = AS(NB)) != GEX_EVENT_NO_OP);
    if (leaf) s->leaf = gex_Event_QueryLeaf(event, GEX_EC_LC);
    if (leaf) CHECK(s->leaf == gex_Event_QueryLeaf(event, GEX_EC_LC));
    is_event(s, event);
    break;
  case 1:
    INSISTING(!AS(NBI));
    is_implicit(s, GEX_EC_PUT);
    if (leaf && region) region_has |= GEX_EC_LC;
    if (!leaf || region || chance(2)) break;
    gex_NBI_Wait(GEX_EC_LC, 0);
    scribble(s);
    break;
  default:
    INSISTING(!AS(Blocking));
    is_event(s, GEX_EVENT_INVALID);
    scribble(s);
  }
#undef AS
}

static void get_vis(slot_t *s, gex_TM_t tm, gex_Rank_t rank) {
  static layout_t layouts[THREADS][SLOTS];
  layout_t *l = &layouts[thread][s - slots[thread]];
  gex_Event_t event = GEX_EVENT_INVALID;
  static __thread char old[VIS_REGION];
  memset(old, 0x66, VIS_REGION);
  lay_out(l, &s->plan, local(s), there(&s->plan));
  vis_model(old, &l->dst, (const char *)in_model(&s->plan), &l->src, l->size.bytes);
  expect(s, old, VIS_REGION);
  memset(local(s), 0x66, VIS_REGION);
#define AS(form) VIS_GET(form, l->kind, rank, &l->dst, &l->src, &l->size, flags)
  switch (chance(3)) {
  case 0:
    INSISTING((event = AS(NB)) != GEX_EVENT_NO_OP);
    is_event(s, event);
    break;
  case 1:
    INSISTING(!AS(NBI));
    is_implicit(s, GEX_EC_GET);
    break;
  default:
    INSISTING(!AS(Blocking));
    is_event(s, GEX_EVENT_INVALID);
  }
#undef AS
}

/* What a put leaves in the model. */
static void model_put(const plan_t *p) {
  static __thread char source[VIS_REGION];
  static __thread layout_t layout;
  if (p->kind == PUT || p->kind == PUT_VALUE || (p->kind == MESSAGE && p->category == LONG))
    fill(in_model(p), p->n, p->seed);
  if (p->kind == FILL) memset(in_model(p), (int)(p->seed & 0xff), p->n);
  if (p->kind != PUT_VIS) return;
  fill(source, VIS_REGION, p->seed);
  lay_out(&layout, p, there(p), source);
  vis_model((char *)in_model(p), &layout.dst, source, &layout.src, layout.size.bytes);
}

#endif
