/*
 * Lines of many processes do not mix, carry the PE, and a fatal one ends the job through the hook
 * or by exit(1). test: unit
 */
#include <sys/wait.h>

#include "base/base.h"
#include "check.h"

#define SAID_ROOM (1 << 20)
static char *said;
static size_t said_len;

/* Run `body` in children whose stderr is a pipe; the statuses are added up in *status. */
static void run(int children, void (*body)(int child), int *status) {
  int fd[2];
  ssize_t n;
  CHECK(pipe(fd) == 0);
  for (int i = 0; i < children; i++)
    if (fork() == 0) {
      dup2(fd[1], 2);
      close(fd[0]);
      close(fd[1]);
      body(i);
      _exit(0);
    }
  close(fd[1]);
  said_len = 0;
  while ((n = read(fd[0], said + said_len, SAID_ROOM - 1 - said_len)) > 0) said_len += (size_t)n;
  said[said_len] = 0;
  close(fd[0]);
  *status = 0;
  for (int i = 0; i < children; i++) {
    int one;
    CHECK(wait(&one) > 0);
    CHECK(WIFEXITED(one));
    *status += WEXITSTATUS(one);
  }
}

static void many_lines(int child) {
  weft_log_set_pe(child);
  for (int i = 0; i < 500; i++) weft_warn("line %03d of nobody else, and some more of it", i);
}

static void long_line(int child) {
  char text[5000];
  (void)child;
  memset(text, 'x', sizeof(text) - 1);
  text[sizeof(text) - 1] = 0;
  weft_warn("%s", text);
}

static void quiet_info(int child) {
  (void)child;
  weft_info("nobody hears");
  weft_options.verbose = true;
  weft_info("heard %d", 1);
}

static void fatal_exit(int child) {
  (void)child;
  weft_fatal("no more %s", "memory");
}

static void hook(void *arg, int status) {
  _exit(*(int *)arg + status);
}

static void fatal_hook(int child) {
  static int base = 40;
  weft_log_set_pe(child + 7);
  weft_log_set_abort(hook, &base);
  weft_fatal("gone");
}

int main(void) {
  int status, lines = 0, pe, i, used;
  said = malloc(SAID_ROOM);
  CHECK(said != NULL);
  run(4, many_lines, &status);
  CHECK_EQ(status, 0);
  for (char *at = said; *at; at += used, lines++) {
    used = 0;
    sscanf(at, "weft: pe %d: line %d of nobody else, and some more of it%n", &pe, &i, &used);
    CHECK(used > 0 && at[used] == '\n' && pe >= 0 && pe < 4 && i >= 0 && i < 500);
    used++;
  }
  CHECK_EQ(lines, 4 * 500);
  run(1, long_line, &status);
  CHECK(said_len > 900 && said_len <= 1024 && said[said_len - 1] == '\n');
  CHECK(strchr(said, '\n') == said + said_len - 1);
  run(1, quiet_info, &status);
  CHECK_STR(said, "weft: heard 1\n");
  run(1, fatal_exit, &status);
  CHECK_STR(said, "weft: no more memory\n");
  CHECK_EQ(status, 1);
  run(1, fatal_hook, &status);
  CHECK_STR(said, "weft: pe 7: gone\n");
  CHECK_EQ(status, 41);
  return 0;
}
