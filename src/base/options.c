/*
 * options: the environment variables of options.def, read once. A bad value is an error; a WEFT_
 * variable that is no option, and a SHMEM_ or SMA_ variable that nearly is one, is reported with
 * the nearest name. Nothing here knows what an option is for.
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"

extern char **environ;

weft_options_t weft_options;

enum {
#define WEFT_OPTION(field, type, env, preset, help) OPTION_##field,
#include "base/options.def"
#undef WEFT_OPTION
  OPTIONS
};

/* The variable that set each option; NULL: the preset holds. */
static const char *option_source[OPTIONS];
static char option_source_name[OPTIONS][48];

/* Variables that the launcher, the benchmarks and the tests keep among themselves. A '*' stands for
 * any ending. */
static const char *const option_not_ours[] = {
    "WEFT_LAUNCHER*", "WEFT_LOCAL*", "WEFT_BENCH*", "WEFT_TEST*", "WEFT_BUILD*",
    "WEFT_SOURCE*",   "WEFT_NETNS*", "WEFT_COUNT*", "WEFT_CC*",   "WEFT_CXX*",  "WEFT_FC*"};

/* ---- one parser and one printer per type ---------------------------------------------------- */

/* Parsers return NULL or what they expected. `help` is the option's text, for the types that read
 * it. */

static const char *parse_weft_opt_bool_t(weft_opt_bool_t *out, const char *text, const char *help) {
  (void)help;
  if (strcmp(text, "0") && strcmp(text, "1")) return "0 or 1";
  *out = text[0] == '1';
  return NULL;
}

/* OpenSHMEM 1.6 section 8 accepts any value; the few that plainly mean "no" are not taken for
 * "yes". */
static const char *parse_weft_opt_flag_t(weft_opt_flag_t *out, const char *text, const char *help) {
  static const char *const no[] = {"0", "n", "N", "no", "NO", "off", "OFF", "false", "FALSE"};
  (void)help;
  *out = true;
  for (size_t i = 0; i < WEFT_ARRAY_LEN(no); i++)
    if (!strcmp(text, no[i])) *out = false;
  return NULL;
}

static const char *parse_weft_opt_int_t(weft_opt_int_t *out, const char *text, const char *help) {
  static const char expected[] = "a whole number from 0 to 2147483647";
  char *end;
  long v;
  (void)help;
  if (*text < '0' || *text > '9') return expected;
  errno = 0;
  v = strtol(text, &end, 10);
  if (*end || errno || v > INT_MAX) return expected;
  *out = (int)v;
  return NULL;
}

/* More than the addresses of a process is a mistake, and sums of less do not overflow. */
static const char *parse_weft_opt_size_t(weft_opt_size_t *out, const char *text, const char *help) {
  const size_t most = (size_t)1 << 47;
  (void)help;
  if (weft_parse_size(text, out) == 0 && *out <= most) return NULL;
  return "a number of bytes such as 65536, 512M or 1.5G, at most 128T";
}

static const char *parse_weft_opt_string_t(weft_opt_string_t *out, const char *text,
                                           const char *help) {
  (void)help;
  *out = text;
  return NULL;
}

static const char *parse_weft_opt_word_t(weft_opt_word_t *out, const char *text, const char *help) {
  static char expected[128];
  size_t len = strlen(text), all = strcspn(help, ":");
  for (const char *word = help; word < help + all;) {
    size_t n = strcspn(word, "|:");
    if (n == len && !memcmp(word, text, n)) {
      *out = text;
      return NULL;
    }
    word += n + 1;
  }
  snprintf(expected, sizeof(expected), "%.*s", (int)all, help);
  return expected;
}

static void print_weft_opt_bool_t(const weft_opt_bool_t *v) {
  fputs(*v ? "1" : "0", stdout);
}

static void print_weft_opt_flag_t(const weft_opt_flag_t *v) {
  fputs(*v ? "1" : "0", stdout);
}

