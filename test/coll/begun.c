/*
 * Begun collectives: every operation, on memory of any kind, over sets in any order, many under way
 * at a time and several teams at a time; functions of the user, in order; the blocking ones over
 * the same teams; teams made, freed and made again by thousands, by a parent and by their members
 * alone.
 */
#include "coll/coll.h"

#include <errno.h>

#include "base/base.h"
#include "bytes.h"
#include "check.h"
#include "job/job.h"
#include "runtime/runtime.h"

enum { MOST = 200000, TEAMS = 5, WORDS = 32000 };
static weft_team_t *team[TEAMS];
static uint64_t *words; /* symmetric */

static void *room(size_t n) {
  void *p = calloc(n + 1, 1);
  CHECK(p);
  return p;
}

static void sum(void *inout, const void *in, size_t n) {
  int64_t *a = inout;
  const int64_t *b = in;
  for (size_t i = 0; i < n; i++) a[i] += b[i];
}

/* Products of 2 x 2 matrices modulo something: they do not commute. */
static void multiply(const void *left, void *right, size_t n, const void *modulus) {
  const uint64_t (*a)[4] = left, m = *(const uint64_t *)modulus;
  uint64_t (*b)[4] = right;
  for (size_t i = 0; i < n; i++) {
    const uint64_t x[4] = {b[i][0], b[i][1], b[i][2], b[i][3]};
    for (int r = 0; r < 2; r++)
      for (int c = 0; c < 2; c++)
        b[i][r * 2 + c] = (a[i][r * 2] * x[c] + a[i][r * 2 + 1] * x[2 + c]) % m;
  }
}

/* All of them at once, of n bytes each; then everything is looked at. */
static void everything(weft_team_t *t, size_t n, int root, int salt) {
  const weft_set_t *set = &t->set;
  const int me = t->me, size = set->size;
  const size_t all = (size_t)size * n;
  unsigned char *src = room(all), *cast = room(n), *gathered = room(all), *every = room(all),
                *dealt = room(n), *swapped = room(all);
  weft_op_t op = {0};
  uint64_t name = me == root ? weft_name(7) : WEFT_NAME_NONE, other = weft_name((uint32_t)me);
  fill(src, all, me, salt);
  weft_team_broadcast_begin(t, root, cast, src, n, &op);
  weft_team_notify(t, &name, &op);
  weft_team_gather_begin(t, root, me == root ? gathered : NULL, src, n, &op);
  weft_team_gather_all_begin(t, every, src, n, &op);
  weft_team_scatter_begin(t, root, dealt, me == root ? src : NULL, n, &op);
  weft_team_exchange_begin(t, swapped, src, n, &op);
  weft_team_notify(t, &other, &op);
  weft_team_wait(&op);
  expect(cast, n, root, salt, 0);
  CHECK_EQ(name, weft_name(7));
  CHECK_EQ(other, size > 1 ? WEFT_NAME_MISMATCH : weft_name(0));
  for (int i = 0; i < size; i++) {
    if (me == root) expect(gathered + (size_t)i * n, n, i, salt, 0);
    expect(every + (size_t)i * n, n, i, salt, 0);
    expect(swapped + (size_t)i * n, n, i, salt, (size_t)me * n);
  }
  expect(dealt, n, root, salt, (size_t)me * n);
  free(src), free(cast), free(gathered), free(every), free(dealt), free(swapped);
}

/* Of n bytes, that all of the node can reach, or not. */
static void *place(bool shared, size_t n) {
  void *p = shared ? weft_private_alloc(64, n + 1) : room(n);
  CHECK(p);
  return p;
}

static void leave(bool shared, void *p) {
  if (shared)
    weft_private_free(p);
  else
    free(p);
}

/* Whose memory all of the node can reach: nobody's, everybody's, or that of every second member. */
enum reach { NONE, ALL, SOME };

