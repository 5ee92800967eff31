/*
 * All of the test framework. A test is one main() on one topic: it returns 0, or CHECK_SKIP(why)
 * ends it with 77. A failed check prints "[pe 2/4] file:line expression" and ends the whole job, so
 * that no PE stays in a barrier. Include shmem.h, or upc/runtime.h, BEFORE this file in a test that
 * runs on several PEs. A watchdog ends a test that hangs with a line that names the PE and the last
 * check it passed (WEFT_TEST_SECONDS, 60 if not set, 0 for none).
 */
#ifndef WEFT_CHECK_H
#define WEFT_CHECK_H

#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Where the test is, for the watchdog. Private to the PE although it lies in symmetric memory. */
static struct {
  const char *file;
  int line;
} weft_check_at;

/* Atomic, because any thread may check. */
#define WEFT_CHECK_NOTE()                                                                          \
  (__atomic_store_n(&weft_check_at.file, &__FILE__[0], __ATOMIC_RELAXED),                          \
   __atomic_store_n(&weft_check_at.line, __LINE__, __ATOMIC_RELAXED))

/* The expression must hold. */
#define CHECK(expression)                                                                          \
  (WEFT_CHECK_NOTE(), (expression) ? (void)0 : weft_check_fail(__FILE__, __LINE__, #expression))

/* Two integers must be equal; both are printed when they are not. */
#define CHECK_EQ(got, want)                                                                        \
  (WEFT_CHECK_NOTE(),                                                                              \
   weft_check_equal(__FILE__, __LINE__, #got " == " #want, (long long)(got), (long long)(want)))

/* Two strings must be equal. */
#define CHECK_STR(got, want)                                                                       \
  (WEFT_CHECK_NOTE(), weft_check_string(__FILE__, __LINE__, #got " is " #want, (got), (want)))

/* Nothing to test here: every PE must call it. */
#define CHECK_SKIP(why) weft_check_skip(why)

/* Wait up to `seconds` for a condition that somebody else brings about. */
#define CHECK_WITHIN(seconds, expression)                                                          \
  do {                                                                                             \
    long weft_check_left = (seconds)*1000L;                                                        \
    WEFT_CHECK_NOTE();                                                                             \
    while (!(expression) && weft_check_left-- > 0) usleep(1000);                                   \
    if (!(expression)) weft_check_fail(__FILE__, __LINE__, "within " #seconds " s: " #expression); \
  } while (0)

/* The only place that knows how a job is asked who it is and told to end. Before shmem_init, and in
 * a test of the layers below it, the launcher's environment says who we are. */
static inline int weft_check_up(void) {
  int up = 0;
#ifdef SHMEM_MAJOR_VERSION
  shmem_query_initialized(&up);
#endif
  return up;
}

static inline void weft_check_where(char *text, size_t size) {
  const char *rank = getenv("PMI_RANK"), *of = getenv("PMI_SIZE");
  text[0] = 0;
  if (rank && of) snprintf(text, size, "[pe %s/%s] ", rank, of);
#ifdef SHMEM_MAJOR_VERSION
  if (weft_check_up()) snprintf(text, size, "[pe %d/%d] ", shmem_my_pe(), shmem_n_pes());
#endif
}

/* A PE that exits with a failure takes the job down as well; global exit does it without the
 * launcher's help. */
static inline void weft_check_end(int status) {
  fflush(NULL);
#ifdef SHMEM_MAJOR_VERSION
  if (weft_check_up()) shmem_global_exit(status);
#endif
#ifdef WEFT_TEST_UPC_RUNTIME_H /* where exit waits for all threads */
  if (weft_upc.threads) upc_global_exit(status);
#endif
  exit(status);
}

static inline void weft_check_fail(const char *file, int line, const char *what) {
  char where[48];
  weft_check_where(where, sizeof where);
  fprintf(stderr, "%s%s:%d %s\n", where, file, line, what);
  weft_check_end(1);
}

static inline void weft_check_equal(const char *file, int line, const char *what, long long got,
                                    long long want) {
  char text[512];
  if (got == want) return;
  snprintf(text, sizeof text, "%s: got %lld (%#llx), want %lld (%#llx)", what, got,
           (unsigned long long)got, want, (unsigned long long)want);
  weft_check_fail(file, line, text);
}

static inline void weft_check_string(const char *file, int line, const char *what, const char *got,
                                     const char *want) {
  char text[1024];
  if (got && want && !strcmp(got, want)) return;
  snprintf(text, sizeof text, "%s: got \"%s\"", what, got ? got : "(null)");
  weft_check_fail(file, line, text);
}

static inline void weft_check_skip(const char *why) {
  const char *rank = getenv("PMI_RANK");
  if (!rank || !strcmp(rank, "0")) printf("skipped: %s\n", why);
  fflush(stdout);
  exit(77);
}

/* Is the process stopped by a signal, as /proc says of each of its threads? (The first of them may
 * stand still while another one is in a system call, which it ends before it stops.) */
static inline int weft_check_stopped(long pid) {
  char path[96], state = 'T';
  snprintf(path, sizeof path, "/proc/%ld/task", pid);
  DIR *threads = opendir(path);
  if (!threads) return 0;
  for (struct dirent *entry; state == 'T' && (entry = readdir(threads));) {
    if (entry->d_name[0] == '.') continue;
    snprintf(path, sizeof path, "/proc/%ld/task/%.20s/stat", pid, entry->d_name);
    FILE *f = fopen(path, "r");
    if (!f || fscanf(f, "%*d (%*[^)]) %c", &state) != 1) state = 0;
    if (f) fclose(f);
  }
  closedir(threads);
  return state == 'T';
}

/* Stop a process. kill returns before it stands still: on a busy machine it serves others a while
 * longer. */
static inline void weft_check_stop_process(long pid) {
  CHECK_EQ(kill((pid_t)pid, SIGSTOP), 0);
  while (!weft_check_stopped(pid)) usleep(100);
}

static unsigned weft_check_patience; /* s: half of what a test may take */

/* Only what a signal handler may do: no SHMEM call, no stdio. The launcher ends the job when this
 * PE dies. (The time comes in two halves: where the whole machine stands still and its clock goes
 * on, that ends one of them at most.) */
static void weft_check_hangs(int signal_number) {
  static int halves;
  char text[512];
  (void)signal_number;
  if (++halves < 2) {
    alarm(weft_check_patience);
    return;
  }
  const char *rank = getenv("PMI_RANK"), *file = weft_check_at.file;
  int length = snprintf(text, sizeof text, "[pe %s] hangs; last check: %s:%d\n", rank ? rank : "0",
                        file ? file : "none", weft_check_at.line);
  if (write(STDERR_FILENO, text, (size_t)length) < 0) _exit(125);
  _exit(124);
}

__attribute__((constructor)) static void weft_check_watchdog(void) {
  const char *seconds = getenv("WEFT_TEST_SECONDS");
  weft_check_patience = ((seconds ? (unsigned)atoi(seconds) : 60) + 1) / 2;
  signal(SIGALRM, weft_check_hangs);
  alarm(weft_check_patience);
}

#endif
