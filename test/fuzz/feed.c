/*
 * Feeds inputs to a fuzz target: libFuzzer's (WEFT_FUZZER), or the files of a folder, whose names
 * say what is to become of them: good-* is taken, bad-* is refused.
 */
#include "fuzz.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"

jmp_buf fuzz_end;

void fuzz_broken(const char *file, int line, const char *what) {
  fprintf(stderr, "%s:%d %s\n", file, line, what);
  abort();
}

/* ---- memory that an input leaves behind when it is refused half way -------------------------- */

enum { LEDGER = 4096 };
static void *ledger[LEDGER];
static int entries;
static bool recording;

void *__real_malloc(size_t n);
void *__real_calloc(size_t n, size_t size);
void __real_free(void *p);
void *__wrap_malloc(size_t n);
void *__wrap_calloc(size_t n, size_t size);
void __wrap_free(void *p);

static void *note(void *p) {
  if (recording && p && entries < LEDGER) ledger[entries++] = p;
  return p;
}

void *__wrap_malloc(size_t n) {
  return note(__real_malloc(n));
}

void *__wrap_calloc(size_t n, size_t size) {
  return note(__real_calloc(n, size));
}

void __wrap_free(void *p) {
  for (int i = entries; recording && p && i-- > 0;)
    if (ledger[i] == p) {
      ledger[i] = ledger[--entries];
      break;
    }
  __real_free(p);
}

static void end_input(void *unused, int status) {
  (void)unused;
  (void)status;
  longjmp(fuzz_end, 1);
}

static bool feed(const uint8_t *data, size_t size) {
  weft_log_set_abort(end_input, NULL);
  recording = true;
  const bool taken = fuzz_input(data, size);
  recording = false;
  while (entries > 0) __real_free(ledger[--entries]);
  return taken;
}

#ifdef WEFT_FUZZER

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  feed(data, size);
  return 0;
}

#else

static bool feed_file(const char *folder, const char *name) {
  static uint8_t text[1 << 16];
  char path[1024];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *file = fopen(path, "re");
  const size_t n = file ? fread(text, 1, sizeof text, file) : 0;
  if (!file || ferror(file)) fuzz_broken(path, 0, "cannot be read");
  fclose(file);
  uint8_t *exact = malloc(n ? n : 1); /* a sanitizer sees its end */
  memcpy(exact, text, n);
  const bool taken = feed(exact, n);
  free(exact);
  return taken;
}

int main(int argc, char **argv) {
  struct dirent **names;
  int wrong = 0, kinds = 0;
  const int n = argc > 1 ? scandir(argv[1], &names, NULL, alphasort) : -1;
  for (int i = 0; i < n; i++) {
    const char *name = names[i]->d_name;
    const bool good = strncmp(name, "good-", 5) == 0;
    if (!good && strncmp(name, "bad-", 4) != 0) continue;
    kinds |= good ? 1 : 2;
    if (feed_file(argv[1], name) == good) continue;
    fprintf(stderr, "%s/%s was %s\n", argv[1], name, good ? "refused" : "taken");
    wrong++;
  }
  if (kinds != 3) fuzz_broken(argv[0], 0, "there are good seeds and bad ones");
  return wrong != 0;
}

#endif
