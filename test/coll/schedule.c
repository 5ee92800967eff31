/*
 * How many messages lie one behind the other in the blocking collectives between 2 to 4,096 nodes
 * of one member each, by the schedules that they go by (src/coll/schedule.h). A node sends one
 * message in a step, which can be passed on in the next. Large arrays are cut into segments, of
 * which some travel while others are combined. test: unit
 */
#include "coll/schedule.h"

#include <stdlib.h>
#include <string.h>

#include "check.h"

enum { NODES = 4096, SEGMENTS = 64 };

static int heard[NODES][SEGMENTS], clock_of[NODES];

static int log_of(int n) {
  int log = 0;
  while (1 << log < n) log++;
  return log;
}

static int latest(int nodes) {
  int last = 0;
  for (int v = 0; v < nodes; v++) last = clock_of[v] > last ? clock_of[v] : last;
  return last;
}

/* Parents have lower numbers than their children. */
static int broadcast(int way, int nodes, int segments) {
  memset(heard, 0, sizeof heard);
  for (int v = 0; v < nodes; v++) {
    int now = 0;
    for (int s = 0; s < segments; s++) {
      CHECK(v == 0 || heard[v][s] > 0); /* everybody gets everything */
      if (heard[v][s] > now) now = heard[v][s];
      for (int64_t d = weft_child_first(way, v, nodes); d > 0; d = weft_child_next(way, d)) {
        if (v + d >= nodes) continue;
        CHECK_EQ(heard[v + d][s], 0); /* once */
        heard[v + d][s] = ++now;
      }
    }
    clock_of[v] = now > heard[v][segments - 1] ? now : heard[v][segments - 1];
  }
  return latest(nodes);
}

/* sync by a tree, up and down. */
static void meet(int nodes) {
  int messages = 0;
  memset(clock_of, 0, sizeof clock_of);
  for (int v = nodes - 1; v >= 0; v--)
    for (int64_t d = weft_child_first(WEFT_ALG_TREE, v, nodes); d;
         d = weft_child_next(WEFT_ALG_TREE, d)) {
      if (v + d >= nodes) continue;
      CHECK_EQ((int)((v + d) & (v + d - 1)), v); /* the child knows its parent, */
      CHECK(v == 0 || d < (v & -v));             /* which has another word for its own parent */
      if (clock_of[v + d] + 1 > clock_of[v]) clock_of[v] = clock_of[v + d] + 1;
      messages++;
    }
  CHECK_EQ(messages, nodes - 1); /* and as many down */
  const int up = clock_of[0];
  CHECK(up + broadcast(WEFT_ALG_TREE, nodes, 1) <= 2 * log_of(nodes));
}

static void gather(int nodes) {
  const int stages = weft_gathering_stages(nodes);
  CHECK_EQ(stages, log_of(nodes));
  for (int v = 0; v < nodes; v++) {
    int have = 1; /* blocks of v, v + 1, ... */
    for (int k = 0; k < stages; k++) {
      const weft_gathering_t mine = weft_gathering(v, nodes, k);
      CHECK(weft_gathering(mine.from, nodes, k).to == v && mine.from == (v + have) % nodes);
      CHECK(mine.blocks <= have);
      have += mine.blocks;
    }
    CHECK_EQ(have, nodes);
  }
}

/* What a node has of those in front of it always ends with its neighbour, and grows by as much as
 * the sum that comes has. Everybody gets all in log2 stages. */
static void scan(int nodes) {
  const int stages = weft_gathering_stages(nodes);
  static int sum[NODES], before[NODES], got[NODES];
  for (int v = 0; v < nodes; v++) sum[v] = 1, before[v] = 0;
  for (int k = 0; k < stages; k++) {
    for (int v = 0; v < nodes; v++) got[v] = 0;
    for (int v = 0; v < nodes; v++) {
      const int to = weft_doubling(v, nodes, k).to;
      if (to < 0) continue;
      CHECK_EQ(weft_doubling(to, nodes, k).from, v);
      CHECK_EQ(to - before[to] - 1, v); /* it goes on where what is there ends */
      got[to] = sum[v];
    }
    for (int v = 0; v < nodes; v++) before[v] += got[v], sum[v] += got[v];
  }
  for (int v = 0; v < nodes; v++) CHECK_EQ(before[v], v);
}

