/*
 * Reduction among the leaders of nodes. Small arrays by recursive doubling through boxes, one
 * message each way and stage. Large ones by halving: each leader combines a part and puts the
 * result into everybody's dest; segments of it leave while others arrive. What it combines lands
 * beside its dest, or in dest where nothing else is there yet: that spares the caches a place.
 *
 * In both cases an element is combined by one rule that does not depend on who computes it (lower
 * node first), or by one leader only: everyone gets the same bits.
 */
#include "coll/coll_internal.h"
#include "coll/schedule.h"

enum {
  SEGMENT = 262144, /* bytes of a message of a large array */
  FIRST = 8192      /* of the first that a stage sends, if the others land in dest */
};

/* Stages' words: of the nodes beyond a power of two in and out, of halving or doubling, and back.
 */
enum { IN, OUT, THERE, BACK = THERE + WEFT_COLL_LOG_NODES };
_Static_assert((int)BACK + (int)WEFT_COLL_LOG_NODES == (int)WEFT_COLL_STAGES, "all have a word");

typedef struct reduction {
  weft_team_t *team;
  char *dest;
  const char *source; /* dest, or where this node's part still is */
  size_t nelems, width;
  weft_combine_t combine;
  int power, stages; /* of nodes, 2^stages */
  int extra;         /* the node beyond the power of two that belongs to this one, or -1 */
  uintptr_t landing;
  size_t segment; /* elements of a message */
  size_t first;   /* of the first stage's first message, if its others land in dest; or 0 */
  weft_op_t sent;
} reduction_t;

static bool is_power(int nodes) {
  return (nodes & (nodes - 1)) == 0;
}

/* Elements of one step. Doubling: each stage has a part of the box. Halving: what lands has all of
 * the room, or half of it, where the whole of a node beyond the power of two has the other. */
static size_t most_of(const weft_team_t *team, size_t width, bool halves) {
  const int nodes = team->members.nodes, stages = weft_gathering_stages(weft_power_below(nodes));
  const size_t parts = (size_t)stages + (is_power(nodes) ? 0 : 2);
  if (!halves) return weft_coll_box_bytes() / parts / WEFT_CACHELINE * WEFT_CACHELINE / width;
  const size_t room = weft_coll_landing_bytes(team) / width, slack = (size_t)stages;
  if (room / 2 <= slack)
    weft_fatal("WEFT_DEBUG=coll_scratch=%zu is too small for %d nodes",
               weft_job.layout.coll_scratch_size, nodes);
  return is_power(nodes) ? weft_halving_most(room, nodes) : room / 2 - slack;
}

static bool by_halves(const weft_team_t *team, size_t nelems, size_t width) {
  return most_of(team, width, false) == 0 ||
         weft_choose(WEFT_OP_REDUCE_NODES, team->members.nodes, nelems * width) == WEFT_ALG_SLICES;
}

/* Elements [from, from + n) of `data` to a node, segment by segment; `off`: of the first of them.
 */
static void send(reduction_t *r, int node, uintptr_t off, const char *data, size_t n, int stage) {
  const int leader = weft_members_leader(r->team, node), word = weft_coll_stage(r->team, stage);
  for (size_t at = 0, part; at < n; at += part) {
    part = n - at < r->segment ? n - at : r->segment;
    weft_coll_send(r->team, leader, off + at * r->width, data + at * r->width, part * r->width,
                   word, &r->sent);
  }
}

/* Wait for the next segment of what that sends; its elements, of n that are missing. */
static size_t hear(const reduction_t *r, size_t n, int stage) {
  if (n > 0) weft_coll_heard(r->team, weft_coll_stage(r->team, stage), 1);
  return n < r->segment ? n : r->segment;
}

static void hear_all(const reduction_t *r, size_t n, int stage) {
  for (size_t left = n; left > 0; left -= hear(r, left, stage)) continue;
}

/* ---- doubling -------------------------------------------------------------------------------- */

