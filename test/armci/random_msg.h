/*
 * random_msg.h: collective functions and messages by chance: all operations and types, in every
 * scope and in groups (of groups too), selections, broadcasts, and messages that all send at once.
 */
#ifndef RANDOM_MSG_H
#define RANDOM_MSG_H

#include "armci/random_shape.h"

enum { MSG_GROUPS = 3, MSG_MOST = 9000 };
static size_t all_draw(size_t below) {
  return drawn_from(&common, below);
}

/* Several processes: who takes part. */
static struct circle {
  ARMCI_Group handle;
  int size, list[PROCS], rank;
  bool is_live;
} groups[MSG_GROUPS];

static int master[PROCS]; /* the first process of each one's node */
static void masters_find(void) {
  while (!ARMCI_Same_node(master[me])) master[me]++;
  armci_msg_igop(master, np, (char *)"+");
}

/* Those of one scope; of the processes that share this one's node it is another on each. */
static struct circle of_scope(int scope) {
  struct circle c = {.rank = -1};
  for (int p = 0; p < np; p++) {
    if (scope == SCOPE_NODE && master[p] != master[me]) continue;
    if (scope == SCOPE_MASTERS && master[p] != p) continue;
    if (p == me) c.rank = c.size;
    c.list[c.size++] = p;
  }
  return c;
}

/* ---- combined -------------------------------------------------------------------------------- */

static const char *const gops[] = {"+",   "*",  "max",  "min",  "absmax", "absmin",
                                   "&&",  "||", "&",    "|"};
static const int gop_types[] = {ARMCI_INT, ARMCI_LONG, ARMCI_LONG_LONG, ARMCI_FLOAT, ARMCI_DOUBLE};
static const size_t gop_widths[] = {4, 8, 8, 4, 8};

static long gop_value(size_t op, uint64_t number, int proc, size_t i) {
  const uint64_t x = mix(number + (uint64_t)proc * 0x10001 + i * 0x1000003);
  if (op == 1) return (long)(x % 3) - 1 ? (x % 2 ? 1 : 2) : -1;
  if (op == 6) return x % 9 != 0;
  if (op == 7) return x % 9 == 0;
  return (long)(x % 2001) - 1000;
}
static long gop_join(size_t op, long a, long b) {
  switch (op) {
  case 0: return a + b;
  case 1: return a * b;
  case 2:
  case 4: return a > b ? a : b;
  case 3:
  case 5: return a < b ? a : b;
  case 6: return a && b;
  case 7: return a || b;
  case 8: return a & b;
  default: return a | b;
  }
}
static void gop_store(size_t type, void *array, size_t i, long value) {
  switch (type) {
  case 0: ((int *)array)[i] = (int)value; break;
  case 1: ((long *)array)[i] = value; break;
  case 2: ((long long *)array)[i] = value; break;
  case 3: ((float *)array)[i] = (float)value; break;
  default: ((double *)array)[i] = (double)value;
  }
}

static void gop_call(int scope, ARMCI_Group *group, size_t type, void *x, int n, char *op) {
  const int t = gop_types[type];
  if (!group && scope == SCOPE_ALL && any(2)) {
    switch (type) {
    case 0: armci_msg_igop(x, n, op); return;
    case 1: armci_msg_lgop(x, n, op); return;
    case 2: armci_msg_llgop(x, n, op); return;
    case 3: armci_msg_fgop(x, n, op); return;
    default: armci_msg_dgop(x, n, op); return;
    }
  }
  if (!group && scope == SCOPE_NODE && any(2)) {
    switch (type) {
    case 0: armci_msg_clus_igop(x, n, op); return;
    case 1: armci_msg_clus_lgop(x, n, op); return;
    case 2: armci_msg_clus_llgop(x, n, op); return;
    case 3: armci_msg_clus_fgop(x, n, op); return;
    default: armci_msg_clus_dgop(x, n, op); return;
    }
  }
  if (group && any(2)) {
    switch (type) {
    case 0: armci_msg_group_igop(x, n, op, group); return;
    case 1: armci_msg_group_lgop(x, n, op, group); return;
    case 2: armci_msg_group_llgop(x, n, op, group); return;
    case 3: armci_msg_group_fgop(x, n, op, group); return;
    default: armci_msg_group_dgop(x, n, op, group); return;
    }
  }
  if (group)
    armci_msg_group_gop_scope(SCOPE_ALL, x, n, op, t, group);
  else if (any(2))
    armci_msg_gop_scope(scope, x, n, op, t);
  else
    armci_msg_reduce_scope(scope, x, n, op, t);
}

