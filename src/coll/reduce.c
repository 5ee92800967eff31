/*
 * reduce. On a node everyone's data are seen by all: small ones are combined by everyone, in member
 * order; of large ones each PE combines a slice and writes it to all. Of several nodes each first
 * reduces to its leader (reduce_nodes.c goes on), and the leader's result is broadcast. However it
 * goes, all members get the same bits.
 */
#include "coll/coll_internal.h"

typedef struct reduction {
  weft_coll_t *coll;
  char *dest;
  const char *source;
  size_t nelems, width, bytes;
  weft_combine_t combine;
} reduction_t;

static void show_data(const reduction_t *r, uint64_t gen) {
  weft_post_t *post = weft_coll_blank(r->coll, gen);
  memcpy(post->data, r->source, r->bytes);
  weft_coll_show(post, gen);
}

/* dest = all posts of this generation. */
static void combine_posts(const reduction_t *r, uint64_t gen) {
  weft_coll_t *coll = r->coll;
  for (int k = 0; k < coll->members.locals; k++) {
    const weft_post_t *post = weft_coll_await(coll, weft_members_local(coll, k), gen);
    if (k == 0)
      memcpy(r->dest, post->data, r->bytes);
    else
      r->combine(r->dest, post->data, r->nelems);
  }
  coll->known = gen;
}

/* Everyone posts and the leader combines, then it posts the result: for many PEs. */
static void through_leader(const reduction_t *r) {
  weft_coll_t *coll = r->coll;
  const int leader = weft_members_local(coll, 0);
  uint64_t gen = weft_coll_enter(coll);
  show_data(r, gen);
  if (coll->me == leader) combine_posts(r, gen);
  gen = weft_coll_enter(coll);
  if (coll->me == leader) {
    weft_post_t *post = weft_coll_blank(coll, gen);
    memcpy(post->data, r->dest, r->bytes);
    weft_coll_show(post, gen);
  } else {
    memcpy(r->dest, weft_coll_await(coll, leader, gen)->data, r->bytes);
    coll->known = gen - 1;
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
    memcpy(piece, sources[0] + at, part * r->width);
    for (int k = 1; k < r->coll->members.locals; k++) r->combine(piece, sources[k] + at, part);
    for (int k = 0; k < receivers; k++) memcpy(dests[k] + at, piece, part * r->width);
  }
}

/* Elements in front of the k-th slice: whole cache lines, if elements are no larger. */
static size_t slice_begins(const reduction_t *r, int k) {
  const size_t unit = r->width < WEFT_CACHELINE ? WEFT_CACHELINE / r->width : 1;
  const size_t locals = (size_t)r->coll->members.locals;
  const size_t each = weft_round_up((r->nelems + locals - 1) / locals, unit);
  return each * (size_t)k < r->nelems ? each * (size_t)k : r->nelems;
}

static void by_slices(const reduction_t *r, bool to_all) {
  weft_coll_t *coll = r->coll;
  const weft_members_t *m = &coll->members;
  const char *sources[m->locals];
  char *dests[m->locals];
  const bool readable = weft_coll_readable(r->source, r->bytes);
  if (!readable) memcpy(r->dest, r->source, r->bytes);
  const uint64_t gen = weft_coll_enter(coll);
  weft_post_t *post = weft_coll_blank(coll, gen);
  post->note = weft_job_offset(readable ? r->source : r->dest);
  weft_coll_show(post, gen);
  for (int k = 0; k < m->locals; k++) {
    const int member = weft_members_local(coll, k);
    sources[k] = weft_coll_peer(coll, member, weft_coll_await(coll, member, gen)->note);
    dests[k] = weft_coll_peer(coll, member, weft_job_offset(r->dest));
  }
  coll->known = gen;
  const size_t from = slice_begins(r, m->local), until = slice_begins(r, m->local + 1);
  combine_slice(r, sources, dests, to_all ? m->locals : 1, from, until - from);
  weft_coll_entered(coll, weft_coll_enter(coll));
}

static void on_node(const reduction_t *r) {
  weft_coll_t *coll = r->coll;
  const int way = weft_coll_way(WEFT_OP_REDUCE, coll->members.locals, r->bytes, r->bytes);
  if (way == WEFT_ALG_SLICES) {
    by_slices(r, true);
  } else if (way == WEFT_ALG_LEADER) {
    through_leader(r);
  } else {
    const uint64_t gen = weft_coll_enter(coll);
    show_data(r, gen);
    combine_posts(r, gen);
  }
}

/* The node's sum in the leader's dest; where the leader is alone it stays in its source. */
static void to_leader(const reduction_t *r) {
  weft_coll_t *coll = r->coll;
  const bool small =
      weft_coll_way(WEFT_OP_REDUCE, coll->members.locals, r->bytes, r->bytes) != WEFT_ALG_SLICES;
  if (coll->members.locals == 1) return;
  if (small) {
    const uint64_t gen = weft_coll_enter(coll);
    show_data(r, gen);
    if (coll->members.local == 0) combine_posts(r, gen);
  } else {
    by_slices(r, false);
  }
}

void weft_coll_reduce(weft_coll_t *coll, void *dest, const void *source, size_t nelems,
                      size_t width, weft_combine_t combine) {
  const reduction_t r = {coll, dest, source, nelems, width, nelems * width, combine};
  if (nelems == 0) return;
  if (coll->set.size == 1) {
    if (dest != source) memcpy(dest, source, r.bytes);
  } else if (coll->area < 0) {
    (coll->team ? weft_careful_reduce : weft_plain_reduce)(coll, dest, source, nelems, width,
                                                           combine);
  } else if (coll->members.nodes == 1) {
    on_node(&r);
  } else {
    to_leader(&r);
    if (coll->members.local == 0)
      weft_coll_leaders_reduce(coll, dest, coll->members.locals == 1 ? source : dest, nelems, width,
                               combine);
    else
      coll->step += weft_coll_leaders_steps(coll, nelems, width);
    if (coll->members.locals > 1)
      weft_coll_node_broadcast(coll, dest, dest, r.bytes, weft_members_local(coll, 0), false);
    coll->oneway = 0;
  }
}
