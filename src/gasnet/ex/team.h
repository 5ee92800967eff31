/*
 * team.h: what a team keeps for its collectives, and how these go. Only tm*.c, coll_*.c, barrier.c
 * and gasnet1_coll*.c include it.
 *
 * An operation is cut into turns of at most WEFT_GEX_PART bytes (weft_gex_cut_size). All members
 * cut alike, so turn number t of a team means the same on all of them. WEFT_GEX_WINDOW turns may be
 * under way at a time, of one operation or of many: that is the pipeline within an operation and
 * the overlap between operations. Everything that a turn needs (posts, boxes) is found at t %
 * WEFT_GEX_WINDOW and used again WEFT_GEX_WINDOW turns later.
 *
 * That needs no answers. A turn in which everybody waits for everybody (a barrier, a reduction to
 * all) is begun only when all turns but the last WEFT_GEX_REACH are complete here. So who has seen
 * the end of such a turn t knows that all members have completed everything below
 * t - WEFT_GEX_REACH + 1: that is the horizon, and turns up to the horizon + WEFT_GEX_WINDOW may
 * begin. Where the program does not call such an operation often enough, all members put in a
 * barrier of their own accord.
 *
 * On a node, members show one another their data in posts (coll_node.c). Between nodes data is put
 * into boxes (coll_net.c). Nothing here waits for what a program does elsewhere: a put waits at
 * most for buffers, which the other node's helper empties. No active message of the program's is
 * involved, so this may run between a Prepare and its Commit.
 */
#ifndef WEFT_GASNET_TEAM_H
#define WEFT_GASNET_TEAM_H

#include "gasnet/ex/internal.h"
#include "gasnet_coll.h"

enum {
  WEFT_GEX_WINDOW = 16,
  WEFT_GEX_REACH = WEFT_GEX_WINDOW / 2,
  WEFT_GEX_PART = 65536,  /* the most bytes of a turn; only a single element may be larger */
  WEFT_GEX_PIECE = 16384, /* what it has if that is enough: it stays in the cache */
  WEFT_GEX_SMALL = 240,   /* bytes that travel beside their flag */
  WEFT_GEX_DIRECT = 4096, /* larger ones are read where they are, if others can */
  WEFT_GEX_READ_ALL = 16  /* so many members of a node read one another without a leader */
};

/* What a member shows the others of its node in one turn. */
typedef struct weft_gex_post {
  _Alignas(WEFT_CACHELINE) uint64_t seq; /* turn + 1, published last */
  uint64_t note;                         /* a barrier's value, or where the data is (see below) */
  char data[WEFT_GEX_SMALL];
} weft_gex_post_t;

/* note: 0: the data is in the post, else its slot offset * 2, + 1 if the reader must acknowledge.
 */

/* One member's, in its slot. */
typedef struct weft_gex_area {
  weft_gex_post_t up[WEFT_GEX_WINDOW];   /* towards the leader or root, or to everybody */
  weft_gex_post_t down[WEFT_GEX_WINDOW]; /* results */
  struct {
    _Alignas(WEFT_CACHELINE) uint64_t seq;
  } ack[WEFT_GEX_WINDOW];                 /* turn + 1: I have read what was shown me */
  _Alignas(WEFT_CACHELINE) uint64_t left; /* members of the node that have destroyed the team */
} weft_gex_area_t;

/* Behind the area, in teams of several nodes, for each turn of the window and each box: a word that
 * counts the bytes that arrived, ever, and then WEFT_GEX_PART bytes. A box has one sender per turn.
 * What is larger (a single element) arrives in private memory: */
typedef struct weft_gex_box {
  uint64_t heard; /* what the word counted before this turn */
  uint64_t got;   /* bytes of something large so far */
  size_t room;
  char *data;
} weft_gex_box_t;

/* A member of this node. */
typedef struct weft_gex_local {
  weft_gex_area_t *area;
  char *slot;
  gex_Rank_t rank;
} weft_gex_local_t;

enum weft_gex_kind {
  WEFT_GEX_BARRIER,
  WEFT_GEX_BROADCAST,
  WEFT_GEX_REDUCE,     /* to one */
  WEFT_GEX_REDUCE_ALL, /* to all */
  WEFT_GEX_SEND,       /* from one member to another */
  WEFT_GEX_SHIFT       /* from everyone to the member `root` places further on */
};

