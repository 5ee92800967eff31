/*
 * turns: what begun operations are made of, for those that begun_calls.c does not have. Part of
 * coll's interface (coll.h includes it).
 *
 * An operation is cut into turns of at most WEFT_TURN_PART bytes (weft_turn_bytes), but for large
 * reductions to all. All members cut alike, so turn number t of a team means the same on all of
 * them. WEFT_TURN_WINDOW turns may be under way at a time, of one operation or of many: that is the
 * pipeline within an operation and the overlap between operations. begun_internal.h says how turns
 * go.
 *
 * Usual: a series of blocks that this member sends or gets.
 *   weft_begun_t *b = weft_begun_new(team, op);    zero-filled but for these
 *   b->cut = next_block; b->most = weft_turn_bytes(n, 1); b->mine = state;
 *   weft_begun_start(b);                           b is not the caller's any more
 */
#ifndef WEFT_COLL_TURNS_H
#define WEFT_COLL_TURNS_H

#include "coll/begun.h"

enum {
  WEFT_TURN_WINDOW = 32,
  WEFT_TURN_REACH = 8,        /* one that all wait for begins when fewer before it are under way */
  WEFT_TURN_EVERY = 16,       /* of so many turns at least one is such a one */
  WEFT_TURN_PART = WEFT_LOAD, /* the most bytes of a turn but for large reductions to all; only a
                                 single element may be larger */
  WEFT_TURN_PIECE = 32768     /* what it has if that is enough: it stays in the cache */
};
_Static_assert(WEFT_TURN_EVERY <= WEFT_TURN_WINDOW - WEFT_TURN_REACH,
               "the next turn that all wait for can begin when the last one is over");

enum weft_turn_kind {
  WEFT_TURN_BARRIER,
  WEFT_TURN_BROADCAST,
  WEFT_TURN_REDUCE,       /* to one */
  WEFT_TURN_REDUCE_ALL,   /* to all */
  WEFT_TURN_OFFER,        /* before a large one: where leaders want what they get */
  WEFT_TURN_REDUCE_LARGE, /* to all, in turns that may have more than WEFT_TURN_PART bytes */
  WEFT_TURN_SEND,         /* from one member to another */
  WEFT_TURN_SHIFT         /* from everyone to the member `root` places further on */
};

/* What one turn moves; the operation's cut function fills it. */
typedef struct weft_turn {
  struct weft_begun *begun; /* NULL: a barrier put in */
  uint64_t seq;
  enum weft_turn_kind kind;
  bool live;
  int root, to; /* SEND: from, to; SHIFT: distance in root; OFFER: 0, 1: to those behind, before */
  char *dst;    /* NULL: gets nothing */
  const char *src;
  size_t n;
  uint64_t name; /* of a barrier */
  bool compares; /* the barrier compares the members' digests */
  /* progress */
  int stage, round, next;
  size_t sent;
  bool acks;   /* others must acknowledge before src may change */
  bool direct; /* members write their slices where they are wanted */
  char *sum;   /* a reduction's result so far: in src, which is not written, in dst, or elsewhere */
  void *shown; /* allocated in the slot to show something large */
  void *heap;  /* allocated for a large sum */
} weft_turn_t;

/* The next turn is in *turn (LAST: the same, and none follows); or: not before all turns so far are
 * complete; or: that was all. */
enum weft_cut { WEFT_CUT_TURN, WEFT_CUT_LAST, WEFT_CUT_WAIT, WEFT_CUT_END };

struct weft_begun {
  enum weft_cut (*cut)(struct weft_begun *begun, weft_turn_t *turn);
  /* All turns are complete here; may be NULL. Called once, before op is counted down. It must not
   * begin anything. */
  void (*end)(struct weft_begun *begun);
  weft_team_t *team;
  weft_op_t *op;
  enum weft_turn_kind kind;
  int root;
  char *dst;
  const char *src;
  size_t bytes, at; /* of the operation or of its present step, and cut so far */
  size_t most;      /* bytes of a turn: whole elements */
  weft_reducer_t how;
  uint64_t name;  /* of a barrier: in, and out */
  uint64_t *tell; /* where to */
  /* With WEFT_CHECK=1: what all members must have said alike, and the function's name. */
  uint32_t digest;
  bool compared;
  const char *who;
  uint64_t since;  /* ns: since when it is waited for as the oldest; UINT64_MAX: that was said */
  uint64_t looked; /* ns: the last look at it */
  struct weft_large *large; /* a broadcast that is large: begun_broadcast.c */
  int turns;                /* under way */
  bool cut_all;
  struct weft_begun *next;
  /* the functions' own */
  void *mine;
  char *into;
  int step;
  size_t which;
};

weft_begun_t *weft_begun_new(weft_team_t *team, weft_op_t *op);
void weft_begun_start(weft_begun_t *begun);
/* With WEFT_CHECK=1: all members must say the same kind, root, bytes, a and b. */
void weft_begun_promise(weft_begun_t *begun, unsigned kind, uint64_t a, uint64_t b);

/* Cut functions: one turn that is a barrier; `bytes` from dst and src in parts. */
enum weft_cut weft_cut_barrier(weft_begun_t *begun, weft_turn_t *turn);
enum weft_cut weft_cut_parts(weft_begun_t *begun, weft_turn_t *turn);
/* For others: the next part of n bytes, from src on the one to dst on the other; the rest comes
 * next time. true when that was the last. */
bool weft_cut_block(weft_begun_t *begun, weft_turn_t *turn, char *dst, const char *src, size_t n);
/* Bytes of a turn of an operation on `bytes` bytes: whole elements. */
size_t weft_turn_bytes(size_t bytes, size_t width);

#endif
