/*
 * The keeper: parent of the PEs, one loop over everything that can happen to a job. It sleeps in
 * epoll_wait until something does.
 */
#include "weftrun/weftrun.h"

#include <dirent.h>
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

void keeper_watch(const job_t *job, int fd, enum watch kind, int pe) {
  struct epoll_event event = {.events = EPOLLIN, .data.u64 = (uint64_t)kind << 32 | (uint32_t)pe};
  if (epoll_ctl(job->epoll, EPOLL_CTL_ADD, fd, &event)) {
    say("cannot watch a file descriptor: %s", strerror(errno));
  }
}

/* Milliseconds. ECHO: one kill of the process group comes by the front and to this process, and
 * that of timeout(1) once more. DROP: how long who ends a job waits for a reader of its output. */
enum { ECHO_MS = 100, DROP_MS = 1000 };

/* A signal to weftrun. The terminal sends it to the PEs as well (SI_KERNEL); all others only to us.
 */
static void take_signal(job_t *job, int signal, bool from_terminal) {
  /* A job in the background; nohup(1), as the shell of a lost terminal sends SIGHUP by kill. */
  if (job->inherited->ignored[signal] && (from_terminal || signal == SIGHUP)) return;
  if (signal == SIGUSR1 || signal == SIGUSR2) {
    for (int i = 0; i < job->npes; i++) {
      if (job->pes[i].pid && !job->pes[i].exited) kill(job->pes[i].pid, signal);
    }
    return;
  }
  if (job->got) {
    if (signal == job->got && now_ms() - job->got_at < ECHO_MS) return;
    job->kill_at = job->drop_at = now_ms(); /* the second one: no more patience */
    return;
  }
  job->got = signal;
  job->got_at = now_ms();
  job->drop_at = job->got_at + DROP_MS;
  if (job->ending) return;
  ending_begin(job, STATUS_SIGNAL + signal, from_terminal ? 0 : signal);
  say("weftrun got signal %d (%s); ending the job", signal, strsignal(signal));
}

static void on_signals(job_t *job) {
  struct signalfd_siginfo info;
  while (read(job->signals, &info, sizeof(info)) == (ssize_t)sizeof(info)) {
    if (info.ssi_signo == SIGCHLD) continue; /* every turn of the loop reaps */
    take_signal(job, (int)info.ssi_signo, info.ssi_code == SI_KERNEL);
  }
}

static void on_front(job_t *job) {
  unsigned char signals[64];
  ssize_t n = read(job->front_pipe, signals, sizeof(signals));
  for (ssize_t i = 0; i < n; i++) take_signal(job, signals[i], false);
  if (n != 0) return;
  epoll_ctl(job->epoll, EPOLL_CTL_DEL, job->front_pipe, NULL);
  job->front_pipe = -1;
  if (!job->drop_at) job->drop_at = now_ms() + DROP_MS;
  if (job->ending) return;
  ending_begin(job, STATUS_SIGNAL + SIGKILL, SIGTERM);
  say("weftrun (pid %d) was killed; ending the job", (int)job->front);
}

/* Children report here until they have become the program; then the pipe closes. */
static void on_start_errors(job_t *job) {
  start_error_t error;
  ssize_t n;
  while ((n = read(job->start_errors, &error, sizeof(error))) == (ssize_t)sizeof(error)) {
    if (job->ending) continue;
    ending_begin(job, 1, SIGTERM);
    job->status = start_explain(job, &error);
  }
  if (n < 0) return;
  close(job->start_errors);
  job->start_errors = -1;
}

/* Note all exits. False when this process has no child left at all. */
static bool reap(job_t *job) {
  int wait_status;
  pid_t pid;
  while ((pid = waitpid(-1, &wait_status, WNOHANG)) > 0) {
    for (int i = 0; i < job->npes; i++) {
      pe_t *pe = &job->pes[i];
      if (pe->pid != pid || pe->exited) continue;
      pe->exited = true;
      static int ended;
      pe->end_order = ended++;
      pe->wait_status = wait_status;
      job->nrunning--;
      if (job->start_errors >= 0) on_start_errors(job);
      pmi_serve(job, pe); /* its last words */
      if (!ending_give_up(job, i) && !ending_is_clean(job, pe)) ending_suspect(job);
    }
  }
  return pid == 0;
}

static void dispatch(job_t *job, const struct epoll_event *event) {
  pe_t *pe = &job->pes[(uint32_t)event->data.u64];
  switch ((enum watch)(event->data.u64 >> 32)) {
  case WATCH_SIGNALS: on_signals(job); break;
  case WATCH_FRONT: on_front(job); break;
  case WATCH_START:
    if (job->start_errors >= 0) on_start_errors(job);
    break;
  case WATCH_PMI: pmi_serve(job, pe); break;
  case WATCH_STDOUT: output_copy(job, pe, 0); break;
  case WATCH_STDERR: output_copy(job, pe, 1); break;
  }
}

