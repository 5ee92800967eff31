/*
 * Reduction among the leaders of nodes, whose dest holds their node's part. Small arrays by
 * recursive doubling through boxes; large ones slice by slice: each leader gets its slice from all,
 * combines it and puts it back to all.
 *
 * In both cases an element is combined by one rule that does not depend on who computes it (lower
 * node first), or by one leader only: everyone gets the same bits.
 */
#include <stdlib.h>

#include "coll/coll_internal.h"

/* Bytes that one message may have: each parity and round has a box of its own, and there are two
 * more rounds for the nodes beyond a power of two. A partner is never two turns ahead. */
static size_t box_size(const weft_coll_t *coll) {
  int rounds = 2;
  while (1 << (rounds - 2) < coll->members.nodes) rounds++;
  return weft_coll_box_bytes() / (2 * (size_t)rounds) / WEFT_CACHELINE * WEFT_CACHELINE;
}

static uintptr_t box_of(const weft_coll_t *coll, int round) {
  const int rounds = (int)(weft_coll_box_bytes() / box_size(coll) / 2);
  return weft_coll_box(coll) + (uintptr_t)((int)(coll->step & 1) * rounds + round) * box_size(coll);
}

static int word_of(const weft_coll_t *coll, int round) {
  return WEFT_WORD_DOUBLE + (int)(coll->step & 1) * (WEFT_COLL_ROUNDS + 2) + round;
}

static void send(const weft_coll_t *coll, int node, int round, const void *data, size_t n) {
  const int member = weft_members_leader(coll, node);
  weft_coll_put_count(coll, member, box_of(coll, round), data, n, word_of(coll, round), 1);
}

static char *receive(const weft_coll_t *coll, int round) {
  weft_coll_take(coll, word_of(coll, round));
  return weft_job_own() + box_of(coll, round);
}

/* Rounds 0 and 1 are those of the nodes beyond the power of two. */
static void double_up(weft_coll_t *coll, char *acc, size_t n, size_t width,
                      weft_combine_t combine) {
  const int node = coll->members.node, nodes = coll->members.nodes;
  const size_t bytes = n * width;
  int power = 1;
  while (power * 2 <= nodes) power *= 2;
  coll->step++;
  if (node >= power) {
    send(coll, node - power, 0, acc, bytes);
    memcpy(acc, receive(coll, 1), bytes);
    return;
  }
  if (node + power < nodes) combine(acc, receive(coll, 0), n);
  for (int bit = 1, round = 2; bit < power; bit *= 2, round++) {
    send(coll, node ^ bit, round, acc, bytes);
    char *got = receive(coll, round);
    if (node & bit) { /* theirs is the lower half */
      combine(got, acc, n);
      memcpy(acc, got, bytes);
    } else {
      combine(acc, got, n);
    }
  }
  if (node + power < nodes) send(coll, node + power, 1, acc, bytes);
}

/* Elements in front of a node's slice. */
static size_t slice_begins(const weft_coll_t *coll, size_t nelems, int node) {
  const size_t nodes = (size_t)coll->members.nodes, each = nelems / nodes, rest = nelems % nodes;
  return each * (size_t)node + ((size_t)node < rest ? (size_t)node : rest);
}

static void by_slices(weft_coll_t *coll, char *dest, size_t nelems, size_t width,
                      weft_combine_t combine) {
  const int node = coll->members.node, nodes = coll->members.nodes;
  const size_t from = slice_begins(coll, nelems, node) * width;
  const size_t n = slice_begins(coll, nelems, node + 1) - from / width;
  char *part = malloc(n * width + 1);
  if (!part) weft_fatal("reduce: no memory for %zu bytes", n * width);
  weft_coll_leaders_meet(coll, 0);
  for (int d = 1; d < nodes && n > 0; d++) {
    const int from_leader = weft_members_leader(coll, (node + d) % nodes);
    weft_rma_get(weft_set_world(&coll->set, from_leader), weft_job_offset(dest) + from, part,
                 n * width);
    combine(dest + from, part, n);
  }
  free(part);
  for (int d = 1; d < nodes && n > 0; d++) {
    const int to_leader = weft_members_leader(coll, (node + d) % nodes);
    weft_rma_put(weft_set_world(&coll->set, to_leader), weft_job_offset(dest) + from, dest + from,
                 n * width);
  }
  weft_rma_quiet();
  weft_coll_leaders_meet(coll, 0);
}

void weft_coll_leaders_reduce(weft_coll_t *coll, void *dest, size_t nelems, size_t width,
                              weft_combine_t combine) {
  const size_t most = box_size(coll) / width;
  if (most == 0 ||
      weft_choose(WEFT_OP_REDUCE_NODES, coll->members.nodes, nelems * width) == WEFT_ALG_SLICES) {
    by_slices(coll, dest, nelems, width, combine);
    return;
  }
  for (size_t at = 0, n; at < nelems; at += n) {
    n = nelems - at < most ? nelems - at : most;
    double_up(coll, (char *)dest + at * width, n, width, combine);
  }
}
