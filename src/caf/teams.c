/*
 * teams.c: form team, change team, end team, get_team (Fortran 2018, 11.1.5, 11.6.9, 16.9.85). A
 * team is a set of images with collectives of its own; which one is current is the images' business
 * alone.
 */
#include <stdlib.h>
#include <string.h>

#include "caf/internal.h"

static WEFT_COLD void *need(void *memory) {
  if (!memory) weft_fatal("form team: this machine is out of memory");
  return memory;
}

static int by_index(const void *a, const void *b) {
  const weft_caf_member_t *x = a, *y = b;
  return x->index < y->index ? -1 : x->index > y->index;
}

/* The members that gave my number, in their order; how many. */
static int select_members(weft_caf_member_t *all, int size, int number) {
  int n = 0;
  for (int i = 0; i < size; i++)
    if (all[i].number == number) {
      all[n] = all[i];
      if (!all[n].index) all[n].index = i + 1;
      n++;
    }
  qsort(all, (size_t)n, sizeof *all, by_index);
  return n;
}

weft_caf_team_t *weft_caf_team_form(int number, int new_index, const weft_caf_report_t *report) {
  weft_caf_team_t *parent = weft_caf.team;
  weft_caf_coarrays_note();
  weft_caf_quiet();
  if (!weft_caf_meet(parent, report, "FORM TEAM")) return NULL;
  const weft_caf_member_t mine = {.pe = weft_job_pe(), .number = number, .index = new_index};
  weft_caf_member_t *all = weft_caf_shared->members;
  weft_coll_fcollect(parent->coll, all, &mine, sizeof mine);
  weft_caf_team_t *team = need(calloc(1, sizeof *team));
  weft_caf_member_t *members = need(calloc((size_t)parent->size, sizeof *members));
  memcpy(members, all, (size_t)parent->size * sizeof *members);
  team->parent = parent;
  team->number = number;
  team->size = select_members(members, parent->size, number);
  team->pes = need(calloc((size_t)team->size, sizeof *team->pes));
  for (int i = 0; i < team->size; i++) {
    team->pes[i] = members[i].pe;
    if (members[i].pe == mine.pe) team->me = i + 1;
  }
  free(members);
  /* Team and list live until the job ends: a team variable may be formed again and copies of the
   * old value used on. */
  weft_set_t set;
  const bool willing = weft_set_from_list(&set, team->pes, team->size) == 0;
  if (weft_coll_split(parent->coll, &set, willing, &team->own) < 0) {
    weft_caf_fail(report, WEFT_CAF_NO_MEMORY, "FORM TEAM: no room for another team");
    free(team->pes);
    free(team);
    return NULL;
  }
  team->coll = &team->own;
  weft_caf_good(report);
  return team;
}

void weft_caf_team_change(weft_caf_team_t *team, const weft_caf_report_t *report) {
  weft_caf_coarrays_note();
  weft_caf_quiet();
  weft_caf_enter_team(team);
  if (weft_caf_meet(team, report, "CHANGE TEAM")) weft_caf_good(report);
}

void weft_caf_team_end(const weft_caf_report_t *report) {
  weft_caf_team_t *team = weft_caf.team;
  if (!team->parent) {
    weft_caf_fail(report, WEFT_CAF_WRONG, "END TEAM: the current team is the initial one");
    return;
  }
  weft_caf_quiet();
  const bool all = weft_caf_meet(team, report, "END TEAM");
  weft_caf_coarrays_release(team);
  weft_caf_enter_team(team->parent);
  if (all) weft_caf_good(report);
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