static void print_weft_opt_int_t(const weft_opt_int_t *v) {
  printf("%d", *v);
}

static void print_weft_opt_size_t(const weft_opt_size_t *v) {
  printf("%zu", *v);
}

static void print_weft_opt_string_t(const weft_opt_string_t *v) {
  printf("\"%s\"", *v);
}

static void print_weft_opt_word_t(const weft_opt_word_t *v) {
  fputs(*v, stdout);
}

int weft_parse_size(const char *text, size_t *bytes) {
  unsigned __int128 whole = 0, part = 0, unit = 1, scale = 1, sum;
  bool digits = false, more = false; /* more: digits past the 18th that are not 0 */
  int shift = 0;
  for (; *text >= '0' && *text <= '9'; text++, digits = true) {
    whole = whole * 10 + (unsigned)(*text - '0');
    if (whole > SIZE_MAX) return -EINVAL;
  }
  if (*text == '.')
    for (text++; *text >= '0' && *text <= '9'; text++, digits = true) {
      if (scale < 1000000000000000000u) {
        part = part * 10 + (unsigned)(*text - '0');
        scale *= 10;
      } else if (*text != '0') {
        more = true;
      }
    }
  if (!digits) return -EINVAL;
  switch (*text) {
  case 't':
  case 'T': shift += 10; /* fall through */
  case 'g':
  case 'G': shift += 10; /* fall through */
  case 'm':
  case 'M': shift += 10; /* fall through */
  case 'k':
  case 'K': shift += 10; /* fall through */
  case '\0': break;
  default: return -EINVAL;
  }
  unit <<= shift;
  part *= unit;
  /* Rounded up; what follows the first suffix is ignored (OpenSHMEM 1.6 section 8). */
  sum = whole * unit + part / scale + (part % scale || more);
  if (sum > SIZE_MAX) return -EINVAL;
  *bytes = (size_t)sum;
  return 0;
}

/* ---- reading -------------------------------------------------------------------------------- */

/* WEFT_DEBUG, cut at its commas. */
static const char debug_prefix[] = "WEFT_DEBUG=";
enum { DEBUG_PREFIX = sizeof debug_prefix - 1 };
static char debug_list[1024];
static size_t debug_size;

static bool is_debug(const char *names) {
  return strncmp(names, debug_prefix, DEBUG_PREFIX) == 0;
}

/* The value of a name in the list; NULL: it is not there, or has none. */
static const char *debug_lookup(const char *name) {
  const size_t n = strlen(name);
  for (size_t at = 0; at < debug_size; at += strlen(debug_list + at) + 1) {
    const char *entry = debug_list + at;
    if (strncmp(entry, name, n) == 0 && entry[n] == '=' && entry[n + 1]) return entry + n + 1;
  }
  return NULL;
}

static bool debug_knows(const char *entry) {
  static const char *const names[] = {
#define WEFT_OPTION(field, type, env, preset, help) env,
#include "base/options.def"
#undef WEFT_OPTION
  };
  const size_t n = strcspn(entry, "=");
  for (size_t i = 0; i < WEFT_ARRAY_LEN(names); i++)
    if (is_debug(names[i]) && strlen(names[i] + DEBUG_PREFIX) == n &&
        strncmp(names[i] + DEBUG_PREFIX, entry, n) == 0 && entry[n] == '=')
      return true;
  return false;
}

/* 0, or -EINVAL (logged). */
static int debug_read(void) {
  const char *text = getenv("WEFT_DEBUG");
  debug_size = 0;
  if (!text || !*text) return 0;
  if (strlen(text) >= sizeof debug_list) {
    weft_warn("WEFT_DEBUG is longer than %zu characters", sizeof debug_list - 1);
    return -EINVAL;
  }
  strcpy(debug_list, text);
  debug_size = strlen(text) + 1;
  for (char *c = debug_list; *c; c++)
    if (*c == ',') *c = '\0';
  for (size_t at = 0; at < debug_size; at += strlen(debug_list + at) + 1) {
    if (!debug_list[at] || debug_knows(debug_list + at)) continue;
    weft_warn("WEFT_DEBUG: '%s' is not name=value of a name in weft-info's list", debug_list + at);
    return -EINVAL;
  }
  return 0;
}

