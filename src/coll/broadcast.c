/*
 * broadcast. Between nodes a binomial tree (or the root alone) puts into dest, which is ready on
 * all members before any calls. On each node one member then has the data: the root on its own, the
 * leader elsewhere. Nobody answers, so a root may be several broadcasts ahead.
 */
#include "coll/coll_internal.h"

bool weft_coll_readable(const void *p, size_t n) {
  const uintptr_t off = (uintptr_t)p - weft_job.window.base;
  const weft_layout_t *l = &weft_job.window.layout;
  return weft_job_is_symmetric(p, n) ||
         (off >= l->runtime && off + n <= l->runtime + l->runtime_size);
}

/* Piece by piece through the root's posts. */
static void through_posts(weft_coll_t *coll, char *dest, const char *source, size_t n, int root) {
  const size_t room = weft_coll_room();
  for (size_t at = 0; at < n; at += room) {
    const size_t part = n - at < room ? n - at : room;
    const uint64_t gen = weft_coll_enter(coll);
    if (coll->me == root) {
      weft_post_t *post = weft_coll_blank(coll, gen);
      memcpy(post->data, source + at, part);
      weft_coll_show(post, gen);
    } else {
      memcpy(dest + at, weft_coll_await(coll, root, gen)->data, part);
    }
  }
}

/* Everyone reads where the root has it; the root waits until they have. */
static void by_reading(weft_coll_t *coll, void *dest, const void *source, size_t n, int root,
                       bool to_root) {
  const uint64_t gen = weft_coll_enter(coll);
  if (coll->me != root) {
    const weft_post_t *post = weft_coll_await(coll, root, gen);
    memcpy(dest, weft_coll_peer(coll, root, post->note), n);
    weft_coll_enter(coll);
    return;
  }
  const bool readable = weft_coll_readable(source, n);
  if (!readable && !to_root) weft_fatal("broadcast: source %p is not symmetric", source);
  if (!readable) memcpy(dest, source, n);
  weft_post_t *post = weft_coll_blank(coll, gen);
  post->note = weft_job_offset(readable ? source : dest);
  weft_coll_show(post, gen);
  if (readable && to_root && dest != source) memcpy(dest, source, n);
  weft_coll_entered(coll, weft_coll_enter(coll));
}

void weft_coll_node_broadcast(weft_coll_t *coll, void *dest, const void *source, size_t n, int root,
                              bool to_root) {
  const bool alone = coll->members.locals == 1;
  if (!alone && weft_choose(WEFT_OP_BROADCAST, coll->members.locals, n) == WEFT_ALG_PULL) {
    by_reading(coll, dest, source, n, root, to_root);
    return;
  }
  if (!alone) through_posts(coll, dest, source, n, root);
  if (coll->me == root && to_root && dest != source) memcpy(dest, source, n);
}

/* Among one member of each node, numbered from the root's. Where the data go is told by a word that
 * belongs to this turn: the next broadcast may come from another root before this one is here. */
static void between_nodes(weft_coll_t *coll, void *dest, const void *source, size_t n, int root) {
  const weft_members_t *m = &coll->members;
  const int home = weft_members_node(coll, root), size = m->nodes;
  const int word = WEFT_WORD_TURN + (int)(coll->turn % WEFT_COLL_TURNS);
  const bool flat = weft_choose(WEFT_OP_BROADCAST_NODES, size, n) == WEFT_ALG_FLAT;
  const int64_t v = ((int64_t)m->node - home + size) % size;
  int64_t bit = 1;
  if (v) weft_coll_take(coll, word);
  while (bit < size && !(v & bit)) bit *= 2;
  if (flat) bit = v ? 1 : size;
  /* flat: the root's children are all; tree: v plus every power of two below its lowest bit */
  for (int64_t d = flat ? bit - 1 : bit / 2; d > 0; d = flat ? d - 1 : d / 2) {
    if (v + d >= size) continue;
    const int child = weft_members_leader(coll, (int)((v + d + home) % size));
    weft_coll_put_count(coll, child, weft_job_offset(dest), v ? dest : source, n, word, 1);
  }
}

void weft_coll_broadcast(weft_coll_t *coll, void *dest, const void *source, size_t n, int root,
                         bool to_root) {
  const weft_members_t *m = &coll->members;
  if (n == 0) return;
  if (coll->set.size == 1) {
    if (to_root && dest != source) memcpy(dest, source, n);
    return;
  }
  if (coll->area < 0) {
    (coll->team ? weft_careful_broadcast : weft_plain_broadcast)(coll, dest, source, n, root,
                                                                 to_root);
    return;
  }
  if (m->nodes == 1) {
    weft_coll_node_broadcast(coll, dest, source, n, root, to_root);
    return;
  }
  const int home = weft_members_node(coll, root);
  const int first = m->node == home ? root : weft_members_local(coll, 0);
  if (coll->me == first) between_nodes(coll, dest, source, n, root);
  weft_coll_node_broadcast(coll, dest, coll->me == root ? source : dest, n, first,
                           to_root || coll->me != root);
  coll->turn++;
  if (++coll->oneway == WEFT_COLL_TURNS - 1) weft_coll_sync(coll);
}

void weft_coll_share(void *p, size_t n) {
  weft_coll_t *world = weft_coll_world();
  char *own = (char *)weft_job.window.base + world->sync + WEFT_COLL_SHARE +
              world->turn % WEFT_COLL_TURNS * WEFT_COLL_SHARE_MAX;
  if (n > WEFT_COLL_SHARE_MAX) weft_fatal("weft_coll_share: %zu bytes are too many", n);
  weft_coll_broadcast(world, own, p, n, 0, true);
  if (weft_unlikely(world->status)) return;
  memcpy(p, own, n);
}
