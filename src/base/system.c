/*
 * What Linux has, and C libraries not or only later: glibc has gettid since 2.30, close_range since
 * 2.34.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/base.h"

int weft_thread_id(void) {
  return (int)syscall(SYS_gettid);
}

bool weft_next_descriptor(DIR *dir, int *fd) {
  struct dirent *entry;
  do {
    if (!dir || !(entry = readdir(dir))) return false;
  } while (entry->d_name[0] == '.');
  *fd = atoi(entry->d_name);
  return true;
}

void weft_fill_standard(void) {
  int fd;
  do fd = open("/dev/null", O_RDWR);
  while (fd >= 0 && fd <= STDERR_FILENO);
  if (fd >= 0) close(fd);
}

int weft_set_file_size(int fd, size_t bytes) {
  const struct timespec now = {0};
  sigset_t signal, old;
  sigemptyset(&signal);
  sigaddset(&signal, SIGXFSZ);
  pthread_sigmask(SIG_BLOCK, &signal, &old);
  const int rc = ftruncate(fd, (off_t)bytes) < 0 ? -errno : 0;
  if (rc == -EFBIG) sigtimedwait(&signal, NULL, &now); /* the kernel sends it to this thread */
  pthread_sigmask(SIG_SETMASK, &old, NULL);
  return rc;
}

/* (A kernel whose tmpfs gives up for a signal takes back what it has reserved so far, so who tries
 * again under a timer gets nowhere; one that kills the process is heard all the same. It gives up
 * where the process is stopped, too, which cannot wait.) */
int weft_reserve_file(int fd, size_t at, size_t bytes) {
  sigset_t all, old;
  int rc;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &old);
  do {
    rc = fallocate(fd, 0, (off_t)at, (off_t)bytes) < 0 ? -errno : 0;
    if (rc == -EOPNOTSUPP) rc = -posix_fallocate(fd, (off_t)at, (off_t)bytes); /* which writes */
  } while (rc == -EINTR);
  pthread_sigmask(SIG_SETMASK, &old, NULL);
  return rc;
}

/* Before Linux 5.9: one after the other. */
static void close_each(unsigned first, unsigned last) {
  DIR *dir = opendir("/proc/self/fd");
  for (int fd; weft_next_descriptor(dir, &fd);)
    if (fd != dirfd(dir) && (unsigned)fd >= first && (unsigned)fd <= last) close(fd);
  if (dir) closedir(dir);
}

void weft_close_range(unsigned first, unsigned last) {
#ifdef SYS_close_range
  if (syscall(SYS_close_range, first, last, 0) == 0) return;
#endif
  close_each(first, last);
}
