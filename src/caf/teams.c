/*
 * teams.c: form team, change team, end team, get_team (Fortran 2018, 11.1.5, 11.6.9, 16.9.85). A
 * team is a set of images with collectives of its own; which one is current is the images' business
 * alone.
 */
#include <stdlib.h>
#include <string.h>

#include "caf/internal.h"

weft_caf_team_t *weft_caf_teams;

static void take_images(weft_caf_team_t *team, const weft_set_t *set) {
  team->size = set->size;
  team->pes = weft_caf_need(calloc((size_t)team->size, sizeof *team->pes), "form team");
  for (int i = 0; i < team->size; i++) team->pes[i] = weft_set_world(set, i);
}

/* Where all images run: by the parent team's collectives. */
static void split(weft_caf_team_t *team, int new_index) {
  weft_team_split_told(team->parent->team, true, team->number, new_index, &team->team, &team->bids);
  take_images(team, &team->team->set);
  team->me = team->team->me + 1;
}

/* A team's meetings have a key of their own. */
static uint64_t key_of(uint64_t parent, uint64_t formed, int number) {
  const uint64_t odd = UINT64_C(0x9e3779b97f4a7c15);
  uint64_t key = (parent ^ formed) * odd;
  key = (key ^ key >> 29 ^ (uint32_t)number) * odd;
  return key ^ key >> 32;
}

/* Where images may fail: those that have not agree on the members. */
static void select_living(weft_caf_team_t *team, int new_index) {
  weft_caf_team_t *parent = team->parent;
  const uint64_t key = key_of(parent->meeting.key, ++parent->formed, team->number);
  team->bids = weft_caf_need(calloc((size_t)parent->size, sizeof *team->bids), "form team");
  weft_caf_survive_bid(parent, team->number, new_index, team->bids);
  if (weft_set_from_split(&team->set, &parent->set, team->bids, team->number) < 0)
    weft_caf_need(NULL, "form team");
  take_images(team, &team->set);
  team->me = weft_set_index(&team->set, weft_job_pe()) + 1;
  weft_caf_survive_team(team, key);
}

/* The team's images have said 1 to their number, each once. */
static bool is_numbered(const weft_caf_team_t *team) {
  char *seen = weft_caf_need(calloc((size_t)team->size, 1), "form team");
  int found = 0;
  for (int i = 0; i < team->parent->size; i++) {
    const weft_bid_t *bid = &team->bids[i];
    if (!bid->wants || bid->color != team->number || bid->key < 1 || bid->key > team->size)
      continue;
    found += !seen[bid->key - 1];
    seen[bid->key - 1] = 1;
  }
  free(seen);
  return found == team->size;
}

/* The team lives until the job ends: a team variable may be formed again and copies of the old
 * value used on. */
weft_caf_team_t *weft_caf_team_form(int number, int new_index, const weft_caf_report_t *report) {
  weft_caf_team_t *parent = weft_caf.team;
  weft_caf_coarrays_note();
  weft_caf_quiet();
  if (weft_options.check && number < 1) {
    weft_caf_fail(report, WEFT_CAF_WRONG, "FORM TEAM: %d is no number of a team: they are positive",
                  number);
    return NULL;
  }
  if (!weft_caf_gather(parent, report, "FORM TEAM", NULL)) return NULL;
  weft_caf_team_t *team = weft_caf_need(calloc(1, sizeof *team), "form team");
  team->parent = parent;
  team->number = number;
  const bool given = new_index != 0; /* by all images, as all execute this statement */
  if (!given) new_index = parent->me;
  if (weft_caf.survive)
    select_living(team, new_index);
  else
    split(team, new_index);
  if (weft_options.check && given && !weft_caf.survive && !is_numbered(team)) {
    weft_caf_fail(report, WEFT_CAF_WRONG,
                  "FORM TEAM: NEW_INDEX is %d here; the images of team %d must give 1 to %d, each "
                  "once",
                  new_index, number, team->size);
    return NULL;
  }
  uintptr_t *disp = weft_caf_need(calloc((size_t)team->size, sizeof *disp), "form team");
  for (int i = 0; i < team->size; i++) disp[i] = weft_direct.disp[team->pes[i]];
  team->disp = disp;
  team->next = weft_caf_teams;
  weft_caf_teams = team;
  return team;
}

