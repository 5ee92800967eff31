/*
 * stop.c: normal and error termination (Fortran 2018, 5.3.7), failures of statements. An image that
 * has stopped stays until all have, because the others may still want what is in its coarrays.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "boot/boot.h"
#include "caf/internal.h"
#include "runtime/runtime.h"

static struct {
  void (*flush)(void);
  bool done; /* this image has terminated */
  pid_t pid;
} stop;

void weft_caf_on_flush(void (*flush)(void)) {
  stop.flush = flush;
}

static void flush_all(void) {
  if (stop.flush) stop.flush();
  fflush(NULL);
}

void weft_caf_end_program(void) {
  if (stop.done || !weft_caf.initial) return;
  stop.done = true;
  flush_all();
  weft_caf_quiet();
  __atomic_store_n(&weft_caf_shared->state, WEFT_CAF_STOPPED_IMAGE, __ATOMIC_RELEASE);
  weft_alive_announce_stop();
  weft_qlock_leave(true);
  weft_caf_meet_stopped();
  weft_runtime_stop();
}

void weft_caf_stop(int status) {
  weft_caf_end_program();
  exit(weft_job_shown(status));
}

static void *flush_thread(void *arg) {
  (void)arg;
  stop.flush();
  return NULL;
}

/* This thread may be in the middle of an output statement, and have locked what would be flushed.
 */
static void flush_with_patience(void) {
  enum { PATIENCE_NS = 200000000 };
  pthread_t thread;
  struct timespec until;
  if (!stop.flush || pthread_create(&thread, NULL, flush_thread, NULL) != 0) return;
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_nsec += PATIENCE_NS;
  until.tv_sec += until.tv_nsec / 1000000000;
  until.tv_nsec %= 1000000000;
  pthread_timedjoin_np(thread, NULL, &until);
}

void weft_caf_error_stop(int status) {
  flush_with_patience();
  stop.done = true;
  weft_job_exit(weft_job_shown(status) & 255);
}

void weft_caf_fail_image(void) {
  if (!weft_caf.survive)
    weft_fatal("fail image: this job does not go on without an image; start it with "
               "cafrun --disable-auto-cleanup, or with WEFT_ON_DEATH=continue");
  flush_all();
  stop.done = true;
  weft_alive_fail();
}

/* exit(0) is the end of the program wherever it is called. Any other status is a failure that the
 * language's library has found, or the program's own: this process goes on exiting, because the
 * library has its units to close, and the launcher ends the others. */
static void at_exit(int status, void *arg) {
  (void)arg;
  if (stop.done || getpid() != stop.pid) return;
  if (status && weft_caf.survive)
    weft_caf_error_stop(status); /* to the others an image that only exits would have failed */
  else if (status)
    weft_runtime_abandon();
  else
    weft_caf_end_program();
}

void weft_caf_stop_start(void) {
  stop.pid = getpid();
  weft_boot_tell_term(); /* at SIGQUIT libgfortran prints a backtrace */
  on_exit(at_exit, NULL);
}

void weft_caf_last_line(const char *text) {
  char head[64];
  snprintf(head, sizeof head, "Fortran runtime error on image %d: ",
           weft_caf.initial ? weft_caf.me : 0);
  weft_last_line(head, text);
}

void weft_caf_fail(const weft_caf_report_t *report, int stat, const char *format, ...) {
  char text[512];
  va_list arguments;
  va_start(arguments, format);
  int n = vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  if (n > (int)sizeof text - 1) n = sizeof text - 1;
  if (!report->stat) {
    weft_caf_last_line(text);
    weft_caf_error_stop(1);
  }
  *report->stat = stat;
  if (!report->errmsg) return;
  const size_t copied = (size_t)n < report->len ? (size_t)n : report->len;
  memcpy(report->errmsg, text, copied);
  memset(report->errmsg + copied, ' ', report->len - copied);
}

void weft_caf_fatal(const char *format, ...) {
  char text[512];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  weft_fatal("%s", text);
}

void *weft_caf_need(void *memory, const char *what) {
  if (!memory) weft_fatal("%s: this machine is out of memory", what);
  return memory;
}
