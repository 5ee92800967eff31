/*
 * collect and fcollect. On a node small parts are posted and everyone copies everyone's; larger
 * ones are written to where they belong in everyone's dest, which is ready before any calls. To
 * other nodes a part goes once: to the leader's dest, from where the others of its node copy.
 */
#include "coll/coll_internal.h"

enum { IN_POST = 1 }; /* beside the size in a post's note, shifted by one */

static void write_part(weft_coll_t *coll, char *dest, size_t before, const void *source, size_t n) {
  const weft_members_t *m = &coll->members;
  const uintptr_t off = weft_job_offset(dest) + before;
  for (int i = 1; i <= m->locals; i++) {
    const int k = (m->local + i) % m->locals;
    char *to =
        k == m->local ? dest + before : weft_coll_peer(coll, weft_members_local(coll, k), off);
    if (to != source) memcpy(to, source, n);
  }
}

/* One node, sizes differ: they are in the posts, with the data if these are small. */
static void collect_on_node(weft_coll_t *coll, char *dest, const void *source, size_t n) {
  const bool inside = weft_coll_way(WEFT_OP_COLLECT, coll->members.locals, n, n) == WEFT_ALG_POST;
  uint64_t gen = weft_coll_enter(coll);
  weft_post_t *post = weft_coll_blank(coll, gen);
  post->note = (uint64_t)n << 1 | inside;
  if (inside && n > 0) memcpy(post->data, source, n);
  weft_coll_show(post, gen);
  size_t at = 0, before = 0;
  bool written = false;
  for (int i = 0; i < coll->set.size; i++) {
    const weft_post_t *part = weft_coll_await(coll, i, gen);
    const size_t length = (size_t)(part->note >> 1);
    if (i == coll->me) before = at;
    if (part->note & IN_POST)
      memcpy(dest + at, part->data, length);
    else
      written = true;
    at += length;
  }
  coll->known = gen;
  if (!written) return;
  if (!inside) write_part(coll, dest, before, source, n);
  weft_coll_entered(coll, weft_coll_enter(coll));
}

/* The sum of the members' n before me, across nodes (Hillis and Steele's scan, 1986). A sync
 * follows before the next, so there is never more than one sum in a word. */
static size_t bytes_before(weft_coll_t *coll, size_t n) {
  const int64_t size = coll->set.size, me = coll->me;
  size_t sum = n;
  int word = WEFT_WORD_SCAN;
  for (int64_t distance = 1; distance < size; distance *= 2, word++) {
    if (me + distance < size) weft_coll_count(coll, (int)(me + distance), word, sum + 1);
    if (me >= distance) sum += weft_coll_take(coll, word) - 1;
  }
  return sum - n;
}

/* Every part goes to its node's members and to the other nodes' leaders, or to all. */
static void spread_part(weft_coll_t *coll, char *dest, size_t before, const void *source, size_t n,
                        bool direct) {
  const weft_members_t *m = &coll->members;
  const uintptr_t off = weft_job_offset(dest) + before;
  const int targets = direct ? coll->set.size : m->nodes;
  const int self = direct ? coll->me : m->node;
  if (n == 0) return;
  write_part(coll, dest, before, source, n);
  for (int i = 1; i < targets; i++) {
    const int k = (self + i) % targets;
    const int pe = weft_set_world(&coll->set, direct ? k : weft_members_leader(coll, k));
    if (weft_job_node_of(pe) != weft_job.node) weft_rma_put(pe, off, source, n);
  }
}

static void put_total(const weft_coll_t *coll, size_t total) {
  const uintptr_t off = coll->sync + WEFT_WORD_AGREE * 8;
  for (int node = 0; node < coll->members.nodes; node++)
    weft_rma_put(weft_set_world(&coll->set, weft_members_leader(coll, node)), off, &total,
                 sizeof total);
}

/* Parts that differ: how much there is in all is known to the last member, who tells the leaders.
 */
static void collect_by_nodes(weft_coll_t *coll, char *dest, const void *source, size_t before,
                             size_t n, bool equal) {
  const weft_members_t *m = &coll->members;
  const int leader = weft_members_local(coll, 0);
  const bool direct =
      weft_choose(WEFT_OP_COLLECT_NODES, m->nodes, equal ? n : 0) == WEFT_ALG_DIRECT;
  spread_part(coll, dest, before, source, n, direct);
  if (!equal && !direct && coll->me == coll->set.size - 1) put_total(coll, before + n);
  weft_rma_quiet();
  weft_coll_sync(coll);
  if (direct || m->locals == 1) return;
  if (coll->me != leader) {
    const uint64_t *told =
        (const uint64_t *)(const void *)weft_coll_at(coll, leader) + WEFT_WORD_AGREE;
    const size_t total = equal ? n * (size_t)coll->set.size : (size_t)weft_peek(told);
    memcpy(dest, weft_coll_peer(coll, leader, weft_job_offset(dest)), total);
  }
  const uint64_t gen = weft_coll_enter(coll);
  if (coll->me == leader) weft_coll_entered(coll, gen);
}

void weft_coll_collect(weft_coll_t *coll, void *dest, const void *source, size_t n) {
  if (coll->area < 0)
    weft_plain_collect(coll, dest, source, n);
  else if (coll->members.nodes == 1)
    collect_on_node(coll, dest, source, n);
  else
    collect_by_nodes(coll, dest, source, bytes_before(coll, n), n, false);
}

static void fcollect_on_node(weft_coll_t *coll, char *dest, const void *source, size_t n) {
  if (weft_coll_way(WEFT_OP_FCOLLECT, coll->members.locals, n, n) == WEFT_ALG_WRITE) {
    write_part(coll, dest, (size_t)coll->me * n, source, n);
    weft_coll_entered(coll, weft_coll_enter(coll));
    return;
  }
  const uint64_t gen = weft_coll_enter(coll);
  weft_post_t *post = weft_coll_blank(coll, gen);
  memcpy(post->data, source, n);
  weft_coll_show(post, gen);
  for (int i = 0; i < coll->set.size; i++)
    memcpy(dest + (size_t)i * n, weft_coll_await(coll, i, gen)->data, n);
  coll->known = gen;
}

void weft_coll_fcollect(weft_coll_t *coll, void *dest, const void *source, size_t n) {
  if (n == 0) return;
  if (coll->area < 0)
    weft_plain_collect(coll, dest, source, n);
  else if (coll->members.nodes == 1)
    fcollect_on_node(coll, dest, source, n);
  else
    collect_by_nodes(coll, dest, source, (size_t)coll->me * n, n, true);
}