struct weft_gex_op;
typedef struct weft_gex_team weft_gex_team_t;

/* What one turn moves; the operation's cut function fills it. */
typedef struct weft_gex_turn {
  struct weft_gex_op *op; /* NULL: a barrier put in */
  uint64_t seq;
  enum weft_gex_kind kind;
  bool live;
  gex_Rank_t root, to; /* SEND: from, to; SHIFT: distance in root */
  char *dst;
  const char *src;
  size_t n;
  uint64_t value; /* of a barrier */
  bool compares;  /* the barrier compares the members' digests */
  /* progress */
  int stage, round, next;
  size_t sent;
  bool acks;   /* others must acknowledge before src may change */
  char *sum;   /* a reduction's result so far */
  void *shown; /* allocated in the slot to show something large */
  void *heap;  /* allocated for a large sum */
} weft_gex_turn_t;

/* Combine n elements: right[i] = left[i] op right[i]. */
typedef void (*weft_gex_combine_t)(const void *left, void *right, size_t n);

enum weft_gex_cut { WEFT_GEX_CUT_TURN, WEFT_GEX_CUT_WAIT, WEFT_GEX_CUT_END };

typedef struct weft_gex_op {
  /* The next turn into *turn; or: not before all turns so far are complete; or: that was all. */
  enum weft_gex_cut (*cut)(struct weft_gex_op *op, weft_gex_turn_t *turn);
  weft_gex_team_t *team;
  enum weft_gex_kind kind;
  gex_Rank_t root;
  char *dst;
  const char *src;
  size_t bytes, at; /* of the operation or of its present step, and cut so far */
  size_t width;     /* of an element */
  size_t most;      /* bytes of a turn: whole elements */
  weft_gex_combine_t combine;
  gex_Coll_ReduceFn_t user;
  void *cdata;
  bool ordered; /* the combination does not commute */
  /* With WEFT_CHECK=1: what all members must have said alike, and the function's name. */
  uint32_t digest;
  bool compared;
  const char *who;
  uint64_t value; /* of a barrier: in, and out */
  int turns;      /* under way */
  bool cut_all, done;
  bool keep; /* the owner looks at done and frees it; else event is told */
  weft_gex_event_t *event;
  struct weft_gex_op *next;
  /* the owner's */
  void *user_op;
  int step;
  size_t which;
} weft_gex_op_t;

struct weft_gex_team {
  weft_gex_pending_t pending; /* first: advance is given it */
  weft_lock_t lock;
  bool polled, dead;
  struct weft_gex_tm *tm;
  uint32_t id;      /* given by the PE of rank 0, */
  gex_Rank_t maker; /* which is this */
  gex_Rank_t rank, size;
  /* members */
  int nodes, node, locals, local; /* nodes with members, and mine; members of mine, and I */
  bool runs;                      /* the ranks of each node follow one another, and so do nodes */
  gex_Rank_t *leader;             /* per node its lowest rank; NULL: one node */
  weft_gex_local_t *member;       /* of this node, in order of rank */
  weft_gex_area_t *area;          /* my own, */
  uintptr_t area_place;           /* and its slot offset */
  gex_Memvec_t scratch;           /* the client's */
  char *bulk;                     /* WEFT_GEX_WINDOW parts in the own slot; made when needed */
  bool bulk_mine;
  weft_gex_box_t *box; /* boxes of each turn of the window */
  int boxes;
  uint64_t *counted; /* the words in my slot, */
  char *landing;     /* and the bytes behind them */
  uint64_t *place;   /* slot offset of each member's area; NULL: all have it where I have */
  /* translation of teams with a list */
  gex_Rank_t *pes;   /* of each rank; NULL: affine */
  gex_Rank_t *by_pe; /* ranks in order of their PE */
  /* the sequence */
  uint64_t next;               /* turn to be cut */
  uint64_t done;               /* all below are complete here */
  uint64_t synced;             /* 1 + the last turn in which everybody waits for everybody */
  uint64_t horizon;            /* all members have completed all below */
  weft_gex_op_t *head, **tail; /* not cut all */
  weft_gex_op_t *free;
  char *sums; /* one part per turn of the window; made when needed */
  weft_gex_turn_t turn[WEFT_GEX_WINDOW];
  struct weft_gex_team *chain; /* tm.c: by id */
};