/* Milliseconds until the first of three dates (0: none); -1 without one. */
static int time_until(uint64_t a, uint64_t b, uint64_t c) {
  uint64_t now = now_ms(), next = UINT64_MAX;
  const uint64_t dates[] = {a, b, c};
  for (size_t i = 0; i < sizeof(dates) / sizeof(dates[0]); i++) {
    if (dates[i] && dates[i] < next) next = dates[i];
  }
  if (next == UINT64_MAX) return -1;
  return next > now ? (int)(next - now) : 0;
}

static job_t *kept; /* the job, in the keeper */

bool keeper_wait(int fd) {
  job_t *job = kept;
  struct pollfd files[] = {{.fd = fd, .events = POLLOUT}, {.events = POLLIN}, {.events = POLLIN}};
  if (!job) return poll(files, 1, DROP_MS) > 0;
  for (;;) {
    /* Nobody is reaped here, so those who have ended would get SIGKILL again and again. */
    const bool enough = ending_gives_up(job);
    files[1].fd = job->signals;
    files[2].fd = job->front_pipe;
    int timeout = enough ? time_until(job->drop_at, 0, 0)
                         : time_until(job->drop_at, job->term_at, job->kill_at);
    int n = poll(files, 3, timeout);
    if (n > 0 && files[0].revents) return true;
    if (job->drop_at && now_ms() >= job->drop_at) return false;
    if (n > 0 && files[1].revents) on_signals(job);
    if (n > 0 && files[2].revents) on_front(job);
    if (!enough) ending_advance(job);
  }
}

static void loop(job_t *job) {
  struct epoll_event events[64];
  for (;;) {
    bool any_child = reap(job);
    ending_judge(job);
    if (!any_child) return;
    if (job->goes_on) ending_sleepers(job);
    if (job->nrunning == 0 && !job->ending) {
      ending_begin(job, 0, 0); /* they left processes behind: these get the grace, then signals */
    }
    if (ending_gives_up(job)) {
      say("some processes of the job do not end even by SIGKILL");
      return;
    }
    ending_advance(job);
    int timeout = time_until(job->ending ? 0 : job->judge_at, job->term_at, job->kill_at);
    int n = epoll_wait(job->epoll, events, 64, timeout);
    for (int i = 0; i < n; i++) dispatch(job, &events[i]);
  }
}

static int open_signals(void) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGALRM); /* output.c has it for itself */
  sigprocmask(SIG_UNBLOCK, &set, NULL);
  sigprocmask(SIG_BLOCK, NULL, &set); /* the front has blocked them before the fork */
  return signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC);
}

/* All were given up: then the job has failed. */
static bool none_finished(const job_t *job) {
  for (int i = 0; i < job->npes; i++)
    if (!job->pes[i].given_up) return false;
  return true;
}

/* A PE may have been killed while the file of its node's window had a name (src/window). */
static void remove_names(const job_t *job) {
  char path[300];
  int user, pid;
  DIR *dir = opendir("/dev/shm");
  for (struct dirent *entry; dir && (entry = readdir(dir));) {
    if (sscanf(entry->d_name, "weft-%d-%d-", &user, &pid) != 2 || user != (int)getuid()) continue;
    for (int i = 0; i < job->npes; i++) {
      if (job->pes[i].pid != pid) continue;
      snprintf(path, sizeof(path), "/dev/shm/%s", entry->d_name);
      unlink(path);
    }
  }
  if (dir) closedir(dir);
}

int keeper_run(const options_t *options, const inherited_t *inherited, int front_pipe) {
  job_t job = {.options = options,
               .inherited = inherited,
               .npes = options->npes,
               .start_errors = -1,
               .front = getppid(),
               .front_pipe = front_pipe,
               .goes_on = strcmp(options_value_of(options, "WEFT_ON_DEATH"), "continue") == 0};
  prctl(PR_SET_NAME, "weftrun-keeper");
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  job.signals = open_signals();
  job.epoll = epoll_create1(EPOLL_CLOEXEC);
  job.pes = calloc((size_t)job.npes, sizeof(*job.pes));
  job.store = pmi_store_new(options);
  if (job.signals < 0 || job.epoll < 0 || !job.pes || !job.store) {
    say("cannot prepare the job: %s", strerror(errno));
    free(job.pes);
    return 1;
  }
  for (int i = 0; i < job.npes; i++)
    job.pes[i].pmi = job.pes[i].out[0].fd = job.pes[i].out[1].fd = -1;
  keeper_watch(&job, job.signals, WATCH_SIGNALS, 0);
  keeper_watch(&job, front_pipe, WATCH_FRONT, 0);
  kept = &job;
  recording_begin(options);
  start_all(&job);
  loop(&job);
  remove_names(&job);
  output_finish(&job);
  recording_finish(options);
  if (job.status == 0 && none_finished(&job)) job.status = job.last_status;
  if (options->verbose) say("the job ended with status %d", job.status);
  return job.status;
}
