/*
 * backtrace.c: gasnet_tools, backtraces, waiting for a debugger, and the signals of crashes.
 * EXECINFO is the C library's own; GDB starts gdb on this process; a client may add one. Signal
 * handlers run it all as the process dies anyway.
 */
#include "gasnet/tools/tools.h"

#include <execinfo.h>
#include <signal.h>
#include <string.h>
#include <strings.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* The client's, if it has one. */
extern gasnett_backtrace_type_t gasnett_backtrace_user __attribute__((weak));

static struct {
  char exe[4096];
  char node[48]; /* " on node 1/4" */
} crash;

/* ---- the mechanisms: 0 if it worked ---- */

static int by_execinfo(int fd) {
  void *frames[128];
  int n = backtrace(frames, (int)WEFT_ARRAY_LEN(frames));
  if (n <= 0) return 1;
  backtrace_symbols_fd(frames, n, fd);
  return 0;
}

/* gdb attaches to its parent, which must allow it where the system asks (Yama). */
static int by_gdb(int fd) {
  char pid[16];
  int status = 1;
  snprintf(pid, sizeof pid, "%d", (int)getpid());
  int go[2];
  if (pipe(go)) return 1;
  pid_t child = fork();
  if (child == 0) {
    char byte;
    if (read(go[0], &byte, 1) < 0) _exit(127);
    dup2(fd, STDOUT_FILENO);
    dup2(fd, STDERR_FILENO);
    execlp("gdb", "gdb", "-nx", "-batch", "-ex", "thread apply all backtrace", "-p", pid,
           (char *)NULL);
    _exit(127);
  }
  if (child > 0) {
    prctl(PR_SET_PTRACER, (unsigned long)child, 0, 0, 0);
    if (write(go[1], "g", 1) == 1)
      while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
      }
  }
  close(go[0]);
  close(go[1]);
  return child < 0 || !WIFEXITED(status) || WEXITSTATUS(status) != 0;
}

static int by_name(const char *name, int fd) {
  if (!strcasecmp(name, "EXECINFO")) return by_execinfo(fd);
  if (!strcasecmp(name, "GDB")) return by_gdb(fd);
  if (&gasnett_backtrace_user && gasnett_backtrace_user.fnp && gasnett_backtrace_user.name &&
      !strcasecmp(name, gasnett_backtrace_user.name))
    return gasnett_backtrace_user.fnp(fd);
  dprintf(fd, "no backtrace mechanism is called %s\n", name);
  return 1;
}

int gasnett_print_backtrace(int fd) {
  const char *own = &gasnett_backtrace_user ? gasnett_backtrace_user.name : NULL;
  const char *wanted = gasnett_getenv("GASNET_BACKTRACE_TYPE");
  char list[256], *rest = NULL;
  if (wanted && *wanted)
    snprintf(list, sizeof list, "%s", wanted);
  else
    snprintf(list, sizeof list, "%s%sEXECINFO,GDB", own ? own : "", own ? "," : "");
  for (char *name = strtok_r(list, ", ", &rest); name; name = strtok_r(NULL, ", ", &rest))
    if (!by_name(name, fd)) return 0;
  return 1;
}

static int print_if_enabled(int fd) {
  const char *wanted = gasnett_getenv("GASNET_BACKTRACE");
  if (!wanted || !*wanted || !weft_tools_parse_yesno(wanted)) return 1;
  dprintf(fd, "*** Backtrace of process %d%s on %s (%s):\n", (int)getpid(), crash.node,
          gasnett_gethostname(), *crash.exe ? crash.exe : gasnett_exe_name());
  return gasnett_print_backtrace(fd);
}
int (*gasnett_print_backtrace_ifenabled)(int fd)
    __attribute__((visibility("default"))) = print_if_enabled;

/* backtrace() loads a library at its first call, which a handler must not. */
void gasnett_backtrace_init(const char *exename) {
  void *frame[1];
  if (exename) snprintf(crash.exe, sizeof crash.exe, "%s", exename);
  backtrace(frame, 1);
}

/* ---- debuggers ---- */

void gasnett_freezeForDebuggerNow(volatile int *flag, const char *flagsymname) {
  fprintf(stderr,
          "Process frozen for debugger: host=%s  pid=%d%s\n"
          "To unfreeze, attach a debugger and set '%s' to 1\n",
          gasnett_gethostname(), (int)getpid(), crash.node, flagsymname);
  fflush(stderr);
  while (!*flag) sleep(1);
}

