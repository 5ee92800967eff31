/*
 * exchange: alltoall and alltoalls. On a node small blocks are posted, all of a member's together,
 * and everyone takes its own; everything else is written to where it belongs in dest, which is
 * ready on all members before any calls. exchange_nodes.c has what goes between nodes.
 */
#include "coll/coll_internal.h"
#include "coll/posts.h"

static void through_posts(weft_team_t *team, char *dest, const char *source, size_t n) {
  const size_t size = (size_t)team->set.size;
  const uint64_t gen = weft_coll_enter(team);
  weft_post_t *post = weft_coll_blank(team, gen);
  memcpy(post->data, source, n * size);
  weft_coll_show(post, gen);
  for (int k = 0; k < team->set.size; k++) {
    const int i = (team->me + k) % team->set.size;
    memcpy(dest + (size_t)i * n, weft_coll_await(team, i, gen)->data + (size_t)team->me * n, n);
  }
  team->known = gen;
}

/* Each member begins with its right neighbour, so that nobody is written to by all at once. */
static void write_blocks(weft_team_t *team, char *dest, const char *source, size_t n) {
  const int size = team->set.size;
  const uintptr_t off = weft_job_offset(dest) + (uintptr_t)team->me * n;
  for (int k = 1; k <= size; k++) {
    const int i = (team->me + k) % size, pe = weft_set_world(&team->set, i);
    const char *block = source + (size_t)i * n;
    if (pe == weft_job.pe)
      weft_direct_memcpy(dest + (size_t)i * n, block, n);
    else if (weft_job_node_of(pe) == weft_job.node)
      weft_direct_memcpy(weft_coll_peer(team, i, off), block, n);
    else if (team->area < 0)
      weft_rma_put(pe, off, block, n);
  }
}

/* A member whose source is private writes its blocks instead. */
static void read_blocks(weft_team_t *team, char *dest, const char *source, size_t n) {
  const int size = team->set.size, me = team->me;
  const uint64_t gen = weft_coll_enter(team), note = weft_coll_note(source, n * (size_t)size);
  if (!note) write_blocks(team, dest, source, n);
  weft_post_t *post = weft_coll_blank(team, gen);
  post->note = note;
  weft_coll_show(post, gen);
  if (note) weft_direct_memcpy(dest + (size_t)me * n, source + (size_t)me * n, n);
  for (int k = 1; k < size; k++) {
    const int i = (me + k) % size;
    const uint64_t where = weft_coll_await(team, i, gen)->note;
    if (where)
      weft_direct_memcpy(dest + (size_t)i * n,
                         weft_coll_peer(team, i, where - 1 + (uintptr_t)me * n), n);
  }
  weft_coll_entered(team, weft_coll_enter(team));
}

/* Wait until everyone's blocks have arrived. */
static void finish(weft_team_t *team) {
  if (team->area < 0 || team->members.nodes > 1) weft_rma_quiet();
  weft_coll_sync(team);
}

void weft_coll_alltoall(weft_team_t *team, void *dest, const void *source, size_t n) {
  const int size = team->set.size;
  int way = WEFT_ALG_WRITE;
  if (n > 0 && team->area >= 0 && team->members.nodes > 1) {
    const weft_spread_t blocks = {n, 1, 1, 1};
    weft_coll_alltoall_nodes(team, dest, source, &blocks);
    return;
  }
  if (team->area >= 0 && n > 0) way = weft_coll_way(WEFT_OP_ALLTOALL, size, n, n * (size_t)size);
  if (way == WEFT_ALG_POST) {
    through_posts(team, dest, source, n);
  } else if (way == WEFT_ALG_READ_PARTS) {
    read_blocks(team, dest, source, n);
  } else {
    if (n > 0) write_blocks(team, dest, source, n);
    finish(team);
  }
}

/* A block to a PE of another node. A few elements travel as puts, which gather; many, packed. */
static void put_block(int pe, uintptr_t off, const char *block, const weft_spread_t *b) {
  if (weft_rma_packs_puts(b->nelems)) {
    const weft_shape_t remote = weft_shape_strided(off, b->width, 1, &b->nelems, &b->to_step),
                       local = weft_shape_strided((uintptr_t)block, b->width, 1, &b->nelems,
                                                  &b->from_step);
    weft_rma_put_shape(&remote, &local, pe, NULL, NULL, "alltoalls");
  } else {
    for (size_t e = 0; e < b->nelems; e++)
      weft_rma_put(pe, off + (uintptr_t)((ptrdiff_t)e * b->to_step),
                   block + (ptrdiff_t)e * b->from_step, b->width);
  }
}

void weft_coll_put_blocks(weft_team_t *team, char *dest, const char *source,
                          const weft_spread_t *b) {
  const int size = team->set.size;
  const uintptr_t off = weft_job_offset(dest) + (uintptr_t)(team->me * weft_spread_to(b));
  for (int k = 1; k <= size; k++) {
    const int i = (team->me + k) % size, pe = weft_set_world(&team->set, i);
    const char *block = source + i * weft_spread_from(b);
    if (weft_job_node_of(pe) == weft_job.node)
      weft_copy_strided(weft_coll_peer(team, i, off), block, b->to_step, b->from_step, b->width,
                        b->nelems);
    else
      put_block(pe, off, block, b);
  }
  finish(team);
}

void weft_coll_alltoalls(weft_team_t *team, void *dest, const void *source, ptrdiff_t dst,
                         ptrdiff_t sst, size_t nelems, size_t width) {
  const weft_spread_t blocks = {nelems, width, dst * (ptrdiff_t)width, sst * (ptrdiff_t)width};
  const bool any = nelems * width > 0;
  if (any && team->area >= 0 && team->members.nodes > 1) {
    weft_coll_alltoall_nodes(team, dest, source, &blocks);
    return;
  }
  if (any)
    weft_coll_put_blocks(team, dest, source, &blocks);
  else
    finish(team);
}