/* Values stay as they are read, where the program writes over its environment (putenv's argument,
 * or a process that gives itself another title) or changes it. */
typedef struct kept {
  struct kept *next;
  char text[];
} kept_t;

static kept_t *kept; /* what weft_options points to */

static const char *keep(const char *text) {
  kept_t *k = malloc(sizeof *k + strlen(text) + 1);
  if (!k) return text;
  strcpy(k->text, text);
  k->next = kept;
  kept = k;
  return k->text;
}

static void let_go(kept_t *k) {
  while (k) {
    kept_t *next = k->next;
    free(k);
    k = next;
  }
}

/* The first of the names "A|B" that is set; one that is set to nothing counts as not set. */
static const char *option_lookup(const char *names, char *name, size_t room) {
  if (is_debug(names)) {
    snprintf(name, room, "%s", names);
    return debug_lookup(names + DEBUG_PREFIX);
  }
  while (*names) {
    size_t n = strcspn(names, "|");
    const char *value;
    snprintf(name, room, "%.*s", (int)n, names);
    value = getenv(name);
    if (value && *value) return keep(value);
    names += n + (names[n] == '|');
  }
  return NULL;
}

static int read_all(void) {
  weft_options_t read;
  const char *text, *expected;
  if (debug_read() < 0) return -EINVAL;
#define WEFT_OPTION(field, type, env, preset, help)                                                \
  option_source[OPTION_##field] = NULL;                                                            \
  parse_##type(&read.field, preset, help);                                                         \
  text = option_lookup(env, option_source_name[OPTION_##field], sizeof(option_source_name[0]));    \
  if (text) {                                                                                      \
    expected = parse_##type(&read.field, text, help);                                              \
    if (expected) {                                                                                \
      weft_warn("%s=%s: expected %s", option_source_name[OPTION_##field], text, expected);         \
      return -EINVAL;                                                                              \
    }                                                                                              \
    option_source[OPTION_##field] = option_source_name[OPTION_##field];                            \
  }
#include "base/options.def"
#undef WEFT_OPTION
  weft_options = read;
  return 0;
}

int weft_options_read(void) {
  kept_t *const before = kept;
  kept = NULL;
  const int rc = read_all();
  let_go(rc == 0 ? before : kept);
  if (rc < 0) kept = before;
  return rc;
}

void weft_options_print(void) {
#define WEFT_OPTION(field, type, env, preset, help)                                                \
  printf("%s = ", env);                                                                            \
  print_##type(&weft_options.field);                                                               \
  if (option_source[OPTION_##field])                                                               \
    printf("  (environment: %s)\n    %s\n", option_source[OPTION_##field], help);                  \
  else                                                                                             \
    printf("  (default)\n    %s\n", help);
#include "base/options.def"
#undef WEFT_OPTION
}

/* ---- names that are no option --------------------------------------------------------------- */

/* Letters to insert, drop or change to get from a[0..na) to b[0..nb). */
static size_t edit_distance(const char *a, size_t na, const char *b, size_t nb) {
  size_t row[64];
  if (nb >= WEFT_ARRAY_LEN(row)) return SIZE_MAX;
  for (size_t j = 0; j <= nb; j++) row[j] = j;
  for (size_t i = 1; i <= na; i++) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= nb; j++) {
      size_t best = diagonal + (a[i - 1] != b[j - 1]);
      diagonal = row[j];
      if (row[j] + 1 < best) best = row[j] + 1;
      if (row[j - 1] + 1 < best) best = row[j - 1] + 1;
      row[j] = best;
    }
  }
  return row[nb];
}

static bool name_not_ours(const char *name, size_t len) {
  for (size_t i = 0; i < WEFT_ARRAY_LEN(option_not_ours); i++) {
    size_t n = strlen(option_not_ours[i]) - 1;
    if (len >= n && !memcmp(name, option_not_ours[i], n)) return true;
  }
  return false;
}

typedef struct nearest {
  const char *name; /* up to its end or a '|' */
  size_t length, distance;
} nearest_t;

/* Names of one prefix only, up to its '_', are compared. */
static void look_at(nearest_t *best, const char *text, size_t length, const char *name, size_t n) {
  if (strncmp(text, name, strcspn(name, "_") + 1)) return;
  const size_t distance = edit_distance(text, length, name, n);
  if (distance < best->distance) *best = (nearest_t){name, n, distance};
}

static nearest_t nearest_to(const char *text, size_t length) {
  static const char *const names[] = {
      "WEFT_DEBUG",
#define WEFT_OPTION(field, type, env, preset, help) env,
#include "base/options.def"
#undef WEFT_OPTION
  };
  nearest_t best = {.distance = SIZE_MAX};
  for (size_t i = 0; i < WEFT_ARRAY_LEN(names); i++)
    for (const char *name = is_debug(names[i]) ? "" : names[i]; *name;) {
      const size_t n = strcspn(name, "|");
      look_at(&best, text, length, name, n);
      name += n + (name[n] == '|');
    }
  return best;
}

/* Other libraries have variables with these prefixes, too: only what nearly is one of ours is a
 * mistake. */
static size_t few_letters(const nearest_t *near) {
  return near->length - (strcspn(near->name, "_") + 1) < 5 ? 1 : 2;
}

/* Or what nearly is what others call the size. */
static bool is_mistyped(const char *text, size_t length, nearest_t *near) {
  static const char others[] = "SHMEM_SYMMETRIC_HEAP_SIZE", ours[] = "SHMEM_SYMMETRIC_SIZE";
  const size_t few = few_letters(near);
  const size_t theirs = edit_distance(text, length, others, sizeof others - 1);
  if (near->distance <= few) return true;
  if (theirs == 0 || theirs > few) return false;
  *near = (nearest_t){ours, sizeof ours - 1, theirs};
  return true;
}

static void tell(const char *text, size_t length, const nearest_t *near) {
  weft_warn("%.*s is not an option of Weft; the nearest is %.*s", (int)length, text,
            (int)near->length, near->name);
}

int weft_options_check_names(void) {
  int unknown = 0;
  for (char **e = environ; e && *e; e++) {
    const bool weft = !strncmp(*e, "WEFT_", 5);
    const size_t length = strcspn(*e, "=");
    if (weft && name_not_ours(*e, length)) continue;
    nearest_t near = nearest_to(*e, length);
    if (near.distance == 0 || near.distance == SIZE_MAX) continue;
    if (!weft && !is_mistyped(*e, length, &near)) continue;
    tell(*e, length, &near);
    unknown++;
  }
  return unknown;
}

static bool is_one_of(const char *text, size_t length, const char *const *names) {
  for (; names && *names; names++)
    if (strlen(*names) == length && !memcmp(*names, text, length)) return true;
  return false;
}

int weft_options_check_near(const char *const *names, const char *const *others) {
  int unknown = 0;
  for (char **e = environ; e && *e; e++) {
    const size_t length = strcspn(*e, "=");
    nearest_t near = {.distance = SIZE_MAX};
    for (const char *const *name = names; *name; name++)
      look_at(&near, *e, length, *name, strlen(*name));
    if (near.distance == 0 || near.distance == SIZE_MAX || near.distance > few_letters(&near) ||
        is_one_of(*e, length, others))
      continue;
    tell(*e, length, &near);
    unknown++;
  }
  return unknown;
}
