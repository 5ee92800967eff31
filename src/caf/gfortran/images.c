/*
 * images.c: init, finalize, this_image, num_images, the ends of a program, failed images, seeds.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "caf/gfortran/abi.h"
#include "caf/gfortran/memory.h"

/* libgfortran's, if the program has it: flushes a unit, NULL: all. */
void _gfortran_flush_i4(int *unit) __attribute__((weak));
void _gfortran_random_seed_i4(int *size, gfc_t *put, gfc_t *get) __attribute__((weak));

static void flush_units(void) {
  if (_gfortran_flush_i4) _gfortran_flush_i4(NULL);
}

void gfc_start(void) {
  if (weft_likely(weft_caf.initial != NULL)) return;
  weft_caf_start();
  weft_caf_on_flush(flush_units);
  gfc_memory_start();
}

/* Constructors have stored initial values into coarrays: nobody reads them before all have. */
CAF(void, init, (int *argc, char ***argv)) {
  (void)argc, (void)argv;
  gfc_start();
  weft_caf_sync_team(weft_caf.initial, &(weft_caf_report_t){0}, "the start");
}

CAF(void, finalize, (void)) {
  weft_caf_end_program();
}

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

/* ---- ends ------------------------------------------------------------------------------------ */

CAF(void, stop_numeric, (int code, bool quiet)) {
  if (!quiet) fprintf(stderr, "STOP %d\n", code);
  weft_caf_stop(code & 255);
}

CAF(void, stop_str, (const char *text, size_t length, bool quiet)) {
  if (!quiet && text) fprintf(stderr, "STOP %.*s\n", (int)length, text);
  weft_caf_stop(0);
}

CAF(void, error_stop, (int code, bool quiet)) {
  if (!quiet) fprintf(stderr, "ERROR STOP %d\n", code);
  weft_caf_error_stop(code & 255);
}

CAF(void, error_stop_str, (const char *text, size_t length, bool quiet)) {
  if (!quiet && text)
    fprintf(stderr, "ERROR STOP %.*s\n", (int)length, text);
  else if (!quiet)
    fprintf(stderr, "ERROR STOP\n");
  weft_caf_error_stop(1);
}

CAF(void, fail_image, (void)) {
  weft_caf_fail_image();
}

/* ---- failed images --------------------------------------------------------------------------- */

static weft_caf_team_t *team_or_current(int team) {
  (void)team; /* always -1: the current one */
  return weft_caf.team;
}

CAF(int, image_status, (int image, int team)) {
  if (!weft_caf_is_image(image)) weft_caf_no_image(image, &(weft_caf_report_t){0});
  return weft_caf_image_state(team_or_current(team), image);
}

/* A rank-1 array of the images in this state, of kind 4 unless told. The compiler frees it. */
static void list_images(gfc_t *array, int state, const int *kind) {
  const size_t bytes = kind ? (size_t)*kind : 4;
  int n = 0;
  char *list = malloc((size_t)weft_caf.images * bytes + 1);
  if (!list) weft_caf_fatal("a list of images: this machine is out of memory");
  for (int image = 1; image <= weft_caf.images; image++) {
    const __int128 value = image; /* little endian: its first bytes */
    if (weft_caf_agreed_state(image) == state) memcpy(list + bytes * (size_t)n++, &value, bytes);
  }
  array->base = list;
  array->offset = 0;
  array->elem_len = bytes;
  array->version = 0;
  array->rank = 1;
  array->type = GFC_INTEGER;
  array->attribute = 0;
  array->span = (ptrdiff_t)bytes;
  array->dim[0].stride = 1;
  array->dim[0].lower = 0;
  array->dim[0].upper = n - 1;
}

CAF(void, failed_images, (gfc_t * array, int team, int *kind)) {
  (void)team;
  list_images(array, WEFT_CAF_FAILED_IMAGE, kind);
}

CAF(void, stopped_images, (gfc_t * array, int team, int *kind)) {
  (void)team;
  list_images(array, WEFT_CAF_STOPPED_IMAGE, kind);
}

/* ---- random_init ----------------------------------------------------------------------------- */

CAF(void, random_init, (bool repeatable, bool image_distinct)) {
  enum { WORDS_MAX = 64 };
  uint32_t words[WORDS_MAX];
  int n = 0;
  if (!_gfortran_random_seed_i4) return;
  _gfortran_random_seed_i4(&n, NULL, NULL);
  if (n > WORDS_MAX) n = WORDS_MAX;
  weft_caf_seed(words, (size_t)n, repeatable, image_distinct);
  gfc_t seed = {.base = words,
                .offset = (size_t)-1,
                .elem_len = 4,
                .rank = 1,
                .type = GFC_INTEGER,
                .span = 4};
  seed.dim[0].stride = 1;
  seed.dim[0].lower = 1;
  seed.dim[0].upper = n;
  _gfortran_random_seed_i4(NULL, &seed, NULL);
}
