/*
 * images.c: init, finalize, the ends of a program, seeds.
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

/* ---- ends ------------------------------------------------------------------------------------ */

CAF(void, stop_numeric, (int code, bool quiet)) {
  if (!quiet) fprintf(stderr, "STOP %d\n", code);
  weft_caf_stop(code);
}

CAF(void, stop_str, (const char *text, size_t length, bool quiet)) {
  if (!quiet && text) fprintf(stderr, "STOP %.*s\n", (int)length, text);
  weft_caf_stop(0);
}

CAF(void, error_stop, (int code, bool quiet)) {
  if (!quiet) fprintf(stderr, "ERROR STOP %d\n", code);
  weft_caf_error_stop(code);
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

/* ---- random_init ----------------------------------------------------------------------------- */

CAF(void, random_init, (bool repeatable, bool image_distinct)) {
  enum { WORDS_MAX = 64 };
  uint32_t words[WORDS_MAX];
  int n = 0;
  if (!_gfortran_random_seed_i4) return;
  _gfortran_random_seed_i4(&n, NULL, NULL);
  if (n > WORDS_MAX) n = WORDS_MAX;
  weft_caf_seed(words, (size_t)n, repeatable, image_distinct);
  gfc_t seed;
  gfc_integers(&seed, words, sizeof *words, (size_t)n, 1);
  _gfortran_random_seed_i4(NULL, &seed, NULL);
}
