/*
 * begun_alive.c: teams some of whose members have failed (WEFT_ON_DEATH=continue). A team that has
 * lost a member is broken for good: what is under way and what is begun later ends at once. The
 * members learn it at different times, so one may have completed what another gave up; they agree
 * in a meeting (sync: alive), and those who live make a team of their own.
 */
#include <errno.h>

#include "coll/begun_internal.h"

/* Numbers of meeting places and of letters that no front end uses. */
static uint64_t key_of(const weft_team_t *team) {
  return UINT64_C(1) << 63 | (uint64_t)(uint32_t)team->maker << 32 | team->id;
}

bool weft_team_look(weft_team_t *team) {
  const uint32_t changes = weft_job_changes();
  if (weft_likely(changes == team->changes) || team->broken) return team->broken;
  team->changes = changes;
  for (int i = 0; i < team->set.size && !team->broken; i++)
    weft_poke(&team->broken, weft_job_state(weft_team_pe(team, i)) != WEFT_RUNNING);
  return team->broken;
}

int weft_team_status(weft_team_t *team) {
  weft_lock(&team->lock);
  const bool broken = weft_team_look(team);
  weft_unlock(&team->lock);
  return broken ? -EHOSTDOWN : 0;
}

weft_outcome_t weft_team_gather_living(weft_team_t *team, uint64_t value) {
  team->meeting.set = &team->set;
  team->meeting.key = key_of(team);
  team->meeting.value = value;
  return weft_alive_meet(&team->meeting);
}

int weft_team_finish(weft_team_t *team, const weft_op_t *op) {
  weft_team_wait(op);
  if (!weft_job_goes_on()) return 0;
  const weft_outcome_t outcome = weft_team_gather_living(team, weft_team_status(team) != 0);
  if (!outcome.any && outcome.failed + outcome.stopped == 0) return 0;
  weft_poke(&team->broken, true);
  return -EHOSTDOWN;
}

/* ---- a team of the living -------------------------------------------------------------------- */

/* A letter of a PE that still runs; false: it does not. */
static bool receive(int from, uint64_t key, void *to, size_t n) {
  for (weft_wait_t w = weft_wait_begin(); !weft_mail_try(from, key, to, n);) {
    if (weft_job_state(from) != WEFT_RUNNING) return false;
    weft_wait_step(&w);
  }
  return true;
}

/* Places of all, and the id behind them, by way of member 0, who says an id of 0 if it has not all.
 * False: one of them runs no more. */
static bool exchange(const weft_set_t *set, uint64_t key, uint64_t *places) {
  const int n = set->size, me = weft_set_index(set, weft_job.pe);
  const size_t bytes = ((size_t)n + 1) * sizeof *places;
  if (me != 0) {
    weft_mail_send(weft_set_world(set, 0), key, &places[me], sizeof *places);
    return receive(weft_set_world(set, 0), key, places, bytes) && places[n];
  }
  for (int i = 1; i < n; i++)
    if (!receive(weft_set_world(set, i), key, &places[i], sizeof *places)) places[n] = 0;
  for (int i = 1; i < n; i++)
    if (weft_job_state(weft_set_world(set, i)) == WEFT_RUNNING)
      weft_mail_send(weft_set_world(set, i), key, places, bytes);
  return places[n];
}

/* Those of the team who run, in its order. */
static int *list_living(const weft_team_t *team, int *n) {
  int *list = malloc((size_t)team->set.size * sizeof *list);
  if (!list) weft_fatal("no memory for a team of the living");
  *n = 0;
  for (int i = 0; i < team->set.size; i++)
    if (weft_job_state(weft_team_pe(team, i)) == WEFT_RUNNING) list[(*n)++] = weft_team_pe(team, i);
  return list;
}

/* Letters of an attempt that failed are not those of the next. */
static uint64_t key_of_attempt(const weft_team_t *team) {
  return (key_of(team) ^ team->meeting.number * UINT64_C(0x9e3779b97f4a7c15)) | UINT64_C(1) << 63;
}

weft_team_t *weft_team_living(weft_team_t *team) {
  for (;;) {
    int n;
    int *list = list_living(team, &n);
    weft_set_t set;
    if (weft_set_from_list(&set, list, n) < 0) weft_fatal("no memory for a team of the living");
    free(list);
    const weft_outcome_t who = weft_team_gather_living(team, weft_set_digest(&set));
    if (who.same && who.failed + who.stopped == team->set.size - n) {
      uint64_t *places = calloc((size_t)n + 1, sizeof *places);
      if (!places) weft_fatal("no memory for a team of the living");
      weft_turn_area_t *turns = weft_turns_new(n, &places[weft_set_index(&set, weft_job.pe)]);
      if (!turns) weft_fatal("no memory for a team of the living");
      places[n] = weft_team_new_id();
      const bool have = exchange(&set, key_of_attempt(team), places);
      const weft_outcome_t done = weft_team_gather_living(team, have);
      if (done.all) {
        weft_team_t *made = weft_team_new(&set);
        if (!made) weft_fatal("no memory for a team of the living");
        weft_team_enter(made, (uint32_t)places[n], turns, places);
        weft_set_free(&set);
        free(places);
        weft_team_gather_living(team, 0); /* nobody writes to a member that has no team yet */
        return made;
      }
      weft_private_free(turns);
      free(places);
    }
    weft_set_free(&set);
  }
}
