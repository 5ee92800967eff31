/*
 * Objects of different settings (THREADS fixed or not, widths of pointers) must not be linked: each
 * translated file carries a line of text that says how it was compiled, and this finds it in
 * objects and archives. What is linked without upcc is refused when the program starts.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "driver.h"

static const char mark[] = "weft-upc settings: ";

/* The first object with settings, and which. */
static const char *first_file;
static char first_settings[64];

static bool compare(const char *file, const char *settings) {
  if (!first_file) {
    first_file = file;
    snprintf(first_settings, sizeof first_settings, "%.63s", settings);
    return true;
  }
  if (strncmp(first_settings, settings, sizeof first_settings - 1) == 0) return true;
  fprintf(stderr,
          "upcc: %s was compiled with %s, but %s with %s: compile both with the same -T and "
          "-fupc-packed-bits\n",
          file, settings, first_file, first_settings);
  return false;
}

static bool examine(const char *name) {
  text_t text = {0};
  bool same = true;
  read_text(name, &text); /* the linker says what is not there */
  const char *at = text.data, *end = at + text.length;
  while (at && same && (at = memmem(at, (size_t)(end - at), mark, sizeof mark - 1))) {
    at += sizeof mark - 1;
    same = compare(name, at);
  }
  free(text.data);
  return same;
}

bool same_settings(const list_t *objects) {
  for (int i = 0; i < objects->count; i++) {
    const char *name = objects->items[i];
    size_t n = strlen(name);
    bool object = n > 2 && name[n - 2] == '.' && (name[n - 1] == 'o' || name[n - 1] == 'a');
    if (object && !examine(name)) return false;
  }
  return true;
}
