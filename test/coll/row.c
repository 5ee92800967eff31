/*
 * Small broadcasts in a row gather between nodes: their packets are counted. They arrive even if
 * their root does nothing more but compute. It knows that they did by a word that the last member
 * writes, which it looks at without a call. Among them are some that are passed on in pieces, the
 * last of which is small: no piece of them gathers, as it could pass the pieces before it.
 */
#include "sets.h"

#include "port/port_internal.h"

enum { ROW = 100, LARGEST = 8300, PIECES = 65536 + 100, TIMES = 5 };

static size_t size_of(int k) {
  return k % 25 == 12 ? PIECES : k % 10 == 9 ? LARGEST : (size_t)(k * 37 % 600 + 1);
}

/* Packets that this PE has sent or begun. *nodes: to how many nodes. */
static unsigned packets(unsigned *nodes) {
  unsigned n = 0;
  *nodes = 0;
  for (int node = 0; node < weft_job.nnodes; node++) {
    weft_stage_t *stage = &weft_channels[0].stages[node];
    weft_lock(&stage->lock);
    const unsigned some = stage->sent + (stage->fill > 0);
    weft_unlock(&stage->lock);
    n += some;
    *nodes += some > 0;
  }
  return n;
}

/* The root sent fewer packets than if each broadcast that may gather had been one. */
static void check_packets(void) {
  unsigned gathering = 0, nodes;
  for (int k = 2; k < ROW; k++) gathering += size_of(k) < LARGEST; /* the first two do not */
  const unsigned sent = packets(&nodes);
  CHECK(sent > 0 && sent < gathering * TIMES * nodes);
}

static void check_pieces(weft_team_t *world, int root) {
  unsigned nodes;
  if (world->me == root) weft_rma_quiet();
  const unsigned before = packets(&nodes);
  weft_coll_broadcast(world, region[1], source, 8, root, true);
  weft_coll_broadcast(world, region[2], source, PIECES, root, true);
  if (world->me == root) CHECK_EQ(packets(&nodes), before);
  weft_coll_sync(world);
}

static void one(weft_team_t *world, int root, uint64_t *told, int salt) {
  const int last = weft_job.npes - 1;
  size_t at = 0;
  for (int k = 0; k < ROW; k++) {
    if (world->me == root) fill(source, size_of(k), k, salt);
    weft_coll_broadcast(world, region[0] + at, source, size_of(k), root, true);
    if (world->me == root) memset(source, 0, size_of(k)); /* it may change at once */
    at += size_of(k);
  }
  if (world->me == last) weft_rma_add(root, weft_job_offset(told), 1);
  while (world->me == root && __atomic_load_n(told, __ATOMIC_ACQUIRE) != (uint64_t)salt + 1) {
  } /* the helpers do the rest */
  at = 0;
  for (int k = 0; k < ROW; at += size_of(k++)) expect(region[0] + at, size_of(k), k, salt, 0);
  weft_coll_sync(world);
}

static void add(void *inout, const void *in, size_t n) {
  for (size_t i = 0; i < n; i++) ((uint64_t *)inout)[i] += ((const uint64_t *)in)[i];
}

/* Each member's words are its number + k. Sizes from one word to more than all of a landing place.
 */
static void scans(weft_team_t *world) {
  enum { SCANS = 90, MOST = 9000, LARGE = 90000 };
  uint64_t *from = (uint64_t *)(void *)source, *to = (uint64_t *)(void *)region[0];
  const uint64_t me = (uint64_t)world->me, size = (uint64_t)world->set.size;
  for (uint64_t k = 0; k < SCANS; k++) {
    const size_t n = k == 50 && world->set.size <= 4 ? LARGE : k % 7 == 3 ? MOST : 1 + k % 5;
    for (size_t i = 0; i < n; i++) from[i] = me + k;
    uint64_t *all = (uint64_t *)(void *)region[1] + k; /* others may be ahead: one for each */
    if (k % 10 == 6) weft_coll_broadcast(world, all, source, 8, (int)(k % size), true);
    if (k % 10 == 6) CHECK_EQ(*all, k % size + k);
    weft_coll_scan(world, to, from, n, 8, add, k & 1);
    const uint64_t before = me * (me - 1) / 2 + me * k, want = k & 1 ? before + me + k : before;
    for (size_t i = 0; i < n; i++)
      if (to[i] != want) CHECK_EQ(to[i], want);
    all = (uint64_t *)(void *)region[2 + k / 20 % 4];
    if (k % 20 == 19) weft_coll_reduce(world, all, from, n, 8, add);
    if (k % 20 == 19) CHECK_EQ(all[n - 1], size * (size - 1) / 2 + size * k);
  }
  weft_coll_sync(world);
}

