/*
 * --tag: the PEs' output, line by line, each behind the number of its PE. Without --tag the PEs
 * write to where weftrun does and nothing passes through here.
 */
#include "weftrun/weftrun.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/time.h>
#include <unistd.h>

enum { LINE_MAX_SIZE = 64 * 1024 };

/* Whole lines, if they are not longer: nothing comes in between. */
static size_t first_piece(const char *text, size_t len) {
  if (len <= PIPE_BUF) return len;
  const char *end = memrchr(text, '\n', PIPE_BUF);
  return end ? (size_t)(end + 1 - text) : PIPE_BUF;
}

static void on_alarm(int signal) {
  (void)signal; /* a write returns, that is all */
}

/* Where poll sees room a piece fits, unless another process has filled it since: a write that
 * sleeps then is woken by SIGALRM. The stream may be non-blocking as well, as whoever shares it
 * likes. */
static ssize_t write_some(int fd, const char *text, size_t len) {
  static const struct itimerval often = {{0, 100000}, {0, 100000}}, never;
  const struct sigaction wake = {.sa_handler = on_alarm};
  struct sigaction action;
  sigset_t set, mask;
  sigemptyset(&set);
  sigaddset(&set, SIGALRM);
  sigaction(SIGALRM, &wake, &action);
  sigprocmask(SIG_UNBLOCK, &set, &mask);
  setitimer(ITIMER_REAL, &often, NULL);
  ssize_t n = write(fd, text, first_piece(text, len));
  int error = errno;
  setitimer(ITIMER_REAL, &never, NULL);
  sigprocmask(SIG_SETMASK, &mask, NULL);
  sigaction(SIGALRM, &action, NULL);
  errno = error;
  return n;
}

bool output_write(int fd, const char *text, size_t len) {
  while (len > 0) {
    if (!keeper_wait(fd)) return false;
    ssize_t n = write_some(fd, text, len);
    if (n < 0 && errno != EINTR && errno != EAGAIN) return false;
    if (n > 0) {
      text += n;
      len -= (size_t)n;
    }
  }
  return true;
}

/* Tagged lines on their way: one write for many. */
typedef struct batch {
  int fd;
  size_t n;
  char text[LINE_MAX_SIZE + 32];
} batch_t;

static bool batch_flush(batch_t *batch) {
  size_t n = batch->n;
  batch->n = 0;
  return output_write(batch->fd, batch->text, n);
}

static bool batch_add(batch_t *batch, int pe, const char *line, size_t len) {
  char tag[32];
  size_t n = (size_t)snprintf(tag, sizeof(tag), "[%d] ", pe);
  if (batch->n + n + len + 1 > sizeof(batch->text) && !batch_flush(batch)) return false;
  char *to = batch->text + batch->n;
  memcpy(to, tag, n);
  memcpy(to + n, line, len);
  to[n + len] = '\n';
  batch->n += n + len + 1;
  return true;
}

static bool write_lines(stream_t *stream, int pe, int which, bool last) {
  batch_t batch; /* not cleared, it is large */
  char *line = stream->held, *end;
  batch.n = 0;
  batch.fd = which == 0 ? STDOUT_FILENO : STDERR_FILENO;
  while ((end = memchr(line, '\n', (size_t)(stream->held + stream->nheld - line)))) {
    if (!batch_add(&batch, pe, line, (size_t)(end - line))) return false;
    line = end + 1;
  }
  size_t rest = (size_t)(stream->held + stream->nheld - line);
  if (rest > 0 && (last || rest == LINE_MAX_SIZE)) {
    if (!batch_add(&batch, pe, line, rest)) return false;
    rest = 0;
  }
  memmove(stream->held, line, rest);
  stream->nheld = rest;
  return batch_flush(&batch);
}

/* At its end, or when nobody reads us: the PE shall get SIGPIPE as if it wrote there itself. */
static void end_stream(stream_t *stream) {
  close(stream->fd);
  stream->fd = -1;
}

size_t output_copy(job_t *job, pe_t *pe, int which) {
  stream_t *stream = &pe->out[which];
  int number = (int)(pe - job->pes);
  if (!stream->held) stream->held = malloc(LINE_MAX_SIZE);
  if (stream->fd < 0 || !stream->held) return 0;
  ssize_t n = read(stream->fd, stream->held + stream->nheld, LINE_MAX_SIZE - stream->nheld);
  bool open = n > 0 || (n < 0 && (errno == EAGAIN || errno == EINTR));
  if (n > 0) stream->nheld += (size_t)n;
  if (!write_lines(stream, number, which, !open) || !open) end_stream(stream);
  return n > 0 ? (size_t)n : 0;
}

void output_finish(job_t *job) {
  for (int i = 0; i < job->npes; i++) {
    for (int which = 0; which < 2; which++) {
      stream_t *stream = &job->pes[i].out[which];
      int left = 0; /* and no more: a process that could not be ended may write for ever */
      if (stream->fd < 0 || ioctl(stream->fd, FIONREAD, &left)) continue;
      size_t n;
      while (left > 0 && (n = output_copy(job, &job->pes[i], which))) left -= (int)n;
      if (stream->fd < 0) continue;
      if (stream->nheld > 0) write_lines(stream, i, which, true);
      end_stream(stream);
    }
  }
}
