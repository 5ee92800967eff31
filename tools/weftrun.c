/*
 * weftrun: start an SPMD job on this machine. This file is the front: the process that the user
 * sees. It starts the keeper (weftrun/keeper.c), passes signals on, and returns the job's status.
 * It knows nothing of PMI.
 */
#include "weftrun/weftrun.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/base.h"

static const char *self_name = "weftrun";

/* One write: a line of ours never mixes with a line of a PE. */
__attribute__((format(printf, 2, 0))) static void write_line(const char *prefix, const char *format,
                                                             va_list args) {
  char line[1024];
  int n = snprintf(line, sizeof(line), "%s: ", prefix);
  int more = vsnprintf(line + n, sizeof(line) - (size_t)n - 1, format, args);
  size_t len = (size_t)n + (size_t)more;
  if (len > sizeof(line) - 2) len = sizeof(line) - 2;
  line[len++] = '\n';
  output_write(STDERR_FILENO, line, len);
}

void say(const char *format, ...) {
  va_list args;
  va_start(args, format);
  write_line("weft", format, args);
  va_end(args);
}

void give_up(int status, const char *format, ...) {
  va_list args;
  va_start(args, format);
  write_line(self_name, format, args);
  va_end(args);
  exit(status);
}

uint64_t now_ms(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * 1000 + (uint64_t)time.tv_nsec / 1000000;
}

/* The signals that the front and the keeper take in turn instead of dying of them. */
static void block_signals(inherited_t *inherited, sigset_t *set) {
  static const int taken[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGCHLD};
  struct sigaction action;
  for (int signal = 1; signal < 65; signal++) {
    inherited->ignored[signal] =
        sigaction(signal, NULL, &action) == 0 && action.sa_handler == SIG_IGN;
  }
  sigemptyset(set);
  for (size_t i = 0; i < sizeof(taken) / sizeof(taken[0]); i++) sigaddset(set, taken[i]);
  sigprocmask(SIG_BLOCK, set, &inherited->mask);
  signal(SIGCHLD, SIG_DFL); /* an ignored SIGCHLD would lose the children's statuses */
  signal(SIGPIPE, SIG_IGN);
}

/* The keeper did not end as it should: its PEs get SIGKILL from the kernel, what they started is
 * ours now. */
static int clear_up_after_keeper(const options_t *options, pid_t keeper, int wait_status) {
  int signal = WTERMSIG(wait_status);
  ending_signal_descendants(NULL, SIGKILL);
  say("weftrun's keeper process (pid %d) was killed by signal %d (%s); ending the job", (int)keeper,
      signal, strsignal(signal));
  uint64_t start = now_ms();
  while (now_ms() - start < 5000) {
    pid_t pid;
    ending_signal_descendants(NULL, SIGKILL);
    while ((pid = waitpid(-1, NULL, WNOHANG)) > 0) {
    }
    if (pid < 0 && errno == ECHILD) break;
    usleep(10000);
  }
  recording_finish(options);
  return STATUS_SIGNAL + signal;
}

/* Pass signals on until the keeper has exited. */
static int front_run(const options_t *options, pid_t keeper, int keeper_pipe, const sigset_t *set) {
  for (;;) {
    siginfo_t info;
    int wait_status;
    int signal = sigwaitinfo(set, &info);
    if (signal == SIGCHLD) {
      pid_t pid;
      while ((pid = waitpid(-1, &wait_status, WNOHANG)) > 0) {
        if (pid != keeper) continue;
        return WIFEXITED(wait_status) ? WEXITSTATUS(wait_status)
                                      : clear_up_after_keeper(options, keeper, wait_status);
      }
    } else if (signal > 0 && (info.si_code != SI_KERNEL || signal == SIGHUP)) {
      /* A key of the terminal (SI_KERNEL) reaches the keeper and the PEs as well. A terminal that
       * hangs up tells the leader of its session alone, and that may be this process. */
      unsigned char byte = (unsigned char)signal;
      ssize_t ignored = write(keeper_pipe, &byte, 1);
      (void)ignored;
    }
  }
}

int main(int argc, char **argv) {
  options_t options;
  inherited_t inherited;
  sigset_t set;
  int ends[2];

  weft_fill_standard();
  if (argc > 0) self_name = strrchr(argv[0], '/') ? strrchr(argv[0], '/') + 1 : argv[0];
  options_read(&options, self_name, argc, argv);
  if (options.collect) recording_collect(&options);
  if (!options.hosts && !options.hostfile) start_check_limits(&options, &inherited);
  recording_prepare(&options);
  if (options.hosts || options.hostfile) hosts_hand_over(&options);
  doubts_say(&options);
  block_signals(&inherited, &set);
  /* Orphans of a killed keeper come to us. */
  if (prctl(PR_SET_CHILD_SUBREAPER, 1) || pipe2(ends, O_CLOEXEC | O_NONBLOCK)) {
    give_up(1, "cannot prepare the job: %s", strerror(errno));
  }
  pid_t keeper = fork();
  if (keeper < 0) give_up(1, "cannot start the keeper process: %s", strerror(errno));
  if (keeper == 0) {
    close(ends[1]);
    _exit(keeper_run(&options, &inherited, ends[0]));
  }
  close(ends[0]);
  return front_run(&options, keeper, ends[1], &set);
}