/* ---- coll_turns.c: the sequence ---- */

/* A new operation, zeroed but for team and keep. */
weft_gex_op_t *weft_gex_op_new(weft_gex_team_t *team);
/* Begin it. With op->keep the owner waits for op->done, and frees it; NULL is returned then.
 * Otherwise the event, or NULL (GEX_EVENT_INVALID) if it is complete already. */
gex_Event_t weft_gex_op_start(weft_gex_op_t *op);
void weft_gex_op_free(weft_gex_op_t *op);
/* Start, wait, free. */
void weft_gex_op_run(weft_gex_op_t *op);
/* Everything is complete here, also the barriers that were put in: nothing is sent to this member
 * any more. */
bool weft_gex_team_idle(weft_gex_team_t *team);
/* Barrier of a team. */
void weft_gex_team_barrier(weft_gex_team_t *team);
/* Cut functions: one turn that is a barrier; `bytes` from dst and src in parts. */
enum weft_gex_cut weft_gex_cut_barrier(weft_gex_op_t *op, weft_gex_turn_t *turn);
enum weft_gex_cut weft_gex_cut_parts(weft_gex_op_t *op, weft_gex_turn_t *turn);
/* Bytes of a turn of an operation on so many bytes: whole elements. Between nodes a turn costs
 * more.
 */
static inline size_t weft_gex_cut_size(const weft_gex_team_t *team, size_t bytes, size_t width) {
  const size_t most =
      team->nodes > 1 && bytes >= 4 * WEFT_GEX_PART ? WEFT_GEX_PART : WEFT_GEX_PIECE;
  return width < most ? most / width * width : width;
}
/* What two values of a barrier make: 0 is anonymous. */
enum { WEFT_GEX_NAMED = 1, WEFT_GEX_MISMATCH = 2 }; /* << 32; the name below */
uint64_t weft_gex_agree(uint64_t a, uint64_t b);

/* ---- coll_node.c: posts ---- */

static inline weft_gex_post_t *weft_gex_up_of(const weft_gex_team_t *team, int local,
                                              const weft_gex_turn_t *turn) {
  return &team->member[local].area->up[turn->seq % WEFT_GEX_WINDOW];
}
static inline weft_gex_post_t *weft_gex_down_of(const weft_gex_team_t *team, int local,
                                                const weft_gex_turn_t *turn) {
  return &team->member[local].area->down[turn->seq % WEFT_GEX_WINDOW];
}
static inline bool weft_gex_posted(const weft_gex_post_t *post, const weft_gex_turn_t *turn) {
  return weft_observe(&post->seq) == turn->seq + 1;
}
/* All members of the node but me have posted; goes on where it stopped (turn->next). */
bool weft_gex_all_up(weft_gex_team_t *team, weft_gex_turn_t *turn);
bool weft_gex_all_acked(weft_gex_team_t *team, weft_gex_turn_t *turn);
/* Show n bytes in my post. `stays`: they do not change before this turn is complete here, so they
 * may be read where they are; turn->acks then says that others acknowledge. */
void weft_gex_show(weft_gex_team_t *team, weft_gex_turn_t *turn, weft_gex_post_t *post,
                   const void *data, size_t n, bool stays);
/* The data that a member's post shows. */
const void *weft_gex_seen(const weft_gex_team_t *team, int local, const weft_gex_post_t *post);
static inline void weft_gex_ack(weft_gex_team_t *team, const weft_gex_turn_t *turn) {
  weft_publish(&team->area->ack[turn->seq % WEFT_GEX_WINDOW].seq, turn->seq + 1);
}
static inline bool weft_gex_acked(const weft_gex_team_t *team, int local,
                                  const weft_gex_turn_t *turn) {
  return weft_observe(&team->member[local].area->ack[turn->seq % WEFT_GEX_WINDOW].seq) ==
         turn->seq + 1;
}
/* My place in the slot for this turn's data, WEFT_GEX_PART bytes. */
char *weft_gex_bulk(weft_gex_team_t *team, const weft_gex_turn_t *turn);
/* The same in private memory, at least n bytes. Given back at the end of the turn. */
char *weft_gex_sum(weft_gex_team_t *team, weft_gex_turn_t *turn, size_t n);
/* Local number of a rank, or -1: on another node. */
int weft_gex_local_of(const weft_gex_team_t *team, gex_Rank_t rank);

