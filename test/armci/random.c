/*
 * Operations by chance, all of ARMCI's, against a model:
 *   armci.random SEED [SEEDS] [PHASES] [v]
 * Between what all processes draw alike (messages, accumulates to one place, mutexes, groups,
 * collectives, allocations) each does operations of its own on its lanes (random_lane.h).
 */
#include "armci/random_lane.h"
#include "armci/random_more.h"
#include "armci/random_msg.h"

#include <sched.h>

enum { GROUPS = MSG_GROUPS, MUTEXES = 3, MAIL = 400000 };

static void some_operations(void) {
  for (size_t left = any(12); left > 0; left--) one_operation();
}

/* ---- allocations ----------------------------------------------------------------------------- */

static void allocation_new(int k) {
  struct allocation *a = &allocations[k];
  const size_t most[] = {3000, 20000, 100000, 1000000};
  *a = (struct allocation){.is_live = true, .type = (int)all_draw(6), .number = all_draw(1u << 30)};
  for (int p = 0; p < np; p++) {
    a->size[p] = all_draw(4) ? all_draw(most[all_draw(4)]) : 0;
    a->lane[p] = a->size[p] / (size_t)(np + 2) / 16 * 16;
    a->model[p] = calloc(1, a->lane[p] + 1);
  }
  CHECK_EQ(ARMCI_Malloc(a->at, (armci_size_t)a->size[me]), 0);
  for (int p = 0; p < np; p++) CHECK((a->at[p] == NULL) == (a->size[p] == 0));
  a->sums = calloc(1, a->lane[me] + 16);
  if (a->size[me]) memset(a->at[me], 0, a->size[me]);
  if (a->size[me]) fill(lane_at(a, me, np), a->lane[me], a->number + (uint64_t)me);
  ARMCI_Barrier();
}

static uint64_t hash(const char *bytes, size_t n) {
  uint64_t h = n;
  for (size_t i = 0; i < n; i++) h = (h ^ (unsigned char)bytes[i]) * 0x100000001b3u;
  return h;
}

/* After fences: the lanes, by their owners' loads and by gets; and what all added to. */
static void allocation_verify(int k) {
  struct allocation *a = &allocations[k];
  for (int p = 0; p < np; p++) {
    const uint64_t want = hash(a->model[p], a->lane[p]);
    armci_msg_snd(100 + k, (void *)&want, sizeof want, p);
  }
  for (int p = 0; p < np; p++) {
    uint64_t want;
    armci_msg_rcv(100 + k, &want, sizeof want, NULL, p);
    snprintf(text, sizeof text, "the lane of %d in allocation %d", p, k);
    if (a->lane[me] && hash(lane_at(a, me, p), a->lane[me]) != want)
      fail("its owner sees something else", 0);
  }
  for (int p = 0; p < np; p++) {
    char *got = malloc(a->lane[p] + 1);
    snprintf(text, sizeof text, "the lane at %d in allocation %d", p, k);
    if (a->size[p]) CHECK_EQ(ARMCI_Get(lane_at(a, p, me), got, (int)a->lane[p], p), 0);
    if (a->size[p]) must_equal(got, a->model[p], a->lane[p], "differs");
    free(got);
  }
  snprintf(text, sizeof text, "sums of type %d in allocation %d", a->type, k);
  if (a->lane[me]) must_equal(lane_at(a, me, np + 1), (char *)a->sums, a->lane[me], "differ");
}

static void allocation_free(int k) {
  struct allocation *a = &allocations[k];
  for (int p = 0; p < np; p++) free(a->model[p]);
  free(a->sums);
  CHECK_EQ(ARMCI_Free(a->at[me]), 0);
  a->is_live = false;
}

/* ---- what several do together ---------------------------------------------------------------- */

