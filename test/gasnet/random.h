/*
 * The random test of GASNet-EX: what its parts share. An actor is a thread of a process. In a phase
 * every block of memory has one actor that writes it, or none; so what an actor's operations do and
 * what its gets find follows from the seed, and every process computes it for all actors (plan_t).
 * How an operation is done (its form, its flags, when it is waited for) changes nothing of that,
 * and is drawn apart (chance).
 */
#ifndef TEST_GASNET_RANDOM_H
#define TEST_GASNET_RANDOM_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

static uint64_t seed;
#define WORLD_BYTES (7 << 20)
#define WORLD_IS_CLIENTS (seed % 4 > 1)
#include "gasnet/world.h"

enum {
  BLOCK = 1 << 17,
  BLOCKS = 4,
  SLOTS = 6, /* operations of an actor that may be under way */
  THREADS = 4,
  ACTORS = WORLD_PES * THREADS,
  REPLY = 1 << 13,
  WORDS_AT = (BLOCKS - 1) * BLOCK,
  REPLIES_AT = WORDS_AT + 4096,
  SCRATCH = 1 << 21, /* of a team */
  SCRATCH_AT = WORLD_BYTES - 3 * SCRATCH,
  GUARD = 64,
  NOBODY = -1
};
_Static_assert(REPLIES_AT + THREADS * SLOTS * REPLY <= SCRATCH_AT, "fits a segment");

enum { SHORT, MEDIUM, LONG, NO_REPLY }; /* categories of messages */

typedef struct plan {
  enum { NOTHING, PUT, GET, PUT_VALUE, GET_VALUE, FILL, PUT_VIS, GET_VIS, ATOMIC, MESSAGE } kind;
  gex_Rank_t to;
  int block; /* OTHERS: of the second endpoint */
  size_t at, n;  /* in the block */
  uint32_t seed; /* of the data */
  int word, type;
  gex_OP_t op;
  uint32_t a, b;
  int category, arity, reply; /* of messages: random_am.h */
  size_t reply_n;
} plan_t;

/* An operation that may be under way. */
typedef struct slot {
  enum { FREE, EVENT, IMPLICIT, REGION } state;
  gex_Event_t event;
  gex_EC_t category; /* of an implicit one */
  bool awaits;       /* an answer */
  int answered;
  plan_t plan;
  gex_Event_t leaf; /* of the event: the source may be used again; or GEX_EVENT_INVALID */
  size_t skew;      /* of the local data in its buffer */
  char *local, *want;
} slot_t;

static unsigned phase;
static gex_Rank_t threads = 1; /* of each process */
static unsigned char *model[WORLD_PES];
static slot_t slots[THREADS][SLOTS];
static int writer[WORLD_PES][BLOCKS];
static pthread_mutex_t common = PTHREAD_MUTEX_INITIALIZER; /* of what several actors change */

/* ---- numbers --------------------------------------------------------------------------------- */

static __thread uint64_t by_chance;
static __thread int thread;
static inline size_t draw(uint64_t *state, size_t below) {
  return world_random(state) % below;
}
static inline size_t chance(size_t below) {
  return draw(&by_chance, below);
}
static inline uint64_t mix(uint64_t a, uint64_t b) {
  uint64_t x = (a + 0x9e3779b97f4a7c15) * 0xbf58476d1ce4e5b9 ^ b * 0x94d049bb133111eb;
  return x ^ x >> 29;
}

static inline void fill(void *to, size_t n, uint32_t from) {
  unsigned char *p = to;
  uint64_t state = from;
  for (size_t i = 0; i < n; i++) {
    if (i % 4 == 0) world_random(&state);
    p[i] = (unsigned char)(state >> (33 + i % 4 * 7));
  }
}

static inline bool is_filled(const void *p, size_t n, uint32_t from) {
  static __thread char want[BLOCK];
  fill(want, n, from);
  return memcmp(p, want, n) == 0;
}

/* Mostly small. */
static inline size_t some_size(uint64_t *state, size_t most) {
  static const size_t tops[] = {8, 8, 64, 64, 64, 300, 300, 3000, 3000, 20000, BLOCK};
  const size_t n = 1 + draw(state, tops[draw(state, sizeof tops / sizeof *tops)]);
  return n < most ? n : most;
}

/* ---- blocks ---------------------------------------------------------------------------------- */

static inline gex_Rank_t rank_of(int actor) {
  return (gex_Rank_t)actor / threads;
}
static inline int myself(void) {
  return (int)(world.me * threads) + thread;
}