static void reductions(weft_team_t *t, size_t count, int root, enum reach reach) {
  const int me = t->me, size = t->set.size;
  const bool shared = reach == ALL || (reach == SOME && me % 2);
  const uint64_t modulus = 1000003;
  const weft_reducer_t add = {.combine = sum, .width = 8};
  const weft_reducer_t product = {.user = multiply, .arg = &modulus, .width = 32, .ordered = true};
  int64_t *src = place(shared, count * 8), *one = place(shared, count * 8);
  int64_t *same = place(shared, count * 8);
  uint64_t (*m)[4] = place(shared, 32 * count), (*result)[4] = place(shared, 32 * count);
  uint64_t want[4], theirs[4];
  weft_op_t op = {0};
  for (size_t i = 0; i < count; i++) {
    src[i] = same[i] = me * 1000 + (int64_t)i;
    memcpy(m[i], (uint64_t[4]){(uint64_t)me + 1, i % 7, 2, (uint64_t)me + 3}, 32);
  }
  weft_team_reduce_begin(t, root, one, src, count, &add, &op);
  weft_team_reduce_all_begin(t, result, m, count, &product, &op);
  weft_team_reduce_begin(t, root, me == root ? same : NULL, same, count, &add, &op);
  weft_team_wait(&op);
  weft_team_reduce_all_begin(t, src, src, count, &add, &op);
  weft_team_wait(&op);
  for (size_t i = 0; i < count; i++) {
    const int64_t total = (int64_t)size * (size - 1) / 2 * 1000 + (int64_t)i * size;
    CHECK_EQ(src[i], total);
    CHECK_EQ(same[i], me == root ? total : me * 1000 + (int64_t)i);
    if (me == root) CHECK_EQ(one[i], total);
    memcpy(want, (uint64_t[4]){(uint64_t)size, i % 7, 2, (uint64_t)size + 2}, 32);
    for (int k = size - 2; k >= 0; k--) {
      memcpy(theirs, (uint64_t[4]){(uint64_t)k + 1, i % 7, 2, (uint64_t)k + 3}, 32);
      multiply(theirs, want, 1, &modulus);
    }
    for (int k = 0; k < 4; k++) CHECK_EQ(result[i][k], want[k]);
    CHECK(m[i][0] == (uint64_t)me + 1 && m[i][1] == i % 7 && m[i][2] == 2 &&
          m[i][3] == (uint64_t)me + 3);
  }
  leave(shared, src), leave(shared, one), leave(shared, same), leave(shared, m);
  leave(shared, result);
}

/* Products to each member in turn: the tree begins at the first node, wherever the root is. */
static void to_each(weft_team_t *t) {
  const uint64_t modulus = 1000003;
  const weft_reducer_t product = {.user = multiply, .arg = &modulus, .width = 32, .ordered = true};
  uint64_t mine[4] = {(uint64_t)t->me + 1, 5, 2, (uint64_t)t->me + 3}, result[4], want[4];
  for (int root = 0; root < t->set.size; root++) {
    weft_op_t op = {0};
    weft_team_reduce_begin(t, root, t->me == root ? result : NULL, mine, 1, &product, &op);
    weft_team_wait(&op);
    if (t->me != root) continue;
    memcpy(want, (uint64_t[4]){(uint64_t)t->set.size, 5, 2, (uint64_t)t->set.size + 2}, 32);
    for (int k = t->set.size - 2; k >= 0; k--) {
      const uint64_t theirs[4] = {(uint64_t)k + 1, 5, 2, (uint64_t)k + 3};
      multiply(theirs, want, 1, &modulus);
    }
    for (int k = 0; k < 4; k++) CHECK_EQ(result[k], want[k]);
  }
}

/* The PEs in an order that neither rises nor falls. */
static void shuffle(int *list, int n) {
  for (int i = 0; i < n; i++) list[i] = i % 2 ? n - 1 - i / 2 : i / 2;
}

