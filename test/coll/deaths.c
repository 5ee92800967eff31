/*
 * WEFT_ON_DEATH=continue: a member of a team dies while the others are in a collective: barrier,
 * broadcast from the dead, reduction, exchange, small and large, begun several at a time. They wait
 * no longer, agree on the status, make a team of those who live, and that works. `deaths WHO`.
 */
#include <signal.h>

#include "check.h"
#include "coll/coll.h"
#include "job/job.h"
#include "runtime/runtime.h"
#include "sync/sync.h"

enum { KINDS = 6, LARGE = 300000 };

static char *in, *out;
static uint64_t name;

static void begin(weft_team_t *team, int kind, int root, weft_op_t *op) {
  const weft_reducer_t sum = {.combine = weft_data_combine(WEFT_TYPE_I64, WEFT_COMBINE_sum),
                              .width = 8};
  const size_t size = (size_t)team->set.size;
  name = weft_name(7);
  switch (kind) {
  case 0: weft_team_barrier_begin(team, op); break;
  case 1: weft_team_broadcast_begin(team, root, out, in, LARGE, op); break;
  case 2: weft_team_reduce_all_begin(team, out, in, LARGE / 8, &sum, op); break;
  case 3: weft_team_exchange_begin(team, out, in, LARGE / size, op); break;
  case 4: weft_team_gather_begin(team, root, out, in, 16, op); break;
  case 5: weft_team_notify(team, &name, op); break;
  }
}

/* The living: a sum over them, and the order of the old team. */
static void check_team(weft_team_t *team, int npes, int gone) {
  const weft_reducer_t sum = {.combine = weft_data_combine(WEFT_TYPE_I64, WEFT_COMBINE_sum),
                              .width = 8};
  int64_t mine = 1, all = 0;
  weft_op_t op = {0};
  CHECK_EQ(team->set.size, npes - gone);
  for (int i = 1; i < npes - gone; i++)
    CHECK(weft_set_world(&team->set, i) > weft_set_world(&team->set, i - 1));
  weft_team_reduce_all_begin(team, &all, &mine, 1, &sum, &op);
  CHECK_EQ(weft_team_finish(team, &op), 0);
  CHECK_EQ(all, npes - gone);
}

/* One dies in the middle of a kind: before it has begun, or behind its own part. */
static weft_team_t *lose(weft_team_t *team, int kind, int who, bool takes_part) {
  const int size = team->set.size, me = team->me;
  weft_op_t op = {0};
  begin(team, kind, 0, &op);
  CHECK_EQ(weft_team_finish(team, &op), 0);
  if (me == who && !takes_part) kill(getpid(), SIGKILL);
  for (int i = 0; i < 3; i++) begin(team, kind, who, &op);
  if (me == who) kill(getpid(), SIGKILL);
  while (weft_team_finish(team, &op) == 0)
    begin(team, kind, 0, &op); /* it may have done its part */
  CHECK_EQ(weft_team_status(team), -EHOSTDOWN);
  begin(team, kind, 0, &op); /* ends at once */
  CHECK_EQ(weft_team_finish(team, &op), -EHOSTDOWN);
  weft_team_t *living = weft_team_living(team);
  check_team(living, size, 1);
  return living;
}

int main(int argc, char **argv) {
  CHECK_EQ(argc, 2);
  weft_runtime_start("deaths");
  in = calloc(LARGE, 1), out = calloc(LARGE, 1);
  weft_teams_start();
  weft_team_t *team = weft_team_world();
  /* From the world down to two: the first or the last member of what is left. */
  const int first = atoi(argv[1]) % KINDS;
  for (int kind = first; team->set.size > 2; kind = (kind + 1) % KINDS)
    team = lose(team, kind, kind % 2 ? team->set.size - 1 : 0, kind % 3 == 0);
  if (team->me == 0) puts("right");
  weft_runtime_stop();
  return 0;
}
