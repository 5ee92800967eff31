/*
 * --tag: the PEs' output, line by line, each behind the number of its PE. Without --tag the PEs
 * write to where weftrun does and nothing passes through here.
 */
#include "weftrun/weftrun.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LINE_MAX_SIZE = 64 * 1024 };

/* Blocks when the reader does: then the PEs' output must wait as well. */
static bool write_all(int fd, const char *text, size_t len) {
  while (len > 0) {
    ssize_t n = write(fd, text, len);
    if (n < 0 && errno != EINTR) return false; /* nobody reads any more */
    if (n > 0) {
      text += n;
      len -= (size_t)n;
    }
  }
  return true;
}

static bool write_tagged(int pe, int which, const char *line, size_t len) {
  char text[LINE_MAX_SIZE + 32];
  int n = snprintf(text, 32, "[%d] ", pe);
  memcpy(text + n, line, len);
  text[n + (int)len] = '\n';
  return write_all(which == 0 ? STDOUT_FILENO : STDERR_FILENO, text, (size_t)n + len + 1);
}

static bool write_lines(stream_t *stream, int pe, int which, bool last) {
  char *line = stream->held, *end;
  while ((end = memchr(line, '\n', (size_t)(stream->held + stream->nheld - line)))) {
    if (!write_tagged(pe, which, line, (size_t)(end - line))) return false;
    line = end + 1;
  }
  size_t rest = (size_t)(stream->held + stream->nheld - line);
  if (rest > 0 && (last || rest == LINE_MAX_SIZE)) {
    if (!write_tagged(pe, which, line, rest)) return false;
    rest = 0;
  }
  memmove(stream->held, line, rest);
  stream->nheld = rest;
  return true;
}

void output_copy(job_t *job, pe_t *pe, int which) {
  stream_t *stream = &pe->out[which];
  int number = (int)(pe - job->pes);
  if (!stream->held) stream->held = malloc(LINE_MAX_SIZE);
  if (stream->fd < 0 || !stream->held) return;
  ssize_t n = read(stream->fd, stream->held + stream->nheld, LINE_MAX_SIZE - stream->nheld);
  bool open = n > 0 || (n < 0 && (errno == EAGAIN || errno == EINTR));
  if (n > 0) stream->nheld += (size_t)n;
  if (write_lines(stream, number, which, !open) && open) return;
  /* The end, or nobody reads us: then the PE shall get SIGPIPE as if it wrote there itself. */
  close(stream->fd);
  stream->fd = -1;
}

void output_finish(job_t *job) {
  for (int i = 0; i < job->npes; i++) {
    for (int which = 0; which < 2; which++) {
      /* Nobody holds the other end any more, so this reaches the end of the stream. */
      while (job->pes[i].out[which].fd >= 0) output_copy(job, &job->pes[i], which);
    }
  }
}