static void combined(int scope, struct circle *c, ARMCI_Group *group) {
  static char got[MSG_MOST * 8], want[MSG_MOST * 8];
  const size_t type = all_draw(5), op = all_draw(type < 3 ? 10 : 6),
               n = all_draw(all_draw(3) ? 30 : MSG_MOST);
  const uint64_t number = all_draw(1u << 30);
  if (c->rank < 0) return;
  snprintf(text, sizeof text, "gop %s of type %zu, %zu elements, scope %d, %d processes", gops[op],
           type, n, scope, c->size);
  for (size_t i = 0; i < n; i++) {
    long sum = 0;
    gop_store(type, got, i, gop_value(op, number, me, i));
    for (int k = 0; k < c->size; k++) {
      long x = gop_value(op, number, c->list[k], i);
      if (op == 4 || op == 5) x = x < 0 ? -x : x;
      sum = k ? gop_join(op, sum, x) : x;
    }
    gop_store(type, want, i, sum);
  }
  gop_call(scope, group, type, got, (int)n, (char *)(uintptr_t)gops[op]);
  must_equal(got, want, n * gop_widths[type], "the combined numbers");
}

/* ---- sent ------------------------------------------------------------------------------------ */

static void selected(int scope, const struct circle *c) {
  static char mine[5000], want[5000];
  const size_t type = all_draw(5), bytes = 8 + all_draw(all_draw(2) ? 60 : 4900);
  const bool largest = all_draw(2);
  const uint64_t number = all_draw(1u << 30), who = number | 1u << all_draw((size_t)np);
  int chosen = -1;
  long best = 0;
  if (c->rank < 0) return;
  for (int k = 0; k < c->size; k++) {
    const int p = c->list[k];
    const long x = (long)(mix(number + (uint64_t)p) % 500) * PROCS + p - 3000;
    if (!(who >> p & 1) || (chosen >= 0 && (x > best) != largest)) continue;
    chosen = p, best = x;
  }
  if (chosen < 0) return;
  fill(mine, bytes, number + (uint64_t)me);
  fill(want, bytes, number + (uint64_t)chosen);
  gop_store(type, mine, 0, (long)(mix(number + (uint64_t)me) % 500) * PROCS + me - 3000);
  gop_store(type, want, 0, best);
  snprintf(text, sizeof text, "sel of type %zu, %zu bytes, scope %d: of %d", type, bytes, scope,
           chosen);
  armci_msg_sel_scope(scope, mine, (int)bytes, (char *)(uintptr_t)(largest ? "max" : "min"),
                      gop_types[type], (int)(who >> me & 1));
  must_equal(mine, want, bytes, "the selected bytes");
}

static void sent_to_all(int scope, const struct circle *c) {
  static char mine[MSG_MOST], want[MSG_MOST];
  const size_t bytes = all_draw(MSG_MOST), pick = all_draw(PROCS);
  const uint64_t number = all_draw(1u << 30);
  if (c->rank < 0) return;
  const bool first = scope == SCOPE_NODE && pick % 2;
  const int root = c->list[first ? 0 : pick % (size_t)c->size];
  fill(mine, bytes, number + (uint64_t)me);
  fill(want, bytes, number + (uint64_t)root);
  snprintf(text, sizeof text, "bcast from %d, scope %d, %zu bytes", root, scope, bytes);
  if (first)
    armci_msg_clus_brdcst(mine, (int)bytes);
  else
    armci_msg_bcast_scope(scope, mine, (int)bytes, root);
  must_equal(mine, want, bytes, "what was sent to all");
}

/* Each sends several to one at a distance, and then takes what it was sent, by tags in turn. */
static void all_send(void) {
  enum { MANY = 4 };
  static char buffer[MSG_MOST], want[MSG_MOST];
  const int by = (int)all_draw((size_t)np), to = (me + by) % np, from = (me + np - by) % np;
  const uint64_t number = all_draw(1u << 30);
  const size_t turn = all_draw(MANY), most = all_draw(2) ? 50 : MSG_MOST;
  size_t bytes[MANY];
  for (int k = 0; k < MANY; k++) bytes[k] = all_draw(most);
  snprintf(text, sizeof text, "messages at the distance of %d", by);
  for (int k = 0; k < MANY; k++) {
    fill(buffer, bytes[k], number + (uint64_t)(me * MANY + k));
    armci_msg_snd(900 + k, buffer, (int)bytes[k], to);
    memset(buffer, 0x33, bytes[k]);
  }
  for (size_t i = 0; i < MANY; i++) {
    const int k = (int)((i + turn) % MANY);
    int got = -1;
    if (any(2))
      armci_msg_rcv(900 + k, buffer, MSG_MOST, &got, from);
    else
      CHECK_EQ(armci_msg_rcvany(900 + k, buffer, MSG_MOST, &got), from);
    CHECK_EQ(got, (int)bytes[k]);
    fill(want, bytes[k], number + (uint64_t)(from * MANY + k));
    must_equal(buffer, want, bytes[k], "a message");
  }
  armci_msg_barrier(); /* rcvany could take the next ones of somebody else */
}

static void one_collective(void) {
  const int scopes[] = {SCOPE_ALL, SCOPE_NODE, SCOPE_MASTERS};
  const int scope = scopes[all_draw(3)];
  struct circle circle = of_scope(scope), *group = &groups[all_draw(MSG_GROUPS)];
  switch (all_draw(6)) {
  case 0: selected(scope, &circle); break;
  case 1: sent_to_all(scope, &circle); break;
  case 2: all_send(); break;
  case 3:
    if (group->is_live) combined(SCOPE_ALL, group, &group->handle);
    break;
  default: combined(scope, &circle, NULL);
  }
}

#endif