static uintptr_t cell_of(const reduction_t *r, int stage) {
  const size_t parts = (size_t)r->stages + (is_power(r->team->members.nodes) ? 0 : 2);
  const size_t part = weft_coll_box_bytes() / parts / WEFT_CACHELINE * WEFT_CACHELINE;
  return weft_coll_box(r->team) + (size_t)(stage - (parts > (size_t)r->stages ? 0 : THERE)) * part;
}

/* Their element first, if theirs is the lower node. */
static void combine_in_order(const reduction_t *r, char *got, size_t n, bool lower) {
  if (lower) {
    r->combine(got, r->dest, n);
    weft_direct_memcpy(r->dest, got, n * r->width);
  } else {
    r->combine(r->dest, got, n);
  }
}

static void double_up(reduction_t *r, size_t n) {
  const int node = r->team->members.node, partner = r->extra;
  const size_t bytes = n * r->width;
  char *own = weft_job_own();
  r->segment = n;
  if (node >= r->power) {
    send(r, node - r->power, cell_of(r, IN), r->source, n, IN);
    hear(r, n, OUT);
    weft_direct_memcpy(r->dest, own + cell_of(r, OUT), bytes);
    return;
  }
  if (r->stages > 0 && partner < 0) /* before the copy: others wait for it */
    send(r, node ^ 1, cell_of(r, THERE), r->source, n, THERE);
  if (r->dest != r->source) weft_direct_memcpy(r->dest, r->source, bytes);
  if (partner >= 0) {
    hear(r, n, IN);
    combine_in_order(r, own + cell_of(r, IN), n, false);
  }
  for (int k = 0; k < r->stages; k++) {
    if (k > 0 || partner >= 0) send(r, node ^ 1 << k, cell_of(r, THERE + k), r->dest, n, THERE + k);
    hear(r, n, THERE + k);
    /* What is sent stays as it is until it has left. */
    if (k > 0 || partner >= 0 || r->dest == r->source) weft_op_wait_on(&weft_channels[0], &r->sent);
    combine_in_order(r, own + cell_of(r, THERE + k), n, node >> k & 1);
  }
  if (partner >= 0) send(r, partner, cell_of(r, OUT), r->dest, n, OUT);
}

/* ---- halving --------------------------------------------------------------------------------- */

/* dest[from, from + n) = mine op theirs, which may be there, in pieces that stay in the cache. */
static void combine_part(const reduction_t *r, size_t from, const char *theirs, size_t n) {
  enum { PIECE = 16384 };
  const size_t most = PIECE / r->width;
  char *dest = r->dest + from * r->width;
  const char *mine = r->source + from * r->width;
  if (theirs == dest) {
    r->combine(dest, mine, n);
    return;
  }
  for (size_t at = 0, part; at < n; at += part) {
    part = n - at < most ? n - at : most;
    char *into = dest + at * r->width;
    if (dest != mine) weft_direct_memcpy(into, mine + at * r->width, part * r->width);
    r->combine(into, theirs + at * r->width, part);
  }
}

/* Of n elements that a stage sends, those that go to the landing place. */
static size_t landing_part(const reduction_t *r, size_t n, int k) {
  return k == 0 && r->first > 0 && r->first < n ? r->first : n;
}

/*
 * What this node gives leaves, and others' parts of what it keeps arrive and are combined, segment
 * by segment. The result of the last stage leaves at once for the partner of the first stage back.
 * With r->first, the partner's first segment shows that it has called: the others may go into its
 * dest.
 */
