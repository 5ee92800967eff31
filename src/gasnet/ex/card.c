/*
 * card.c: where the segments of other PEs' endpoints are. Each PE keeps a card per endpoint in
 * symmetric memory, which others read when they want to know; and the table weft_gex.disp, which
 * goes by the primordial endpoints' cards.
 *
 * Memory of the client's that became a segment is at the client's address for its owner, but
 * elsewhere in the owner's slot: "base" is the difference, and takes the place of the window's base
 * in the displacement.
 */
#include <stdlib.h>
#include <string.h>

#include "am/am.h"
#include "coll/coll.h"
#include "gasnet/ex/internal.h"
#include "rma/rma.h"
#include "runtime/runtime.h"

static struct {
  weft_gex_card_t *mine; /* GASNET_MAXEPS, at the same slot offset everywhere */
  uintptr_t off;
  uintptr_t *exact, *carry; /* NULL: weft_job.disp and weft_direct.disp are right */
  weft_lock_t lock;         /* of what follows */
  weft_gex_card_t **known;  /* per PE of another node, or NULL: GASNET_MAXEPS; those that are bound
                               never change again */
  struct {                  /* one that is on its way for who may not wait */
    weft_op_t op;
    bool asked;
    long pe;
    unsigned index;
    weft_gex_card_t card;
  } ahead;
} cards;

void weft_gex_card_set(const struct weft_gex_ep *ep) {
  weft_gex_card_t *c = &cards.mine[ep->index];
  const struct weft_gex_segment *s = ep->segment;
  c->base = s ? s->base : weft_job.window.base;
  c->addr = s ? (uintptr_t)s->addr : 0;
  weft_publish(&c->size, s ? s->size : 0); /* last: a reader that sees it sees all */
}

/* ---- of other nodes: each is fetched once, when it is bound ---------------------------------- */

static bool is_known(long pe, unsigned index, weft_gex_card_t *card) {
  weft_gex_card_t **known = weft_observe(&cards.known);
  const weft_gex_card_t *of = known ? weft_observe(&known[pe]) : NULL;
  if (!of || !(card->size = weft_observe(&of[index].size))) return false;
  card->addr = of[index].addr;
  card->base = of[index].base;
  return true;
}

static void *new_zeros(size_t n, size_t size) {
  void *p = calloc(n, size);
  if (!p) weft_fatal("GASNet: no memory for the endpoints of %d PEs", weft_job.npes);
  return p;
}

/* Its caller holds the lock. */
static void remember(long pe, unsigned index, const weft_gex_card_t *card) {
  if (!card->size) return;
  if (!cards.known)
    weft_publish(&cards.known, new_zeros((size_t)weft_job.npes, sizeof(weft_gex_card_t *)));
  if (!cards.known[pe])
    weft_publish(&cards.known[pe], new_zeros(GASNET_MAXEPS, sizeof(weft_gex_card_t)));
  weft_gex_card_t *c = &cards.known[pe][index];
  if (c->size) return;
  c->base = card->base;
  c->addr = card->addr;
  weft_publish(&c->size, card->size); /* last: see is_known */
}

static void fetch(long pe, unsigned index, weft_gex_card_t *card) {
  weft_rma_get((int)pe, cards.off + index * sizeof *card, card, sizeof *card);
  weft_lock(&cards.lock);
  remember(pe, index, card);
  weft_unlock(&cards.lock);
}

/* Without a wait: true if it has come that was asked for before; otherwise it is asked for. */
static bool fetch_ahead(long pe, unsigned index, weft_gex_card_t *card) {
  bool came = false;
  weft_lock(&cards.lock);
  if (cards.ahead.asked && weft_op_is_done(&cards.ahead.op)) {
    came = cards.ahead.pe == pe && cards.ahead.index == index;
    if (came) *card = cards.ahead.card;
    remember(cards.ahead.pe, cards.ahead.index, &cards.ahead.card);
    cards.ahead.asked = false;
  }
  if (!came && !cards.ahead.asked) {
    cards.ahead.pe = pe;
    cards.ahead.index = index;
    cards.ahead.asked = weft_rma_get_begin((int)pe, cards.off + index * sizeof *card,
                                           &cards.ahead.card, sizeof *card, &cards.ahead.op, true);
  }
  weft_unlock(&cards.lock);
  return came;
}

bool weft_gex_card_get(long pe, unsigned index, bool quick, weft_gex_card_t *card) {
  char *slot = weft_job_slot((int)pe);
  if (weft_unlikely(index >= GASNET_MAXEPS)) { /* no process has that one */
    *card = (weft_gex_card_t){.base = weft_job_base_of((int)pe)};
    return true;
  }
  if (slot) {
    weft_gex_card_t *c = (weft_gex_card_t *)(slot + cards.off) + index;
    card->size = weft_observe(&c->size);
    card->addr = c->addr;
    card->base = c->base;
    return true;
  }
  if (is_known(pe, index, card)) return true;
  if (quick) return fetch_ahead(pe, index, card);
  fetch(pe, index, card);
  return true;
}

/* ---- weft_gex.disp --------------------------------------------------------------------------- */

