/*
 * For tests of what prints or ends the process: it is done in a child.
 */
#ifndef TEST_GASNET_APART_H
#define TEST_GASNET_APART_H

#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

/* What f prints on stderr; the child's exit status, or 128 + its signal. */
static char said[1 << 16];
static int apart(void (*f)(void)) {
  int out[2], status;
  CHECK_EQ(pipe(out), 0);
  fflush(NULL);
  pid_t child = fork();
  if (child == 0) {
    dup2(out[1], STDERR_FILENO);
    f();
    _exit(0);
  }
  close(out[1]);
  ssize_t n, at = 0;
  while ((n = read(out[0], said + at, sizeof said - 1 - (size_t)at)) > 0) at += n;
  said[at] = 0;
  close(out[0]);
  CHECK(waitpid(child, &status, 0) == child);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

#endif
