/*
 * An exchange for Weft's own PEs, beside PMI-1: each gives a blob of the same size in one request,
 * and when all have, each gets one descriptor of memory that holds all of them. By PMI-1's put and
 * get every PE would ask once for every other, a million requests for a thousand PEs.
 *
 *   cmd=weft_gather bytes=N value=HEXADECIMAL     ->  cmd=weft_gathered rc=0, with the descriptor
 */
#include "weftrun/weftrun.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

static int digit(char c) {
  return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* The first of an exchange makes the memory. */
static bool open_memory(gather_t *g, int npes, size_t bytes) {
  if (g->all) return g->bytes == bytes;
  g->fd = memfd_create("weft-gather", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (g->fd < 0) g->fd = open("/dev/shm", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600); /* refused */
  if (g->fd < 0) return false;
  g->bytes = bytes;
  void *all = MAP_FAILED;
  signal(SIGXFSZ, SIG_IGN); /* a size above ulimit -f is an error; no PE starts from here on */
  if (ftruncate(g->fd, (off_t)(bytes * (size_t)npes)) == 0)
    all = mmap(NULL, bytes * (size_t)npes, PROT_READ | PROT_WRITE, MAP_SHARED, g->fd, 0);
  if (all == MAP_FAILED) {
    close(g->fd);
    return false;
  }
  g->all = all;
  return true;
}

bool gather_take(job_t *job, int number, const char *bytes_text, const char *hex) {
  gather_t *g = &job->gather;
  const size_t bytes = strtoul(bytes_text, NULL, 10);
  if (bytes == 0 || strlen(hex) != 2 * bytes || !open_memory(g, job->npes, bytes)) return false;
  unsigned char *to = g->all + (size_t)number * bytes;
  for (size_t i = 0; i < bytes; i++) {
    const int high = digit(hex[2 * i]), low = digit(hex[2 * i + 1]);
    if (high < 0 || low < 0) return false;
    to[i] = (unsigned char)(high << 4 | low);
  }
  return true;
}

static void hand_over(pe_t *pe, int fd) {
  char text[] = "cmd=weft_gathered rc=0\n";
  struct iovec part = {.iov_base = text, .iov_len = sizeof(text) - 1};
  union {
    struct cmsghdr head;
    char room[CMSG_SPACE(sizeof(int))];
  } control;
  struct msghdr message = {.msg_iov = &part,
                           .msg_iovlen = 1,
                           .msg_control = control.room,
                           .msg_controllen = sizeof(control.room)};
  memset(&control, 0, sizeof(control));
  control.head = (struct cmsghdr){
      .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS, .cmsg_len = CMSG_LEN(sizeof(int))};
  memcpy(CMSG_DATA(&control.head), &fd, sizeof(fd));
  if (pe->pmi >= 0 &&
      sendmsg(pe->pmi, &message, MSG_NOSIGNAL | MSG_DONTWAIT) != (ssize_t)part.iov_len) {
    close(pe->pmi);
    pe->pmi = -1;
  }
}

void gather_release(job_t *job) {
  gather_t *g = &job->gather;
  if (!g->all) return;
  munmap(g->all, g->bytes * (size_t)job->npes);
  fcntl(g->fd, F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL);
  for (int i = 0; i < job->npes; i++) {
    if (job->pes[i].gathers) hand_over(&job->pes[i], g->fd);
    job->pes[i].gathers = false;
  }
  close(g->fd);
  *g = (gather_t){.fd = -1};
}
