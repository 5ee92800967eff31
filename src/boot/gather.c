/*
 * weftrun's own exchange (tools/weftrun/gather.c): one request, and one descriptor of memory with
 * the blobs of all PEs comes back, whatever their number.
 */
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/base.h"
#include "boot/boot_internal.h"

enum { LINE_MAX_BYTES = 256 };

/* The answer's line, and the descriptor that came with it, or -1. -EMFILE: it came, and this
 * process may not have another one. */
static int receive(int from, char line[LINE_MAX_BYTES], int *fd) {
  size_t have = 0;
  bool lost = false;
  *fd = -1;
  while (have < LINE_MAX_BYTES - 1) {
    struct iovec part = {.iov_base = line + have, .iov_len = LINE_MAX_BYTES - 1 - have};
    union {
      struct cmsghdr head;
      char room[CMSG_SPACE(sizeof(int))];
    } control;
    struct msghdr message = {.msg_iov = &part,
                             .msg_iovlen = 1,
                             .msg_control = control.room,
                             .msg_controllen = sizeof control.room};
    ssize_t n = recvmsg(from, &message, MSG_CMSG_CLOEXEC);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return n == 0 ? -ECONNRESET : -errno;
    lost |= message.msg_flags & MSG_CTRUNC;
    const struct cmsghdr *head = CMSG_FIRSTHDR(&message);
    if (head && head->cmsg_level == SOL_SOCKET && head->cmsg_type == SCM_RIGHTS)
      memcpy(fd, CMSG_DATA(head), sizeof *fd);
    have += (size_t)n;
    line[have] = '\0';
    if (line[have - 1] == '\n') return lost ? -EMFILE : 0;
  }
  return -EMSGSIZE;
}

size_t weft_boot_gather_request(const void *mine, size_t len,
                                char request[WEFT_BOOT_GATHER_REQUEST]) {
  const int n =
      snprintf(request, WEFT_BOOT_GATHER_REQUEST, "cmd=weft_gather bytes=%zu value=", len);
  weft_boot_pmi1_encode(mine, len, request + n);
  request[(size_t)n + 2 * len] = '\n';
  return (size_t)n + 2 * len + 1;
}

int weft_boot_gather(int fd, int npes, const void *mine, size_t len, void *all, size_t stride) {
  char request[WEFT_BOOT_GATHER_REQUEST], line[LINE_MAX_BYTES];
  int memory = -1;
  int rc = weft_boot_pmi1_send(fd, request, weft_boot_gather_request(mine, len, request));
  if (rc == 0) rc = receive(fd, line, &memory);
  if (rc == -EMFILE) {
    weft_warn("this process has as many files open as it may (ulimit -n), and weftrun gives it "
              "another one");
    return rc;
  }
  if (rc < 0) {
    weft_warn("weftrun does not answer: %s; is it still there?", strerror(-rc));
    return rc;
  }
  const size_t bytes = len * (size_t)npes;
  const char *blobs = MAP_FAILED;
  struct stat have;
  if (memory >= 0) {
    if (fstat(memory, &have) == 0 && have.st_size >= (off_t)bytes)
      blobs = mmap(NULL, bytes, PROT_READ, MAP_SHARED, memory, 0);
    close(memory);
  }
  if (blobs == MAP_FAILED) {
    line[strcspn(line, "\n")] = '\0';
    weft_warn("weftrun refuses to exchange %zu bytes: '%s'; is every PE linked with the same Weft?",
              len, line);
    return -EPROTO;
  }
  for (int pe = 0; pe < npes; pe++)
    memcpy((char *)all + (size_t)pe * stride, blobs + (size_t)pe * len, len);
  munmap((void *)(uintptr_t)blobs, bytes);
  return 0;
}
