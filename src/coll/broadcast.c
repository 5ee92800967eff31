/*
 * broadcast. Between nodes a binomial tree, a chain or the root alone puts into dest, which is
 * ready on all members before any calls; what is long is passed on piece by piece. On each node one
 * member then has the data: the root on its own, the leader elsewhere. Nobody answers, so a root
 * may be several broadcasts ahead.
 */
#include "coll/coll_internal.h"
#include "coll/posts.h"
#include "coll/schedule.h"

/* Of constants every slot has a copy. */
bool weft_coll_readable(const void *p, size_t n) {
  const uintptr_t off = (uintptr_t)p - weft_job.window.base;
  const weft_layout_t *l = &weft_job.window.layout;
  return weft_job_is_symmetric(p, n) ||
         (off >= l->runtime && off + n <= l->runtime + l->runtime_size) ||
         weft_window_is_constant(&weft_job.window, p, n);
}

/* Piece by piece through the root's posts; of few bytes it may be some broadcasts ahead. */
static void through_posts(weft_team_t *team, char *dest, const char *source, size_t n, int root) {
  const size_t room = weft_coll_room();
  for (size_t at = 0; at < n; at += room) {
    const size_t part = n - at < room ? n - at : room;
    const uint64_t gen = weft_coll_enter(team);
    if (team->me == root) {
      weft_post_t *post = weft_coll_blank_for(team, gen, part);
      memcpy(post->data, source + at, part);
      weft_coll_show(post, gen);
    } else {
      memcpy(dest + at, weft_coll_await_for(team, root, gen, part)->data, part);
    }
  }
}

/* Everyone reads where the root has it; the root waits until they have. */
static void by_reading(weft_team_t *team, void *dest, const void *source, size_t n, int root,
                       bool to_root) {
  const uint64_t gen = weft_coll_enter(team);
  if (team->me != root) {
    const weft_post_t *post = weft_coll_await(team, root, gen);
    weft_direct_memcpy(dest, weft_coll_peer(team, root, post->note), n);
    weft_coll_enter(team);
    return;
  }
  const bool readable = weft_coll_readable(source, n);
  if (!readable && !to_root) weft_fatal("broadcast: source %p is not symmetric", source);
  if (!readable) weft_direct_memcpy(dest, source, n);
  weft_post_t *post = weft_coll_blank(team, gen);
  post->note = weft_job_offset(readable ? source : dest);
  weft_coll_show(post, gen);
  if (readable && to_root && dest != source) weft_direct_memcpy(dest, source, n);
  weft_coll_entered(team, weft_coll_enter(team));
}

void weft_coll_node_broadcast(weft_team_t *team, int op, void *dest, const void *source, size_t n,
                              int root, bool to_root) {
  const bool alone = team->members.locals == 1;
  if (!alone && weft_choose(op, team->members.locals, n) == WEFT_ALG_PULL) {
    by_reading(team, dest, source, n, root, to_root);
    return;
  }
  if (!alone) through_posts(team, dest, source, n, root);
  if (team->me == root && to_root && dest != source) weft_direct_memcpy(dest, source, n);
}

enum { SEGMENT = WEFT_LOAD }; /* bytes of a message, where it is passed on */

/* n bytes to this node's children: in a tree, to all (the root alone), or to the next of a chain.
 * `gathers`: they may gather with those of other broadcasts, as small puts do. */
static void to_children(weft_team_t *team, const char *data, uintptr_t off, size_t n, int home,
                        int way, bool gathers, weft_op_t *sent) {
  const int64_t size = team->members.nodes, v = (team->members.node - home + size) % size;
  const int word = weft_coll_cast_word(team, 0);
  for (int64_t d = weft_child_first(way, v, size); d > 0; d = weft_child_next(way, d)) {
    if (v + d >= size) continue;
    const int leader = weft_members_leader(team, (int)((v + d + home) % size));
    if (gathers)
      weft_coll_send_gathered(team, leader, off, data, n, word, sent);
    else
      weft_coll_send(team, leader, off, data, n, word, sent);
  }
}

/* Among one member of each node, numbered from the root's. Where the data go is told by a word that
 * belongs to this broadcast: the next one may come from another root before this one is here. The
 * word counts pieces, so these must come in order: what is passed on in several does not gather,
 * as what is staged may leave by another connection (helper.c) and pass the writes before it. */
static void between_nodes(weft_team_t *team, void *dest, const void *source, size_t n, int root) {
  const int home = weft_members_node(team, root), nodes = team->members.nodes;
  const bool first = team->members.node == home;
  const char *data = first ? source : dest;
  const int way = weft_choose(WEFT_OP_BROADCAST_NODES, nodes, n);
  const bool whole = nodes == 2 || way == WEFT_ALG_FLAT || !weft_job.fabric.notes;
  const bool follows = team->oneway > 1 && team->cast_step == team->step;
  const bool gathers = follows && n <= WEFT_COLL_GATHERED;
  weft_op_t sent = {0};
  for (size_t at = 0, part; at < n; at += part) {
    part = whole || n - at < SEGMENT ? n - at : SEGMENT;
    if (!first) weft_coll_heard(team, weft_coll_cast_word(team, 0), 1);
    to_children(team, data + at, weft_job_offset(dest) + at, part, home, way, gathers, &sent);
  }
  weft_op_wait_on(&weft_channels[0], &sent);
}

void weft_coll_broadcast(weft_team_t *team, void *dest, const void *source, size_t n, int root,
                         bool to_root) {
  const weft_members_t *m = &team->members;
  if (n == 0) return;
  if (team->set.size == 1) {
    if (to_root && dest != source) weft_direct_memcpy(dest, source, n);
    return;
  }
  if (team->area < 0) {
    (team->turns ? weft_waited_broadcast : weft_plain_broadcast)(team, dest, source, n, root,
                                                                 to_root);
    return;
  }
  if (m->nodes == 1) {
    weft_coll_node_broadcast(team, WEFT_OP_BROADCAST, dest, source, n, root, to_root);
    return;
  }
  const int home = weft_members_node(team, root);
  const int first = m->node == home ? root : weft_members_local(team, 0);
  if (team->me == first) between_nodes(team, dest, source, n, root);
  weft_coll_node_broadcast(team, WEFT_OP_BROADCAST_INSIDE, dest, team->me == root ? source : dest,
                           n, first, to_root || team->me != root);
  team->casts++;
  team->cast_step = team->step;
  if (++team->oneway == WEFT_COLL_CASTS - 1) weft_coll_sync(team);
}

void weft_coll_share(void *p, size_t n) {
  weft_team_t *world = weft_team_world();
  char *own = (char *)weft_job.window.base + world->sync + WEFT_COLL_SHARES_AT +
              world->casts % WEFT_COLL_SHARES * WEFT_COLL_SHARE_MAX;
  if (n > WEFT_COLL_SHARE_MAX) weft_fatal("weft_coll_share: %zu bytes are too many", n);
  if (world->oneway >= WEFT_COLL_SHARES - 1) weft_coll_sync(world);
  weft_coll_broadcast(world, own, p, n, 0, true);
  if (weft_unlikely(world->status)) return;
  weft_direct_memcpy(p, own, n);
}
