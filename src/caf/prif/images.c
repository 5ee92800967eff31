/*
 * images.c: beginning and end, codes and their words, teams, stopped and failed images (PRIF 0.8,
 * program startup and shutdown, image queries, teams).
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "caf/prif/glue.h"

enum { MAGIC = 0x74656166 };

static weft_prif_team_t initial = {.magic = MAGIC};
weft_prif_team_t *weft_prif_current;

/* ---- codes ----------------------------------------------------------------------------------- */

static struct {
  int stat;
  char text[512]; /* blank-padded */
  weft_caf_report_t report;
} last;

const weft_caf_report_t *weft_prif_report(void) {
  last.report =
      (weft_caf_report_t){.stat = &last.stat, .errmsg = last.text, .len = sizeof last.text};
  last.stat = 0;
  return &last.report;
}

int weft_prif_code(void) {
  switch (last.stat) {
  case 0: return PRIF_GOOD;
  case WEFT_CAF_FAILED_IMAGE: return PRIF_FAILED_IMAGE;
  case WEFT_CAF_STOPPED_IMAGE: return PRIF_STOPPED_IMAGE;
  default: return PRIF_WRONG;
  }
}

int weft_prif_code_of_lock(void) {
  switch (last.stat) {
  case WEFT_CAF_LOCKED: return PRIF_LOCKED;
  case WEFT_CAF_LOCKED_OTHER_IMAGE: return PRIF_LOCKED_OTHER_IMAGE;
  case WEFT_CAF_NOT_LOCKED: return PRIF_UNLOCKED;
  case WEFT_CAF_UNLOCKED_FAILED_IMAGE: return PRIF_UNLOCKED_FAILED_IMAGE;
  default: return weft_prif_code();
  }
}

int weft_prif_fail(int code, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int n = vsnprintf(last.text, sizeof last.text, format, arguments);
  va_end(arguments);
  for (size_t i = n < 0 ? 0 : (size_t)n; i < sizeof last.text; i++) last.text[i] = ' ';
  return code;
}

/* Characters that the words of the last failure have. */
size_t weft_prif_text_length(void) {
  size_t n = sizeof last.text;
  while (n > 0 && (last.text[n - 1] == ' ' || last.text[n - 1] == 0)) n--;
  return n;
}

/* They themselves, cut or padded with blanks. */
void weft_prif_text(char *to, size_t n) {
  const size_t length = weft_prif_text_length(), copied = length < n ? length : n;
  if (n == 0) return;
  memcpy(to, last.text, copied);
  memset(to + copied, ' ', n - copied);
}

/* Error termination: the program gave no stat. */
void weft_prif_die(void) {
  char text[sizeof last.text + 1];
  snprintf(text, sizeof text, "%.*s", (int)weft_prif_text_length(), last.text);
  weft_caf_last_line(text);
  if (!weft_caf.initial) exit(1);
  weft_caf_error_stop(1);
}

/* ---- beginning and end ----------------------------------------------------------------------- */

/* `flush` empties the compiler's own output buffers. */
int weft_prif_init(void (*flush)(void)) {
  if (weft_prif_current) return weft_prif_fail(PRIF_ALREADY_INIT, "prif_init: was called before");
  weft_caf_start();
  weft_caf_on_flush(flush);
  /* prif_allocate's memory comes from the window; it is given back by prif_deallocate alone. */
  weft_caf_components_serve();
  initial.team = weft_caf.initial;
  weft_prif_current = &initial;
  return PRIF_GOOD;
}

void weft_prif_stop(int status, bool error) {
  if (error) weft_caf_error_stop(status);
  weft_caf_stop(status);
}

void weft_prif_fail_image(void) {
  weft_caf_fail_image();
}

/* ---- teams ----------------------------------------------------------------------------------- */

/* flang 22 passes its own 8-byte team variable by a descriptor, whose address stands where the
 * module's pointer is. Then the variable has the pointer. */
static weft_prif_team_t *look(void *info) {
  uintptr_t word;
  weft_prif_team_t *team = info;
  if (!info) return NULL;
  if (team->magic == MAGIC) return team;
  memcpy(&word, info, sizeof word);
  if (word == 0 || word == UINTPTR_MAX) return NULL;
  team = (weft_prif_team_t *)word;
  return team->magic == MAGIC ? team : NULL;
}