/* The blocking operations, over the same teams: with an area and without one. */
static void blocking(weft_team_t *t, size_t n, int root) {
  enum { MOST = 16 };
  const int me = t->me, size = t->set.size;
  uint64_t *const from = words, *const to = words + WORDS / 2, sum = 0;
  CHECK(n * (size_t)size <= WORDS / 2 && size <= MOST);
  for (size_t i = 0; i < n * (size_t)size; i++) from[i] = (uint64_t)me * 1000 + i;
  weft_coll_broadcast(t, to, from, n * 8, root, true);
  for (size_t i = 0; i < n; i++) CHECK_EQ(to[i], (uint64_t)root * 1000 + i);
  weft_coll_sync(t);
  weft_coll_reduce(t, to, from, n, 8, weft_data_combine(WEFT_TYPE_U64, WEFT_COMBINE_sum));
  for (int k = 0; k < size; k++) sum += (uint64_t)k * 1000;
  for (size_t i = 0; i < n; i++) CHECK_EQ(to[i], sum + (uint64_t)size * i);
  weft_coll_sync(t);
  weft_coll_alltoall(t, to, from, n * 8);
  for (size_t i = 0; i < n * (size_t)size; i++)
    CHECK_EQ(to[i], i / n * 1000 + (size_t)me * n + i % n);
  weft_coll_sync(t);
  const size_t mine = n > (size_t)me ? n - (size_t)me : 0;
  weft_coll_collect(t, to, from, mine * 8);
  for (size_t k = 0, at = 0; k < (size_t)size; k++)
    for (size_t i = 0; i + k < n; i++) CHECK_EQ(to[at++], k * 1000 + i);
  weft_coll_sync(t);
  weft_coll_gather(t, to, from, n * 8, root);
  for (size_t i = 0; me == root && i < n * (size_t)size; i++) CHECK_EQ(to[i], i / n * 1000 + i % n);
  weft_coll_sync(t);
  weft_coll_scan(t, to, from, n, 8, weft_data_combine(WEFT_TYPE_U64, WEFT_COMBINE_max), true);
  for (size_t i = 0; i < n; i++) CHECK_EQ(to[i], from[i]);
  CHECK_EQ(weft_coll_meet(t, me == root ? 3 : 1), size == 1 ? 3u : 1u);
}

/* A team that is made of one that can begin operations can, too, and the other way round. */
static void have_both(void) {
  CHECK(team[0]->area == 0 && team[1]->area > 0 && team[3]->area > 0);
  CHECK(!team[4] || team[4]->area < 0);
  for (int k = 0; k < TEAMS; k++) CHECK(!team[k] || team[k]->turns);
}

static void make_teams(void) {
  const int n = weft_job.npes, me = weft_job.pe;
  int list[64];
  weft_set_t set;
  weft_teams_start();
  team[0] = weft_team_world();
  weft_team_split(team[0], true, 0, -me, &team[1]); /* backwards */
  weft_team_split(team[0], me % 3 != 1, me % 3, me * 5 % 4, &team[2]);
  CHECK((team[2] == NULL) == (me % 3 == 1));
  shuffle(list, n);
  CHECK_EQ(weft_set_from_list(&set, list, n), 0);
  CHECK_EQ(weft_team_create(team[0], &set, true, &team[3]), 0);
  weft_set_free(&set);
  CHECK_EQ(team[3]->me, weft_set_index(&team[3]->set, me));
  CHECK_EQ(weft_set_from_list(&set, list, n - n / 2), 0); /* by its members alone */
  if (weft_set_index(&set, me) >= 0) team[4] = weft_team_meet(&set);
  weft_set_free(&set);
  /* A PE that does not say the same as the others. */
  weft_team_t *none;
  const weft_set_t two = {.stride = 1, .size = 2}, one = {.size = 1};
  if (n < 2) return;
  CHECK_EQ(weft_team_create(team[0],
                            me == 0   ? &two
                            : me == 1 ? NULL
                                      : &one,
                            true, &none),
           me == 0 ? -EINVAL : 0);
  CHECK(none == NULL);
}

static void by_thousands(void) {
  const int n = weft_job.npes, me = weft_job.pe, few = weft_job.nnodes > 1 ? 5 : 1;
  for (int i = 0; i < 300 / few; i++) {
    weft_team_t *t;
    weft_team_split(team[0], me != i % n || n == 1, i, me ^ i, &t);
    if (t) weft_coll_sync(t), weft_team_free(t);
  }
  for (int i = 0; i < 1000 / few && n > 1;
       i++) { /* pairs in a ring, each by its two members alone */
    const int list[2] = {i % n, (i + 1) % n};
    weft_set_t set;
    CHECK_EQ(weft_set_from_list(&set, list, 2), 0);
    if (weft_set_index(&set, me) >= 0) {
      weft_team_t *t = weft_team_meet(&set);
      CHECK_EQ(t->me, me == list[1]);
      weft_coll_sync(t);
      weft_team_free(t);
    }
    weft_set_free(&set);
  }
}

