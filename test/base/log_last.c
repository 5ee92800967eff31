/*
 * PEs of a node that end with the same line to the same stream: one says it, and on another node
 * than the first it waits before. Another cause, another stream, and a line whose writer died
 * before he wrote it are said. test: unit
 */
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include "base/base.h"
#include "check.h"

static weft_log_first_t *first;
static FILE *err;

static void in_child(int pe, int cause, int to) {
  if (fork() > 0) return;
  dup2(to, 2);
  weft_log_set_pe(pe);
  weft_log_share(first, 0);
  weft_fatal("cause %d", cause);
}

/* Lines that were written since the last time. */
static int lines(FILE *f) {
  static char text[65536];
  int n = 0, status;
  while (wait(&status) > 0) CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 1);
  rewind(f);
  const size_t size = fread(text, 1, sizeof text - 1, f);
  text[size] = 0;
  for (size_t i = 0; i < size; i++) n += text[i] == '\n';
  CHECK(ftruncate(fileno(f), 0) == 0);
  rewind(f);
  return n;
}

static void anew(void) {
  *first = (weft_log_first_t){0};
}

/* A node that is not the first: another one speaks meanwhile, and its PEs are ended. */
static void waits_for_another_node(int patience_ms, int wanted) {
  anew();
  const int child = fork();
  if (child == 0) {
    dup2(fileno(err), 2);
    weft_log_share(first, patience_ms);
    weft_fatal("cause %d", 3);
  }
  CHECK_WITHIN(20, __atomic_load_n(&first->begun, __ATOMIC_ACQUIRE));
  if (wanted == 0) {
    CHECK(kill(child, SIGKILL) == 0);
    CHECK_EQ(waitpid(child, NULL, 0), child);
  }
  CHECK_EQ(lines(err), wanted);
}

int main(void) {
  const int flags = MAP_SHARED | MAP_ANONYMOUS;
  first = mmap(NULL, 4096, PROT_READ | PROT_WRITE, flags, -1, 0);
  CHECK(first != MAP_FAILED);
  err = tmpfile();
  FILE *other = tmpfile();
  CHECK(err && other);
  for (int round = 0; round < 5; round++) {
    anew();
    for (int pe = 0; pe < 8; pe++) in_child(pe, 1, fileno(err));
    CHECK(lines(err) >= 1); /* more, where who was first was kept from writing */
    anew();
    in_child(0, 1, fileno(err));
    CHECK_EQ(lines(err), 1);
    for (int pe = 1; pe < 8; pe++) in_child(pe, 1, fileno(err));
    CHECK_EQ(lines(err), 0);
  }
  in_child(1, 2, fileno(err));
  CHECK_EQ(lines(err), 1);
  in_child(1, 1, fileno(other));
  CHECK_EQ(lines(other), 1);
  first->written = 0; /* its writer died */
  in_child(2, 1, fileno(err));
  CHECK_EQ(lines(err), 1);
  waits_for_another_node(60000, 0);
  waits_for_another_node(50, 1);
  first = NULL;
  for (int pe = 0; pe < 3; pe++) in_child(pe, 1, fileno(err));
  CHECK_EQ(lines(err), 3);
}
