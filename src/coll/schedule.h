/*
 * schedule: which node sends what to which in which stage. Nodes count from 0. It is arithmetic
 * alone, which test/coll/steps.c tries for up to 4,096 nodes. A stage has one partner or two, and
 * all stages of an operation are about log2(nodes).
 */
#ifndef WEFT_COLL_SCHEDULE_H
#define WEFT_COLL_SCHEDULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "coll/choose.h"

/* ---- broadcast (sync, too): a binomial tree, a chain for what is long, or the root alone ---- */

/* Nodes are numbered from the root's: v. Its children are v + d: the first d, and the next until it
 * is 0. In a tree those are the powers of two below v's lowest bit, the largest subtree first; v +
 * d may be beyond the last node there. */
static inline int64_t weft_child_first(int way, int64_t v, int64_t nodes) {
  int64_t bit = 1;
  if (way == WEFT_ALG_CHAIN) return 1;
  if (way == WEFT_ALG_FLAT) return v ? 0 : nodes - 1;
  while (bit < nodes && !(v & bit)) bit *= 2;
  return bit / 2;
}
static inline int64_t weft_child_next(int way, int64_t d) {
  return way == WEFT_ALG_CHAIN ? 0 : way == WEFT_ALG_FLAT ? d - 1 : d / 2;
}

/* ---- gathering (Bruck and others, 1997) ------------------------------------------------------ */

/* In stage k, while 2^k < nodes, a node has the blocks of 2^k nodes from its own on. It sends as
 * many of them as are missing to `to` and gets as many from `from`, that node's own first. */
typedef struct weft_gathering {
  int to, from, blocks;
} weft_gathering_t;
static inline weft_gathering_t weft_gathering(int node, int nodes, int stage) {
  const int have = 1 << stage, missing = nodes - have;
  return (weft_gathering_t){.to = (node - have + nodes) % nodes,
                            .from = (node + have) % nodes,
                            .blocks = missing < have ? missing : have};
}
static inline int weft_gathering_stages(int nodes) {
  int stages = 0;
  while ((int64_t)1 << stages < nodes) stages++;
  return stages;
}

/* ---- scan: in stage k a node gives the sum of up to 2^k nodes, itself the last of them ---- */

/* -1: nobody. */
typedef struct weft_doubling {
  int to, from;
} weft_doubling_t;
static inline weft_doubling_t weft_doubling(int node, int nodes, int stage) {
  const int distance = 1 << stage;
  return (weft_doubling_t){.to = distance < nodes - node ? node + distance : -1,
                           .from = node >= distance ? node - distance : -1};
}

/* ---- reduction: nodes beyond a power of two give their data to a partner first, and get the
 * result from it ---- */

static inline int weft_power_below(int nodes) {
  int power = 1;
  while ((int64_t)power * 2 <= nodes) power *= 2;
  return power;
}

/* Halving (Rabenseifner, 2004): in each stage a node keeps one half of its range and sends the
 * other half to its partner, which keeps that. Then the same backwards: it sends what it has, and
 * gets the other half. What it keeps arrives `at` elements behind where the first stage's arrives.
 */
typedef struct weft_halving {
  int partner;
  size_t keep, keep_n, give, give_n, at;
} weft_halving_t;
static inline weft_halving_t weft_halving(int node, int power, size_t n, int stage) {
  weft_halving_t h = {.keep_n = n};
  int bit = power;
  for (int k = 0; k <= stage; k++) {
    const size_t low = h.keep_n / 2, high = h.keep_n - low, from = h.keep;
    bit /= 2;
    if (k > 0) h.at += (h.keep_n + h.give_n + 1) / 2;
    h.partner = node ^ bit;
    h.keep = node & bit ? from + low : from;
    h.keep_n = node & bit ? high : low;
    h.give = node & bit ? from : from + low;
    h.give_n = node & bit ? low : high;
  }
  return h;
}
/* Elements of one such reduction if there is room for so many that come to a node, more than twice
 * as many as there are stages: less than the whole and one for each stage. Where each node keeps
 * some they are a multiple of the nodes. */
static inline size_t weft_halving_most(size_t room, int power) {
  const size_t nodes = (size_t)power, slack = (size_t)weft_gathering_stages(power);
  const size_t most = (room - slack) * nodes / (nodes - 1);
  return most < nodes ? most : most / nodes * nodes;
}

#endif
