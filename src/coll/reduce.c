/*
 * reduce. On a node everyone's data are seen by all: small ones are combined by everyone, in member
 * order; of large ones each PE combines a slice and writes it to all. Of several nodes each first
 * reduces to its leader (reduce_nodes.c goes on), and the leader's result is broadcast. However it
 * goes, all members get the same bits.
 */
#include "coll/coll_internal.h"
#include "coll/posts.h"

typedef struct reduction {
  weft_team_t *team;
  char *dest;
  const char *source;
  size_t nelems, width, bytes;
  weft_combine_t combine;
} reduction_t;

static void show_data(const reduction_t *r, uint64_t gen) {
  weft_post_t *post = weft_coll_blank(r->team, gen);
  memcpy(post->data, r->source, r->bytes);
  weft_coll_show(post, gen);
}

/* dest = all posts of this generation. */
static void combine_posts(const reduction_t *r, uint64_t gen) {
  weft_team_t *team = r->team;
  for (int k = 0; k < team->members.locals; k++) {
    const weft_post_t *post = weft_coll_await(team, weft_members_local(team, k), gen);
    if (k == 0)
      memcpy(r->dest, post->data, r->bytes);
    else
      r->combine(r->dest, post->data, r->nelems);
  }
  team->known = gen;
}

/* Everyone posts and the leader combines, then it posts the result: for many PEs. */
static void through_leader(const reduction_t *r) {
  weft_team_t *team = r->team;
  const int leader = weft_members_local(team, 0);
  uint64_t gen = weft_coll_enter(team);
  show_data(r, gen);
  if (team->me == leader) combine_posts(r, gen);
  gen = weft_coll_enter(team);
  if (team->me == leader) {
    weft_post_t *post = weft_coll_blank(team, gen);
    memcpy(post->data, r->dest, r->bytes);
    weft_coll_show(post, gen);
  } else {
    memcpy(r->dest, weft_coll_await(team, leader, gen)->data, r->bytes);
    team->known = gen - 1;
  }
}

/* Combine elements [from, from + n), which no other PE touches on any member, so dest may be
 * source. In pieces that stay in the cache; to all members, or to the leader alone. */
static void combine_slice(const reduction_t *r, const char *const *sources, char *const *dests,
                          int receivers, size_t from, size_t n) {
  enum { PIECE = 8192 };
  _Alignas(WEFT_CACHELINE) char piece[PIECE];
  const size_t most = PIECE / r->width; /* no element is that large */
  for (size_t done = 0, part; done < n; done += part) {
    const size_t at = (from + done) * r->width;
    part = n - done < most ? n - done : most;
    weft_direct_memcpy(piece, sources[0] + at, part * r->width);
    for (int k = 1; k < r->team->members.locals; k++) r->combine(piece, sources[k] + at, part);
    for (int k = 0; k < receivers; k++) weft_direct_memcpy(dests[k] + at, piece, part * r->width);
  }
}

static void by_slices(const reduction_t *r, bool to_all) {
  weft_team_t *team = r->team;
  const weft_members_t *m = &team->members;
  const char *sources[m->locals];
  char *dests[m->locals];
  weft_coll_share_arrays(team, r->dest, r->source, r->bytes, dests, sources);
  const size_t from = weft_slice_begins(r->nelems, r->width, m->locals, m->local);
  const size_t until = weft_slice_begins(r->nelems, r->width, m->locals, m->local + 1);
  combine_slice(r, sources, dests, to_all ? m->locals : 1, from, until - from);
  weft_coll_entered(team, weft_coll_enter(team));
}

static void on_node(const reduction_t *r) {
  weft_team_t *team = r->team;
  const int way = weft_coll_way(WEFT_OP_REDUCE, team->members.locals, r->bytes, r->bytes);
  if (way == WEFT_ALG_SLICES) {
    by_slices(r, true);
  } else if (way == WEFT_ALG_LEADER) {
    through_leader(r);
  } else {
    const uint64_t gen = weft_coll_enter(team);
    show_data(r, gen);
    combine_posts(r, gen);
  }
}

/* The node's sum in the leader's dest; where the leader is alone it stays in its source. */
static void to_leader(const reduction_t *r) {
  weft_team_t *team = r->team;
  const bool small =
      weft_coll_way(WEFT_OP_REDUCE, team->members.locals, r->bytes, r->bytes) != WEFT_ALG_SLICES;
  if (team->members.locals == 1) return;
  if (small) {
    const uint64_t gen = weft_coll_enter(team);
    show_data(r, gen);
    if (team->members.local == 0) combine_posts(r, gen);
  } else {
    by_slices(r, false);
  }
}

void weft_coll_reduce(weft_team_t *team, void *dest, const void *source, size_t nelems,
                      size_t width, weft_combine_t combine) {
  const reduction_t r = {team, dest, source, nelems, width, nelems * width, combine};
  if (nelems == 0) return;
  if (team->set.size == 1) {
    if (dest != source) weft_direct_memcpy(dest, source, r.bytes);
  } else if (team->area < 0) {
    (team->turns ? weft_waited_reduce : weft_plain_reduce)(team, dest, source, nelems, width,
                                                           combine);
  } else if (team->members.nodes == 1) {
    on_node(&r);
  } else {
    weft_coll_end_scans(team);
    to_leader(&r);
    if (team->members.local == 0)
      weft_coll_leaders_reduce(team, dest, team->members.locals == 1 ? source : dest, nelems, width,
                               combine);
    else
      team->step += weft_coll_leaders_steps(team, nelems, width);
    /* Not WEFT_OP_BROADCAST_INSIDE: no leader is ahead of its node in a reduction. */
    if (team->members.locals > 1)
      weft_coll_node_broadcast(team, WEFT_OP_BROADCAST, dest, dest, r.bytes,
                               weft_members_local(team, 0), false);
    team->oneway = 0;
  }
}
