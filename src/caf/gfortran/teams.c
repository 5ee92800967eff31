/*
 * teams.c: form, change, end and sync team, team_number, get_team.
 */
#include "caf/gfortran/abi.h"

/* gfortran 8 to 14 pass no stat here, whether the program has one or not: an image that has stopped
 * is an error then, one that has failed is not, since the team's living go on. */
typedef struct hidden {
  int stat;
  char text[100];
} hidden_t;

static weft_caf_report_t hide(hidden_t *h) {
  *h = (hidden_t){0};
  return (weft_caf_report_t){&h->stat, h->text, sizeof h->text};
}

static void end_if_wrong(const hidden_t *h) {
  int n = sizeof h->text;
  if (h->stat == 0 || h->stat == WEFT_CAF_FAILED_IMAGE) return;
  while (n > 0 && h->text[n - 1] == ' ') n--;
  weft_caf_fail(&(weft_caf_report_t){0}, h->stat, "%.*s", n, h->text);
}

/* A team variable that forms a team again refers to the new one. */
CAF(void, form_team, (int number, void **team, int new_index)) {
  hidden_t hidden;
  const weft_caf_report_t report = hide(&hidden);
  *team = weft_caf_team_form(number, new_index, &report);
  end_if_wrong(&hidden);
}

CAF(void, change_team, (void **team, int unused)) {
  hidden_t hidden;
  const weft_caf_report_t report = hide(&hidden);
  (void)unused;
  weft_caf_team_change(*team, &report);
  end_if_wrong(&hidden);
}

CAF(void, end_team, (void *unused)) {
  hidden_t hidden;
  const weft_caf_report_t report = hide(&hidden);
  (void)unused;
  weft_caf_team_end(&report);
  end_if_wrong(&hidden);
}

CAF(void, sync_team, (void **team, int unused)) {
  hidden_t hidden;
  const weft_caf_report_t report = hide(&hidden);
  (void)unused;
  weft_caf_sync_team(*team, &report, "SYNC TEAM");
  end_if_wrong(&hidden);
}

CAF(int, team_number, (void *team)) {
  return weft_caf_team_number(team);
}

CAF(void *, get_team, (int *level)) {
  (void)level;
  return weft_caf.team;
}
