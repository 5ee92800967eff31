/*
 * random_amo.h: atomics of all types. A cell is used by one actor, whose results are known, or by
 * several whose operations commute: then each has a bit of its own, and a result shows some of the
 * others' bits.
 */
#ifndef RANDOM_AMO_H
#define RANDOM_AMO_H

#include "shmem/random_plan.h"

/* FADD to FXOR are in the order of ADD to XOR. */
enum amo { FETCH, SET, SWAP, CSWAP, FINC, INC, FADD, FAND, FOR, FXOR, ADD, AND, OR, XOR, CAS_INC };

typedef struct {
  int op, pe;
  bool nbi, plain;
  shmem_ctx_t ctx;
  void *at;
  uint64_t value, cond; /* bits */
  void *fetch;          /* the result */
} amo_t;

#define AMO_RESULT(T, f, ...)                                                                      \
  do {                                                                                             \
    T *to = c->fetch;                                                                              \
    if (c->nbi) {                                                                                  \
      if (c->plain)                                                                                \
        shmem_##f##_nbi(to, __VA_ARGS__);                                                          \
      else                                                                                         \
        shmem_ctx_##f##_nbi(c->ctx, to, __VA_ARGS__);                                              \
    } else                                                                                         \
      *to = c->plain ? shmem_##f(__VA_ARGS__) : shmem_ctx_##f(c->ctx, __VA_ARGS__);                \
  } while (0)