/* Elements in pieces of their own, in several lists. */
static void accumulate_list(int op, void *scale, char *values, char *far, size_t unit, size_t n,
                            int proc) {
  enum { MANY = 500 };
  static void *from[MANY], *to[MANY];
  const size_t rest = n > MANY ? n % MANY : 0;
  n -= rest;
  if (rest)
    CHECK_EQ(ARMCI_Acc(op, scale, values + n * unit, far + n * unit, (int)(rest * unit), proc), 0);
  const size_t each = n > MANY ? n / MANY : 1, pieces = n / each, half = any(pieces + 1);
  for (size_t i = 0; i < pieces; i++) {
    from[i] = values + i * each * unit;
    to[i] = far + i * each * unit;
  }
  armci_giov_t v[2] = {{from, to, (int)half, (int)(each * unit)},
                       {from + half, to + half, (int)(pieces - half), (int)(each * unit)}};
  if (any(2)) {
    CHECK_EQ(ARMCI_AccV(op, scale, v, 2, proc), 0);
    return;
  }
  CHECK_EQ(ARMCI_NbAccV(op, scale, v, 2, proc, NULL), 0);
  CHECK_EQ(ARMCI_WaitProc(proc), 0);
  implicit_over(proc);
}

/* Everybody adds to one process's area; integers also by Rmw. */
static void accumulates(void) {
  const int k = (int)all_draw(ALLOCATIONS), proc = (int)all_draw((size_t)np);
  struct allocation *a = &allocations[k];
  const size_t unit = (size_t)types[a->type].unit, elements = a->lane[proc] / unit;
  static char values[100000];
  for (size_t left = 1 + all_draw(12); left > 0; left--) {
    const int by = (int)all_draw((size_t)np);
    const size_t from = all_draw(elements + 1), most = all_draw(3) ? 40 : 6000,
                 number = all_draw(1u << 20);
    size_t n = all_draw(most);
    const bool rmw = a->type < 2 && all_draw(3) == 0;
    const size_t strided = all_draw(3);
    if (n > elements - from) n = elements - from;
    if (rmw && n > 1) n = 1;
    struct {
      double d[2];
    } scale;
    small_numbers(a->type, (char *)&scale, sizeof scale, number);
    small_numbers(a->type, values, n * unit, number + 1);
    if (rmw)
      memset(&scale, 0, sizeof scale),
          memcpy(&scale, a->type == 0 ? (void *)&(int){1} : (void *)&(long){1}, unit);
    if (proc == me) add(a->type, (char *)a->sums + from * unit, values, (int)(n * unit), &scale);
    if (by != me || n == 0) continue;
    char *far = lane_at(a, proc, np + 1) + from * unit;
    int value, stride[1] = {(int)unit}, count[2] = {(int)unit, (int)n};
    long old;
    memcpy(&value, values, sizeof value); /* of a long its low half: small, so it is the number */
    snprintf(text, sizeof text, "accumulate of type %d, %zu elements at %zu, to %d allocation %d",
             a->type, n, from, proc, k);
    nops++;
    if (rmw)
      CHECK_EQ(ARMCI_Rmw(a->type == 0 ? ARMCI_FETCH_AND_ADD : ARMCI_FETCH_AND_ADD_LONG, &old, far,
                         value, proc),
               0);
    else if (strided == 2)
      accumulate_list(types[a->type].op, &scale, values, far, unit, n, proc);
    else if (strided)
      CHECK_EQ(ARMCI_AccS(types[a->type].op, &scale, values, stride, far, stride, count, 1, proc),
               0);
    else
      CHECK_EQ(ARMCI_Acc(types[a->type].op, &scale, values, far, (int)(n * unit), proc), 0);
  }
}

/* One writes to another's mail, in pieces, and tells it. */
static char *mail[PROCS];
static struct mail_flags { int flag, times[PROCS]; } * flags[PROCS];
static int told[PROCS][PROCS]; /* notify's count */

/* Every other word, so that they travel packed, then the rest. */
static void put_by_halves(char *from, char *far, int bytes, int to) {
  int count[2] = {8, bytes / 16}, stride[1] = {16};
  for (int half = 0; half < 2 && count[1]; half++)
    ARMCI_PutS(from + 8 * half, stride, far + 8 * half, stride, count, 1, to);
  ARMCI_Put(from + bytes / 16 * 16, far + bytes / 16 * 16, bytes % 16, to);
}

