/*
 * The last flush of stdio. It may take long for two reasons. Who reads the output takes his time,
 * and is waited for. Or another thread holds a stream for ever, as one that reads a terminal does:
 * then this process leaves as it is. A timer of the calling thread tells the two apart: the thread
 * is in a write, or waits for a lock whose holder is in none. (No other thread does the work: stdio
 * lets the caller in where it has a stream's lock itself, and to make a thread needs memory.)
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#include "job/job.h"

#ifndef sigev_notify_thread_id
#define sigev_notify_thread_id _sigev_un._tid
#endif

enum { PATIENCE_S = 5 };

static struct {
  uint64_t since; /* ns */
  enum weft_flush how;
  int status;
  void (*end)(void);
} flush;

void weft_job_flush_ends_with(void (*end)(void)) {
  flush.end = end;
}

/* The number of the call that the signal interrupted, and that goes on behind it. */
static long interrupted(const void *context) {
  const ucontext_t *at = context;
#ifdef __x86_64__
  return (long)at->uc_mcontext.gregs[REG_RAX];
#else
  return (long)at->uc_mcontext.regs[8];
#endif
}

static bool is_write(long call) {
  return call == SYS_write || call == SYS_writev;
}

/* The task's present call, from /proc; -1: it is in none, or nobody can say. */
static long call_of(int tasks, const char *name) {
  char path[300], text[24] = "";
  size_t n = strnlen(name, 255);
  memcpy(path, name, n);
  memcpy(path + n, "/syscall", sizeof "/syscall");
  const int fd = openat(tasks, path, O_RDONLY | O_CLOEXEC);
  const ssize_t got = fd < 0 ? -1 : read(fd, text, sizeof text - 1);
  if (fd >= 0) close(fd);
  return got > 0 && text[0] >= '0' && text[0] <= '9' ? atol(text) : -1;
}

/* Is any thread in a write? It may have the lock. (In a signal handler: no opendir, which makes
 * memory.) */
static bool somebody_writes(void) {
  _Alignas(struct dirent64) char room[4096];
  const int tasks = open("/proc/self/task", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  bool found = false;
  for (long n; tasks >= 0 && !found && (n = syscall(SYS_getdents64, tasks, room, sizeof room)) > 0;)
    for (long at = 0; at < n && !found;) {
      const struct dirent64 *entry = (const struct dirent64 *)(void *)(room + at);
      found = entry->d_name[0] != '.' && is_write(call_of(tasks, entry->d_name));
      at += entry->d_reclen;
    }
  if (tasks >= 0) close(tasks);
  return found;
}

int weft_job_shown(int status) {
  return status && !(status & 255) ? 1 : status;
}

static void leave(void) {
  weft_boot_t *boot = weft_job.boot;
  if (boot && flush.how == WEFT_FLUSH_LEAVE) {
    weft_job_boot_barrier();
    if (flush.end) flush.end();
    boot->finalize(boot);
  } else if (boot) {
    boot->abort(boot, flush.status);
  }
  _exit(flush.status);
}

static void look(int number, siginfo_t *info, void *context) {
  const int saved = errno;
  (void)number, (void)info;
  const bool late = weft_clock_ns() - flush.since >= (uint64_t)PATIENCE_S * 1000000000;
  const bool waits = interrupted(context) == SYS_futex && !somebody_writes();
  if (late && (flush.how == WEFT_FLUSH_FAIL || waits)) leave();
  errno = saved;
}

void weft_job_flush(enum weft_flush how, int status) {
  const struct sigaction mine = {.sa_sigaction = look, .sa_flags = SA_SIGINFO | SA_RESTART};
  const struct itimerspec each = {{.tv_sec = 1}, {.tv_sec = PATIENCE_S}};
  struct sigevent event = {.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGALRM};
  struct sigaction before;
  sigset_t alarms, mask;
  timer_t timer;
  flush.since = weft_clock_ns();
  flush.how = how;
  flush.status = weft_job_shown(status);
  event.sigev_notify_thread_id = weft_thread_id();
  sigemptyset(&alarms);
  sigaddset(&alarms, SIGALRM);
  sigaction(SIGALRM, &mine, &before);
  pthread_sigmask(SIG_UNBLOCK, &alarms, &mask);
  const bool timed = timer_create(CLOCK_MONOTONIC, &event, &timer) == 0;
  if (timed) timer_settime(timer, 0, &each, NULL);
  fflush(NULL);
  if (timed) timer_delete(timer);
  pthread_sigmask(SIG_SETMASK, &mask, NULL);
  sigaction(SIGALRM, &before, NULL);
}
