/*
 * A program with a timer gets its memory from a kernel, too, that gives up for a signal while it
 * reserves some and takes back what it has so far (tmpfs, as Linux long did it). Such a kernel is
 * played here: no try succeeds while a signal may come, nor does every other one, as if somebody
 * stopped the process in it. test: spmd
 */
#include <shmem.h>

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>

#include "check.h"
#include "job/private.h"

int __real_fallocate(int fd, int how, off_t at, off_t n);
int __wrap_fallocate(int fd, int how, off_t at, off_t n);

int __real_posix_fallocate(int fd, off_t at, off_t n);
int __wrap_posix_fallocate(int fd, off_t at, off_t n);

static int reserved, tries;

static bool may_come(int signal) {
  sigset_t held;
  CHECK_EQ(sigprocmask(SIG_BLOCK, NULL, &held), 0);
  return !sigismember(&held, signal);
}

static bool is_interrupted(void) {
  return may_come(SIGALRM) || may_come(SIGPROF);
}

int __wrap_posix_fallocate(int fd, off_t at, off_t n) {
  return is_interrupted() ? EINTR : __real_posix_fallocate(fd, at, n);
}

int __wrap_fallocate(int fd, int how, off_t at, off_t n) {
  if (how == 0 && (is_interrupted() || ++tries % 2)) {
    errno = EINTR;
    return -1;
  }
  reserved += how == 0;
  return __real_fallocate(fd, how, at, n);
}

int main(void) {
  shmem_init();
  const int before = reserved;
  char *p = shmem_malloc(5 << 20);
  CHECK(p && weft_private_alloc(16, 1 << 20));
  CHECK(reserved > before);
  memset(p, 1, 5 << 20);
  CHECK(is_interrupted());
  shmem_free(p);
  shmem_finalize();
  return 0;
}
