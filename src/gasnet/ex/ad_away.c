/*
 * ad_away.c: atomics that are not one instruction on this node: to other nodes, where they are
 * records of the am layer; and those that the processor does in a loop. The reply to the packet
 * that holds a record completes it. So operations are grouped by packet, and what has to be looked
 * after is one object per packet, however many operations are on their way.
 */
#include <stdlib.h>
#include <string.h>

#include "gasnet/ex/ad.h"
#include "gasnet/ex/rma.h"

/* One operation under way, or all those of a packet that are counted together. */
typedef struct entry {
  struct entry *next;
  weft_op_t *op;
  uint64_t sink; /* for the old value where nobody wants it */
} entry_t;

typedef struct packet {
  weft_pending_t pending;
  weft_stage_ticket_t ticket;
  bool pushed;
  entry_t *entries;
} packet_t;

/* The lock guards all of this, and the entries of packets that `latest` refers to. */
static struct {
  weft_lock_t lock;
  entry_t *free;
  packet_t **latest; /* per node: the last packet that was heard of, until it is answered */
} away;

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

/* ---- packets --------------------------------------------------------------------------------- */

static void lock(void) {
  if (weft_gex.threads) weft_lock(&away.lock);
}
static void unlock(void) {
  if (weft_gex.threads) weft_unlock(&away.lock);
}

static void *get_memory(size_t n) {
  void *p = malloc(n);
  if (!p) weft_fatal("gex_AD_Op: no memory for operations under way");
  return p;
}

static entry_t *take_entry(void) {
  lock();
  entry_t *e = away.free;
  if (e) away.free = e->next;
  unlock();
  return e ? e : get_memory(sizeof *e);
}

/* The whole list, whose last is `last`. */
static void give_entries(entry_t *first, entry_t *last) {
  lock();
  last->next = away.free;
  away.free = first;
  unlock();
}

static bool same(const weft_stage_ticket_t *a, const weft_stage_ticket_t *b) {
  return a->answered == b->answered && a->before == b->before;
}

/* Complete what an answered packet held. */
static void settle(packet_t *p) {
  lock();
  if (away.latest[p->ticket.node] == p) away.latest[p->ticket.node] = NULL;
  unlock();
  entry_t *last = NULL;
  for (entry_t *e = p->entries; e; e = e->next) {
    weft_gex_op_down(e->op);
    last = e;
  }
  if (last) give_entries(p->entries, last);
  free(p);
}

/* The first look sends the packet: what is posted before anybody waits travels together. */
static int advance(weft_pending_t *pending) {
  packet_t *p = (packet_t *)pending;
  if (weft_stage_ticket_answered(&p->ticket)) {
    settle(p);
    return WEFT_PENDING_END;
  }
  if (!p->pushed) weft_stage_push(&weft_channels[0], &p->ticket);
  p->pushed = true;
  return 0;
}

static bool join(packet_t *p, const weft_stage_ticket_t *ticket, entry_t *e) {
  if (!p || !same(&p->ticket, ticket)) return false;
  e->next = p->entries;
  p->entries = e;
  return true;
}

/* A thread that is not the first to hear of a packet may find it answered and forgotten: then it
 * makes an object that is answered when it is first looked at. */
static void follow(const weft_stage_ticket_t *ticket, entry_t *e) {
  lock();
  const bool joined = join(away.latest[ticket->node], ticket, e);
  unlock();
  if (joined) return;
  packet_t *p = get_memory(sizeof *p);
  *p = (packet_t){.pending.advance = advance, .ticket = *ticket};
  join(p, ticket, e);
  e->next = NULL;
  lock();
  away.latest[ticket->node] = p;
  unlock();
  weft_pending_add(&p->pending);
}

static WEFT_COLD void make_table(void) {
  packet_t **table = calloc((size_t)weft_job.nnodes, sizeof(packet_t *));
  packet_t **none = NULL;
  if (!table) weft_fatal("gex_AD_Op: no memory for a table of %d nodes", weft_job.nnodes);
  if (!__atomic_compare_exchange_n(&away.latest, &none, table, false, __ATOMIC_ACQ_REL,
                                   __ATOMIC_ACQUIRE))
    free(table);
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

/* `op` is counted up already and is counted down when the operation is complete. False: immediate,
 * and no room. */
static bool post(const weft_gex_amo_t *a, const task_t *t, weft_op_t *op) {
  weft_stage_ticket_t ticket;
  if (weft_unlikely(!weft_observe(&away.latest))) make_table();
  if (a->flags & GEX_FLAG_AD_REL) weft_fence_full();
  entry_t *e = take_entry();
  e->op = op;
  void *result = t->amo == WEFT_AMO_CSWAP && !t->result ? &e->sink : t->result;
  if (!weft_stage_begin(&weft_channels[0], t->target.pe, t->target.off, t->amo, t->width,
                        t->operand, t->cond, result, a->flags & GEX_FLAG_IMMEDIATE, &ticket)) {
    give_entries(e, e);
    return false;
  }
  follow(&ticket, e);
  return true;
}

static task_t begin(const weft_gex_amo_t *a) {
  task_t t = plan(a);
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
  if (post(a, &t, weft_gex_event_op(event, 0))) return weft_gex_event_root(event);
  weft_gex_event_done(event);
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
  weft_gex_op_up(op);
  if (post(a, &t, op)) return 0;
  weft_gex_op_down(op);
  return 1;
}
