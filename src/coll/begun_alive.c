/*
 * begun_alive.c: teams some of whose members have failed (WEFT_ON_DEATH=continue). A team that has
 * lost a member is broken for good: what is under way and what is begun later ends at once. The
 * members learn it at different times, so one may have completed what another gave up; they agree
 * in a meeting (sync: alive), and the members that live make a team of their own.
 */
#include <errno.h>

#include "coll/begun_internal.h"

/* A key for meetings and letters that no front end uses. */
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

static WEFT_COLD _Noreturn void no_memory(void) {
  weft_fatal("no memory for a team");
}

/* A letter of a PE that still runs; false: it does not. */
static bool receive(int from, uint64_t key, void *to, size_t n) {
  bool came;
  size_t bytes;
  WEFT_WAIT_UNTIL((came = weft_mail_try(from, key, to, n, &bytes)) ||
                  weft_job_state(from) != WEFT_RUNNING);
  if (came && bytes != n) weft_fatal("pe %d sent a damaged list of a team's members", from);
  return came;
}

/* Places of all, and the id behind them, by way of member 0, which says an id of 0 if it has not
 * all. False: a member runs no more. */
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

/* Letters of an attempt that failed are not those of the next. */
static uint64_t key_of_attempt(const weft_meeting_t *meeting) {
  return (meeting->key ^ meeting->number * UINT64_C(0x9e3779b97f4a7c15)) | UINT64_C(1) << 63;
}

/* All members of the set that run call and make it a team. They agree in the meeting, which others
 * do not come to: NULL on all of them if a member is gone. */
static weft_team_t *join(const weft_set_t *set, weft_meeting_t *meeting) {
  weft_team_t *team = NULL;
  uint64_t *places = calloc((size_t)set->size + 1, sizeof *places);
  if (!places) no_memory();
  weft_turn_area_t *turns = weft_turns_new(set->size, &places[weft_set_index(set, weft_job.pe)]);
  if (!turns) no_memory();
  places[set->size] = weft_team_new_id();
  meeting->value = exchange(set, key_of_attempt(meeting), places);
  const weft_outcome_t met = weft_alive_meet(meeting);
  if (met.all && met.failed + met.stopped == meeting->set->size - set->size) {
    team = weft_team_new(set);
    if (!team) no_memory();
    weft_team_enter(team, (uint32_t)places[set->size], turns, places);
    weft_alive_meet(meeting); /* nobody writes to a member that has no team yet */
  } else {
    weft_private_free(turns);
  }
  free(places);
  return team;
}

/* Those of the team that run, in its order. */
static weft_set_t set_of_living(const weft_team_t *team) {
  weft_set_t set;
  int n = 0, *list = malloc((size_t)team->set.size * sizeof *list);
  for (int i = 0; list && i < team->set.size; i++)
    if (weft_job_state(weft_team_pe(team, i)) == WEFT_RUNNING) list[n++] = weft_team_pe(team, i);
  if (!list || weft_set_from_list(&set, list, n) < 0) no_memory();
  free(list);
  return set;
}

weft_team_t *weft_team_living(weft_team_t *team) {
  for (weft_team_t *made = NULL;;) {
    weft_set_t set = set_of_living(team);
    const weft_outcome_t seen = weft_team_gather_living(team, weft_set_digest(&set));
    if (seen.same && seen.failed + seen.stopped == team->set.size - set.size)
      made = join(&set, &team->meeting);
    weft_set_free(&set);
    if (made) return made;
  }
}

/* ---- by the members alone -------------------------------------------------------------------- */

/* Where the members of a set meet whenever they make a team of it. */
typedef struct kept {
  weft_meeting_t meeting;
  struct kept *next;
} kept_t;

static kept_t *meetings;

static weft_meeting_t *meeting_of(uint64_t key) {
  weft_teams_lock();
  kept_t *kept = meetings;
  while (kept && kept->meeting.key != key) kept = kept->next;
  if (!kept) {
    kept = malloc(sizeof *kept);
    if (!kept) no_memory();
    *kept = (kept_t){.meeting = {.key = key}, .next = meetings};
    meetings = kept;
  }
  weft_teams_unlock();
  return &kept->meeting;
}

weft_team_t *weft_team_meet_living(const weft_set_t *set) {
  weft_meeting_t *meeting = meeting_of(weft_set_digest(set));
  meeting->set = set;
  return join(set, meeting);
}

void weft_team_meetings_end(void) {
  for (kept_t *kept; (kept = meetings);) {
    meetings = kept->next;
    free(kept);
  }
}