#define AMO_EXTENDED(N, T)                                                                         \
  T *at = c->at, v, cond;                                                                          \
  memcpy(&v, &c->value, sizeof v);                                                                 \
  memcpy(&cond, &c->cond, sizeof cond);                                                            \
  (void)cond;                                                                                      \
  switch (c->op) {                                                                                 \
  case FETCH: AMO_RESULT(T, N##_atomic_fetch, at, c->pe); return;                                  \
  case SET: CTX_CALL(N##_atomic_set, at, v, c->pe); return;                                        \
  case SWAP: AMO_RESULT(T, N##_atomic_swap, at, v, c->pe); return;                                 \
  }
#define AMO_STANDARD(N, T)                                                                         \
  switch (c->op) {                                                                                 \
  case CSWAP: AMO_RESULT(T, N##_atomic_compare_swap, at, cond, v, c->pe); return;                  \
  case FINC: AMO_RESULT(T, N##_atomic_fetch_inc, at, c->pe); return;                               \
  case INC: CTX_CALL(N##_atomic_inc, at, c->pe); return;                                           \
  case FADD: AMO_RESULT(T, N##_atomic_fetch_add, at, v, c->pe); return;                            \
  case ADD: CTX_CALL(N##_atomic_add, at, v, c->pe); return;                                        \
  }
#define AMO_BITWISE(N, T)                                                                          \
  switch (c->op) {                                                                                 \
  case FAND: AMO_RESULT(T, N##_atomic_fetch_and, at, v, c->pe); return;                            \
  case FOR: AMO_RESULT(T, N##_atomic_fetch_or, at, v, c->pe); return;                              \
  case FXOR: AMO_RESULT(T, N##_atomic_fetch_xor, at, v, c->pe); return;                            \
  case AND: CTX_CALL(N##_atomic_and, at, v, c->pe); return;                                        \
  case OR: CTX_CALL(N##_atomic_or, at, v, c->pe); return;                                          \
  case XOR: CTX_CALL(N##_atomic_xor, at, v, c->pe); return;                                        \
  }
#define AMO_TYPE(FN, N, T)                                                                         \
  static void amo_##N(const amo_t *c) {                                                            \
    AMO_EXTENDED(N, T) AMO_STANDARD(N, T)                                                          \
  }
#define AMO_TYPE_BITS(FN, N, T)                                                                    \
  static void amo_bits_##N(const amo_t *c) {                                                       \
    AMO_EXTENDED(N, T) AMO_STANDARD(N, T) AMO_BITWISE(N, T)                                        \
  }
#define AMO_TYPE_REAL(FN, N, T)                                                                    \
  static void amo_##N(const amo_t *c) {                                                            \
    AMO_EXTENDED(N, T)                                                                             \
  }
WEFT_TYPES_AMO(AMO_TYPE, )
WEFT_TYPES_BITWISE(AMO_TYPE_BITS, )
WEFT_TYPES_REAL(AMO_TYPE_REAL, )

enum { AMO_BITS_TYPES = 7, AMO_INT_TYPES = 19, AMO_TYPES = 21 };
#define AMO_ROW(FN, N, T) {sizeof(T), amo_##N},
#define AMO_ROW_BITS(FN, N, T) {sizeof(T), amo_bits_##N},
static const struct {
  size_t size;
  void (*call)(const amo_t *);
} amo_types[] = {WEFT_TYPES_BITWISE(AMO_ROW_BITS, ) WEFT_TYPES_AMO(AMO_ROW, )
                     WEFT_TYPES_REAL(AMO_ROW, )};

static bool amo_fetches(int op) {
  return op == FETCH || op == SWAP || op == CSWAP || op == FINC || (op >= FADD && op <= FXOR);
}

static uint64_t amo_result(int op, uint64_t old, uint64_t value, uint64_t cond) {
  switch (op) {
  case FETCH: return old;
  case SET:
  case SWAP: return value;
  case CSWAP: return old == cond ? value : old;
  case FINC:
  case CAS_INC:
  case INC: return old + 1;
  case FADD:
  case ADD: return old + value;
  case FAND:
  case AND: return old & value;
  case FOR:
  case OR: return old | value;
  default: return old ^ value;
  }
}

/* ---- the plan -------------------------------------------------------------------------------- */

static item_t *plan_amo_on(int actor, int pe, int ctx, int type, int region, size_t at, int op) {
  item_t *i = item_new(AMO, actor, pe);
  char *model = model_of(region, pe) + at;
  const size_t size = amo_types[type].size;
  const uint64_t old = cell_read(model, size);
  i->ctx = ctx;
  i->type = type;
  i->region = region;
  i->at = at;
  i->op = op;
  i->nbi = amo_fetches(op) && chance(30);
  i->value = cut(draw64(), size);
  i->cond = chance(60) ? old : cut(draw64(), size);
  i->want = old;
  return i;
}

static void amo_model(const item_t *i) {
  char *model = model_of(i->region, i->pe) + i->at;
  const size_t size = amo_types[i->type].size;
  const uint64_t now = amo_result(i->op, cell_read(model, size), i->value, i->cond);
  memcpy(model, &now, size);
}

static int any_int_op(int type, bool commuting) {
  static const int all[] = {CSWAP, FINC, INC, FADD, ADD, FETCH, SET,
                            SWAP,  FAND, FOR, FXOR, AND, OR,    XOR};
  (void)commuting;
  if (type >= AMO_INT_TYPES) return (int)draw(3);
  return all[draw(type < AMO_BITS_TYPES ? 14 : 8)];
}

/* One actor, and what it does there is complete before it goes on. */
static void plan_amo_one(int actor, int pe, int ctx) {
  const int type = (int)draw(AMO_TYPES), region = 1 + (int)draw(REGIONS - 1);
  const size_t at = region_carve(region, pe, amo_types[type].size, amo_types[type].size);
  if (at == SIZE_MAX) return;
  int made = 0;
  for (int left = 1 + (int)draw(6); left > 0; left--) {
    item_t *i = plan_amo_on(actor, pe, ctx, type, region, at, any_int_op(type, false));
    i->mask = UINT64_MAX;
    amo_model(i);
    made++;
    if (!i->nbi && amo_fetches(i->op)) continue;
    item_new(QUIET, actor, pe)->ctx = ctx;
    made++;
  }
  items_in_order(made);
}

/* Several actors, each operation with a bit of its own. choose: the context for an actor. */
static void plan_amo_many(int pe, int (*choose)(int actor, int pe)) {
  static const int kinds[][2] = {{FADD, ADD}, {FXOR, XOR}, {FOR, OR},
                                 {FAND, AND}, {FINC, INC}, {CAS_INC, CAS_INC}};
  const int *ops = kinds[draw(6)], region = 1 + (int)draw(REGIONS - 1);
  const int type =
      (int)draw(ops[0] == FXOR || ops[0] == FOR || ops[0] == FAND ? AMO_BITS_TYPES : AMO_INT_TYPES);
  const size_t size = amo_types[type].size, at = region_carve(region, pe, size, size);
  const int first = nitems, count = 2 + (int)draw(14), shift = (int)draw(8 * size - 16);
  if (at == SIZE_MAX) return;
  for (int k = 0; k < count; k++) {
    const int actor = (int)draw((size_t)(n * threads));
    item_t *i = plan_amo_on(actor, pe, choose(actor, pe), type, region, at, ops[draw(2)]);
    i->value = (uint64_t)1 << (k + shift);
    if (i->op == FAND || i->op == AND) i->value = cut(~i->value, size);
  }
  const uint64_t before = items[first].want;
  for (int k = first; k < nitems; k++) amo_model(&items[k]);
  const uint64_t after = cell_read(model_of(region, pe) + at, size);
  for (int k = first; k < nitems; k++) {
    items[k].mask = 0;
    items[k].want = before;
    items[k].cond = after;
  }
}

/* ---- carrying it out ------------------------------------------------------------------------- */

static void amo_prepare(item_t *i) {
  i->buffer = i->room = malloc(8);
  memset(i->room, 0x66, 8);
}

/* The result, when it is there. */
static void amo_check(item_t *i) {
  if (i->is_done) return;
  i->is_done = true;
  if (!amo_fetches(i->op)) return;
  const size_t size = amo_types[i->type].size;
  const uint64_t got = cell_read(i->room, size), own = i->value;
  if (i->mask) {
    if (got != i->want)
      fail(i, "fetched %#llx, not %#llx", (unsigned long long)got, (unsigned long long)i->want);
    return;
  }
  const uint64_t before = i->want, after = i->cond;
  bool good = true;
  switch (i->op) {
  case FINC: good = cut(got - before, size) < cut(after - before, size); break;
  case FADD:
    good = !(cut(got - before, size) & ~cut(after - before, size)) && !((got - before) & own);
    break;
  case FXOR: good = !((got ^ before) & ~(after ^ before)) && !((got ^ before) & own); break;
  case FOR:
    good = (got & before) == before && (got | after) == after && !(got & own & ~before);
    break;
  case FAND:
    good = (got & before) == got && (got & after) == after && !(before & ~own & ~got);
    break;
  }
  if (!good)
    fail(i, "fetched %#llx, of a cell that was %#llx and becomes %#llx", (unsigned long long)got,
         (unsigned long long)before, (unsigned long long)after);
}

static void amo_run(item_t *i, shmem_ctx_t ctx, int pe) {
  const size_t size = amo_types[i->type].size;
  amo_t c = {.op = i->op,
             .pe = pe,
             .nbi = i->nbi,
             .plain = i->plain && ctx == SHMEM_CTX_DEFAULT,
             .ctx = ctx,
             .at = regions[i->region].base + i->at,
             .value = i->value,
             .cond = i->cond,
             .fetch = i->room};
  if (i->op == CAS_INC) {
    c.op = CSWAP;
    for (c.cond = cut(i->want, size);; c.cond = cell_read(i->room, size)) {
      c.value = cut(c.cond + 1, size);
      amo_types[i->type].call(&c);
      if (cell_read(i->room, size) == c.cond) break;
    }
  } else
    amo_types[i->type].call(&c);
  if (!i->nbi) amo_check(i);
}

#endif