/* All nodes' ranges of a stage, and what each waits for. `back`: results leave as they are made. */
static void halving_stage(int power, size_t n, size_t segment, int k, bool last) {
  for (int v = 0; v < power; v++) {
    const weft_halving_t mine = weft_halving(v, power, n, k),
                         theirs = weft_halving(mine.partner, power, n, k);
    CHECK(theirs.partner == v && theirs.keep == mine.give && theirs.keep_n == mine.give_n);
    CHECK(mine.at == theirs.at && mine.at + mine.keep_n <= n + (size_t)log_of(power));
    for (size_t s = 0; s * segment < mine.give_n; s++) heard[mine.partner][s] = ++clock_of[v];
  }
  for (int v = 0; v < power; v++) {
    const weft_halving_t mine = weft_halving(v, power, n, k);
    for (size_t s = 0; s * segment < mine.keep_n; s++) {
      if (heard[v][s] > clock_of[v]) clock_of[v] = heard[v][s];
      clock_of[v] += last;
    }
  }
}

/* There and back. */
static int halve(int power, size_t n, size_t segment) {
  const int stages = log_of(power);
  memset(clock_of, 0, sizeof clock_of);
  for (int k = 0; k < stages; k++) halving_stage(power, n, segment, k, k == stages - 1);
  for (int k = stages - 2; k >= 0; k--) {
    for (int v = 0; v < power; v++) {
      const weft_halving_t mine = weft_halving(v, power, n, k);
      for (size_t s = 0; s * segment < mine.keep_n; s++) heard[mine.partner][s] = ++clock_of[v];
    }
    for (int v = 0; v < power; v++) {
      const weft_halving_t mine = weft_halving(v, power, n, k);
      for (size_t s = 0; s * segment < mine.give_n; s++)
        if (heard[v][s] > clock_of[v]) clock_of[v] = heard[v][s];
    }
  }
  return latest(power);
}

/* A reduction goes on with any room, and what comes to a node has place in it. */
static void fits(int power, size_t room) {
  const int stages = log_of(power);
  const size_t n = weft_halving_most(room, power);
  CHECK(n > 0 && n + n / 2 + (size_t)power + (size_t)stages > room); /* and it is well used */
  for (int v = 0; v < power; v += power < 64 ? 1 : power / 64 + 1)
    for (int k = 0; k < stages; k++) {
      const weft_halving_t h = weft_halving(v, power, n, k);
      CHECK(h.at + h.keep_n <= room);
    }
}

int main(void) {
  for (int nodes = 2; nodes <= NODES; nodes += nodes < 40 ? 1 : nodes / 2 + 1) {
    const int log = log_of(nodes), power = weft_power_below(nodes);
    CHECK(power <= nodes && power * 2 > nodes);
    CHECK_EQ(broadcast(WEFT_ALG_TREE, nodes, 1), log);
    CHECK_EQ(broadcast(WEFT_ALG_FLAT, nodes, 1), nodes - 1);
    CHECK_EQ(broadcast(WEFT_ALG_CHAIN, nodes, SEGMENTS), nodes - 1 + SEGMENTS - 1);
    CHECK(broadcast(WEFT_ALG_TREE, nodes, SEGMENTS) <= log * SEGMENTS);
    gather(nodes);
    scan(nodes);
    meet(nodes);
  }
  for (int power = 2; power <= NODES; power *= 2) {
    const int log = log_of(power);
    const size_t segment = 1000, n = segment * SEGMENTS;
    CHECK_EQ(halve(power, (size_t)power, (size_t)power), 2 * log);
    int messages = 0; /* one way, of one node */
    for (int k = 1; k <= log; k++) messages += (int)(((n >> k) + segment - 1) / segment);
    CHECK_EQ(halve(power, n, segment), 2 * messages); /* nobody waits but for its own messages */
    CHECK(messages <= SEGMENTS + log);
    halve(power, 12345, segment); /* halves differ in size */
    for (size_t room = 2 * (size_t)log + 1; room < 40000; room += 1 + room / 8) fits(power, room);
  }
  return 0;
}