weft_prif_team_t *weft_prif_team_of(void *info, const char *who) {
  if (!weft_prif_current) weft_caf_fatal("%s: call prif_init first", who);
  if (!info) return weft_prif_current;
  weft_prif_team_t *team = look(info);
  if (!team) weft_caf_fatal("%s: the team variable has no team; form it first", who);
  return team;
}

/* *info: what the variable has; it gets the new team. */
int weft_prif_form_team(int64_t number, int new_index, void **info) {
  weft_prif_team_of(NULL, "prif_form_team");
  if (number < 1 || number > INT32_MAX)
    return weft_prif_fail(PRIF_WRONG, "prif_form_team: team number %lld is not 1 to %d",
                          (long long)number, INT32_MAX);
  weft_caf_team_t *formed = weft_caf_team_form((int)number, new_index, weft_prif_report());
  if (!formed) return weft_prif_code();
  weft_prif_team_t *team = weft_caf_need(malloc(sizeof *team), "prif_form_team");
  *team = (weft_prif_team_t){.magic = MAGIC, .team = formed, .parent = weft_prif_current};
  if (*info && ((weft_prif_team_t *)*info)->magic != MAGIC)
    memcpy(*info, &team, sizeof team);
  else
    *info = team;
  return weft_prif_code();
}

int weft_prif_change_team(void *info) {
  weft_prif_team_t *team = weft_prif_team_of(info, "prif_change_team");
  weft_caf_team_change(team->team, weft_prif_report());
  if (weft_prif_code() != PRIF_WRONG) weft_prif_current = team;
  return weft_prif_code();
}

int weft_prif_end_team(void) {
  weft_prif_team_t *team = weft_prif_team_of(NULL, "prif_end_team");
  if (!team->parent)
    return weft_prif_fail(PRIF_WRONG, "prif_end_team: the current team is the initial one");
  const int code = weft_prif_coarrays_end();
  weft_caf_team_end(weft_prif_report());
  weft_prif_current = team->parent;
  return code ? code : weft_prif_code();
}

/* level: 0 the current team, 1 its parent, 2 the initial one. */
void *weft_prif_get_team(int level) {
  weft_prif_team_t *team = weft_prif_team_of(NULL, "prif_get_team");
  if (level == 2) return &initial;
  return level == 1 && team->parent ? team->parent : team;
}

int64_t weft_prif_team_number(void *info) {
  return weft_caf_team_number(weft_prif_team_of(info, "prif_team_number")->team);
}

int weft_prif_num_images(void *info) {
  return weft_caf_team_size(weft_prif_team_of(info, "prif_num_images")->team);
}

const weft_caf_team_t *weft_prif_team_numbered(int64_t number, const char *who) {
  weft_prif_team_of(NULL, who);
  return weft_caf_team_numbered(number, &(weft_caf_report_t){0}, who);
}

int weft_prif_num_images_of(int64_t number) {
  return weft_caf_team_size(weft_prif_team_numbered(number, "prif_num_images_with_team_number"));
}

int weft_prif_this_image(void *info) {
  return weft_caf_team_me(weft_prif_team_of(info, "prif_this_image")->team);
}

/* ---- stopped and failed images --------------------------------------------------------------- */

static int code_of(int state) {
  return state == WEFT_CAF_FAILED_IMAGE    ? PRIF_FAILED_IMAGE
         : state == WEFT_CAF_STOPPED_IMAGE ? PRIF_STOPPED_IMAGE
                                           : PRIF_GOOD;
}

int weft_prif_image_status(int image, void *info) {
  weft_caf_team_t *team = weft_prif_team_of(info, "prif_image_status")->team;
  if (image < 1 || image > weft_caf_team_size(team))
    weft_caf_fatal("prif_image_status: image %d does not exist (images are 1 to %d)", image,
                   weft_caf_team_size(team));
  return code_of(weft_caf_image_state(team, image));
}

/* The images whose state has this code, into a list with room for all; how many. */
int weft_prif_list_images(void *info, int code, int *list) {
  const weft_prif_team_t *team = weft_prif_team_of(info, "prif_failed_images");
  const bool current = team == weft_prif_current;
  int n = 0;
  for (int image = 1; image <= weft_caf_team_size(team->team); image++) {
    const int state =
        current ? weft_caf_agreed_state(image) : weft_caf_image_state(team->team, image);
    if (code_of(state) == code) list[n++] = image;
  }
  return n;
}
