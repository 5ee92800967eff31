/*
 * weftrun's own exchange: any answer, and a descriptor of memory of any size. The first byte of an
 * input is that size, in units of 32 bytes; 255: no descriptor. The rest is the answer.
 */
#define _GNU_SOURCE
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "boot/boot_internal.h"
#include "fuzz.h"

enum { NPES = 3, BYTES = WEFT_BOOT_GATHER_MAX };

static bool answer(int fd, const uint8_t *line, size_t n, int units) {
  struct iovec part = {.iov_base = (void *)(uintptr_t)line, .iov_len = n};
  union {
    struct cmsghdr head;
    char room[CMSG_SPACE(sizeof(int))];
  } control = {.head = {.cmsg_len = CMSG_LEN(sizeof(int)),
                        .cmsg_level = SOL_SOCKET,
                        .cmsg_type = SCM_RIGHTS}};
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
  int memory = -1;
  if (units < 255) {
    memory = memfd_create("blobs", MFD_CLOEXEC);
    if (memory < 0 || ftruncate(memory, 32 * units) < 0) return false;
    memcpy(CMSG_DATA(&control.head), &memory, sizeof memory);
    message.msg_control = control.room;
    message.msg_controllen = sizeof control.room;
  }
  const bool sent = sendmsg(fd, &message, MSG_DONTWAIT) == (ssize_t)n;
  if (memory >= 0) close(memory);
  return sent;
}

bool fuzz_input(const uint8_t *data, size_t size) {
  static char mine[BYTES], all[NPES * BYTES];
  int ends[2];
  if (size < 2 || size > 4096 || socketpair(AF_UNIX, SOCK_STREAM, 0, ends) < 0) return false;
  const bool sent = answer(ends[1], data + 1, size - 1, data[0]);
  shutdown(ends[1], SHUT_WR);
  const bool taken = sent && weft_boot_gather(ends[0], NPES, mine, BYTES, all, BYTES) == 0;
  close(ends[0]);
  close(ends[1]);
  return taken;
}