static void halve(reduction_t *r, size_t n, int k) {
  const weft_halving_t h = weft_halving(r->team->members.node, r->power, n, k);
  const uintptr_t landing = r->landing + h.at * r->width, dest = weft_job_offset(r->dest);
  const char *landed = weft_job_own() + landing, *give = r->source + h.give * r->width;
  const size_t there = landing_part(r, h.give_n, k), here = landing_part(r, h.keep_n, k);
  send(r, h.partner, landing, give, there, THERE + k);
  for (size_t at = 0, part; at < h.keep_n; at += part) {
    const size_t place = (h.keep + at) * r->width;
    part = hear(r, (at < here ? here : h.keep_n) - at, THERE + k);
    if (at == 0)
      send(r, h.partner, dest + (h.give + there) * r->width, give + there * r->width,
           h.give_n - there, THERE + k);
    combine_part(r, h.keep + at, at < here ? landed + at * r->width : r->dest + place, part);
    if (k == r->stages - 1) send(r, h.partner, dest + place, r->dest + place, part, BACK + k);
  }
  r->source = r->dest; /* what is kept is there; nothing else is used any more */
}

static void give_back(reduction_t *r, size_t n, int k) {
  const weft_halving_t h = weft_halving(r->team->members.node, r->power, n, k);
  const uintptr_t dest = weft_job_offset(r->dest);
  if (k < r->stages - 1)
    send(r, h.partner, dest + h.keep * r->width, r->dest + h.keep * r->width, h.keep_n, BACK + k);
  const size_t first = k == r->stages - 1 ? landing_part(r, h.give_n, k) : h.give_n;
  hear_all(r, first, BACK + k);
  hear_all(r, h.give_n - first, BACK + k);
}

static void by_parts(reduction_t *r, size_t n) {
  const int node = r->team->members.node;
  const uintptr_t dest = weft_job_offset(r->dest);
  const size_t segment = SEGMENT / r->width;
  r->landing = weft_coll_landing(r->team, r->team->step);
  /* of a node beyond the power of two */
  const uintptr_t whole = r->landing + weft_coll_landing_bytes(r->team) / 2;
  r->segment = !weft_job.fabric.notes || segment == 0 ? n : segment;
  /* On all nodes alike: each has one member, and no sum is in a dest yet. */
  const bool apart = r->dest != r->source && is_power(r->team->members.nodes) &&
                     r->team->set.size == r->team->members.nodes;
  r->first = apart && r->segment < n ? FIRST / r->width : 0;
  if (node >= r->power) {
    send(r, node - r->power, whole, r->source, n, IN);
    hear_all(r, n, OUT);
    return;
  }
  if (r->extra >= 0) {
    for (size_t at = 0, part; at < n; at += part) {
      part = hear(r, n - at, IN);
      combine_part(r, at, weft_job_own() + whole + at * r->width, part);
    }
    r->source = r->dest;
  }
  for (int k = 0; k < r->stages; k++) halve(r, n, k);
  for (int k = r->stages - 1; k >= 0; k--) give_back(r, n, k);
  if (r->extra >= 0) send(r, r->extra, dest, r->dest, n, OUT);
}

/* ---- both ------------------------------------------------------------------------------------ */

unsigned weft_coll_leaders_steps(const weft_team_t *team, size_t nelems, size_t width) {
  const size_t most = most_of(team, width, by_halves(team, nelems, width));
  return (unsigned)((nelems + most - 1) / most);
}

void weft_coll_leaders_reduce(weft_team_t *team, void *dest, const void *source, size_t nelems,
                              size_t width, weft_combine_t combine) {
  const bool halves = by_halves(team, nelems, width);
  const size_t most = most_of(team, width, halves);
  const int nodes = team->members.nodes, power = weft_power_below(nodes);
  const int beyond = team->members.node + power;
  for (size_t at = 0, n; at < nelems; at += n) {
    n = nelems - at < most ? nelems - at : most;
    reduction_t r = {.team = team,
                     .dest = (char *)dest + at * width,
                     .source = (const char *)source + at * width,
                     .width = width,
                     .combine = combine,
                     .power = power,
                     .stages = weft_gathering_stages(power),
                     .extra = beyond < nodes ? beyond : -1};
    team->step++;
    if (halves)
      by_parts(&r, n);
    else
      double_up(&r, n);
    weft_op_wait_on(&weft_channels[0], &r.sent);
  }
}
