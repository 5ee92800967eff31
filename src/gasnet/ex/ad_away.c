/*
 * ad_away.c: atomics that are not one instruction on this node: to other nodes, where they are
 * records (src/rma); and those that the processor does in a loop.
 */
#include <stdlib.h>
#include <string.h>

#include "gasnet/ex/ad.h"
#include "gasnet/ex/rma.h"

/* ---- what is to be done ---------------------------------------------------------------------- */

typedef struct task {
  enum weft_amo amo;
  size_t width;
  uint64_t operand, cond;
  void *result; /* NULL: not fetching */
  weft_gex_place_t target;
} task_t;

/* For each operation (by the bit of its form that does not fetch): what it is for unsigned, signed
 * and real words, and what its operand is. */
enum { UNSIGNED, SIGNED, REAL };
enum operand { GIVEN, NEGATIVE, ONE, MINUS_ONE, COMPARE };
#define ANY(name) {WEFT_AMO_##name, WEFT_AMO_##name, WEFT_AMO_##name}
#define ARITHMETIC(name) {WEFT_AMO_##name, WEFT_AMO_##name, WEFT_AMO_##name##_R}
#define ORDER(name) {WEFT_AMO_##name, WEFT_AMO_##name##_S, WEFT_AMO_##name##_R}
static const struct {
  uint8_t amo[3];
  uint8_t operand;
} plans[] = {{ANY(AND), GIVEN},           {ANY(OR), GIVEN},
             {ANY(XOR), GIVEN},           {ARITHMETIC(ADD), GIVEN},
             {ARITHMETIC(ADD), NEGATIVE}, {ARITHMETIC(MULT), GIVEN},
             {ORDER(MIN), GIVEN},         {ORDER(MAX), GIVEN},
             {ARITHMETIC(ADD), ONE},      {ARITHMETIC(ADD), MINUS_ONE},
             {ANY(SET), GIVEN},           {ANY(CSWAP), COMPARE}};
_Static_assert(GEX_OP_AND == 1 && GEX_OP_CAS == 1 << (WEFT_ARRAY_LEN(plans) - 1),
               "a plan for each bit");

static uint64_t bits_of_one(gex_DT_t dt) {
  return dt == GEX_DT_FLT ? 0x3f800000 : dt == GEX_DT_DBL ? 0x3ff0000000000000 : 1;
}

/* a - b is a + (-b), for reals too: there only the sign is another. */
static uint64_t negative(gex_DT_t dt, uint64_t operand) {
  return dt == GEX_DT_FLT   ? operand ^ (uint64_t)1 << 31
         : dt == GEX_DT_DBL ? operand ^ (uint64_t)1 << 63
                            : -operand;
}

static task_t plan(const weft_gex_amo_t *a) {
  const gex_DT_t signs = GEX_DT_I32 | GEX_DT_I64, reals = GEX_DT_FLT | GEX_DT_DBL;
  const int kind = a->dt & reals ? REAL : a->dt & signs ? SIGNED : UNSIGNED;
  const bool fetches = a->op >= GEX_OP_FAND;
  const unsigned bit = (unsigned)__builtin_ctz(fetches ? GEX_OP_TO_NONFETCHING(a->op) : a->op);
  task_t t = {.amo = WEFT_AMO_FETCH,
              .operand = a->a,
              .width = a->dt & (GEX_DT_I64 | GEX_DT_U64 | GEX_DT_DBL) ? 8 : 4,
              .result = fetches ? a->result : NULL};
  if (a->op == GEX_OP_GET) return t;
  if (weft_unlikely(bit >= WEFT_ARRAY_LEN(plans)))
    weft_fatal("gex_AD_Op: %#x is no operation of atomics", a->op);
  t.amo = a->op == GEX_OP_SWAP ? WEFT_AMO_SWAP : (enum weft_amo)plans[bit].amo[kind];
  switch ((enum operand)plans[bit].operand) {
  case GIVEN: break;
  case NEGATIVE: t.operand = negative(a->dt, a->a); break;
  case ONE: t.operand = bits_of_one(a->dt); break;
  case MINUS_ONE: t.operand = negative(a->dt, bits_of_one(a->dt)); break;
  case COMPARE:
    t.cond = a->a;
    t.operand = a->b;
    break;
  }
  return t;
}

static WEFT_COLD void check(const weft_gex_amo_t *a, size_t width) {
  if (a->dt != a->ad->dt)
    weft_fatal("gex_AD_Op: the domain is for data type %#x, not %#x", a->ad->dt, a->dt);
  if (!(a->op & a->ad->ops) || (a->op & (a->op - 1)))
    weft_fatal("gex_AD_Op: operation %#x is not one of the domain's (%#x)", a->op, a->ad->ops);
  if (a->target % width)
    weft_fatal("gex_AD_Op: target %#zx is not aligned to %zu bytes", (size_t)a->target, width);
}

/* ---- the two ways to be told ----------------------------------------------------------------- */

/* On this node: done. */
static bool done_here(const weft_gex_amo_t *a, const task_t *t) {
  if (weft_likely(!t->target.here)) return false;
  if (a->flags & GEX_FLAG_AD_REL) weft_fence_full();
  const uint64_t old = weft_data_apply(t->target.here, t->amo, t->width, t->operand, t->cond);
  if (a->flags & GEX_FLAG_AD_ACQ) weft_fence_full();
  if (t->result) memcpy(t->result, &old, t->width);
  return true;
}

/* Counted in `op` when it returns. False: immediate, and no room. */
static bool post(const weft_gex_amo_t *a, const task_t *t, weft_op_t *op) {
  if (a->flags & GEX_FLAG_AD_REL) weft_fence_full();
  return weft_rma_amo_begin(t->target.pe, t->target.off, t->amo, t->width, t->operand, t->cond,
                            t->result, op, a->flags & GEX_FLAG_IMMEDIATE);
}

static task_t begin(const weft_gex_amo_t *a) {
  task_t t = plan(a);
  weft_gex_given(a->ad, "gex_AD_Op");
  if (weft_unlikely(weft_options.check)) check(a, t.width);
  t.target = weft_gex_find(a->flags & GEX_FLAG_RANK_IS_JOBRANK ? weft_gex.tm0 : a->ad->tm, a->rank,
                           (const void *)a->target, t.width, "gex_AD_Op");
  return t;
}

gex_Event_t weft_gex_amo_nb(const weft_gex_amo_t *a) {
  const task_t t = begin(a);
  WEFT_GEX_SPAN(WEFT_TRACE_ATOMIC, "gex_AD_OpNB", t.width, t.target);
  if (done_here(a, &t)) return GEX_EVENT_INVALID;
  weft_gex_event_t *event = weft_gex_event_new();
  const bool posted = post(a, &t, weft_gex_event_op(event, 0));
  weft_gex_event_done(event);
  if (posted) return weft_gex_event_root(event);
  weft_gex_event_free(event);
  return GEX_EVENT_NO_OP;
}

int weft_gex_amo_nbi(const weft_gex_amo_t *a) {
  const task_t t = begin(a);
  WEFT_GEX_SPAN(WEFT_TRACE_ATOMIC, "gex_AD_OpNBI", t.width, t.target);
  if (done_here(a, &t)) return 0;
  weft_op_t *op = weft_gex_nbi_op(a->op == GEX_OP_SET   ? GEX_EC_PUT
                                  : a->op == GEX_OP_GET ? GEX_EC_GET
                                                        : GEX_EC_RMW);
  return post(a, &t, op) ? 0 : 1;
}
