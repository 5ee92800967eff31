/*
 * log: what Weft tells a person, one line at a time on stderr, and the end of the job. Every line
 * is one write, so that lines of different PEs do not mix. It knows no job: the launcher's way to
 * end one is handed in.
 */
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/base.h"

static int log_pe = -1;
static int log_delay_ms;
static unsigned log_warnings;
static void (*log_abort)(void *arg, int status);
static void *log_abort_arg;
static weft_log_first_t *log_first; /* weft_log_share */
static int log_patience_ms;
enum { MOMENT_MS = 100 };

unsigned weft_log_warnings(void) {
  return weft_peek(&log_warnings);
}

void weft_log_set_pe(int pe) {
  log_pe = pe;
}

void weft_log_set_delay(int ms) {
  weft_poke(&log_delay_ms, ms);
}

void weft_log_set_abort(void (*end)(void *arg, int status), void *arg) {
  log_abort_arg = arg;
  log_abort = end;
}

static void log_write(const char *text, size_t len) {
  while (len > 0) {
    ssize_t n = write(STDERR_FILENO, text, len);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return; /* nobody left to tell */
    text += n;
    len -= (size_t)n;
  }
}

static size_t log_format(char *line, size_t size, size_t *head, const char *format, va_list args) {
  int saved = errno, pe = weft_peek(&log_pe), n;
  size_t at, room = size - 1; /* the newline */
  if (pe >= 0)
    n = snprintf(line, room, "weft: pe %d: ", pe);
  else
    n = snprintf(line, room, "weft: ");
  at = *head = (size_t)n;
  errno = saved; /* for %m */
  n = vsnprintf(line + at, room - at, format, args);
  if (n > 0) at += (size_t)n < room - at ? (size_t)n : room - at - 1;
  line[at++] = '\n';
  return at;
}

static void log_line(const char *format, va_list args) {
  char line[1024];
  int saved = errno;
  size_t head, n = log_format(line, sizeof line, &head, format, args);
  log_write(line, n);
  errno = saved;
}

void weft_log_share(weft_log_first_t *first, int patience_ms) {
  weft_poke(&log_patience_ms, patience_ms);
  weft_publish(&log_first, first);
}

/* Of the text without the PE's number, and of where it goes to. Not 0. */
static uint64_t hash_of(const char *text, size_t n) {
  struct stat to = {0};
  fstat(STDERR_FILENO, &to);
  const uint64_t where[] = {to.st_dev, to.st_ino};
  weft_secret_t key;
  memcpy(&key, where, sizeof key);
  return weft_hash_keyed(&key, text, n) | 1;
}

/* Who began with this line has written it, or does so in a moment. No longer: he may have died. */
static bool is_written(const weft_log_first_t *first, uint64_t hash) {
  for (int ms = 0; ms < MOMENT_MS + weft_peek(&log_patience_ms); ms++) {
    if (weft_observe(&first->written) == hash) return true;
    weft_sleep_ms(1);
  }
  return false;
}

/* Who waits for others to speak first is ended by the launcher meanwhile: Fortran's library would
 * print a backtrace at SIGQUIT. */
static void wait_quietly(int ms) {
  if (ms > 0) signal(SIGQUIT, SIG_DFL);
  weft_sleep_ms(ms);
}

/* Who begins first writes, and who ends with another line. */
static void log_last_line(const char *line, size_t head, size_t n) {
  weft_log_first_t *first = weft_observe(&log_first);
  uint64_t begun = 0, mine = first ? hash_of(line + head, n - head) : 0;
  const bool begins =
      first && __atomic_compare_exchange_n(&first->begun, &begun, mine, false, __ATOMIC_ACQ_REL,
                                           __ATOMIC_ACQUIRE);
  if (first && !begins && begun == mine && is_written(first, mine)) {
    weft_sleep_ms(MOMENT_MS); /* so that the launcher names who wrote it, if it can */
    return;
  }
  if (begins) wait_quietly(weft_peek(&log_patience_ms));
  log_write(line, n);
  if (begins) weft_publish(&first->written, mine);
}

void weft_warn(const char *format, ...) {
  va_list args;
  __atomic_fetch_add(&log_warnings, 1, __ATOMIC_RELAXED);
  weft_sleep_ms(weft_peek(&log_delay_ms));
  va_start(args, format);
  log_line(format, args);
  va_end(args);
}

void weft_info(const char *format, ...) {
  va_list args;
  if (!weft_options.verbose && !weft_options.debug) return;
  va_start(args, format);
  log_line(format, args);
  va_end(args);
}

void weft_end_job(int status) {
  static char ending;
  if (!log_abort) {
    /* A second call comes from an exit handler or another thread, where exit may not be entered
     * again. */
    if (__atomic_test_and_set(&ending, __ATOMIC_ACQ_REL)) _exit(status);
    exit(status);
  }
  log_abort(log_abort_arg, status);
  _exit(status);
}

static void log_last(const char *format, va_list args) {
  char line[1024];
  size_t head;
  wait_quietly(weft_peek(&log_delay_ms));
  const size_t n = log_format(line, sizeof line, &head, format, args);
  log_last_line(line, head, n);
}

void weft_last_words(const char *format, ...) {
  va_list args;
  va_start(args, format);
  log_last(format, args);
  va_end(args);
}

void weft_last_line(const char *head, const char *text) {
  char line[1024];
  const int n = snprintf(line, sizeof line - 1, "%s%s", head, text);
  size_t end = n < (int)sizeof line - 2 ? (size_t)n : sizeof line - 2;
  line[end++] = '\n';
  log_last_line(line, strlen(head), end);
}

void weft_fatal(const char *format, ...) {
  va_list args;
  va_start(args, format);
  log_last(format, args);
  va_end(args);
  weft_end_job(1);
}
