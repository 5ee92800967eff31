/*
 * Memory, growing text, and messages in gcc's format. A message quotes the line of the user's file,
 * not of the preprocessed text, and finds the column in it. Knows nothing of the language.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "upcc.h"

void *arena(size_t bytes) {
  static char *free_, *end;
  bytes = (bytes + 15) & ~(size_t)15;
  if ((size_t)(end - free_) < bytes) {
    size_t chunk = bytes > (1 << 20) ? bytes : 1 << 20;
    free_ = calloc(1, chunk);
    if (!free_) give_up("out of memory");
    end = free_ + chunk;
  }
  void *at = free_;
  free_ += bytes;
  return at;
}

static void reserve(text_t *text, size_t n) {
  if (text->length + n + 1 <= text->room) return;
  size_t room = (text->length + n + 1) * 2;
  char *data = realloc(text->room ? text->data : NULL, room);
  if (!data) give_up("out of memory");
  text->data = data;
  text->room = room;
}

void add_bytes(text_t *text, const char *bytes, size_t n) {
  reserve(text, n);
  memcpy(text->data + text->length, bytes, n);
  text->length += n;
  text->data[text->length] = 0;
}

static void add_list(text_t *text, const char *format, va_list list) {
  va_list again;
  va_copy(again, list);
  int n = vsnprintf(NULL, 0, format, list);
  reserve(text, (size_t)n);
  vsnprintf(text->data + text->length, (size_t)n + 1, format, again);
  text->length += (size_t)n;
  va_end(again);
}

void add(text_t *text, const char *format, ...) {
  va_list list;
  va_start(list, format);
  add_list(text, format, list);
  va_end(list);
}

void add_named(text_t *text, int serial, const char *format, ...) {
  text_t whole = {0};
  for (const char *at; (at = strchr(format, '@')); format = at) {
    add_bytes(&whole, format, (size_t)(at++ - format));
    size_t n = strspn(at, "abcdefghijklmnopqrstuvwxyz");
    add(&whole, "weft_upc_%.*s%d", (int)n, at, serial);
    at += n;
  }
  add(&whole, "%s", format);
  va_list list;
  va_start(list, format);
  add_list(text, whole.data, list);
  va_end(list);
  free(whole.data);
}

bool in_words(const char *words, const char *word) {
  size_t n = strlen(word);
  for (; *words; words += strspn(words, " ")) {
    size_t length = strcspn(words, " ");
    if (length == n && memcmp(words, word, n) == 0) return true;
    words += length;
  }
  return false;
}

bool read_text(const char *file, text_t *text) {
  FILE *stream = fopen(file, "r");
  if (!stream) return false;
  char block[65536];
  for (size_t n; (n = fread(block, 1, sizeof block, stream)) > 0;) add_bytes(text, block, n);
  fclose(stream);
  return true;
}

char *format_text(const char *format, ...) {
  text_t text = {0};
  va_list list;
  va_start(list, format);
  add_list(&text, format, list);
  va_end(list);
  return text.data;
}

/* The line of the user's file, without its end; NULL: the file or the line is not there. */
static char *user_line(const char *name, unsigned line) {
  static const char *cached_name;
  static text_t cached;
  if (cached_name != name) {
    free(cached.data);
    cached = (text_t){0};
    cached_name = name;
    read_text(name, &cached);
  }
  char *at = cached.data, *end = at + cached.length;
  for (; at && line > 1; line--) {
    at = memchr(at, '\n', (size_t)(end - at));
    if (at) at++;
  }
  if (!at || at >= end) return NULL;
  char *stop = memchr(at, '\n', (size_t)(end - at));
  return format_text("%.*s", (int)((stop ? stop : end) - at), at);
}

static bool name_character(char c) {
  return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* The n-th place (from 1) in the line where the token's text stands; NULL: macros hide it. */
static const char *find_in_line(const char *line, const token_t *k, int n) {
  bool word = name_character(k->text[0]);
  for (const char *at = line; *at; at++) {
    if (strncmp(at, k->text, k->length) != 0) continue;
    if (word && ((at > line && name_character(at[-1])) || name_character(at[k->length]))) continue;
    if (--n == 0) return at;
  }
  return NULL;
}

/* How many tokens of this line up to `at` are spelled like it. */
static int occurrence(int at) {
  const token_t *k = token(at);
  int n = 0;
  for (int i = at; i >= 0 && token(i)->line == k->line && token(i)->file == k->file; i--) {
    const token_t *other = token(i);
    n += other->length >= k->length && strncmp(other->text, k->text, k->length) == 0 &&
         (other->length == k->length || !name_character(k->text[0]));
  }
  return n;
}

static void print_message(enum level level, int at, const char *text) {
  static const char *const words[] = {"note", "warning", "error"};
  const token_t *k = token(at);
  const char *file = t.nfiles ? t.files[k->file].name : options.main_file;
  char *line = user_line(file, k->line);
  const char *place = line && k->length ? find_in_line(line, k, occurrence(at)) : NULL;
  if (!line || !place) {
    fprintf(stderr, "%s:%u:1: %s: %s\n", file, k->line, words[level], text);
    if (line) fprintf(stderr, "%5u | %s\n", k->line, line);
    return;
  }
  int column = 0; /* as gcc counts: a tab goes to the next multiple of 8 */
  text_t shown = {0};
  for (const char *c = line; *c; c++) {
    if (c == place) column = (int)shown.length;
    if (*c == '\t') do
        add_bytes(&shown, " ", 1);
      while (shown.length % 8);
    else
      add_bytes(&shown, c, 1);
  }
  fprintf(stderr, "%s:%u:%d: %s: %s\n%5u | %s\n      | %*s^", file, k->line, column + 1,
          words[level], text, k->line, shown.data, column, "");
  for (uint32_t i = 1; i < k->length; i++) fputc('~', stderr);
  fputc('\n', stderr);
  free(shown.data);
}

static void message_list(enum level level, int at, const char *format, va_list list) {
  text_t text = {0};
  add_list(&text, format, list);
  if (t.silent || (level == WARNING && (t.again || options.no_warnings))) return;
  print_message(level, at, text.data);
  free(text.data);
  if (level == ERROR && ++t.errors >= 100) exit(1);
}

void message(enum level level, int at, const char *format, ...) {
  va_list list;
  va_start(list, format);
  message_list(level, at, format, list);
  va_end(list);
}

void fatal(int at, const char *format, ...) {
  va_list list;
  va_start(list, format);
  message_list(ERROR, at, format, list);
  va_end(list);
  exit(1);
}

void give_up(const char *format, ...) {
  va_list list;
  va_start(list, format);
  fputs("upcc: ", stderr);
  vfprintf(stderr, format, list);
  fputc('\n', stderr);
  va_end(list);
  exit(1);
}
