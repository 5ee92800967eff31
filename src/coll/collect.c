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

/* What the others need to know of my part, with the data if these are small; else where to read it,
 * or 0: I shall write it. */
static void show_part(weft_coll_t *coll, const void *source, size_t n, int way, uint64_t gen) {
  weft_post_t *post = weft_coll_blank(coll, gen);
  const bool inside = way == WEFT_ALG_POST;
  const uint64_t where = way == WEFT_ALG_READ_PARTS ? weft_coll_note(source, n) : 0;
  post->note = (uint64_t)n << 1 | inside;
  if (!inside)
    memcpy(post->data, &where, sizeof where);
  else if (n > 0)
    memcpy(post->data, source, n);
  weft_coll_show(post, gen);
}

/* One node, sizes differ. Way by way: everybody's own size decides. */
static void collect_on_node(weft_coll_t *coll, char *dest, const void *source, size_t n) {
  const int way = weft_coll_way(WEFT_OP_COLLECT, coll->members.locals, n, n);
  const uint64_t gen = weft_coll_enter(coll);
  show_part(coll, source, n, way, gen);
  size_t at = 0, before = 0;
  bool all_inside = true, write = false;
  for (int i = 0; i < coll->set.size; i++) {
    const weft_post_t *part = weft_coll_await(coll, i, gen);
    const size_t length = (size_t)(part->note >> 1);
    uint64_t where = 0;
    if (i == coll->me) before = at;
    if (part->note & IN_POST) {
      memcpy(dest + at, part->data, length);
    } else {
      all_inside = false;
      memcpy(&where, part->data, sizeof where);
      if (i == coll->me) write = where == 0;
      const char *from = i == coll->me ? source : weft_coll_peer(coll, i, where - 1);
      if (where && from != dest + at) memcpy(dest + at, from, length);
    }
    at += length;
  }
  coll->known = gen;
  if (all_inside) return;
  if (write) write_part(coll, dest, before, source, n);
  weft_coll_entered(coll, weft_coll_enter(coll));
}

/* The sum of the members' n before me, across nodes (Hillis and Steele's scan, 1986). There is
 * never more than one sum in a word: collect_by_nodes says why. */
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

/* Every part goes to its node's members and to the other nodes' leaders, or to all. Whoever of
 * another node it goes to counts it, an empty one too. */
static void spread_part(weft_coll_t *coll, char *dest, size_t before, const void *source, size_t n,
                        bool direct) {
  const weft_members_t *m = &coll->members;
  const uintptr_t off = weft_job_offset(dest) + before;
  const int targets = direct ? coll->set.size : m->nodes;
  const int self = direct ? coll->me : m->node;
  const int word = weft_coll_parts(coll);
  if (n > 0) write_part(coll, dest, before, source, n);
  for (int i = 1; i < targets; i++) {
    const int k = (self + i) % targets;
    const int member = direct ? k : weft_members_leader(coll, k);
    if (weft_job_node_of(weft_set_world(&coll->set, member)) == weft_job.node) continue;
    if (n > 0)
      weft_coll_put_count(coll, member, off, source, n, word, 1);
    else
      weft_coll_count(coll, member, word, 1);
  }
}

/* How much there is in all is known to the last member, who tells the leaders; those of other nodes
 * count that as one more part. */
static void put_total(const weft_coll_t *coll, size_t total) {
  const uintptr_t off = coll->sync + WEFT_WORD_AGREE * 8;
  for (int node = 0; node < coll->members.nodes; node++) {
    const int leader = weft_members_leader(coll, node), pe = weft_set_world(&coll->set, leader);
    if (weft_job_node_of(pe) == weft_job.node)
      weft_rma_put(pe, off, &total, sizeof total);
    else
      weft_coll_put_count(coll, leader, off, &total, sizeof total, weft_coll_parts(coll), 1);
  }
}

static bool is_on_my_node(const weft_coll_t *coll, int member) {
  return weft_job_node_of(weft_set_world(&coll->set, member)) == weft_job.node;
}

/* Nobody's next sum comes before everybody has taken those of this one: it is sent by those to whom
 * all parts have come, and a part is sent behind the sums. */
static void collect_by_nodes(weft_coll_t *coll, char *dest, const void *source, size_t before,
                             size_t n, bool equal) {
  const weft_members_t *m = &coll->members;
  const int leader = weft_members_local(coll, 0), last = coll->set.size - 1;
  const bool direct =
      weft_choose(WEFT_OP_COLLECT_NODES, m->nodes, equal ? n : 0) == WEFT_ALG_DIRECT;
  const bool total_is_told = !equal && !direct;
  int expected = direct || coll->me == leader ? coll->set.size - m->locals : 0;
  if (total_is_told && coll->me == leader && !is_on_my_node(coll, last)) expected++;
  spread_part(coll, dest, before, source, n, direct);
  if (total_is_told && coll->me == last) put_total(coll, before + n);
  weft_coll_await_parts(coll, expected);
  weft_coll_entered(coll, weft_coll_enter(coll));
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
    (coll->team ? weft_careful_collect : weft_plain_collect)(coll, dest, source, n);
  else if (coll->members.nodes == 1)
    collect_on_node(coll, dest, source, n);
  else
    collect_by_nodes(coll, dest, source, bytes_before(coll, n), n, false);
}

/* Everyone copies from everyone's source; who has a private one writes it instead. */
static void read_parts(weft_coll_t *coll, char *dest, const void *source, size_t n) {
  const int size = coll->set.size;
  const size_t before = (size_t)coll->me * n;
  const uint64_t gen = weft_coll_enter(coll), note = weft_coll_note(source, n);
  if (!note) write_part(coll, dest, before, source, n);
  weft_post_t *post = weft_coll_blank(coll, gen);
  post->note = note;
  weft_coll_show(post, gen);
  if (note && dest + before != source) memcpy(dest + before, source, n);
  for (int k = 1; k < size; k++) {
    const int i = (coll->me + k) % size;
    const uint64_t where = weft_coll_await(coll, i, gen)->note;
    if (where) memcpy(dest + (size_t)i * n, weft_coll_peer(coll, i, where - 1), n);
  }
  weft_coll_entered(coll, weft_coll_enter(coll));
}

static void fcollect_on_node(weft_coll_t *coll, char *dest, const void *source, size_t n) {
  const int way = weft_coll_way(WEFT_OP_FCOLLECT, coll->members.locals, n, n);
  if (way == WEFT_ALG_READ_PARTS) {
    read_parts(coll, dest, source, n);
    return;
  }
  if (way == WEFT_ALG_WRITE) {
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
    (coll->team ? weft_careful_fcollect : weft_plain_collect)(coll, dest, source, n);
  else if (coll->members.nodes == 1)
    fcollect_on_node(coll, dest, source, n);
  else
    collect_by_nodes(coll, dest, source, (size_t)coll->me * n, n, true);
}
