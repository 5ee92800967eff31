/*
 * teams.c: form, change, end and sync team, team_number, get_team.
 */
#include "caf/gfortran/abi.h"

static const weft_caf_report_t none;

/* A team variable that forms a team again refers to the new one. */
CAF(void, form_team, (int number, void **team, int new_index)) {
  *team = weft_caf_team_form(number, new_index, &none);
}

CAF(void, change_team, (void **team, int unused)) {
  (void)unused;
  weft_caf_team_change(*team, &none);
}

CAF(void, end_team, (void *unused)) {
  (void)unused;
  weft_caf_team_end(&none);
}

CAF(void, sync_team, (void **team, int unused)) {
  (void)unused;
  weft_caf_sync_team(*team, &none, "SYNC TEAM");
}

CAF(int, team_number, (void *team)) {
  return weft_caf_team_number(team);
}

CAF(void *, get_team, (int *level)) {
  (void)level;
  return weft_caf.team;
}