/* ---- coll_net.c: boxes ---- */

void weft_gex_net_start(void);
/* Send n bytes to a member's box. True when they have left; else call it again. */
bool weft_gex_pass(weft_gex_team_t *team, weft_gex_turn_t *turn, gex_Rank_t to, int box,
                   const void *data, size_t n);
static inline size_t weft_gex_box_of(const weft_gex_team_t *team, uint64_t seq, int box) {
  return seq % WEFT_GEX_WINDOW * (size_t)team->boxes + (size_t)box;
}
/* What was sent to a box of mine in this turn, n bytes, or NULL: not all of it is there. */
char *weft_gex_arrived(const weft_gex_team_t *team, const weft_gex_turn_t *turn, int box, size_t n);
/* Boxes of a team of so many, and bytes of an area with them. */
int weft_gex_boxes(gex_Rank_t size);
size_t weft_gex_area_bytes(gex_Rank_t size);
/* The boxes of a new team, whose area and place are known. */
void weft_gex_boxes_make(weft_gex_team_t *team);
/* The node of a rank, counted among the team's. */
int weft_gex_node_of(const weft_gex_team_t *team, gex_Rank_t rank);
/* After a turn: its boxes are empty again. */
void weft_gex_boxes_clear(weft_gex_team_t *team, const weft_gex_turn_t *turn);

/* ---- coll_barrier.c, coll_broadcast.c, coll_reduce.c, coll_blocks.c: one step of a turn; true
 * when it is complete here ---- */
bool weft_gex_step_barrier(weft_gex_team_t *team, weft_gex_turn_t *turn);
bool weft_gex_step_broadcast(weft_gex_team_t *team, weft_gex_turn_t *turn);
bool weft_gex_step_reduce(weft_gex_team_t *team, weft_gex_turn_t *turn);
bool weft_gex_step_reduce_all(weft_gex_team_t *team, weft_gex_turn_t *turn);
bool weft_gex_step_send(weft_gex_team_t *team, weft_gex_turn_t *turn);
bool weft_gex_step_shift(weft_gex_team_t *team, weft_gex_turn_t *turn);
/* right = left op right */
void weft_gex_combine(const weft_gex_op_t *op, const void *left, void *right, size_t bytes);

/* ---- coll_ops.c: the arithmetic; NULL: there is no such operation on such a type ---- */
weft_gex_combine_t weft_gex_arithmetic(gex_DT_t dt, gex_OP_t op);
/* Bytes of a type that is built in, else 0. */
size_t weft_gex_width(gex_DT_t dt);

/* ---- one/coll.c ---- */

/* A team of GASNet-1's collectives. */
struct weft_gasnet_team {
  gex_TM_t tm;            /* NULL: the primordial one */
  weft_gex_op_t *barrier; /* notified, and not waited for */
  uint64_t result;        /* of the last barrier */
  /* images.h */
  struct weft_gasnet_images *images, *plain;
  struct weft_gasnet_joint *joining; /* some images have called, but not all */
};
static inline weft_gex_team_t *weft_gex_team_of(gasnet_team_handle_t team) {
  return (team->tm ? team->tm : weft_gex.tm0)->team;
}

/* ---- tm.c ---- */

/* A member as others must know it. */
typedef struct weft_gex_seat {
  gex_Rank_t pe;
  uint64_t area; /* slot offset */
} weft_gex_seat_t;

/* The object of a team in which this process has `rank`. It is found by (id, PE of rank 0, rank)
 * from now on. The seats are not kept. Fatal if there is no memory. */
weft_gex_team_t *weft_gex_team_make(uint32_t id, const weft_gex_seat_t *seats, gex_Rank_t size,
                                    gex_Rank_t rank, gex_Flags_t flags);
void weft_gex_team_free(weft_gex_team_t *team);
/* An area for a team of at most so many, in the own slot; flags and counts are 0. */
weft_gex_area_t *weft_gex_area_new(gex_Rank_t size);
uint32_t weft_gex_team_id(void);
/* While teams are locked none comes or goes. */
void weft_gex_teams_lock(void);
void weft_gex_teams_unlock(void);
weft_gex_team_t *weft_gex_team_find(uint32_t id, gex_Rank_t maker, gex_Rank_t rank);

#endif