static volatile int frozen_on_error;
void gasnett_freezeForDebuggerErr(void) {
  const char *wanted = gasnett_getenv("GASNET_FREEZE_ON_ERROR");
  if (wanted && *wanted && weft_tools_parse_yesno(wanted))
    gasnett_freezeForDebuggerNow(&frozen_on_error, "frozen_on_error");
}

/* ---- crashes ---- */

static const struct {
  int number;
  const char *name;
} signals[] = {{SIGABRT, "SIGABRT"},
               {SIGILL, "SIGILL"},
               {SIGSEGV, "SIGSEGV"},
               {SIGBUS, "SIGBUS"},
               {SIGFPE, "SIGFPE"}};

static void caught(int number) {
  const char *name = "a signal";
  for (size_t i = 0; i < WEFT_ARRAY_LEN(signals); i++)
    if (signals[i].number == number) name = signals[i].name;
  signal(number, SIG_DFL);
  dprintf(STDERR_FILENO, "*** Caught a fatal signal: %s(%d)%s\n", name, number, crash.node);
  gasnett_freezeForDebuggerErr();
  gasnett_print_backtrace_ifenabled(STDERR_FILENO);
  raise(number);
}

void weft_tools_crash_rank(int rank, int size) {
  snprintf(crash.node, sizeof crash.node, " on node %d/%d", rank, size);
}

/* "SEGV,ABRT" or with SIG; "*" names all. */
static bool excepted(const char *name) {
  const char *list = gasnett_getenv("GASNET_NO_CATCH_SIGNAL");
  if (!list || !*list) return false;
  return *list == '*' || strcasestr(list, name + 3);
}

/* ---- who asks the process to end ---- */

/* A client hears of the end of the job in a handler of SIGQUIT, whatever ends it: there it cleans
 * up and calls gasnet_exit. */
static const struct {
  int number;
  const char *name;
} requests[] = {{SIGINT, "SIGINT"}, {SIGTERM, "SIGTERM"}, {SIGHUP, "SIGHUP"}};

static gasnett_sighandlerfn_t quit_at_start; /* not the client's: libgfortran's */

static gasnett_sighandlerfn_t handler_of(int number) {
  struct sigaction now;
  return sigaction(number, NULL, &now) == 0 ? now.sa_handler : SIG_DFL;
}

static void pass_on(int number) {
  const gasnett_sighandlerfn_t quit = handler_of(SIGQUIT);
  const bool has = quit != SIG_DFL && quit != SIG_IGN && quit != quit_at_start;
  weft_tools_requests_end();
  for (size_t i = 0; has && i < WEFT_ARRAY_LEN(requests); i++)
    if (requests[i].number == number)
      dprintf(STDERR_FILENO, "*** Caught a signal: %s(%d)%s\n", requests[i].name, number,
              crash.node);
  raise(has ? SIGQUIT : number);
}

void weft_tools_requests_end(void) {
  for (size_t i = 0; i < WEFT_ARRAY_LEN(requests); i++)
    if (handler_of(requests[i].number) == pass_on) signal(requests[i].number, SIG_DFL);
}

static void catch_requests(void) {
  quit_at_start = handler_of(SIGQUIT);
  for (size_t i = 0; i < WEFT_ARRAY_LEN(requests); i++)
    if (handler_of(requests[i].number) == SIG_DFL && !excepted(requests[i].name))
      signal(requests[i].number, pass_on);
}

static bool set(const char *name) {
  const char *value = gasnett_getenv(name);
  return value && *value && weft_tools_parse_yesno(value) != 0;
}

static volatile int frozen_at_start;
void weft_tools_crash_start(void) {
  if (set("GASNET_BACKTRACE") || set("GASNET_FREEZE_ON_ERROR")) {
    gasnett_backtrace_init(NULL);
    for (size_t i = 0; i < WEFT_ARRAY_LEN(signals); i++)
      if (!excepted(signals[i].name)) signal(signals[i].number, caught);
  }
  catch_requests();
  if (set("GASNET_FREEZE")) gasnett_freezeForDebuggerNow(&frozen_at_start, "frozen_at_start");
}
