/*
 * exchange: alltoall and alltoalls. On a node small blocks are posted, all of a member's together,
 * and everyone takes its own; everything else is written to where it belongs in dest, which is
 * ready on all members before any calls. Between nodes the layer below gathers small blocks.
 */
#include "coll/coll_internal.h"

/* Fewer put records than this are not worth a packet of their own. */
enum { WORTH_PACKING = 8 };

static void through_posts(weft_coll_t *coll, char *dest, const char *source, size_t n) {
  const size_t size = (size_t)coll->set.size;
  const uint64_t gen = weft_coll_enter(coll);
  weft_post_t *post = weft_coll_blank(coll, gen);
  memcpy(post->data, source, n * size);
  weft_coll_show(post, gen);
  for (int k = 0; k < coll->set.size; k++) {
    const int i = (coll->me + k) % coll->set.size;
    memcpy(dest + (size_t)i * n, weft_coll_await(coll, i, gen)->data + (size_t)coll->me * n, n);
  }
  coll->known = gen;
}

/* Each member begins with its right neighbour, so that nobody is written to by all at once. */
static void write_blocks(weft_coll_t *coll, char *dest, const char *source, size_t n) {
  const int size = coll->set.size;
  const uintptr_t off = weft_job_offset(dest) + (uintptr_t)coll->me * n;
  for (int k = 1; k <= size; k++) {
    const int i = (coll->me + k) % size, pe = weft_set_world(&coll->set, i);
    const char *block = source + (size_t)i * n;
    if (pe == weft_job.pe)
      memcpy(dest + (size_t)i * n, block, n);
    else if (weft_job_node_of(pe) == weft_job.node)
      memcpy(weft_coll_peer(coll, i, off), block, n);
    else if (coll->area < 0)
      weft_rma_put(pe, off, block, n);
    else
      weft_coll_put_count(coll, i, off, block, n, weft_coll_parts(coll), 1);
  }
}

/* Who has a private source writes its blocks instead. */
static void read_blocks(weft_coll_t *coll, char *dest, const char *source, size_t n) {
  const int size = coll->set.size, me = coll->me;
  const uint64_t gen = weft_coll_enter(coll), note = weft_coll_note(source, n * (size_t)size);
  if (!note) write_blocks(coll, dest, source, n);
  weft_post_t *post = weft_coll_blank(coll, gen);
  post->note = note;
  weft_coll_show(post, gen);
  if (note) memcpy(dest + (size_t)me * n, source + (size_t)me * n, n);
  for (int k = 1; k < size; k++) {
    const int i = (me + k) % size;
    const uint64_t where = weft_coll_await(coll, i, gen)->note;
    if (where)
      memcpy(dest + (size_t)i * n, weft_coll_peer(coll, i, where - 1 + (uintptr_t)me * n), n);
  }
  weft_coll_entered(coll, weft_coll_enter(coll));
}

/* Wait until everyone's blocks have arrived. */
static void finish(weft_coll_t *coll) {
  if (coll->area < 0 || coll->members.nodes > 1) weft_rma_quiet();
  weft_coll_sync(coll);
}

void weft_coll_alltoall(weft_coll_t *coll, void *dest, const void *source, size_t n) {
  const int size = coll->set.size;
  int way = WEFT_ALG_WRITE;
  if (coll->area >= 0 && coll->members.nodes == 1 && n > 0)
    way = weft_coll_way(WEFT_OP_ALLTOALL, size, n, n * (size_t)size);
  if (way == WEFT_ALG_POST) {
    through_posts(coll, dest, source, n);
  } else if (way == WEFT_ALG_READ_PARTS) {
    read_blocks(coll, dest, source, n);
  } else if (coll->area < 0 || coll->members.nodes == 1 || n == 0) {
    if (n > 0) write_blocks(coll, dest, source, n);
    finish(coll);
  } else {
    write_blocks(coll, dest, source, n);
    weft_coll_await_parts(coll, size - coll->members.locals);
    weft_coll_entered(coll, weft_coll_enter(coll));
  }
}

/* A block to a PE of another node. A few elements travel as puts, which gather; many, packed. */
static void put_block(int pe, uintptr_t off, const char *block, ptrdiff_t to_step,
                      ptrdiff_t from_step, size_t width, size_t nelems) {
  if (to_step == (ptrdiff_t)width && from_step == to_step) {
    weft_rma_put(pe, off, block, nelems * width);
  } else if (nelems >= WORTH_PACKING && weft_rma_packs()) {
    const weft_shape_t remote = weft_shape_strided(off, width, 1, &nelems, &to_step),
                       local = weft_shape_strided((uintptr_t)block, width, 1, &nelems, &from_step);
    weft_rma_put_shape(&remote, &local, pe, NULL, NULL, "alltoalls");
  } else {
    for (size_t e = 0; e < nelems; e++)
      weft_rma_put(pe, off + (uintptr_t)((ptrdiff_t)e * to_step),
                   block + (ptrdiff_t)e * from_step, width);
  }
}

void weft_coll_alltoalls(weft_coll_t *coll, void *dest, const void *source, ptrdiff_t dst,
                         ptrdiff_t sst, size_t nelems, size_t width) {
  const int size = coll->set.size;
  const ptrdiff_t to_step = dst * (ptrdiff_t)width, from_step = sst * (ptrdiff_t)width;
  const uintptr_t off = weft_job_offset(dest) + (uintptr_t)(coll->me * (ptrdiff_t)nelems * to_step);
  const bool counted = coll->area >= 0 && coll->members.nodes > 1 && nelems * width > 0;
  for (int k = 1; k <= size && nelems * width > 0; k++) {
    const int i = (coll->me + k) % size, pe = weft_set_world(&coll->set, i);
    const char *block = (const char *)source + i * (ptrdiff_t)nelems * from_step;
    if (weft_job_node_of(pe) == weft_job.node) {
      weft_copy_strided(weft_coll_peer(coll, i, off), block, to_step, from_step, width, nelems);
      continue;
    }
    put_block(pe, off, block, to_step, from_step, width, nelems);
    if (!counted) continue;
    weft_rma_order_next(pe, WEFT_NEXT_ATOMIC, 8);
    weft_coll_count(coll, i, weft_coll_parts(coll), 1);
  }
  if (!counted) {
    finish(coll);
    return;
  }
  weft_coll_await_parts(coll, size - coll->members.locals);
  weft_coll_entered(coll, weft_coll_enter(coll));
}