static void *new_table(void) {
  uintptr_t *table = malloc((size_t)weft_job.npes * sizeof *table);
  if (!table) weft_fatal("GASNet: no memory for a table of %d PEs", weft_job.npes);
  return table;
}

/* What is added to an address of this PE's: exact, or (carry) so that it always carries where
 * inline functions must not go on: operations are checked or recorded, or the PE's base is above
 * where it is seen here. */
static void set(long pe, uint64_t base) {
  const uintptr_t slot = (uintptr_t)weft_job_slot((int)pe);
  const bool self = pe == weft_job.pe, away = weft_direct.disp != weft_job.disp;
  weft_poke(&cards.exact[pe], self ? 0 : slot - base); /* another thread may run messages */
  cards.carry[pe] = away || (!self && slot < base) ? -(uintptr_t)base : cards.exact[pe];
}

/* Two, which may be changed. */
static void own_tables(void) {
  const size_t bytes = (size_t)weft_job.npes * sizeof *cards.exact;
  if (!cards.exact) {
    cards.exact = new_table();
    memcpy(cards.exact, weft_job.owner, bytes);
  }
  if (!cards.carry || cards.carry == cards.exact) {
    cards.carry = new_table();
    memcpy(cards.carry, cards.exact, bytes);
  }
}

uintptr_t weft_gex_offset(long pe) {
  if (!weft_job_slot((int)pe)) return SIZE_MAX;
  return cards.exact ? cards.exact[pe] : weft_job.disp[pe];
}

uintptr_t weft_gex_shift(long pe) {
  const uintptr_t disp = cards.carry ? cards.carry[pe] : weft_job.disp[pe];
  if ((intptr_t)disp < 0) return disp; /* minus the owner's base */
  return disp - (uintptr_t)weft_job_here((int)pe, 0);
}

/* With WEFT_CHECK=1 inline functions use the table of checked operations, which has a place for
 * every number that a rank can be. */
static void use_tables(void) {
  weft_am_owners(WEFT_AM_CLIENTS, WEFT_AM_HANDLERS - WEFT_AM_CLIENTS, cards.exact);
  weft_publish(&weft_gex.disp, weft_options.check ? weft_direct.disp : cards.carry);
  weft_gex_rma_tables();
}

/* If a base is not what everybody took it for. Members of other nodes are asked together. */
void weft_gex_cards_learn(gex_TM_t tm) {
  if (tm == weft_gex.tm0 && weft_coll_agree(cards.mine[0].base == weft_job.window.base)) return;
  own_tables();
  weft_gex_card_t *of = new_zeros(tm->size, sizeof *of);
  weft_op_t op = {.unordered = true};
  for (gex_Rank_t r = 0; r < tm->size; r++) {
    const long pe = weft_gex_to(tm, r);
    if (weft_job_slot((int)pe) || is_known(pe, 0, &of[r]))
      weft_gex_card_get(pe, 0, false, &of[r]);
    else
      weft_rma_get_begin((int)pe, cards.off, &of[r], sizeof *of, &op, false);
  }
  weft_op_wait(&op);
  weft_lock(&cards.lock);
  for (gex_Rank_t r = 0; r < tm->size; r++) {
    const long pe = weft_gex_to(tm, r);
    if (!weft_job_slot((int)pe)) remember(pe, 0, &of[r]);
    set(pe, of[r].base);
  }
  weft_unlock(&cards.lock);
  free(of);
  use_tables();
}

/* Where windows lie anywhere (address randomisation), job knows the owners' addresses; and inline
 * functions must not go on where operations are checked or recorded. */
static void begin_with_owners(void) {
  own_tables();
  for (int pe = 0; pe < weft_job.npes; pe++) set(pe, weft_job_base_of(pe));
  if (memcmp(cards.carry, cards.exact, (size_t)weft_job.npes * sizeof *cards.exact) == 0) {
    free(cards.carry);
    cards.carry = cards.exact;
  }
  use_tables();
}

void weft_gex_cards_start(void) {
  cards.mine = weft_symmetric_alloc(64, GASNET_MAXEPS * sizeof *cards.mine, "gex_Client_Init");
  if (!cards.mine) weft_fatal("gex_Client_Init: no room in the symmetric heap");
  cards.off = weft_job_offset(cards.mine);
  for (int i = 0; i < GASNET_MAXEPS; i++)
    cards.mine[i] = (weft_gex_card_t){.base = weft_job.window.base};
  weft_gex.disp = weft_job.disp;
  weft_gex_rma_tables();
  if (weft_job.owner != weft_job.disp || weft_direct.disp != weft_job.disp) begin_with_owners();
}

/* ---- for the inline functions ---------------------------------------------------------------- */

/* What is added there is minus the base of the primordial endpoint, as this PE knows it. */
WEFT_API long weft_gex_target(gex_TM_t tm, gex_Rank_t rank, uintptr_t *address) {
  weft_gex_card_t card;
  long pe = weft_gex_pe(tm, rank);
  unsigned index = weft_gex_pair_remote(tm);
  if (index == 0 || weft_gex.disp[pe] == 0) return pe; /* this PE's own addresses are as they are */
  weft_gex_card_get(pe, index, false, &card);
  *address -= weft_gex_shift(pe) + card.base;
  return pe;
}
