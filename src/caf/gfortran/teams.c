/*
 * teams.c: calls that name a team, as gfortran 8 to 15 makes them: this_image, num_images, form,
 * change, end and sync team, get_team, failed images. gfortran 16: teams16.c.
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
  weft_caf_team_t *to = weft_caf_team_of(*team, &report, "CHANGE TEAM");
  if (to) weft_caf_team_change(to, &report);
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
  weft_caf_team_t *of = weft_caf_team_of(*team, &report, "SYNC TEAM");
  if (of) weft_caf_sync_team(of, &report, "SYNC TEAM");
  end_if_wrong(&hidden);
}

CAF(void *, get_team, (int *level)) {
  (void)level;
  return weft_caf.team;
}

/* ---- images ---------------------------------------------------------------------------------- */

static weft_caf_team_t *ancestor(int distance) {
  weft_caf_team_t *team = weft_caf.team;
  while (distance-- > 0 && weft_caf_team_parent(team)) team = weft_caf_team_parent(team);
  return team;
}

CAF(int, this_image, (int distance)) {
  return weft_caf_team_me(ancestor(distance));
}

/* failed: -1 all, 0 those that have not failed, 1 the others. */
CAF(int, num_images, (int distance, int failed)) {
  weft_caf_team_t *team = ancestor(distance);
  if (failed < 0) return weft_caf_team_size(team);
  const int n = weft_caf_count(team, WEFT_CAF_FAILED_IMAGE);
  return failed ? n : weft_caf_team_size(team) - n;
}

/* `team` is always -1 in these: the current one. */
CAF(int, image_status, (int image, int team)) {
  (void)team;
  return gfc_image_status(NULL, image);
}

CAF(void, failed_images, (gfc_t * array, int team, int *kind)) {
  (void)team;
  gfc_list_images(array, NULL, WEFT_CAF_FAILED_IMAGE, kind);
}

CAF(void, stopped_images, (gfc_t * array, int team, int *kind)) {
  (void)team;
  gfc_list_images(array, NULL, WEFT_CAF_STOPPED_IMAGE, kind);
}
