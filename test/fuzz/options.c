/*
 * Options: any environment. An input is its variables, one a line. Each value is read as a list of
 * processors as well.
 */
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "fuzz.h"

extern char **environ;

enum { VARIABLES = 64 };

bool fuzz_input(const uint8_t *data, size_t size) {
  char *variables[VARIABLES + 1] = {NULL}, **real = environ;
  char *text = malloc(size + 1), *rest = NULL;
  int n = 0, cpus[8];
  if (size) memcpy(text, data, size);
  text[size] = '\0';
  for (char *line = strtok_r(text, "\n", &rest); line && n < VARIABLES;
       line = strtok_r(NULL, "\n", &rest)) {
    const int found = weft_parse_cpus(line + strcspn(line, "="), cpus, 8);
    FUZZ_CHECK(found <= 8);
    if (strchr(line, '=')) {
      const int values = weft_parse_cpus(strchr(line, '=') + 1, cpus, 8);
      for (int i = 0; i < values; i++) FUZZ_CHECK(cpus[i] >= 0 && cpus[i] < 64 * WEFT_CPU_WORDS);
    }
    variables[n++] = line;
  }
  environ = variables;
  bool taken = weft_options_read() == 0;
  taken &= weft_options_check_names() == 0;
  if (taken) weft_options_print();
  environ = NULL;
  weft_options_read(); /* nothing points into the input any more */
  environ = real;
  free(text);
  return taken;
}
