/*
 * Large begun reductions to all, several under way at a time and mixed with small ones: from and
 * into memory inside and outside of the slot, in place and not, also where memory outside cannot be
 * lent; by functions of the table and of the user, of elements of 40 bytes and of 24,000; over
 * teams in other orders. Whether they went in large turns is looked at, too.
 */
#include "base/base.h"
#include "check.h"
#include "coll/coll.h"
#include "job/job.h"
#include "runtime/runtime.h"

enum { FEW = 4, MOST = 420000, ROUNDS = 6 };

/* Of elements of *arg words. With 5 turns do not begin at lines. */
static void greatest_of(const void *left, void *right, size_t n, const void *arg) {
  const int64_t *l = left;
  int64_t *r = right;
  for (size_t i = 0; i < n * *(const size_t *)arg; i++)
    if (l[i] > r[i]) r[i] = l[i];
}

static int64_t value(int member, size_t i, int salt) {
  return (int64_t)((i * 2654435761u + (size_t)salt) % 1000) * (member + 1) - member * 400;
}

/* Over all members a value rises or falls: the greatest is the first or the last. */
static int64_t wanted(int size, size_t i, int salt, bool sum) {
  const int64_t first = value(0, i, salt), last = value(size - 1, i, salt);
  return sum ? size * (first + last) / 2 : last > first ? last : first;
}

/* FEW reductions of `words` words; every second one is by the user's function. */
static void reduce(weft_team_t *t, size_t words, int round, int64_t *symmetric) {
  const size_t width = round % 3 == 2 ? 3000 : 5; /* words of an element */
  const weft_reducer_t sum = {.combine = weft_data_combine(WEFT_TYPE_I64, WEFT_COMBINE_sum),
                              .width = 8},
                       most = {.user = greatest_of, .arg = &width, .width = width * 8};
  int64_t *dst[FEW], *src[FEW], one = 1, ones = 0;
  weft_op_t op = {0};
  words = words / width * width;
  for (int k = 0; k < FEW; k++) {
    int64_t *const shared = symmetric + k * MOST;
    dst[k] = (t->me + round + k) % 3 ? malloc(words * 8) : shared;
    src[k] = (round + k) % 2 ? dst[k] : dst[k] != shared && t->me % 2 ? shared : malloc(words * 8);
    CHECK(dst[k] && src[k]);
    for (size_t i = 0; i < words; i++) src[k][i] = value(t->me, i, k + round);
    if (k % 2)
      weft_team_reduce_all_begin(t, dst[k], src[k], words / width, &most, &op);
    else
      weft_team_reduce_all_begin(t, dst[k], src[k], words, &sum, &op);
  }
  weft_team_reduce_all_begin(t, &ones, &one, 1, &sum, &op);
  weft_team_wait(&op);
  CHECK_EQ(ones, t->set.size);
  for (int k = 0; k < FEW; k++) {
    for (size_t i = 0; i < words; i++) {
      const int64_t want = wanted(t->set.size, i, k + round, k % 2 == 0);
      if (dst[k][i] != want) CHECK_EQ(dst[k][i], want);
      const int64_t mine = value(t->me, i, k + round);
      if (src[k] != dst[k] && src[k][i] != mine) CHECK_EQ(src[k][i], mine);
    }
    if (src[k] != dst[k] && src[k] != symmetric + k * MOST) free(src[k]);
    if (dst[k] != symmetric + k * MOST) free(dst[k]);
  }
}

int main(void) {
  weft_team_t *team[3];
  weft_runtime_start("test");
  weft_teams_start();
  const int me = weft_job.pe;
  int64_t *symmetric = weft_symmetric_alloc(64, FEW * MOST * sizeof *symmetric, "test");
  team[0] = weft_team_world();
  weft_team_split(team[0], true, 0, -me, &team[1]); /* backwards */
  weft_team_split(team[0], me != 1, 0, me, &team[2]);
  for (int round = 0; round < ROUNDS; round++) {
    /* As with a provider that pins, on some members: the sums come by the slot. */
    if (round == ROUNDS / 2) weft_job.fabric.pins = me % 2 == 0;
    for (int k = 0; k < 3; k++)
      if (team[k]) reduce(team[k], round % 2 ? MOST : 27000, round, symmetric);
  }
  for (int k = 0; k < 3; k++) {
    if (!team[k]) continue;
    CHECK_EQ(team[k]->spare != NULL, team[k]->members.nodes > 1 && weft_rma_lends());
    weft_coll_sync(team[k]);
    if (k > 0) weft_team_free(team[k]);
  }
  weft_runtime_stop();
  return 0;
}