static void message(void) {
  const int from = (int)all_draw((size_t)np), to = (int)all_draw((size_t)np),
            how = (int)all_draw(6), tag = (int)all_draw(50);
  const size_t most[] = {9, 300, 5000, 70000, MAIL}, limit = most[all_draw(5)];
  const size_t at = all_draw(MAIL - limit + 1), bytes = all_draw(limit + 1),
               number = all_draw(1u << 30), pieces = 1 + all_draw(4);
  static char want[MAIL];
  static int flag_value = 1000;
  fill(want, bytes, number);
  flag_value++;
  snprintf(text, sizeof text, "message %d from %d to %d: %zu bytes at %zu in %zu pieces, how %d",
           flag_value, from, to, bytes, at, pieces, how);
  if (me == from) {
    int *flag = &flags[to]->flag, one = flag_value;
    size_t done = 0;
    for (size_t i = 0; i < pieces; i++) {
      const size_t next = i + 1 == pieces ? bytes : done + any(bytes - done + 1);
      char *far = mail[to] + at + done;
      int count[2] = {1, (int)(next - done)}, stride[1] = {1};
      if (how == 4 && i + 1 == pieces)
        ARMCI_Put_flag(want + done, far, (int)(next - done), flag, one, to);
      else if (how == 5 && i + 1 == pieces)
        ARMCI_PutS_flag(want + done, stride, far, stride, count, 1, flag, one, to);
      else if (any(3) == 0)
        put_by_halves(want + done, far, (int)(next - done), to);
      else if (any(2))
        ARMCI_Put(want + done, far, (int)(next - done), to);
      else if (any(2) && next > done)
        ARMCI_PutS(want + done, stride, far, stride, count, 1, to);
      else {
        ARMCI_NbPut(want + done, far, (int)(next - done), to, NULL);
        if (how != 0 && how != 3) ARMCI_WaitProc(to), implicit_over(to);
      }
      done = next;
    }
    if (how == 0 || how == 3) { /* a fence, and a message; or another word of there */
      if (any(2))
        ARMCI_Fence(to);
      else
        ARMCI_AllFence();
      if (how == 0)
        armci_msg_snd(tag, &one, sizeof one, to);
      else
        ARMCI_PutValueInt(one, flag, to);
    } else if (how == 1)
      armci_notify(to);
    else if (how == 2)
      ARMCI_Rmw(ARMCI_SWAP, &one, flag, 0, to); /* in order, without a fence */
  }
  if (me == to) {
    if (how == 0) {
      int value, length;
      armci_msg_rcv(tag, &value, sizeof value, &length, from);
      CHECK(value == flag_value && length == 4);
    } else if (how == 1) {
      int waited;
      armci_notify_wait(from, &waited);
      CHECK_EQ(waited, ++told[from][to]);
    } else
      while (__atomic_load_n(&flags[me]->flag, __ATOMIC_ACQUIRE) != flag_value) sched_yield();
    must_equal(mail[me] + at, want, bytes, "what was told of");
  } else if (how == 1)
    told[from][to]++;
  /* The mail is used again when it was read. */
  if (from == me) ARMCI_WaitAll(), implicit_over(-1), ARMCI_Fence(to);
  armci_msg_barrier();
}

static long *counters[PROCS];
static long counted[MUTEXES];

static void mutexes(void) {
  const int m = (int)all_draw(MUTEXES), owner = m % np;
  for (int p = 0; p < np; p++) {
    const size_t times = all_draw(3);
    counted[m] += (long)times;
    for (size_t t = 0; p == me && t < times; t++) {
      long value;
      ARMCI_Lock(m, owner);
      ARMCI_Get(counters[0] + m, &value, sizeof value, 0);
      value++;
      ARMCI_Put(&value, counters[0] + m, sizeof value, 0);
      ARMCI_Fence(0);
      ARMCI_Unlock(m, owner);
    }
  }
}

/* ---- groups ---------------------------------------------------------------------------------- */

/* Some of a group's, in its numbers; the others of it call too. */
static void group_of_group(struct circle *child, struct circle *parent) {
  int list[PROCS];
  const int first = (int)all_draw((size_t)parent->size);
  for (int i = 0; i < parent->size; i++) {
    const int r = (first + i) % parent->size;
    if (all_draw(100) >= 70) continue;
    if (parent->list[r] == me) child->rank = child->size;
    list[child->size] = r;
    child->list[child->size++] = parent->list[r];
  }
  if (child->size == 0) child->is_live = false;
  if (parent->rank < 0 || child->size == 0) return;
  ARMCI_Group_create_child(child->size, list, &child->handle, &parent->handle);
}

