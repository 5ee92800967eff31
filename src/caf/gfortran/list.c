/*
 * list.c: images by their state, for image_status, failed_images and stopped_images, which each
 * gfortran calls in its way (teams.c, teams16.c); and team_number, which all call alike.
 */
#include <stdlib.h>
#include <string.h>

#include "caf/gfortran/abi.h"

const weft_caf_team_t *gfc_team(void *variable, const char *what) {
  return variable ? weft_caf_team_of(variable, &(weft_caf_report_t){0}, what) : weft_caf.team;
}

CAF(int, team_number, (void *team)) {
  return weft_caf_team_number(gfc_team(team, "team_number"));
}

int gfc_image_status(const weft_caf_team_t *team, int image) {
  if (image < 1 || image > weft_caf_team_size(team ? team : weft_caf.team))
    weft_caf_no_image(image, &(weft_caf_report_t){0});
  return weft_caf_image_state(team, image);
}

void gfc_list_images(gfc_t *array, const weft_caf_team_t *team, int state, const int *kind) {
  const size_t bytes = kind ? (size_t)*kind : 4;
  const int size = weft_caf_team_size(team ? team : weft_caf.team);
  int n = 0;
  char *list = weft_caf_need(malloc((size_t)size * bytes), "a list of images");
  for (int image = 1; image <= size; image++) {
    const __int128 value = image; /* little endian: its first bytes */
    const int now = team ? weft_caf_image_state(team, image) : weft_caf_agreed_state(image);
    if (now == state) memcpy(list + bytes * (size_t)n++, &value, bytes);
  }
  gfc_integers(array, list, bytes, (size_t)n, 0);
}
