/*
 * How a process leaves the job, in good order or not.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "job/job.h"

/* ---- streams --------------------------------------------------------------------------------- */

static pid_t flusher; /* the thread that flushes */

static void *flush_all(void *arg) {
  (void)arg;
  weft_publish(&flusher, gettid());
  fflush(NULL);
  return NULL;
}

/* Does that thread wait for a lock? (Not by stdio, whose locks it may hold.) */
static bool waits_for_lock(void) {
  char name[64], call[32] = "";
  snprintf(name, sizeof name, "/proc/self/task/%d/syscall", weft_observe(&flusher));
  const int fd = open(name, O_RDONLY | O_CLOEXEC);
  const ssize_t n = fd < 0 ? -1 : read(fd, call, sizeof call - 1);
  if (fd >= 0) close(fd);
  return n <= 0 || atoi(call) == SYS_futex;
}

static bool join_within(pthread_t thread, int ms) {
  const uint64_t until = weft_clock_ns() + (uint64_t)ms * 1000000;
  const struct timespec at = {.tv_sec = (time_t)(until / 1000000000),
                              .tv_nsec = (long)(until % 1000000000)};
  return pthread_clockjoin_np(thread, NULL, CLOCK_MONOTONIC, &at) == 0;
}

void weft_job_flush(bool patient) {
  enum { PATIENCE_MS = 5000, LOOK_MS = 100 };
  pthread_t thread;
  sigset_t all, old;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &old); /* signals are the program's */
  const bool alone = pthread_create(&thread, NULL, flush_all, NULL) != 0;
  pthread_sigmask(SIG_SETMASK, &old, NULL);
  if (alone) {
    fflush(NULL);
    return;
  }
  if (join_within(thread, PATIENCE_MS)) return;
  while (patient && !waits_for_lock())
    if (join_within(thread, LOOK_MS)) return;
  pthread_detach(thread);
}

/* ---- the end --------------------------------------------------------------------------------- */

/* Of a status a process shows 8 bits; what is not 0 must not become 0 by that. */
static int shown(int status) {
  return status && !(status & 255) ? 1 : status;
}

static void end_job(void *arg, int status) {
  (void)arg;
  weft_job_flush(false);
  weft_alive_end_job();
  weft_job.boot->abort(weft_job.boot, shown(status));
}

void weft_job_catch_end(void) {
  weft_log_set_abort(end_job, NULL);
}

void weft_job_exit(int status) {
  weft_job_flush(true);
  if (!weft_job.boot) exit(shown(status));
  weft_alive_end_job();
  weft_job.boot->abort(weft_job.boot, shown(status));
}

static void close_fabric(void) {
  weft_job_t *j = &weft_job;
  if (j->port && j->port != &j->endpoint) {
    weft_endpoint_close(j->port);
    free(j->port);
  }
  j->port = NULL;
  if (j->nnodes > 1) {
    weft_endpoint_close(&j->endpoint);
    weft_fabric_close(&j->fabric);
    weft_links_forget();
  }
}

void weft_job_leave(void) {
  if (!weft_job.started) return; /* ended before */
  close_fabric();
  weft_job.boot->finalize(weft_job.boot);
}

void weft_job_end(void) {
  weft_job_t *j = &weft_job;
  if (!j->started) return;
  weft_alive_stop();
  close_fabric();
  if (weft_window_unmap(&j->window) < 0) weft_end_job(1);
  weft_boot_close(j->boot);
  weft_boot_know_peers(NULL, 0);
  weft_log_set_abort(NULL, NULL);
  if (j->owner != j->disp) free(j->owner);
  munmap(j->keys, j->table_bytes);
  free(j->pids);
  free(j->leader);
  free(j->local);
  free(j->addresses);
  free(j->tokens);
  free(j->client_tokens);
  free(j->ports);
  free(j->region_base);
  *j = (weft_job_t){0};
}
