/*
 * The random test: active messages of all kinds, with 4, 9 and 16 arguments, fixed and negotiated,
 * immediate or not, answered or not, from and to both endpoints. Arguments: the payload's seed, its
 * size, which slot waits for an answer, and what kind and size that has; the others follow from the
 * first.
 */
#ifndef TEST_GASNET_RANDOM_AM_H
#define TEST_GASNET_RANDOM_AM_H

#include "gasnet/random_rma.h"

enum { FIRST_HANDLER = 180 };
#define HANDLER(category, is_reply, arity)                                                         \
  (gex_AM_Index_t)(FIRST_HANDLER + (category)*6 + (is_reply)*3 + (arity))
static const int arities[] = {4, 9, 16};

static uint64_t came, came_sum;                               /* requests that have come here */
static uint64_t expected[WORLD_PES], expected_sum[WORLD_PES]; /* that are to come there */

static void count(uint64_t *counter, uint64_t n) {
  __atomic_fetch_add(counter, n, __ATOMIC_RELAXED);
}
static uint64_t message_sum(uint32_t from, int category, int arity) {
  return mix(from, (uint64_t)(category * 8 + arity));
}

#define LIST_4(X) X(0), X(1), X(2), X(3)
#define LIST_9(X) LIST_4(X), X(4), X(5), X(6), X(7), X(8)
#define LIST_16(X) LIST_9(X), X(9), X(10), X(11), X(12), X(13), X(14), X(15)
/* Argument 2: the slot, and the two endpoints; argument 3: the answer's category and size. */
#define SLOT_OF(a) ((a)[2] & 0xff)
#define FROM_OTHER(a) ((a)[2] >> 8 & 1)
#define TO_OTHER(a) ((a)[2] >> 9 & 1)

#define ITEM(i) a[i]
#define PARAMETER(i) gex_AM_Arg_t a##i
#define NAME(i) a##i

/* ---- handlers -------------------------------------------------------------------------------- */

static void check_message(gex_Token_t token, int category, int is_reply, const gex_AM_Arg_t *a,
                          int arity, const void *payload, size_t n) {
  gex_Token_Info_t info;
  CHECK_EQ(gex_Token_Info(token, &info, GEX_TI_ALL), GEX_TI_ALL);
  CHECK_EQ(info.gex_is_req, !is_reply);
  CHECK_EQ(info.gex_is_long, category == LONG);
  CHECK(info.gex_ep == ((is_reply ? FROM_OTHER(a) : TO_OTHER(a)) ? other_ep : world.ep));
  CHECK(info.gex_srcrank < world.n);
  CHECK_EQ(info.gex_entry->gex_index, HANDLER(category, is_reply, arity));
  for (int i = 4; i < arities[arity]; i++)
    CHECK_EQ(a[i], (gex_AM_Arg_t)((uint32_t)a[0] + (uint32_t)i));
  if (category != SHORT) CHECK_EQ(n, a[1]);
  if (category == MEDIUM) CHECK((uintptr_t)payload % _Alignof(max_align_t) == 0);
  if (category != SHORT) CHECK(is_filled(payload, n, (uint32_t)a[0]));
}

static char *reply_room(gex_Rank_t rank, const gex_AM_Arg_t *a) {
  return (FROM_OTHER(a) ? others[rank] + BLOCK : world_of(rank) + REPLIES_AT) + SLOT_OF(a) * REPLY;
}

/* A reply's source that is not free yet: handlers may not wait for its event. */
struct later {
  struct later *next;
  gex_Event_t event;
  char source[];
};
static struct later *latest;
static gex_HSL_t latest_lock = GEX_HSL_INITIALIZER;

static void wait_later(void) {
  gex_HSL_Lock(&latest_lock);
  struct later *l = latest;
  latest = NULL;
  gex_HSL_Unlock(&latest_lock);
  for (struct later *next; l; l = next) {
    next = l->next;
    gex_Event_Wait(l->event);
    free(l);
  }
}
static void leave_for_later(struct later *l) {
  gex_HSL_Lock(&latest_lock);
  l->next = latest;
  latest = l;
  gex_HSL_Unlock(&latest_lock);
}

