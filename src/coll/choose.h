/*
 * choose: which algorithm an operation takes, by members and bytes: the table of choices.def, or
 * what the file named by WEFT_COLL_TABLE says. Knows names and numbers, no sets.
 */
#ifndef WEFT_COLL_CHOOSE_H
#define WEFT_COLL_CHOOSE_H

#include <stddef.h>

enum {
#define WEFT_CHOICE(OP, name, algorithms, help) WEFT_OP_##OP,
#include "coll/choices.def"
  WEFT_OPS
};

/* Numbers of algorithms. An operation has those that choices.def lists for it. */
enum {
  WEFT_ALG_READ = 0, /* sync */
  WEFT_ALG_LEADER_SYNC = 1,
  WEFT_ALG_CLIMB = 1, /* sync between nodes: the tree */
  WEFT_ALG_POST = 0, /* everything else on a node */
  WEFT_ALG_SLICES = 1,
  WEFT_ALG_WRITE = 1,
  WEFT_ALG_PULL = 1, /* broadcast's read */
  WEFT_ALG_LEADER = 2,
  WEFT_ALG_READ_PARTS = 2, /* collect, fcollect, alltoall */
  WEFT_ALG_TREE = 0,       /* between nodes */
  WEFT_ALG_FLAT = 1,
  WEFT_ALG_CHAIN = 2,
  WEFT_ALG_DOUBLING = 0,
  WEFT_ALG_LEADERS = 0,
  WEFT_ALG_DIRECT = 1,
  WEFT_ALG_GATHERING = 2,
  WEFT_ALG_BY_LEADERS = 1
};

/* The defaults, or on PE 0 what WEFT_COLL_TABLE names; a file that cannot be used ends the job. The
 * number of rules; PE 0's are then given to all (weft_choose_rules, weft_choose_sort). */
typedef struct weft_rule {
  unsigned char op, algorithm;
  unsigned members;
  size_t bytes;
} weft_rule_t;
enum { WEFT_RULES_MAX = 256 };
int weft_choose_load(const char *path);
weft_rule_t *weft_choose_rules(void);
void weft_choose_sort(int rules);

/* Does this algorithm put all data into a post, whose room is limited? For operations that have
 * such an algorithm. */
static inline int weft_choose_posts(int op, int algorithm) {
  return op == WEFT_OP_REDUCE ? algorithm != WEFT_ALG_SLICES : algorithm == WEFT_ALG_POST;
}

/* The algorithm for an operation among `members` (PEs of the node, or nodes) on this number of
 * bytes. */
int weft_choose(int op, int members, size_t bytes);

#endif