/* In place, and so large that what is sent is still there when its PE has what it is to get. */
static void scans_in_place(weft_team_t *world) {
  enum { WORDS = 90000 };
  uint64_t *words = (uint64_t *)(void *)region[0];
  const uint64_t me = (uint64_t)world->me;
  for (uint64_t k = 0; k < 4; k++) {
    for (size_t i = 0; i < WORDS; i++) words[i] = me + k;
    weft_coll_scan(world, words, words, WORDS, 8, add, k & 1);
    const uint64_t before = me * (me - 1) / 2 + me * k, want = k & 1 ? before + me + k : before;
    for (size_t i = 0; i < WORDS; i++)
      if (words[i] != want) CHECK_EQ(words[i], want);
  }
}

/* All others are in the next sum while the last PE still looks at dest of the one before. */
static void check_dest(weft_team_t *world) {
  enum { WORDS = 50000, PAUSE_NS = 30000000 };
  uint64_t *from = (uint64_t *)(void *)source, *to = (uint64_t *)(void *)region[3];
  for (uint64_t k = 1; k < 4; k++) {
    for (size_t i = 0; i < WORDS; i++) from[i] = k;
    weft_coll_reduce(world, to, from, WORDS, 8, add);
    const uint64_t until = weft_clock_ns() + PAUSE_NS, want = k * (uint64_t)world->set.size;
    while (world->me == world->set.size - 1 && weft_clock_ns() < until) weft_progress_network();
    for (size_t i = 0; i < WORDS; i++)
      if (to[i] != want) CHECK_EQ(to[i], want);
  }
  weft_coll_sync(world);
}

/* The same of exclusive scans, around the length from which those of two PEs go into dest. */
static void check_scan_dest(weft_team_t *world) {
  enum { LONG = 65536 / 8, PAUSE_NS = 30000000 };
  uint64_t *from = (uint64_t *)(void *)source, *to = (uint64_t *)(void *)region[3];
  const uint64_t me = (uint64_t)world->me;
  for (uint64_t k = 1; k < 7; k++) {
    const size_t n = k % 3 == 0 ? LONG - 1 : k % 3 == 1 ? LONG : 50000;
    for (size_t i = 0; i < n; i++) from[i] = k;
    weft_coll_scan(world, to, from, n, 8, add, false);
    const uint64_t until = weft_clock_ns() + PAUSE_NS;
    while (world->me == world->set.size - 1 && weft_clock_ns() < until) weft_progress_network();
    for (size_t i = 0; i < n; i++)
      if (to[i] != k * me) CHECK_EQ(to[i], k * me);
  }
  weft_coll_sync(world);
}

/* Broadcasts of up to 8 KB gather, too: they are packets, which writes are not. */
static void check_large(weft_team_t *world, int root) {
  unsigned nodes;
  const unsigned before = packets(&nodes);
  for (int k = 0; k < 10; k++) {
    if (world->me == root) fill(source, 8000, k, 0);
    weft_coll_broadcast(world, region[0] + k * 8000, source, 8000, root, true);
  }
  if (world->me == root && weft_options.coalesce) CHECK(packets(&nodes) > before);
  for (int k = 0; k < 10; k++) expect(region[0] + k * 8000, 8000, k, 0, 0);
  weft_coll_sync(world);
}

/* Where nodes have several PEs the root's endpoint is not its node's port: what the helper sends
 * for it goes by another connection. */
int main(void) {
  start();
  uint64_t *told = symmetric(64);
  const int root = weft_job.npes > weft_job.nnodes ? 1 : 0;
  *told = 0;
  weft_coll_sync(weft_team_world());
  for (int i = 0; i < TIMES; i++) one(weft_team_world(), root, told, i);
  if (weft_job.pe == root && weft_options.coalesce) check_packets();
  check_pieces(weft_team_world(), root);
  scans(weft_team_world());
  if (weft_job.npes <= 4) scans_in_place(weft_team_world());
  check_dest(weft_team_world());
  check_scan_dest(weft_team_world());
  check_large(weft_team_world(), root);
  weft_runtime_stop();
  return 0;
}
