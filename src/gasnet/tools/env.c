/*
 * env.c: gasnet_tools, the environment: the process's, or a copy of the one that the job was
 * launched in, which is the same on every host. Knows no job: its caller hands the copy over.
 */
#include "gasnet/tools/tools.h"

#include <stdarg.h>
#include <string.h>

extern char **environ;

static struct {
  pthread_mutex_t lock; /* of names, and of what changes the copy */
  char *copy;           /* of the launch's environment, or NULL */
  char **names;         /* reported already */
  int nnames;
  int rank; /* 0 until the job says otherwise */
} env = {.lock = PTHREAD_MUTEX_INITIALIZER};

void weft_tools_env_rank(int rank) {
  env.rank = rank;
}

char *weft_tools_env_block(size_t *length) {
  size_t size = 1;
  for (char **e = environ; *e; e++) size += strlen(*e) + 1;
  char *block = malloc(size), *p = block;
  if (!block) gasnett_fatalerror_nopos("no memory for a copy of the environment");
  for (char **e = environ; *e; e++) p = stpcpy(p, *e) + 1;
  *p = 0;
  *length = size;
  return block;
}

void weft_tools_env_adopt(const char *block, size_t length) {
  char *copy = malloc(length);
  if (!copy) gasnett_fatalerror_nopos("no memory for a copy of the environment");
  memcpy(copy, block, length);
  env.copy = copy;
}

/* The value in the copy, or NULL. A name that this process changed since is no longer there. */
static char *launched(const char *key) {
  const size_t n = strlen(key);
  for (char *p = env.copy; p && *p; p += strlen(p) + 1)
    if (!strncmp(p, key, n) && p[n] == '=') return p + n + 1;
  return NULL;
}

static void forget(const char *key) {
  char *value = launched(key);
  if (value) value[-1] = 1; /* "NAME\1value" is nobody's name */
}

void gasnett_setenv(const char *key, const char *value) {
  pthread_mutex_lock(&env.lock);
  forget(key);
  if (setenv(key, value, 1)) gasnett_fatalerror_nopos("cannot set %s in the environment", key);
  pthread_mutex_unlock(&env.lock);
}

void gasnett_unsetenv(const char *key) {
  pthread_mutex_lock(&env.lock);
  forget(key);
  unsetenv(key);
  pthread_mutex_unlock(&env.lock);
}

char *gasnett_getenv(const char *keyname) {
  char *value = launched(keyname);
  return value ? value : getenv(keyname);
}

/* ---- reporting: GASNET_VERBOSEENV ---- */

int gasnett_verboseenv(void) {
  const char *wanted = gasnett_getenv("GASNET_VERBOSEENV");
  return env.rank == 0 && wanted && weft_tools_parse_yesno(wanted) != 0;
}

/* Is this the first time that the name is reported? */
static int first_time(const char *key) {
  int first = 1;
  pthread_mutex_lock(&env.lock);
  for (int i = 0; i < env.nnames && first; i++) first = strcmp(env.names[i], key) != 0;
  if (first) {
    char **names = realloc(env.names, (size_t)(env.nnames + 1) * sizeof *names);
    if (names) {
      env.names = names;
      char *name = strdup(key);
      if (name) names[env.nnames++] = name;
    }
  }
  pthread_mutex_unlock(&env.lock);
  return first;
}

void gasnett_envstr_display(const char *key, const char *val, int is_dflt) {
  if (!gasnett_verboseenv() || !first_time(key)) return;
  fprintf(stderr, "ENV parameter: %s = %s%s\n", key, val ? (*val ? val : "(empty)") : "*not set*",
          is_dflt ? "   (default)" : "");
  fflush(stderr);
}

/* As the user wrote it, and what was understood. */
static void display_number(const char *key, const char *number, int is_dflt) {
  const char *raw = gasnett_getenv(key);
  char text[256];
  if (is_dflt || !raw || !strcmp(raw, number))
    snprintf(text, sizeof text, "%s", number);
  else
    snprintf(text, sizeof text, "%s (%s)", raw, number);
  gasnett_envstr_display(key, text, is_dflt);
}

void gasnett_envint_display(const char *key, int64_t val, int is_dflt, int is_mem_size) {
  char number[48];
  if (!gasnett_verboseenv()) return;
  display_number(key, gasnett_format_number(val, number, sizeof number, is_mem_size), is_dflt);
}

void gasnett_envdbl_display(const char *key, double val, int is_dflt) {
  char number[48];
  if (!gasnett_verboseenv()) return;
  snprintf(number, sizeof number, "%g", val);
  display_number(key, number, is_dflt);
}

/* ---- queries with a default ---- */

char *gasnett_getenv_withdefault(const char *keyname, const char *defaultval) {
  char *value = gasnett_getenv(keyname);
  const int preset = !value;
  if (preset) value = (char *)(uintptr_t)defaultval;
  gasnett_envstr_display(keyname, value, preset);
  return value;
}

int gasnett_getenv_yesno_withdefault(const char *keyname, int defaultval) {
  const char *text = gasnett_getenv(keyname);
  int value = defaultval ? 1 : 0;
  if (text && *text && (value = weft_tools_parse_yesno(text)) < 0)
    gasnett_fatalerror_nopos("%s=%s: must be yes or no (Y, YES, 1, N, NO, 0)", keyname, text);
  gasnett_envstr_display(keyname, value ? "YES" : "NO", !text || !*text);
  return value;
}

int64_t gasnett_getenv_int_withdefault(const char *keyname, int64_t defaultval,
                                       uint64_t mem_size_multiplier) {
  const char *text = gasnett_getenv(keyname);
  const int preset = !text || !*text;
  int64_t value = preset ? defaultval : gasnett_parse_int(text, mem_size_multiplier);
  gasnett_envint_display(keyname, value, preset, mem_size_multiplier != 0);
  return value;
}

double gasnett_getenv_dbl_withdefault(const char *keyname, double defaultval) {
  const char *text = gasnett_getenv(keyname);
  const int preset = !text || !*text;
  double value = defaultval;
  if (!preset && weft_tools_parse_double(text, &value))
    gasnett_fatalerror_nopos("%s=%s: must be a number or a fraction like 3/8", keyname, text);
  gasnett_envdbl_display(keyname, value, preset);
  return value;
}
