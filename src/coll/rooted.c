/*
 * rooted: scatter and gather, where one member has everybody's blocks.
 */
#include "coll/coll_internal.h"
#include "coll/posts.h"

/* The root's blocks, where its node can read them; the root waits until that has been done. */
static void scatter_on_node(weft_team_t *team, char *dest, const char *source, size_t n, int root) {
  const size_t mine = (size_t)team->me * n, all = (size_t)team->set.size * n;
  const uint64_t gen = weft_coll_enter(team);
  if (team->me != root) {
    const weft_post_t *post = weft_coll_await(team, root, gen);
    memcpy(dest, post->note ? weft_coll_peer(team, root, post->note) + mine : post->data + mine, n);
    weft_coll_enter(team);
    return;
  }
  weft_post_t *post = weft_coll_blank(team, gen);
  const bool inside = all <= weft_coll_room();
  if (!inside && !weft_coll_readable(source, all))
    weft_fatal("scatter: source %p is not symmetric", (const void *)source);
  post->note = inside ? 0 : weft_job_offset(source);
  if (inside) memcpy(post->data, source, all);
  /* Own block first: who has seen the post may go on, and gather into source. */
  if (dest != source + mine) weft_direct_memcpy(dest, source + mine, n);
  weft_coll_show(post, gen);
  const uint64_t next = weft_coll_enter(team);
  if (!inside) weft_coll_entered(team, next);
}

void weft_coll_scatter(weft_team_t *team, void *dest, const void *source, size_t n, int root) {
  const char *blocks = source;
  if (n == 0) return;
  if (team->area >= 0 && team->members.nodes == 1) {
    scatter_on_node(team, dest, source, n, root);
    return;
  }
  if (team->me == root) {
    for (int k = 1; k < team->set.size; k++) {
      const int i = (root + k) % team->set.size;
      weft_rma_put(weft_set_world(&team->set, i), weft_job_offset(dest), blocks + (size_t)i * n, n);
    }
    if (dest != blocks + (size_t)root * n) weft_direct_memcpy(dest, blocks + (size_t)root * n, n);
    weft_rma_quiet();
  }
  weft_coll_sync(team);
}

void weft_coll_gather(weft_team_t *team, void *dest, const void *source, size_t n, int root) {
  const size_t at = (size_t)team->me * n;
  if (n == 0) return;
  if (team->me == root) {
    if ((char *)dest + at != source) weft_direct_memcpy((char *)dest + at, source, n);
  } else {
    weft_rma_put(weft_set_world(&team->set, root), weft_job_offset(dest) + at, source, n);
  }
  if (team->area >= 0 && team->members.nodes == 1) {
    const uint64_t gen = weft_coll_enter(team);
    if (team->me == root) weft_coll_entered(team, gen);
    return;
  }
  if (team->me != root) weft_rma_quiet();
  weft_coll_sync(team);
}