static inline void deal_blocks(uint64_t *state) {
  for (gex_Rank_t r = 0; r < world.n; r++)
    for (int b = 0; b < BLOCKS; b++)
      writer[r][b] = draw(state, 3) ? (int)draw(state, world.n * threads) : NOBODY;
}

/* A block that the actor may write, or read. False: there is none. */
static inline bool find_block(plan_t *p, uint64_t *state, int actor, bool writes) {
  const size_t all = world.n * BLOCKS, first = draw(state, all);
  for (size_t i = 0; i < all; i++) {
    p->to = (gex_Rank_t)((first + i) % all / BLOCKS);
    p->block = (int)((first + i) % BLOCKS);
    const int owner = writer[p->to][p->block];
    if (owner == actor || (owner == NOBODY && !writes)) return true;
  }
  return false;
}

/* The last block is a segment of its own, of another endpoint; in some phases of a new one. */
enum { OTHERS = BLOCKS - 1 };
static gex_EP_t other_ep;
static char *others[WORLD_PES];
static inline gex_TM_t names(gex_EP_t from, bool other) {
  return gex_TM_Pair(from, other ? gex_EP_QueryIndex(other_ep) : 0);
}

static inline char *block_of(gex_Rank_t rank, int block) {
  return block == OTHERS ? others[rank] : world_of(rank) + block * BLOCK;
}
static inline char *there(const plan_t *p) {
  return block_of(p->to, p->block) + p->at;
}
static inline unsigned char *in_model(const plan_t *p) {
  return model[p->to] + p->block * BLOCK + p->at;
}

/* ---- teams: of this phase -------------------------------------------------------------------- */

enum { TEAMS = 4 }; /* the first is the primordial one */
static struct team {
  gex_TM_t tm;                  /* mine, or GEX_TM_INVALID */
  int of[WORLD_PES];            /* which team a process is in: a number, or NOBODY */
  gex_Rank_t member[WORLD_PES]; /* of mine */
  gex_Rank_t size, me;
  char *scratch; /* of mine, or NULL */
  size_t lent;   /* bytes of it */
} teams[TEAMS];

/* Some way to name the process, and the endpoint that has the block. */
static inline gex_TM_t some_team(gex_Rank_t to, int block, gex_Rank_t *rank) {
  const struct team *t = &teams[chance(TEAMS)];
  const gex_EP_t from = chance(2) ? world.ep : other_ep;
  *rank = to;
  if (block == OTHERS || chance(5) == 0) return names(from, block == OTHERS);
  if (!t->tm) return world.tm;
  const gex_Rank_t in = gex_TM_TranslateJobrankToRank(t->tm, to);
  if (in == GEX_RANK_INVALID) return world.tm;
  *rank = in;
  return t->tm;
}

/* ---- what is under way ----------------------------------------------------------------------- */

static __thread bool region;        /* an access region is open, */
static __thread gex_EC_t region_has; /* with these */
static void settle(slot_t *s);

static inline bool overlap(const plan_t *a, const plan_t *b) {
  if (a->kind == ATOMIC || b->kind == ATOMIC)
    return a->kind == b->kind && a->to == b->to && a->type == b->type && a->word == b->word;
  if (!a->n || !b->n || a->to != b->to || a->block != b->block) return false;
  return a->at < b->at + b->n && b->at < a->at + a->n;
}

/* A free slot whose operation meets nothing that is under way. */
static inline slot_t *take_slot(const plan_t *p) {
  slot_t *s = &slots[thread][chance(SLOTS)];
  settle(s);
  for (int i = 0; i < SLOTS; i++)
    if (slots[thread][i].state != FREE && overlap(&slots[thread][i].plan, p))
      settle(&slots[thread][i]);
  s->plan = *p;
  s->event = s->leaf = GEX_EVENT_INVALID;
  s->awaits = false;
  s->skew = GUARD + chance(9) * (p->kind != ATOMIC);
  return s;
}

static inline char *local(const slot_t *s) {
  return s->local + s->skew;
}

/* An operation of the NBI kind has begun. */
static inline void is_implicit(slot_t *s, gex_EC_t category) {
  s->state = region ? REGION : IMPLICIT;
  s->category = category;
  if (region) region_has |= category;
}
static inline void is_event(slot_t *s, gex_Event_t event) {
  s->state = EVENT;
  s->event = event;
  if (!event) s->leaf = GEX_EVENT_INVALID;
}

#endif
