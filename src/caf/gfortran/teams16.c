/*
 * teams16.c: calls that name a team, as gfortran 16 makes them: with stat, errmsg and the team
 * itself, which earlier ones leave out.
 */
#include "caf/gfortran/abi.h"

CAF(void, form_team,
    (int number, void **team, int *new_index, int *stat, char *errmsg, size_t errmsg_len)) {
  weft_caf_team_t *formed = weft_caf_team_form(number, new_index ? *new_index : 0, &REPORT);
  if (formed) *team = formed;
}

CAF(void, change_team, (void *team, int *stat, char *errmsg, size_t errmsg_len)) {
  weft_caf_team_t *to = weft_caf_team_of(team, &REPORT, "CHANGE TEAM");
  if (to) weft_caf_team_change(to, &REPORT);
}

CAF(void, end_team, (int *stat, char *errmsg, size_t errmsg_len)) {
  weft_caf_team_end(&REPORT);
}

CAF(void, sync_team, (void *team, int *stat, char *errmsg, size_t errmsg_len)) {
  weft_caf_team_t *of = weft_caf_team_of(team, &REPORT, "SYNC TEAM");
  if (of) weft_caf_sync_team(of, &REPORT, "SYNC TEAM");
}

/* INITIAL_TEAM, PARENT_TEAM and CURRENT_TEAM of its ISO_FORTRAN_ENV. */
CAF(void *, get_team, (int *level)) {
  weft_caf_team_t *parent = weft_caf_team_parent(weft_caf.team);
  switch (level ? *level : 2) {
  case 0: return weft_caf.initial;
  case 1: return parent ? parent : weft_caf.initial;
  default: return weft_caf.team;
  }
}

CAF(int, this_image, (void *team)) {
  return weft_caf_team_me(gfc_team(team, "this_image"));
}

CAF(int, num_images, (void *team, int *number)) {
  const weft_caf_report_t report = {0};
  return weft_caf_team_size(team || !number
                                ? gfc_team(team, "num_images")
                                : weft_caf_team_numbered(*number, &report, "num_images"));
}

CAF(int, image_status, (int image, void **team)) {
  return gfc_image_status(gfc_team_at(team, "image_status"), image);
}

CAF(void, failed_images, (gfc_t * array, void **team, int *kind)) {
  gfc_list_images(array, gfc_team_at(team, "failed_images"), WEFT_CAF_FAILED_IMAGE, kind);
}

CAF(void, stopped_images, (gfc_t * array, void **team, int *kind)) {
  gfc_list_images(array, gfc_team_at(team, "stopped_images"), WEFT_CAF_STOPPED_IMAGE, kind);
}
