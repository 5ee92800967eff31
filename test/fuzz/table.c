/*
 * The choice table: any file that WEFT_COLL_TABLE may name. A rule that was taken names an
 * algorithm that its operation has.
 */
#include <stdio.h>
#include <string.h>

#include "coll/choose.h"
#include "coll/coll.h"
#include "fuzz.h"

static const char input[] = "the input"; /* its name */
static FILE *opened;
static const uint8_t *text;
static size_t length;

FILE *__real_fopen(const char *path, const char *mode);
FILE *__wrap_fopen(const char *path, const char *mode);

FILE *__wrap_fopen(const char *path, const char *mode) {
  if (path != input) return __real_fopen(path, mode);
  return opened = fmemopen((void *)(uintptr_t)text, length, "r");
}

static int words_of(const char *list) {
  int n = 1;
  for (; *list; list++) n += *list == ' ';
  return n;
}

bool fuzz_input(const uint8_t *data, size_t size) {
  static const size_t bytes[] = {0, 1, 4096, SIZE_MAX};
  const char *algorithms;
  text = data;
  length = size;
  if (setjmp(fuzz_end)) {
    if (opened) fclose(opened);
    opened = NULL;
    return false;
  }
  const int count = weft_choose_load(input);
  opened = NULL; /* it was closed */
  FUZZ_CHECK(count > 0 && count <= WEFT_RULES_MAX);
  weft_choose_sort(count);
  for (int op = 0; weft_coll_operation(op, &algorithms); op++)
    for (int members = 1; members <= 1 << 20; members *= 2)
      for (size_t i = 0; i < sizeof bytes / sizeof *bytes; i++) {
        const int chosen = weft_choose(op, members, bytes[i]);
        FUZZ_CHECK(chosen >= 0 && chosen < words_of(algorithms));
      }
  return true;
}
