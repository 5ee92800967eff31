/*
 * random_more.h: by chance, what few processes or all do together: tickets drawn by Rmw, memory
 * that one shows to the others, a default group other than the world, addresses exchanged, and the
 * scopes of groups.
 */
#ifndef RANDOM_MORE_H
#define RANDOM_MORE_H

#include "armci/random_msg.h"

/* ---- tickets: each number is drawn once ------------------------------------------------------ */

static struct tickets {
  long wide;
  int narrow;
} *tickets[PROCS];
static long tickets_drawn[PROCS][2];

static void draw_tickets(void) {
  enum { EACH = 40 };
  static int seen[PROCS * EACH];
  const int proc = (int)all_draw((size_t)np), narrow = (int)all_draw(2);
  const long first = tickets_drawn[proc][narrow];
  long all = 0;
  memset(seen, 0, sizeof seen);
  for (int p = 0; p < np; p++) {
    const size_t times = all_draw(EACH);
    all += (long)times;
    for (size_t i = 0; p == me && i < times; i++) {
      long ticket = -1;
      int small = -1;
      if (narrow)
        ARMCI_Rmw(ARMCI_FETCH_AND_ADD, &small, &tickets[proc]->narrow, 1, proc), ticket = small;
      else
        ARMCI_Rmw(ARMCI_FETCH_AND_ADD_LONG, &ticket, &tickets[proc]->wide, 1, proc);
      snprintf(text, sizeof text, "ticket %ld of %d, from %ld on", ticket, proc, first);
      if (ticket < first || ticket >= first + PROCS * EACH) fail("out of range", 0);
      seen[ticket - first]++;
    }
  }
  tickets_drawn[proc][narrow] += all;
  armci_msg_igop(seen, np * EACH, (char *)"+");
  for (long i = 0; i < np * EACH; i++)
    if (seen[i] != (i < all)) fail("drawn by so many", (size_t)seen[i]);
}

/* ---- memory that one allocates by itself ----------------------------------------------------- */

static void show_memory(void) {
  const int owner = (int)all_draw((size_t)np);
  const size_t each = 1 + all_draw(all_draw(2) ? 100 : 20000);
  const uint64_t number = all_draw(1u << 30);
  armci_meminfo_t info;
  char *mine = malloc(each), *want = malloc(each);
  memset(&info, 0, sizeof info);
  if (me == owner) ARMCI_Memget(each * (size_t)np, &info, 0);
  armci_msg_brdcst(&info, sizeof info, owner);
  CHECK_EQ(info.cpid, owner);
  fill(mine, each, number + (uint64_t)me);
  snprintf(text, sizeof text, "memory that %d shows, %zu bytes each", owner, each);
  char *far = info.armci_addr + each * (size_t)me;
  CHECK_EQ(ARMCI_Put(mine, far, (int)each, owner), 0);
  ARMCI_Barrier();
  const size_t next = (size_t)((me + 1) % np);
  char *here = ARMCI_Memat(&info, (long)(each * next));
  CHECK((here != NULL) == (ARMCI_Same_node(owner) != 0));
  fill(want, each, number + next);
  if (here) must_equal(here, want, each, "what is seen there");
  CHECK_EQ(ARMCI_Get(info.armci_addr + each * next, mine, (int)each, owner), 0);
  must_equal(mine, want, each, "what was got");
  armci_msg_barrier();
  if (me == owner) ARMCI_Memctl(&info);
  free(mine);
  free(want);
}

/* ---- a default group ------------------------------------------------------------------------- */

static void by_default(void) {
  struct circle *c = &groups[all_draw(MSG_GROUPS)];
  const size_t bytes = 8 + all_draw(4000), pick = all_draw(PROCS);
  const uint64_t number = all_draw(1u << 30);
  ARMCI_Group world, now;
  if (!c->is_live || c->rank < 0) return;
  void *at[PROCS];
  char *mine = malloc(bytes), *want = malloc(bytes);
  const int n = c->size, next = (c->rank + 1) % n, before = (c->rank + n - 1) % n,
            root = (int)(pick % (size_t)n);
  snprintf(text, sizeof text, "the default group, of %d", n);
  ARMCI_Group_get_world(&world);
  ARMCI_Group_set_default(&c->handle);
  ARMCI_Group_get_default(&now);
  CHECK(memcmp(&now, &c->handle, sizeof now) == 0);
  CHECK_EQ(ARMCI_Malloc(at, (armci_size_t)bytes), 0);
  fill(mine, bytes, number + (uint64_t)c->rank);
  fill(want, bytes, number + (uint64_t)before);
  CHECK_EQ(ARMCI_Put(mine, at[next], (int)bytes, c->list[next]), 0);
  ARMCI_Barrier();
  must_equal(at[c->rank], want, bytes, "what was put");
  fill(want, bytes, number + (uint64_t)root);
  armci_msg_brdcst(mine, (int)bytes, root);
  must_equal(mine, want, bytes, "what was sent");
  long sum = c->rank;
  armci_msg_lgop(&sum, 1, (char *)"+");
  CHECK_EQ(sum, (long)n * (n - 1) / 2);
  CHECK_EQ(ARMCI_Free(at[c->rank]), 0);
  ARMCI_Group_set_default(&world);
  free(mine);
  free(want);
}

