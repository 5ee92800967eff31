/*
 * random_wait.h: messages: some actors write to a PE and then tell it by a flag or a signal, in
 * each of the ways that promise an order; an actor there waits for the flags, in each of the ways
 * to wait, and finds what was written.
 */
#ifndef RANDOM_WAIT_H
#define RANDOM_WAIT_H

#include "shmem/random_amo.h"
#include "shmem/random_rma.h"

enum { SENDERS = 5 };
static struct group {
  int pe, region, type, senders, actors[SENDERS];
  size_t at;     /* of the flags, one for each sender or one for all */
  bool together; /* one signal to which all add */
  uint64_t before[SENDERS], after[SENDERS];
} groups[GROUPS];

enum wait_way { UNTIL, SPIN, ALL, ANY, SOME, TEST_ALL, TEST_ANY, TEST_SOME, WAIT_WAYS };

typedef struct {
  enum wait_way way;
  bool vector;
  void *at;
  size_t count;
  int cmp, *status;
  const uint64_t *values;
  size_t *found;
} wait_t;

/* Returns how many were found; their numbers are in found. */
#define WAIT_SET(T, N, f, ...)                                                                     \
  (w->vector ? shmem_##N##_##f##_vector(__VA_ARGS__, w->cmp, values)                               \
             : shmem_##N##_##f(__VA_ARGS__, w->cmp, values[0]))
#define WAIT_TYPE(FN, N, T)                                                                        \
  static size_t wait_##N(const wait_t *w) {                                                        \
    T values[SENDERS], *at = w->at;                                                                \
    for (size_t k = 0; k < w->count; k++) values[k] = (T)w->values[k];                             \
    switch (w->way) {                                                                              \
    case UNTIL:                                                                                    \
      for (size_t k = 0; k < w->count; k++)                                                        \
        if (!w->status[k]) shmem_##N##_wait_until(&at[k], w->cmp, values[k]);                      \
      return SIZE_MAX;                                                                             \
    case SPIN:                                                                                     \
      for (size_t k = 0; k < w->count; k++)                                                        \
        while (!w->status[k] && !shmem_##N##_test(&at[k], w->cmp, values[k])) continue;            \
      return SIZE_MAX;                                                                             \
    case ALL: WAIT_SET(T, N, wait_until_all, at, w->count, w->status); return SIZE_MAX;            \
    case TEST_ALL:                                                                                 \
      while (!WAIT_SET(T, N, test_all, at, w->count, w->status)) continue;                         \
      return SIZE_MAX;                                                                             \
    case ANY: w->found[0] = WAIT_SET(T, N, wait_until_any, at, w->count, w->status); return 1;     \
    case TEST_ANY:                                                                                 \
      do w->found[0] = WAIT_SET(T, N, test_any, at, w->count, w->status);                          \
      while (w->found[0] == SIZE_MAX);                                                             \
      return 1;                                                                                    \
    case SOME: return WAIT_SET(T, N, wait_until_some, at, w->count, w->found, w->status);          \
    default:                                                                                       \
      for (size_t k;;)                                                                             \
        if ((k = WAIT_SET(T, N, test_some, at, w->count, w->found, w->status)) > 0) return k;      \
    }                                                                                              \
  }
WEFT_TYPES_AMO(WAIT_TYPE, )
#define WAIT_ROW(FN, N, T) {sizeof(T), (T)-1 < (T)1, wait_##N, amo_##N},
static const struct {
  size_t size;
  bool is_signed;
  size_t (*call)(const wait_t *);
  void (*amo)(const amo_t *);
} wait_types[] = {WEFT_TYPES_AMO(WAIT_ROW, )};
enum { WAIT_TYPES = sizeof wait_types / sizeof *wait_types, WAIT_UINT64 = 9 };

/* ---- the plan -------------------------------------------------------------------------------- */

/* What an actor writes before the flag. */
static void plan_written(int actor, int pe, int ctx, int group) {
  if (chance(25)) {
    const int type = (int)draw(AMO_INT_TYPES), region = 1 + (int)draw(REGIONS - 1);
    const size_t size = amo_types[type].size, at = region_carve(region, pe, size, size);
    static const int ops[] = {SET, ADD, INC};
    if (at == SIZE_MAX) return;
    item_t *i = plan_amo_on(actor, pe, ctx, type, region, at, ops[draw(3)]);
    amo_model(i);
    i->mask = UINT64_MAX;
    i->group = group;
    return;
  }
  item_t *i = plan_rma(actor, pe, ctx, true);
  if (!i) return;
  i->group = group;
  if (i->verb == STORE) i->verb = PUT; /* a store is ordered by the default context only */
}

static void flag_model(struct group *g, int s, item_t *i) {
  const int cell = g->together ? 0 : s;
  const size_t size = wait_types[g->type].size;
  char *model = model_of(g->region, g->pe) + g->at + (size_t)cell * size;
  if (g->together || i->op == SHMEM_SIGNAL_ADD) {
    i->op = SHMEM_SIGNAL_ADD;
    i->value = g->together ? 1 + draw(3) : 1 + cut(draw64(), size) / 4;
    g->after[cell] = cut(cell_read(model, size) + i->value, size);
    if (g->after[cell] == g->before[cell]) i->value++, g->after[cell]++;
  } else {
    do i->value = cut(draw64(), size);
    while (i->value == g->before[cell]);
    g->after[cell] = i->value;
  }
  memcpy(model, &g->after[cell], size);
  i->cell_region = g->region;
  i->cell_type = g->type;
  i->cell_at = g->at + (size_t)cell * size;
}

/* The flag, by one of the ways that fit. (A put that cannot carry a signal stays, as one that the
 * flag does not tell of.) */
static void plan_flag(struct group *g, int group, int s, int actor, int ctx) {
  item_t *i = g->type == WAIT_UINT64 && chance(50) ? plan_rma(actor, g->pe, ctx, true) : NULL;
  if (i && i->verb == PUT) {
    i->verb = PUT_SIGNAL;
    i->group = group;
    i->nbi = i->place != STACK && i->place != STATIC && chance(40);
  } else {
    i = item_new(SIGNAL, actor, g->pe);
    i->cond = draw(4); /* how: by an atomic, signal_set or signal_add, p or put */
  }
  i->ctx = ctx;
  i->op = chance(50) ? SHMEM_SIGNAL_SET : SHMEM_SIGNAL_ADD;
  flag_model(g, s, i);
}

static void plan_message(int pe, int (*choose)(int actor, int pe)) {
  const int actors = n * threads;
  struct group *g = &groups[ngroups];
  *g = (struct group){.pe = pe, .region = 1 + (int)draw(REGIONS - 1), .together = chance(20)};
  g->type = g->together || chance(50) ? WAIT_UINT64 : (int)draw(WAIT_TYPES);
  g->senders = 1 + (int)draw((size_t)(actors < SENDERS ? actors : SENDERS));
  const size_t size = wait_types[g->type].size, cells = g->together ? 1 : (size_t)g->senders;
  if (ngroups == GROUPS || (g->at = region_carve(g->region, pe, cells * size, size)) == SIZE_MAX)
    return;
  const int first = nitems, shift = (int)draw((size_t)actors), group = ngroups;
#ifdef __SANITIZE_THREAD__ /* it knows no fences, so a message of another thread is a race to it   \
                            */
  for (int s = 0; s < g->senders; s++)
    if ((shift + s) % actors / threads == pe) return;
#endif
  ngroups++;
  for (size_t k = 0; k < cells; k++)
    g->before[k] = cell_read(model_of(g->region, pe) + g->at + k * size, size);
  uint32_t last = 0;
  for (int s = 0; s < g->senders; s++) {
    const int actor = g->actors[s] = (shift + s) % actors, from = nitems, ctx = choose(actor, pe);
    int flag_ctx = ctx;
    for (int k = (int)draw(4); k > 0; k--) plan_written(actor, pe, ctx, group);
    item_t *order = item_new(chance(60) ? FENCE : QUIET, actor, pe);
    order->ctx = ctx;
    if (order->verb == QUIET) flag_ctx = choose(actor, pe);
    plan_flag(g, group, s, actor, flag_ctx);
    if (items[nitems - 1].nbi || chance(30)) item_new(QUIET, actor, pe)->ctx = flag_ctx;
    items_in_order(nitems - from);
    if (items[nitems - 1].key > last) last = items[nitems - 1].key;
  }
  item_t *wait = item_new(WAIT, pe * threads + (int)draw((size_t)threads), pe);
  if (wait->key < last) wait->key = last;
  wait->cell_at = (size_t)first;
  wait->group = group;
  wait->op = (int)draw(WAIT_WAYS);
  wait->nbi = chance(50); /* a vector of values */
  wait->value = draw(4);  /* the comparison */
  wait->plain = chance(40);
}

/* ---- carrying it out ------------------------------------------------------------------------- */

static void flag_run(const item_t *i, shmem_ctx_t ctx, int pe) {
  void *at = regions[i->cell_region].base + i->cell_at;
  const bool add = i->op == SHMEM_SIGNAL_ADD;
  if (i->cond < 2 || (add && i->cell_type != WAIT_UINT64)) {
    amo_t c = {.op = add ? ADD : SET, .pe = pe, .ctx = ctx, .at = at, .value = i->value};
    wait_types[i->cell_type].amo(&c);
  } else if (i->cell_type == WAIT_UINT64 && (add || i->cond == 2)) {
    if (add)
      shmem_ctx_signal_add(ctx, at, i->value, pe);
    else
      shmem_ctx_signal_set(ctx, at, i->value, pe);
  } else if (wait_types[i->cell_type].size == 4) {
    if (i->plain)
      shmem_ctx_uint32_p(ctx, at, (uint32_t)i->value, pe);
    else
      shmem_ctx_put32(ctx, at, &i->value, 1, pe);
  } else if (i->plain)
    shmem_ctx_uint64_p(ctx, at, i->value, pe);
  else
    shmem_ctx_putmem(ctx, at, &i->value, 8, pe);
}

/* What sender s has written is here. */
static void group_look(const item_t *wait, int sender) {
  for (int k = 0; k < nitems; k++) {
    const item_t *i = &items[k];
    if (i->group != wait->group || i->actor != sender || (i->verb != AMO && !is_put(i))) continue;
    const size_t bytes = i->verb == AMO ? amo_types[i->type].size : span(i, i->far);
    const char *got = regions[i->region].base + i->at, *want = model_of(i->region, me) + i->at;
    const size_t at = differs(got, want, bytes);
    if (at == SIZE_MAX) continue;
    fprintf(stderr, "[pe %d/%d] the wait: ", me, n);
    item_tell(stderr, wait);
    fail(i, "the flag came before byte %zu of %zu: %#x, should be %#x", at, bytes,
         (unsigned char)got[at], (unsigned char)want[at]);
  }
}

static bool is_less(int type, uint64_t a, uint64_t b) {
  if (!wait_types[type].is_signed) return a < b;
  return wait_types[type].size == 4 ? (int32_t)a < (int32_t)b : (int64_t)a < (int64_t)b;
}

static void wait_run(const item_t *i) {
  const struct group *g = &groups[i->group];
  int status[SENDERS] = {0};
  size_t found[SENDERS], left = g->together ? 1 : (size_t)g->senders;
  const size_t all = left;
  const uint64_t *values = i->value % 2 ? g->before : g->after;
  const bool rises = is_less(g->type, g->before[0], g->after[0]);
  wait_t w = {.way = (enum wait_way)i->op,
              .vector = i->nbi || (all > 1 && i->op >= ALL),
              .at = regions[g->region].base + g->at,
              .count = left,
              .values = values,
              .found = found,
              .status = all == 1 && i->op >= ALL && i->plain ? NULL : status};
  if (g->together || i->value == 0)
    w.cmp = SHMEM_CMP_EQ, w.values = g->after;
  else if (i->value == 1 || all > 1)
    w.cmp = SHMEM_CMP_NE, w.values = g->before;
  else if (i->value == 2)
    w.cmp = rises ? SHMEM_CMP_GE : SHMEM_CMP_LE;
  else
    w.cmp = rises ? SHMEM_CMP_GT : SHMEM_CMP_LT;
  if (g->type == WAIT_UINT64 && all == 1 && i->plain) {
    uint64_t *at = w.at;
    if (i->value == 2)
      while (shmem_signal_fetch(at) != g->after[0]) continue;
    else if (shmem_signal_wait_until(at, SHMEM_CMP_EQ, g->after[0]) != g->after[0])
      fail(i, "shmem_signal_wait_until returned another value");
    left = 0;
  }
  while (left > 0) {
    const size_t count = wait_types[g->type].call(&w);
    if (count == SIZE_MAX) break;
    for (size_t k = 0; k < count; k++) {
      if (found[k] >= all || status[found[k]]) fail(i, "found number %zu, which is none", found[k]);
      status[found[k]] = 1;
      if (!g->together) group_look(i, g->actors[found[k]]);
    }
    left -= count;
  }
  for (int s = 0; s < g->senders; s++) group_look(i, g->actors[s]);
}

#endif