static void group_change(void) {
  const int k = (int)all_draw(GROUPS);
  if (groups[k].is_live) {
    if (groups[k].rank >= 0) ARMCI_Group_free(&groups[k].handle);
    groups[k].is_live = false;
    return;
  }
  groups[k].is_live = true;
  groups[k].size = 0, groups[k].rank = -1;
  const int j = (int)all_draw(GROUPS);
  if (j != k && groups[j].is_live) return group_of_group(&groups[k], &groups[j]);
  const int first = (int)all_draw((size_t)np);
  const bool back = all_draw(2);
  for (int i = 0; i < np; i++) {
    const int p = (first + (back ? np - i : i)) % np;
    if (all_draw(100) >= 60) continue;
    if (p == me) groups[k].rank = groups[k].size;
    groups[k].list[groups[k].size++] = p;
  }
  if (groups[k].size == 0) groups[k].is_live = false;
  if (groups[k].rank >= 0) ARMCI_Group_create(groups[k].size, groups[k].list, &groups[k].handle);
}

static void group_use(void) {
  const int k = (int)all_draw(GROUPS),
            root = (int)all_draw((size_t)(groups[k].size ? groups[k].size : 1));
  const size_t zero = all_draw(PROCS), bytes = 1 + all_draw(5000), number = all_draw(1u << 30);
  if (!groups[k].is_live || groups[k].rank < 0) return;
  ARMCI_Group *g = &groups[k].handle;
  const int n = groups[k].size, rank = groups[k].rank;
  snprintf(text, sizeof text, "group %d of %d", k, n);
  void *at[PROCS];
  CHECK_EQ(ARMCI_Malloc_group(at, rank == (int)zero ? 0 : (armci_size_t)bytes, g), 0);
  char *mine = malloc(bytes), *want = malloc(bytes);
  const int next = (rank + 1) % n, before = (rank + n - 1) % n;
  fill(mine, bytes, number + (uint64_t)rank);
  fill(want, bytes, number + (uint64_t)before);
  CHECK_EQ(ARMCI_Absolute_id(g, next), groups[k].list[next]);
  if (next != (int)zero) ARMCI_Put(mine, at[next], (int)bytes, groups[k].list[next]);
  if (any(2))
    ARMCI_AllFence();
  else
    ARMCI_Fence(groups[k].list[next]);
  armci_msg_group_barrier(g);
  if (rank != (int)zero) must_equal(at[rank], want, bytes, "memory of the group");
  long sum = rank + 1, total[3] = {me, -me, 7};
  armci_msg_group_lgop(&sum, 1, (char *)"+", g);
  CHECK_EQ(sum, (long)n * (n + 1) / 2);
  armci_msg_group_lgop(total, 3, (char *)"max", g);
  CHECK_EQ(total[2], 7);
  fill(mine, bytes, number + (uint64_t)rank);
  fill(want, bytes, number + (uint64_t)root);
  armci_msg_group_bcast_scope(SCOPE_ALL, mine, (int)bytes, groups[k].list[root], g);
  must_equal(mine, want, bytes, "what was sent to the group");
  CHECK_EQ(ARMCI_Free_group(at[rank], g), 0);
  free(mine);
  free(want);
}

/* ---- collectives, and all of it -------------------------------------------------------------- */

static void collective(void) {
  static double numbers[9000];
  static int whole[9000];
  const int root = (int)all_draw((size_t)np), n = (int)all_draw(all_draw(3) ? 20 : 9000);
  switch (all_draw(4)) {
  case 0:
    for (int i = 0; i < n; i++) numbers[i] = i + me;
    armci_msg_dgop(numbers, n, (char *)"+");
    for (int i = 0; i < n; i++) CHECK(numbers[i] == (double)i * np + np * (np - 1) / 2);
    break;
  case 1:
    for (int i = 0; i < n; i++) whole[i] = i % np == me ? i : -i;
    armci_msg_igop(whole, n, (char *)"max");
    for (int i = 0; i < n; i++) CHECK_EQ(whole[i], i);
    break;
  case 2:
    for (int i = 0; i < n; i++) whole[i] = i * (root + 1) * (me == root);
    armci_msg_brdcst(whole, n * (int)sizeof *whole, root);
    for (int i = 0; i < n; i++) CHECK_EQ(whole[i], i * (root + 1));
    break;
  default: ARMCI_Barrier();
  }
}