/* The boxes of a team, each behind what a barrier needs of it: are they as they were? */
static bool boxes(weft_team_t *t, int byte, bool fills) {
  enum { HEAD = 256 };
  bool same = true;
  for (uint64_t turn = 0; turn < WEFT_TURN_WINDOW; turn++) {
    char *box = t->landing + turn * (uint64_t)t->boxes * WEFT_TURN_PART;
    if (fills) memset(box + HEAD, byte, WEFT_TURN_PART - HEAD);
    same = same && box[HEAD] == byte &&
           !memcmp(box + HEAD, box + HEAD + 1, WEFT_TURN_PART - HEAD - 1);
  }
  return same;
}

static void meet(weft_team_t *t) {
  weft_op_t op = {0};
  weft_team_barrier_begin(t, &op);
  weft_team_wait(&op);
}

/* Several at a time, into memory inside and outside of the slot; when they are over all buffers are
 * overwritten. In the last round all have memory of the slot: nothing goes by boxes. */
enum { LARGE = 3300001 /* more than fits into the window */, FEW = 2, ROUNDS = 4 };
static void large_broadcasts(weft_team_t *t, unsigned char *symmetric) {
  unsigned char *own = room(FEW * LARGE), *dst[FEW];
  for (int salt = 0; salt < ROUNDS; salt++) {
    const int root = salt % t->set.size;
    const bool last = salt == ROUNDS - 1;
    const bool at_once = last && t->members.nodes > 1 && weft_job.fabric.notes &&
                         weft_job_helpers() == 1; /* several lend nothing */
    weft_op_t op = {0};
    if (at_once) meet(t), boxes(t, 0x5a, true), meet(t);
    for (int k = 0; k < FEW; k++) {
      dst[k] = (last || (t->me + salt + k) % 3 ? symmetric : own) + k * LARGE;
      if (t->me == root) fill(dst[k], LARGE, root, salt + k);
      weft_team_broadcast_begin(t, root, dst[k], dst[k], LARGE, &op);
    }
    weft_team_wait(&op);
    for (int k = 0; k < FEW; k++) expect(dst[k], LARGE, root, salt + k, 0);
    for (int k = 0; k < FEW; k++) memset(dst[k], 0, LARGE);
    CHECK(!at_once || boxes(t, 0x5a, false));
  }
  free(own);
}

int main(void) {
  static const size_t sizes[] = {0, 1, 8, 300, 5000, 70000};
  weft_runtime_start("test");
  make_teams();
  for (unsigned s = 0; s < sizeof sizes / sizeof *sizes; s++)
    for (int k = 0; k < TEAMS; k++)
      if (team[k]) everything(team[k], sizes[s], (int)s % team[k]->set.size, k);
  for (int k = 0; k < TEAMS; k++)
    if (team[k]) {
      for (enum reach reach = NONE; reach <= SOME; reach++) {
        reductions(team[k], 1, 0, reach);
        reductions(team[k], 100, 0, reach);
        reductions(team[k], 3000, team[k]->set.size - 1, reach);
      }
      to_each(team[k]);
      reductions(team[k], 40001, 0, k % 2 ? ALL : NONE); /* whole turns of 64 KB, and a rest */
    }
  unsigned char *symmetric = weft_symmetric_alloc(64, FEW * LARGE, "test");
  for (int k = 0; k < TEAMS; k++) {
    if (team[k]) large_broadcasts(team[k], symmetric);
    weft_coll_sync(team[0]);
  }
  have_both();
  words = weft_symmetric_alloc(64, WORDS * sizeof *words, "test");
  for (int k = 0; k < TEAMS; k++) {
    if (team[k]) blocking(team[k], 300, k % team[k]->set.size);
    weft_coll_sync(team[0]);
  }
  for (int k = 1; k < TEAMS; k++)
    if (team[k]) weft_coll_sync(team[k]), weft_team_free(team[k]);
  by_thousands();
  weft_coll_sync(team[0]);
  weft_runtime_stop();
  return 0;
}