/* One arity's sending of a reply: at first immediate, if anything. */
#define REPLY_NEGOTIATED(M, category, more, ...)                                                   \
  do {                                                                                             \
    while (!(sd = gex_AM_PrepareReply##category(token, ours ? NULL : from, n,                      \
                                                n + more __VA_ARGS__, ours ? NULL : lc, flags,     \
                                                M)))                                               \
      flags = 0;                                                                                   \
    if (ours) memcpy(gex_AM_SrcDescAddr(sd), from, n);                                             \
    if (chance(8)) break;                                                                          \
    CHECK_EQ(gex_AM_CancelReply##category(sd, 0), GASNET_OK);                                      \
  } while (1);                                                                                     \
  if (chance(2))                                                                                   \
    gex_AM_CommitReply##category##M(sd, handler, n __VA_ARGS__, LIST_##M(ITEM));                   \
  else                                                                                             \
    for (flags = chance(2) ? GEX_FLAG_IMMEDIATE : 0; gex_AM_CommitReply##category##M##_v2(         \
             sd, handler, n __VA_ARGS__, flags, LIST_##M(ITEM));)                                  \
  flags = 0
#define REPLY_OF(M)                                                                                \
  static void reply_##M(gex_Token_t token, int category, gex_AM_Index_t handler, char *from,       \
                        size_t n, char *dest, gex_Event_t *lc, bool negotiated,                    \
                        const gex_AM_Arg_t *a) {                                                   \
    gex_AM_SrcDesc_t sd;                                                                           \
    gex_Flags_t flags = chance(3) ? 0 : GEX_FLAG_IMMEDIATE;                                        \
    const bool ours = negotiated && lc == GEX_EVENT_NOW && a[0] % 3;                               \
    if (category == SHORT) {                                                                       \
      while (gex_AM_ReplyShort##M(token, handler, flags, LIST_##M(ITEM))) flags = 0;               \
    } else if (!negotiated && category == MEDIUM) {                                                \
      while (gex_AM_ReplyMedium##M(token, handler, from, n, lc, flags, LIST_##M(ITEM))) flags = 0; \
    } else if (!negotiated) {                                                                      \
      while (gex_AM_ReplyLong##M(token, handler, from, n, dest, lc, flags, LIST_##M(ITEM)))        \
        flags = 0;                                                                                 \
    } else if (category == MEDIUM) {                                                               \
      REPLY_NEGOTIATED(M, Medium, 9, );                                                            \
    } else {                                                                                       \
      REPLY_NEGOTIATED(M, Long, 0, , dest);                                                        \
    }                                                                                              \
  }
REPLY_OF(4)
REPLY_OF(9)
REPLY_OF(16)

static void answer(gex_Token_t token, int arity, const gex_AM_Arg_t *asked) {
  static __thread char payload[REPLY];
  struct later *later = NULL;
  gex_AM_Arg_t a[16];
  const int category = asked[3] & 3;
  const size_t n = (size_t)asked[3] >> 2;
  const uint32_t from = (uint32_t)asked[0] + 1;
  gex_Token_Info_t info;
  if (category == NO_REPLY) return;
  gex_Token_Info(token, &info, GEX_TI_SRCRANK);
  for (int i = 0; i < 16; i++) a[i] = (gex_AM_Arg_t)(from + (uint32_t)i);
  a[1] = (gex_AM_Arg_t)n;
  a[2] = asked[2];
  fill(payload, n, from);
  if (category != SHORT && chance(4) == 0) {
    later = malloc(sizeof *later + n);
    later->event = GEX_EVENT_INVALID;
    memcpy(later->source, payload, n);
  }
  char *dest = reply_room(info.gex_srcrank, asked);
  const gex_AM_Index_t handler = HANDLER(category, 1, arity);
  (arity == 0   ? reply_4
   : arity == 1 ? reply_9
                : reply_16)(token, category, handler, later ? later->source : payload, n, dest,
                            later ? &later->event : GEX_EVENT_NOW, n && from % 5 < 2, a);
  memset(payload, 0x44, n);
  if (later) leave_for_later(later);
}

/* What is asked without communication is known, or not. */
static void ask_at_once(gex_Rank_t rank, bool other) {
  void *owner, *here;
  uintptr_t size;
  if (gex_EP_QueryBoundSegmentNB(names(world.ep, other), rank, &owner, &here, &size,
                                 GEX_FLAG_IMMEDIATE) == GEX_EVENT_NO_OP) {
    CHECK(rank != world.me);
    return;
  }
  CHECK(owner == (other ? others[rank] : world_of(rank)));
  CHECK(size >= BLOCK && (rank != world.me || here == owner));
}

static void request_came(gex_Token_t token, int category, int arity, const gex_AM_Arg_t *a,
                         void *payload, size_t n) {
  check_message(token, category, 0, a, arity, payload, n);
  if (chance(8) == 0) ask_at_once((gex_Rank_t)chance(world.n), chance(2));
  answer(token, arity, a);
  count(&came_sum, message_sum((uint32_t)a[0], category, arity));
  count(&came, 1);
}

static void reply_came(gex_Token_t token, int category, int arity, const gex_AM_Arg_t *a,
                       void *payload, size_t n) {
  check_message(token, category, 1, a, arity, payload, n);
  if (category == LONG) CHECK(payload == reply_room(world.me, a));
  __atomic_store_n(&slots[SLOT_OF(a) / SLOTS][SLOT_OF(a) % SLOTS].answered, 1, __ATOMIC_RELEASE);
}

#define PAYLOAD_HANDLER(M, arity, kind, category)                                                  \
  static void kind##_##category##_##M(gex_Token_t t, void *p, size_t n, LIST_##M(PARAMETER)) {     \
    const gex_AM_Arg_t a[] = {LIST_##M(NAME)};                                                     \
    kind##_came(t, category, arity, a, p, n);                                                      \
  }
#define HANDLERS(M, arity, kind)                                                                   \
  static void kind##_SHORT_##M(gex_Token_t t, LIST_##M(PARAMETER)) {                               \
    const gex_AM_Arg_t a[] = {LIST_##M(NAME)};                                                     \
    kind##_came(t, SHORT, arity, a, NULL, 0);                                                      \
  }                                                                                                \
  PAYLOAD_HANDLER(M, arity, kind, MEDIUM)                                                          \
  PAYLOAD_HANDLER(M, arity, kind, LONG)
#define BOTH(M, arity) HANDLERS(M, arity, request) HANDLERS(M, arity, reply)
BOTH(4, 0)
BOTH(9, 1)
BOTH(16, 2)

static void peer_came(gex_Token_t token, const uint32_t *payload, size_t n) {
  gex_Token_Info_t info;
  CHECK_EQ(n, 8);
  gex_Token_Info(token, &info, GEX_TI_ALL);
  CHECK(!info.gex_is_req && !info.gex_is_long && info.gex_entry->gex_index == PEER_HANDLER);
  CHECK(info.gex_ep == (payload[1] ? other_ep : world.ep));
  count(&came_sum, message_sum(payload[0], MEDIUM, 7));
  count(&came, 1);
}

static void register_handlers(gex_EP_t ep) {
#define ENTRY(M, arity, kind, is_reply, category)                                                  \
  {HANDLER(category, is_reply, arity), (gex_AM_Fn_t)kind##_##category##_##M,                       \
   GEX_FLAG_AM_##category | (is_reply ? GEX_FLAG_AM_REPLY : GEX_FLAG_AM_REQUEST), M, NULL, NULL},
#define ENTRIES(M, arity, kind, is_reply)                                                          \
  ENTRY(M, arity, kind, is_reply, SHORT)                                                           \
  ENTRY(M, arity, kind, is_reply, MEDIUM) ENTRY(M, arity, kind, is_reply, LONG)
#define ALL_ENTRIES(M, arity) ENTRIES(M, arity, request, 0) ENTRIES(M, arity, reply, 1)
  gex_AM_Entry_t table[] = {ALL_ENTRIES(4, 0) ALL_ENTRIES(9, 1) ALL_ENTRIES(16, 2){
      PEER_HANDLER, (gex_AM_Fn_t)peer_came, GEX_FLAG_AM_MEDIUM | GEX_FLAG_AM_REPLY, 0, NULL, NULL}};
  CHECK_EQ(gex_EP_RegisterHandlers(ep, table, sizeof table / sizeof *table), GASNET_OK);
}

/* ---- requests -------------------------------------------------------------------------------- */

/* One arity's: a Medium or Long that is negotiated. lc is NULL where the room is GASNet's. */
#define COMMIT(M, category, ...)                                                                   \
  do {                                                                                             \
    if (chance(8) == 0) {                                                                          \
      CHECK_EQ(gex_AM_CancelRequest##category(sd, 0), GASNET_OK);                                  \
      break;                                                                                       \
    }                                                                                              \
    if (gex_AM_SrcDescAddr(sd) != local(s)) memcpy(gex_AM_SrcDescAddr(sd), local(s), n);           \
    const gex_Flags_t how = chance(2) ? GEX_FLAG_IMMEDIATE : 0;                                    \
    if (!how && chance(2)) {                                                                       \
      gex_AM_CommitRequest##category##M(sd, handler, n __VA_ARGS__, LIST_##M(ITEM));               \
      return;                                                                                      \
    }                                                                                              \
    for (int tries = 0; tries < 20; tries++)                                                       \
      if (!gex_AM_CommitRequest##category##M##_v2(sd, handler, n __VA_ARGS__, how,                 \
                                                  LIST_##M(ITEM)))                                 \
        return;                                                                                    \
    CHECK_EQ(gex_AM_CancelRequest##category(sd, 0), GASNET_OK);                                    \
  } while (0)
#define REQUEST_OF(M)                                                                              \
  static void negotiate_##M(slot_t *s, gex_TM_t tm, gex_Rank_t rank, gex_AM_Index_t handler,       \
                            gex_Event_t *lc, const gex_AM_Arg_t *a) {                              \
    const size_t n = s->plan.n, most = n + chance(50);                                             \
    char *dest = there(&s->plan), *from = lc ? local(s) : NULL;                                    \
    for (;;) {                                                                                     \
      const gex_Flags_t how = chance(2) ? GEX_FLAG_IMMEDIATE : 0;                                  \
      gex_AM_SrcDesc_t sd =                                                                        \
          s->plan.category == MEDIUM                                                               \
              ? gex_AM_PrepareRequestMedium(tm, rank, from, n, most, lc, how, M)                   \
              : gex_AM_PrepareRequestLong(tm, rank, from, n, most, chance(2) ? dest : NULL, lc,    \
                                          how, M);                                                 \
      CHECK(sd != GEX_AM_SRCDESC_NO_OP || how);                                                    \
      if (sd == GEX_AM_SRCDESC_NO_OP) continue;                                                    \
      CHECK(gex_AM_SrcDescSize(sd) >= n && gex_AM_SrcDescSize(sd) <= most);                        \
      if (s->plan.category == MEDIUM)                                                              \
        COMMIT(M, Medium, );                                                                       \
      else                                                                                         \
        COMMIT(M, Long, , dest);                                                                   \
    }                                                                                              \
  }                                                                                                \
  static void request_##M(slot_t *s, gex_TM_t tm, gex_Rank_t rank, gex_AM_Index_t handler,         \
                          gex_Event_t *lc, const gex_AM_Arg_t *a) {                                \
    const plan_t *p = &s->plan;                                                                    \
    if (p->category == SHORT)                                                                      \
      INSISTING(!gex_AM_RequestShort##M(tm, rank, handler, flags, LIST_##M(ITEM)));                \
    else if (p->category == MEDIUM)                                                                \
      INSISTING(!gex_AM_RequestMedium##M(tm, rank, handler, local(s), p->n, lc, flags,             \
                                         LIST_##M(ITEM)));                                         \
    else                                                                                           \
      INSISTING(!gex_AM_RequestLong##M(tm, rank, handler, local(s), p->n, there(p), lc, flags,     \
                                       LIST_##M(ITEM)));                                           \
  }
/* By GASNet-1's names. True: the source is free. */
static bool request_old(slot_t *s, gasnet_handler_t handler, const gex_AM_Arg_t *a) {
  const plan_t *p = &s->plan;
  const bool later = p->category == LONG && chance(2);
  if (p->category == SHORT)
    CHECK_EQ(gasnet_AMRequestShort4(p->to, handler, LIST_4(ITEM)), GASNET_OK);
  else if (p->category == MEDIUM)
    CHECK_EQ(gasnet_AMRequestMedium4(p->to, handler, local(s), p->n, LIST_4(ITEM)), GASNET_OK);
  else if (later)
    CHECK_EQ(gasnet_AMRequestLongAsync4(p->to, handler, local(s), p->n, there(p), LIST_4(ITEM)),
             GASNET_OK);
  else
    CHECK_EQ(gasnet_AMRequestLong4(p->to, handler, local(s), p->n, there(p), LIST_4(ITEM)),
             GASNET_OK);
  return !later;
}
REQUEST_OF(4)
REQUEST_OF(9)
REQUEST_OF(16)

static void request(slot_t *s, gex_TM_t tm, gex_Rank_t rank) {
  plan_t *p = &s->plan;
  gex_AM_Arg_t a[16];
  gex_Event_t event = GEX_EVENT_INVALID;
  gex_Event_t *lc = chance(3) ? &event : chance(2) ? GEX_EVENT_NOW : GEX_EVENT_GROUP;
  const gex_AM_Index_t handler = HANDLER(p->category, 0, p->arity);
  const bool ours = p->n && chance(3) == 0, negotiated = ours || (p->n && chance(2));
  const size_t limit = gex_AM_MaxRequestMedium(
      tm, rank, ours ? NULL : lc, ours ? GEX_FLAG_AM_PREPARE_LEAST_ALLOC : 0,
      (unsigned)arities[p->arity]);
  if (p->category == MEDIUM && p->n > limit) p->n = limit;
  if (p->category == MEDIUM && chance(6) == 0) p->n = limit < BLOCK / 2 ? limit : BLOCK / 2;
  for (int i = 0; i < 16; i++) a[i] = (gex_AM_Arg_t)(p->seed + (uint32_t)i);
  a[1] = (gex_AM_Arg_t)p->n;
  a[2] = thread * SLOTS + (int)(s - slots[thread]) + (p->block == OTHERS) * 512;
  if (tm == names(other_ep, p->block == OTHERS)) a[2] += 256;
  size_t answer_n = p->reply_n;
  if (p->reply == MEDIUM && answer_n > gex_AM_LUBReplyMedium()) answer_n = gex_AM_LUBReplyMedium();
  a[3] = p->reply | (gex_AM_Arg_t)answer_n << 2;
  fill(local(s), p->n, p->seed);
  __atomic_store_n(&s->answered, 0, __ATOMIC_RELAXED);
  s->awaits = p->reply != NO_REPLY;
  if (p->block != OTHERS && p->arity == 0 && !(a[2] & 256) && chance(4) == 0 &&
      p->n <= gasnet_AMMaxMedium()) {
    is_event(s, GEX_EVENT_INVALID);
    if (request_old(s, handler, a)) scribble(s); /* else it is free with the answer */
    return;
  }
  if (negotiated && p->category != SHORT)
    (p->arity == 0   ? negotiate_4
     : p->arity == 1 ? negotiate_9
                     : negotiate_16)(s, tm, rank, handler, ours ? NULL : lc, a);
  else
    (p->arity == 0   ? request_4
     : p->arity == 1 ? request_9
                     : request_16)(s, tm, rank, handler, lc, a);
  is_event(s, event);
  if (p->category == SHORT) return;
  if (!ours && lc == GEX_EVENT_GROUP) is_implicit(s, GEX_EC_AM);
  if (ours || lc == GEX_EVENT_NOW) scribble(s);
  if (s->state != IMPLICIT || chance(2)) return;
  gex_NBI_Wait(chance(2) ? GEX_EC_AM : GEX_EC_ALL, 0);
  scribble(s);
}

static void plan_message(plan_t *p, uint64_t *state) {
  p->category = (int)draw(state, 3);
  p->arity = (int)draw(state, 3);
  p->reply = p->category == LONG ? (int)draw(state, 3) : (int)draw(state, 4);
  p->reply_n = draw(state, 4) ? draw(state, 200) : draw(state, REPLY);
  if (p->category == SHORT) p->n = 0;
  if (p->category == LONG) return;
  p->to = (gex_Rank_t)draw(state, world.n);
  p->block = (int)draw(state, BLOCKS);
}

/* What the target will count. */
static void model_message(const plan_t *p) {
  if (p->kind == PUT_VIS && HAS_PEER(p)) {
    expected_sum[p->to] += message_sum(p->seed, MEDIUM, 7);
    expected[p->to]++;
  }
  if (p->kind != MESSAGE) return;
  expected_sum[p->to] += message_sum(p->seed, p->category, p->arity);
  expected[p->to]++;
}

#endif
