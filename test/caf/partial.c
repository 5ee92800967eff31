/*
 * The kernel moves no more than 2 GB by one process_vm_readv or process_vm_writev, and says how
 * much it has moved. Here it moves 1,000 bytes (partial.f90).
 */
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum { MOST = 1000 };

static ssize_t move(long call, pid_t pid, const struct iovec *here, unsigned long nhere,
                    const struct iovec *there, unsigned long nthere, unsigned long flags) {
  struct iovec less = *here;
  if (less.iov_len > MOST) less.iov_len = MOST;
  return syscall(call, pid, &less, nhere, there, nthere, flags);
}

ssize_t process_vm_readv(pid_t pid, const struct iovec *here, unsigned long nhere,
                         const struct iovec *there, unsigned long nthere, unsigned long flags) {
  return move(SYS_process_vm_readv, pid, here, nhere, there, nthere, flags);
}

ssize_t process_vm_writev(pid_t pid, const struct iovec *here, unsigned long nhere,
                          const struct iovec *there, unsigned long nthere, unsigned long flags) {
  return move(SYS_process_vm_writev, pid, here, nhere, there, nthere, flags);
}
