/*
 * Calls of the kernel that the C libraries of RHEL 8 and SLES 15 lack.
 */
#include <dirent.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/base.h"

int weft_thread_id(void) {
  return (int)syscall(SYS_gettid);
}

/* Before Linux 5.9: one after the other. */
static void close_each(unsigned first, unsigned last) {
  DIR *dir = opendir("/proc/self/fd");
  if (!dir) return;
  for (struct dirent *entry; (entry = readdir(dir));) {
    const int fd = atoi(entry->d_name);
    if (entry->d_name[0] != '.' && fd != dirfd(dir) && (unsigned)fd >= first &&
        (unsigned)fd <= last)
      close(fd);
  }
  closedir(dir);
}

void weft_close_range(unsigned first, unsigned last) {
#ifdef SYS_close_range
  if (syscall(SYS_close_range, first, last, 0) == 0) return;
#endif
  close_each(first, last);
}