/* gfortran does not initialise team variables. */
weft_caf_team_t *weft_caf_team_of(void *variable, const weft_caf_report_t *report,
                                  const char *what) {
  weft_caf_team_t *team = weft_caf_teams;
  while (team && team != variable) team = team->next;
  if (!team && variable == weft_caf.initial) team = weft_caf.initial;
  if (!team)
    weft_caf_fail(report, WEFT_CAF_WRONG, "%s: the team variable has no team; form it first", what);
  return team;
}

void weft_caf_team_change(weft_caf_team_t *team, const weft_caf_report_t *report) {
  if (team->parent != weft_caf.team) {
    weft_caf_fail(report, WEFT_CAF_WRONG,
                  "CHANGE TEAM: the team was not formed by the current team");
    return;
  }
  weft_caf_coarrays_note();
  weft_caf_quiet();
  weft_caf_enter_team(team);
  weft_caf_gather(team, report, "CHANGE TEAM", NULL);
}

void weft_caf_team_end(const weft_caf_report_t *report) {
  weft_caf_team_t *team = weft_caf.team;
  if (!team->parent) {
    weft_caf_fail(report, WEFT_CAF_WRONG, "END TEAM: the current team is the initial one");
    return;
  }
  weft_caf_quiet();
  const int found = weft_caf_meet(team);
  weft_caf_coarrays_release(team, found != WEFT_CAF_STOPPED_IMAGE);
  weft_caf_enter_team(team->parent);
  weft_caf_met(found, report, "END TEAM");
}

int weft_caf_team_number(const weft_caf_team_t *team) {
  return team ? team->number : weft_caf.team->number;
}
int weft_caf_team_size(const weft_caf_team_t *team) {
  return team->size;
}
int weft_caf_team_me(const weft_caf_team_t *team) {
  return team->me;
}
weft_caf_team_t *weft_caf_team_parent(const weft_caf_team_t *team) {
  return team->parent;
}
int weft_caf_team_pe(const weft_caf_team_t *team, int image) {
  return weft_caf_pe_of(team, image);
}

/* A sibling has images, but no collectives: it is never this image's current team. */
static weft_caf_team_t *make_sibling(weft_caf_team_t *of, int number) {
  const weft_set_t *all = weft_caf.survive ? &of->parent->set : &of->parent->team->set;
  weft_caf_team_t *team = NULL;
  weft_set_t set;
  if (weft_set_from_split(&set, all, of->bids, number) < 0) weft_caf_need(NULL, "team number");
  if (set.size > 0) {
    team = weft_caf_need(calloc(1, sizeof *team), "team number");
    team->parent = of->parent;
    team->number = number;
    take_images(team, &set);
    team->next = of->siblings;
    of->siblings = team;
  }
  weft_set_free(&set);
  return team;
}

static weft_caf_team_t *sibling(weft_caf_team_t *of, int64_t number) {
  if (!of->parent || number != (int)number) return NULL;
  for (weft_caf_team_t *t = of->siblings; t; t = t->next)
    if (t->number == number) return t;
  return make_sibling(of, (int)number);
}

weft_caf_team_t *weft_caf_team_numbered(int64_t number, const weft_caf_report_t *report,
                                        const char *what) {
  if (number == weft_caf.team->number) return weft_caf.team;
  if (number == weft_caf.initial->number) return weft_caf.initial;
  weft_caf_team_t *team = sibling(weft_caf.team, number);
  if (!team)
    weft_caf_fail(report, WEFT_CAF_WRONG,
                  "%s: no team %lld was formed together with the current one", what,
                  (long long)number);
  return team;
}