/* ---- addresses, trees, scopes of groups ------------------------------------------------------ */

static void exchange_addresses(void) {
  struct circle *c = &groups[all_draw(MSG_GROUPS)];
  void *all[PROCS] = {NULL};
  all[me] = (void *)(uintptr_t)(100 + me);
  armci_exchange_address(all, np);
  for (int p = 0; p < np; p++) CHECK(all[p] == (void *)(uintptr_t)(100 + p));
  if (!c->is_live || c->rank < 0) return;
  memset(all, 0, sizeof all);
  all[c->rank] = (void *)(uintptr_t)(1000 + me);
  armci_exchange_address_grp(all, c->size, &c->handle);
  for (int i = 0; i < c->size; i++) CHECK(all[i] == (void *)(uintptr_t)(1000 + c->list[i]));
}

/* A number goes up the tree of a scope, and the sum down. */
static void climb(void) {
  enum { TAG = 77 };
  const int scopes[] = {SCOPE_ALL, SCOPE_NODE, SCOPE_MASTERS}, scope = scopes[all_draw(3)];
  const struct circle c = of_scope(scope);
  int root, up, child[2];
  long sum = me + 1, other, want = 0;
  armci_msg_bintree(scope, &root, &up, &child[0], &child[1]);
  if (c.rank < 0) return;
  for (int i = 0; i < c.size; i++) want += c.list[i] + 1;
  CHECK_EQ(root, c.list[0]);
  CHECK((up < 0) == (me == root));
  for (int k = 0; k < 2; k++)
    if (child[k] >= 0) armci_msg_rcv(TAG, &other, sizeof other, NULL, child[k]), sum += other;
  if (up >= 0) armci_msg_snd(TAG, &sum, sizeof sum, up);
  if (up >= 0) armci_msg_rcv(TAG + 1, &sum, sizeof sum, NULL, up);
  for (int k = 0; k < 2; k++)
    if (child[k] >= 0) armci_msg_snd(TAG + 1, &sum, sizeof sum, child[k]);
  CHECK_EQ(sum, want);
}

/* Of a group: those on a node, the first ones of the nodes; some from one of them. */
static void parts_of_group(void) {
  const struct circle *c = &groups[all_draw(MSG_GROUPS)];
  const bool masters = all_draw(2);
  const size_t bytes = all_draw(5000), pick = all_draw(PROCS), many = all_draw(PROCS);
  const uint64_t number = all_draw(1u << 30);
  ARMCI_Group handle = c->handle;
  if (!c->is_live || c->rank < 0) return;
  int list[PROCS], n = 0, rank = -1;
  for (int i = 0; i < c->size; i++) {
    bool in = master[c->list[i]] == master[me];
    if (masters) {
      in = true;
      for (int k = 0; k < i; k++) in = in && master[c->list[k]] != master[c->list[i]];
    }
    if (in && c->list[i] == me) rank = n;
    if (in) list[n++] = c->list[i];
  }
  char *mine = malloc(bytes + 1), *want = malloc(bytes + 1);
  snprintf(text, sizeof text, "%s of a group of %d: %d", masters ? "masters" : "node", c->size, n);
  long sum = me + 1, all = 0;
  for (int i = 0; i < n; i++) all += list[i] + 1;
  const int scope = masters ? SCOPE_MASTERS : SCOPE_NODE;
  armci_msg_group_gop_scope(scope, &sum, 1, (char *)"+", ARMCI_LONG, &handle);
  CHECK_EQ(sum, rank < 0 ? me + 1 : all);
  const int root = list[pick % (size_t)n];
  fill(mine, bytes, number + (uint64_t)me);
  fill(want, bytes, number + (uint64_t)root);
  armci_msg_group_bcast_scope(scope, mine, (int)bytes, root, &handle);
  if (rank >= 0) must_equal(mine, want, bytes, "what was sent");
  const int first = (int)(pick % (size_t)c->size), room = c->size - first,
            to = 1 + (int)(many % (size_t)room);
  fill(mine, bytes, number + (uint64_t)me);
  fill(want, bytes, number + (uint64_t)c->list[first]);
  const bool called = c->rank >= first && c->rank < first + to;
  if (called) armci_grp_clus_brdcst(mine, (int)bytes, first, to, &handle);
  if (called) must_equal(mine, want, bytes, "what some were sent");
  free(mine);
  free(want);
}

static void something_more(void) {
  switch (all_draw(6)) {
  case 0: draw_tickets(); break;
  case 1: show_memory(); break;
  case 2: by_default(); break;
  case 3: exchange_addresses(); break;
  case 4: climb(); break;
  default: parts_of_group();
  }
}

#endif
