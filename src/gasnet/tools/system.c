/*
 * system.c: gasnet_tools, the process and its machine: fatal errors, streams, limits,
 * processors, memory, names. Knows no job: a process that ends with abort() is noticed by its
 * launcher.
 */
#include "gasnet/tools/tools.h"

#include <ctype.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/base.h"

/* ---- the end ---- */

static void end(const char *where, const char *msg, va_list args) __attribute__((noreturn));
static void end(const char *where, const char *msg, va_list args) {
  char text[1024];
  vsnprintf(text, sizeof text, msg, args);
  gasnett_flush_streams();
  fprintf(stderr, "*** FATAL ERROR%s: %s\n", where, text);
  fflush(stderr);
  gasnett_freezeForDebuggerErr();
  gasnett_print_backtrace_ifenabled(STDERR_FILENO);
  signal(SIGABRT, SIG_DFL); /* one backtrace is enough */
  abort();
}

void weft_gasnett_fatalerror(const char *func, const char *file, int line, const char *msg, ...) {
  char where[512];
  va_list args;
  snprintf(where, sizeof where, " (%s at %s:%d)", func, file, line);
  va_start(args, msg);
  end(where, msg, args);
}

void gasnett_fatalerror_nopos(const char *msg, ...) {
  va_list args;
  va_start(args, msg);
  end("", msg, args);
}

void gasnett_killmyprocess(int exitcode) {
  _exit(exitcode);
}

char *weft_gasnett_loc(const char *func, const char *file, int line) {
  char *text = NULL;
  if (asprintf(&text, "%s at %s:%d", func, file, line) < 0) return NULL;
  return text;
}

/* ---- streams and signals ---- */

void gasnett_flush_streams(void) {
  fflush(stdout);
  fflush(stderr);
  fsync(STDOUT_FILENO); /* a file is then on disk; for a terminal or a pipe it fails, which is right
                         */
  fsync(STDERR_FILENO);
}

void gasnett_close_streams(void) {
  fclose(stdin);
  fclose(stdout);
  fclose(stderr);
}

gasnett_sighandlerfn_t gasnett_reghandler(int sigtocatch, gasnett_sighandlerfn_t fp) {
  gasnett_sighandlerfn_t before = signal(sigtocatch, fp);
  if (before == SIG_ERR)
    gasnett_fatalerror_nopos("cannot register a handler of signal %d: %s", sigtocatch,
                             strerror(errno));
  return before;
}

/* ---- limits ---- */

int gasnett_maximize_rlimit(int res, const char *lim_desc) {
  char name[128];
  struct rlimit limit;
  snprintf(name, sizeof name, "GASNET_MAXIMIZE_%s", lim_desc);
  if (!gasnett_getenv_yesno_withdefault(name, 1)) return 1;
  if (getrlimit((__rlimit_resource_t)res, &limit)) return 0;
  if (limit.rlim_cur == limit.rlim_max) return 1;
  limit.rlim_cur = limit.rlim_max;
  return setrlimit((__rlimit_resource_t)res, &limit) == 0;
}

int gasnett_maximize_rlimits(void) {
  int good = 1;
  good &= gasnett_maximize_rlimit(RLIMIT_CPU, "RLIMIT_CPU");
  good &= gasnett_maximize_rlimit(RLIMIT_DATA, "RLIMIT_DATA");
  good &= gasnett_maximize_rlimit(RLIMIT_STACK, "RLIMIT_STACK");
  good &= gasnett_maximize_rlimit(RLIMIT_RSS, "RLIMIT_RSS");
  good &= gasnett_maximize_rlimit(RLIMIT_AS, "RLIMIT_AS");
  return good;
}

/* ---- processors ---- */

void gasnett_sched_yield(void) {
  sched_yield();
}

int gasnett_cpu_count(void) {
  long count = sysconf(_SC_NPROCESSORS_ONLN);
  return count > 0 ? (int)count : 0;
}

int gasnett_set_affinity(int rank) {
  const int count = gasnett_cpu_count();
  cpu_set_t set;
  if (count <= 0) return 1;
  CPU_ZERO(&set);
  CPU_SET((unsigned)(((rank % count) + count) % count), &set);
  return sched_setaffinity(0, sizeof set, &set) != 0;
}

/* ---- memory ---- */

uint64_t gasnett_getPhysMemSz(int failureIsFatal) {
  const uint64_t size = weft_memory_total();
  if (!size && failureIsFatal) gasnett_fatalerror_nopos("cannot tell the size of physical memory");
  return size;
}

void *gasnett_mmap(uintptr_t size) {
  void *at = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (at == MAP_FAILED)
    gasnett_fatalerror_nopos("gasnett_mmap(%" PRIuPTR "): %s", size, strerror(errno));
  return at;
}

/* ---- names ---- */

static pthread_once_t named = PTHREAD_ONCE_INIT;
static char hostname[256], exe_name[4096];

static void find_names(void) {
  if (gethostname(hostname, sizeof hostname - 1)) strcpy(hostname, "unknown");
  for (char *p = hostname; *p; p++) *p = (char)tolower((unsigned char)*p);
  ssize_t n = readlink("/proc/self/exe", exe_name, sizeof exe_name - 1);
  exe_name[n > 0 ? n : 0] = 0;
}

const char *gasnett_gethostname(void) {
  pthread_once(&named, find_names);
  return hostname;
}

const char *gasnett_exe_name(void) {
  pthread_once(&named, find_names);
  return exe_name;
}

int gasnett_isLittleEndian(void) {
  const uint16_t one = 1;
  unsigned char first;
  memcpy(&first, &one, 1);
  return first == 1;
}

/* Checks and recording are chosen at run time, so they are not properties of the library. */
const char *gasnett_performance_warning_str(void) {
#if WEFT_ASAN || WEFT_TSAN
  return "        compiled with a sanitizer\n";
#elif !defined(__OPTIMIZE__)
  return "        compiled without optimization\n";
#else
  return "";
#endif
}

const char *gasnett_release_version_str(void) {
  return _STRINGIFY(GASNET_RELEASE_VERSION_MAJOR) "." _STRINGIFY(
      GASNET_RELEASE_VERSION_MINOR) "." _STRINGIFY(GASNET_RELEASE_VERSION_PATCH);
}

/* yyyymmpppp, so that later releases compare greater. */
uint64_t gasnett_release_version(void) {
  return GASNET_RELEASE_VERSION_MAJOR * UINT64_C(1000000) + GASNET_RELEASE_VERSION_MINOR * 10000u +
         GASNET_RELEASE_VERSION_PATCH;
}
