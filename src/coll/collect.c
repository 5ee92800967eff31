/*
 * collect and fcollect. On a node small parts are posted and everyone copies everyone's; larger
 * ones are written to where they belong in everyone's dest, which is ready before any calls. To
 * other nodes a part goes once: to the leader's dest, from where the others of its node copy
 * (gather.c has the ways by which leaders pass on what they have).
 */
#include "coll/coll_internal.h"
#include "coll/posts.h"

enum { IN_POST = 1 }; /* beside the size in a post's note, shifted by one */

static void write_part(weft_team_t *team, char *dest, size_t before, const void *source, size_t n) {
  const weft_members_t *m = &team->members;
  const uintptr_t off = weft_job_offset(dest) + before;
  for (int i = 1; i <= m->locals; i++) {
    const int k = (m->local + i) % m->locals;
    char *to =
        k == m->local ? dest + before : weft_coll_peer(team, weft_members_local(team, k), off);
    if (to != source) weft_direct_memcpy(to, source, n);
  }
}

/* What the others need to know of my part, with the data if these are small; else where to read it,
 * or 0: I shall write it. */
static void show_part(weft_team_t *team, const void *source, size_t n, int way, uint64_t gen) {
  weft_post_t *post = weft_coll_blank(team, gen);
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
static void collect_on_node(weft_team_t *team, char *dest, const void *source, size_t n) {
  const int way = weft_coll_way(WEFT_OP_COLLECT, team->members.locals, n, n);
  const uint64_t gen = weft_coll_enter(team);
  show_part(team, source, n, way, gen);
  size_t at = 0, before = 0;
  bool all_inside = true, write = false;
  for (int i = 0; i < team->set.size; i++) {
    const weft_post_t *part = weft_coll_await(team, i, gen);
    const size_t length = (size_t)(part->note >> 1);
    uint64_t where = 0;
    if (i == team->me) before = at;
    if (part->note & IN_POST) {
      memcpy(dest + at, part->data, length);
    } else {
      all_inside = false;
      memcpy(&where, part->data, sizeof where);
      if (i == team->me) write = where == 0;
      if (where) {
        const char *from = i == team->me ? source : weft_coll_peer(team, i, where - 1);
        if (from != dest + at) weft_direct_memcpy(dest + at, from, length);
      }
    }
    at += length;
  }
  team->known = gen;
  if (all_inside) return;
  if (write) write_part(team, dest, before, source, n);
  weft_coll_entered(team, weft_coll_enter(team));
}

/* Every part goes to its node's members and to the other nodes' leaders, or to all. Whoever of
 * another node it goes to counts it, an empty one too. */
static void spread_part(weft_team_t *team, char *dest, size_t before, const void *source, size_t n,
                        bool direct) {
  const weft_members_t *m = &team->members;
  const uintptr_t off = weft_job_offset(dest) + before;
  const int targets = direct ? team->set.size : m->nodes;
  const int self = direct ? team->me : m->node, word = weft_coll_stage(team, 0);
  weft_op_t sent = {0};
  for (int i = 1; i < targets; i++) {
    const int k = (self + i) % targets;
    const int member = direct ? k : weft_members_leader(team, k);
    if (weft_coll_is_here(team, member)) continue;
    if (n > 0)
      weft_coll_send(team, member, off, source, n, word, &sent);
    else
      weft_rma_add(weft_set_world(&team->set, member), team->sync + (uintptr_t)word * 8, 1);
  }
  if (n > 0) write_part(team, dest, before, source, n);
  weft_op_wait_on(&weft_channels[0], &sent);
}

/* What others need is in this node's leaders' dest: everybody of the node gets it. A little is
 * written by the leader, for whom then nobody need wake up. */
void weft_coll_from_leader(weft_team_t *team, char *dest, size_t total) {
  enum { LITTLE = 8192 };
  const weft_members_t *m = &team->members;
  const uintptr_t off = weft_job_offset(dest);
  const bool leads = m->local == 0;
  if (m->locals == 1) return;
  for (int k = 1; leads && total <= LITTLE && k < m->locals; k++)
    weft_direct_memcpy(weft_coll_peer(team, weft_members_local(team, k), off), dest, total);
  const uint64_t gen = weft_coll_enter(team);
  if (!leads) weft_coll_await_leader(team, gen);
  if (total <= LITTLE) return;
  if (!leads)
    weft_direct_memcpy(dest, weft_coll_peer(team, weft_members_local(team, 0), off), total);
  const uint64_t next = weft_coll_enter(team);
  if (leads) weft_coll_entered(team, next);
}

static void collect_by_nodes(weft_team_t *team, char *dest, const void *source, size_t before,
                             size_t n, size_t total, bool direct) {
  const weft_members_t *m = &team->members;
  weft_coll_next_step(team);
  spread_part(team, dest, before, source, n, direct);
  if (direct || m->local == 0)
    weft_coll_heard(team, weft_coll_stage(team, 0), (uint64_t)(team->set.size - m->locals));
  const uint64_t gen = weft_coll_enter(team);
  if (direct || m->local == 0) weft_coll_entered(team, gen);
  if (!direct) weft_coll_from_leader(team, dest, total);
}

static void add(void *inout, const void *in, size_t n) {
  for (size_t i = 0; i < n; i++) ((uint64_t *)inout)[i] += ((const uint64_t *)in)[i];
}

/* Where no table of everybody's sizes fits: a scan tells each where its part begins. */
static void collect_by_scan(weft_team_t *team, char *dest, const void *source, size_t n,
                            bool direct) {
  uint64_t *sum = (uint64_t *)(void *)(weft_job.window.base + team->sync) + WEFT_WORD_AGREE;
  const uint64_t mine = n;
  weft_coll_scan(team, sum, &mine, 1, sizeof mine, add, false);
  const size_t before = *sum;
  weft_coll_reduce(team, sum, &mine, 1, sizeof mine, add);
  weft_coll_check_sum(dest, before, n, *sum);
  collect_by_nodes(team, dest, source, before, n, *sum, direct);
}

static int way_of(const weft_team_t *team, size_t n) {
  return weft_choose(WEFT_OP_COLLECT_NODES, team->members.nodes, n);
}

void weft_coll_collect(weft_team_t *team, void *dest, const void *source, size_t n) {
  if (team->area < 0)
    (team->turns ? weft_waited_collect : weft_plain_collect)(team, dest, source, n);
  else if (team->members.nodes == 1)
    collect_on_node(team, dest, source, n);
  else if (way_of(team, 0) == WEFT_ALG_GATHERING && weft_coll_gathers(team))
    weft_coll_collect_table(team, dest, source, n);
  else
    collect_by_scan(team, dest, source, n, way_of(team, 0) == WEFT_ALG_DIRECT);
}

/* Everyone copies from everyone's source; a member whose source is private writes it instead. */
static void read_parts(weft_team_t *team, char *dest, const void *source, size_t n) {
  const int size = team->set.size;
  const size_t before = (size_t)team->me * n;
  const uint64_t gen = weft_coll_enter(team), note = weft_coll_note(source, n);
  if (!note) write_part(team, dest, before, source, n);
  weft_post_t *post = weft_coll_blank(team, gen);
  post->note = note;
  weft_coll_show(post, gen);
  if (note && dest + before != source) weft_direct_memcpy(dest + before, source, n);
  for (int k = 1; k < size; k++) {
    const int i = (team->me + k) % size;
    const uint64_t where = weft_coll_await(team, i, gen)->note;
    if (where) weft_direct_memcpy(dest + (size_t)i * n, weft_coll_peer(team, i, where - 1), n);
  }
  weft_coll_entered(team, weft_coll_enter(team));
}

static void fcollect_on_node(weft_team_t *team, char *dest, const void *source, size_t n) {
  const int way = weft_coll_way(WEFT_OP_FCOLLECT, team->members.locals, n, n);
  if (way == WEFT_ALG_READ_PARTS) {
    read_parts(team, dest, source, n);
    return;
  }
  if (way == WEFT_ALG_WRITE) {
    write_part(team, dest, (size_t)team->me * n, source, n);
    weft_coll_entered(team, weft_coll_enter(team));
    return;
  }
  const uint64_t gen = weft_coll_enter(team);
  weft_post_t *post = weft_coll_blank(team, gen);
  memcpy(post->data, source, n);
  weft_coll_show(post, gen);
  for (int i = 0; i < team->set.size; i++)
    memcpy(dest + (size_t)i * n, weft_coll_await(team, i, gen)->data, n);
  team->known = gen;
}

void weft_coll_fcollect(weft_team_t *team, void *dest, const void *source, size_t n) {
  if (n == 0) return;
  if (team->area < 0)
    (team->turns ? weft_waited_fcollect : weft_plain_collect)(team, dest, source, n);
  else if (team->members.nodes == 1)
    fcollect_on_node(team, dest, source, n);
  else if (team->members.runs && way_of(team, n) == WEFT_ALG_GATHERING)
    weft_coll_gather_all(team, dest, source, n);
  else
    collect_by_nodes(team, dest, source, (size_t)team->me * n, n, n * (size_t)team->set.size,
                     way_of(team, n) == WEFT_ALG_DIRECT);
}