static void one_phase(void) {
  for (size_t left = 10 + all_draw(20); left > 0; left--) {
    some_operations();
    switch (all_draw(14)) {
    case 0:
    case 1: accumulates(); break;
    case 2:
    case 3:
    case 4: message(); break;
    case 5: mutexes(); break;
    case 6: group_change(); break;
    case 7: group_use(); break;
    case 8:
    case 9: one_collective(); break;
    case 10:
    case 11:
    case 12: something_more(); break;
    default: collective();
    }
  }
  some_operations();
  pending_wait_all();
  ARMCI_Barrier();
  for (int k = 0; k < ALLOCATIONS; k++) allocation_verify(k);
  if (me == 0)
    for (int m = 0; m < MUTEXES; m++) CHECK_EQ(counters[0][m], counted[m]);
  armci_msg_barrier();
  for (int k = 0; k < ALLOCATIONS; k++)
    if (all_draw(3) == 0) allocation_free(k), allocation_new(k);
}

static void one_seed(int phases) {
  common = mix(seed);
  own = mix(seed * 64 + (uint64_t)me + 1);
  for (int k = 0; k < ALLOCATIONS; k++) allocation_new(k);
  CHECK_EQ(ARMCI_Create_mutexes(MUTEXES), 0);
  for (phase = 1; phase <= phases; phase++) one_phase();
  CHECK_EQ(ARMCI_Destroy_mutexes(), 0);
  for (int k = 0; k < GROUPS; k++)
    if (groups[k].is_live && groups[k].rank >= 0) ARMCI_Group_free(&groups[k].handle);
  memset(groups, 0, sizeof groups);
  for (int k = 0; k < ALLOCATIONS; k++) allocation_free(k);
}

/* For messages, mutexes and tickets. */
static void shared_new(void) {
  CHECK_EQ(ARMCI_Malloc((void **)mail, MAIL), 0);
  CHECK_EQ(ARMCI_Malloc((void **)flags, sizeof **flags), 0);
  CHECK_EQ(ARMCI_Malloc((void **)counters, MUTEXES * sizeof(long)), 0);
  CHECK_EQ(ARMCI_Malloc((void **)tickets, sizeof **tickets), 0);
  memset(flags[me], 0, sizeof **flags);
  memset(counters[me], 0, MUTEXES * sizeof(long));
  memset(tickets[me], 0, sizeof **tickets);
  ARMCI_Barrier();
}

static void shared_free(void) {
  ARMCI_Free(tickets[me]);
  ARMCI_Free(counters[me]);
  ARMCI_Free(flags[me]);
  ARMCI_Free(mail[me]);
}

/* ARMCI ends, and begins once more: not where a job goes on without its dead. */
static void begin_anew(int *argc, char ***argv) {
  const char *death = getenv("WEFT_ON_DEATH");
  if (death && strcmp(death, "continue") == 0) return;
  shared_free();
  ARMCI_Finalize();
  CHECK_EQ(ARMCI_Initialized(), 0);
  CHECK_EQ(ARMCI_Init_args(argc, argv), 0);
  memset(told, 0, sizeof told);
  memset(counted, 0, sizeof counted);
  memset(tickets_drawn, 0, sizeof tickets_drawn);
  memset(aggregate_uses, 0, sizeof aggregate_uses);
  shared_new();
}

int main(int argc, char **argv) {
  armci_begin(&argc, &argv);
  CHECK(np <= PROCS);
  seed = argc > 1 ? strtoull(argv[1], NULL, 0) : 1;
  const int seeds = argc > 2 ? atoi(argv[2]) : 1, phases = argc > 3 ? atoi(argv[3]) : 3;
  loud = argc > 4;
  shared_new();
  masters_find();
  for (const uint64_t end = seed + (uint64_t)seeds; seed < end; seed++) {
    alarm(weft_check_patience);
    one_seed(phases);
    if (seed + 1 < end && seed % 3 == 0) begin_anew(&argc, &argv);
  }
  shared_free();
  return armci_end();
}
