/*
 * WEFT_ON_DEATH=continue: a PE dies before or while its fellows make a team with it. Those who live
 * are told, all the same, whether the members alone make it or a whole parent does; and they make
 * one without the dead. `gone WHO HOW`, HOW: 0 before its call, 1 in it.
 */
#include <errno.h>

#include "check.h"
#include "coll/coll.h"
#include "job/job.h"
#include "port/port.h"
#include "runtime/runtime.h"

static int npes;

static void await_death(int pe) {
  WEFT_WAIT_ON(NULL, weft_job_has_failed(pe));
}

/* One dies, now or in a wait for the last to come, which comes when that is dead. */
static void lose(int who, int last, bool waits) {
  if (weft_job.pe == who && !waits) kill(getpid(), SIGKILL);
  if (weft_job.pe == who) {
    signal(SIGALRM, SIG_DFL); /* check.h has a handler */
    ualarm(100000, 0);
  }
  if (weft_job.pe == last) await_death(who);
}

/* The PEs but for one, in an order that neither rises nor falls. */
static weft_set_t set_without(int gone) {
  weft_set_t set;
  int list[16], n = 0;
  for (int i = 0; i < npes; i++)
    if ((2 * i + 1) % npes != gone) list[n++] = (2 * i + 1) % npes;
  CHECK_EQ(weft_set_from_list(&set, list, n), 0);
  return set;
}

static weft_team_t *works(weft_team_t *team, int size) {
  const weft_reducer_t sum = {.combine = weft_data_combine(WEFT_TYPE_I64, WEFT_COMBINE_sum),
                              .width = 8};
  int64_t mine = 1, all = 0;
  weft_op_t op = {0};
  CHECK(team != NULL);
  weft_team_reduce_all_begin(team, &all, &mine, 1, &sum, &op);
  CHECK_EQ(weft_team_finish(team, &op), 0);
  CHECK_EQ(all, size);
  return team;
}

int main(int argc, char **argv) {
  CHECK_EQ(argc, 3);
  weft_runtime_start("gone");
  npes = weft_job.npes;
  const int first = atoi(argv[1]), second = (first + 2) % npes, last = (first + 1) % npes;
  const bool waits = atoi(argv[2]);
  weft_teams_start();

  const weft_set_t all = set_without(-1), rest = set_without(first);
  for (int i = 0; i < 2; i++) weft_team_free(works(weft_team_meet(&all), npes));
  lose(first, last, waits);
  CHECK(weft_team_meet(&all) == NULL);
  weft_team_t *team = works(weft_team_meet(&rest), npes - 1), *made;
  CHECK(weft_team_meet(&all) == NULL);

  CHECK_EQ(weft_team_split(team, true, 0, npes - weft_job.pe, &made), 0);
  works(made, npes - 1);
  lose(second, last, waits);
  CHECK_EQ(weft_team_split(made, true, 0, weft_job.pe, &team), -EHOSTDOWN);
  CHECK(team == NULL);
  CHECK_EQ(weft_team_create(made, &rest, true, &team), -EHOSTDOWN);
  CHECK(team == NULL);
  works(weft_team_living(weft_team_world()), npes - 2);
  if (weft_job.pe == last) puts("right");
  weft_runtime_stop();
  return 0;
}
