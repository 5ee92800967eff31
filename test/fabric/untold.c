/*
 * A connection that was taken out of the kernel's list (src/fabric/looks.c) is not taken back, as
 * the kernel has no memory. Then who sleeps until something comes does not sleep for long, and is
 * told of it; and the list has it as soon as there is memory. Later it is taken out again, also
 * without a pause, as this clock stands still.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/socket.h>

#include "check.h"
#include "fabric/fabric_internal.h"

enum { TRIES = 100000 };

static int queue;
static bool full;

int __real_epoll_ctl(int queue, int what, int fd, struct epoll_event *event);
int __wrap_epoll_ctl(int queue, int what, int fd, struct epoll_event *event);

int __wrap_epoll_ctl(int in, int what, int fd, struct epoll_event *event) {
  if (!full || what != EPOLL_CTL_ADD) return __real_epoll_ctl(in, what, fd, event);
  errno = ENOSPC;
  return -1;
}

uint64_t __wrap_weft_clock_ns(void);

uint64_t __wrap_weft_clock_ns(void) {
  return 1;
}

static void connect_pair(int ends[2]) {
  struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t n = sizeof at;
  const int listener = socket(AF_INET, SOCK_STREAM, 0);
  CHECK_EQ(bind(listener, (struct sockaddr *)&at, sizeof at), 0);
  CHECK_EQ(listen(listener, 1), 0);
  CHECK_EQ(getsockname(listener, (struct sockaddr *)&at, &n), 0);
  weft_links_know(&at);
  ends[0] = socket(AF_INET, SOCK_STREAM, 0);
  CHECK_EQ(connect(ends[0], (struct sockaddr *)&at, sizeof at), 0);
  ends[1] = accept(listener, NULL, NULL);
  CHECK(ends[1] >= 0);
  CHECK_EQ(close(listener), 0);
}

/* A busy kernel may take a while to pass on what was written. */
static bool has_come(int fd) {
  return poll(&(struct pollfd){.fd = fd, .events = POLLIN}, 1, -1) == 1;
}

/* Messages, until the kernel does not tell of one. That is there at return. */
static void take_out(const int ends[2]) {
  struct epoll_event e;
  char byte = 1;
  for (int i = 0;; i++) {
    CHECK_EQ(write(ends[0], &byte, 1), 1);
    if (epoll_wait(queue, &e, 1, 0) == 0 && has_come(ends[1]) && epoll_wait(queue, &e, 1, 0) == 0)
      return;
    CHECK_EQ(weft_looks_wait(queue, &e, 1, 0), 1);
    CHECK_EQ(recv(ends[1], &byte, 1, 0), 1);
    for (int k = 0; k < 15; k++) weft_looks_wait(queue, &e, 1, 0);
    CHECK(i < TRIES);
  }
}

int main(void) {
  struct epoll_event e = {.events = EPOLLIN};
  int ends[2];
  queue = epoll_create1(0);
  connect_pair(ends);
  e.data.fd = ends[1];
  CHECK_EQ(weft_looks_control(queue, EPOLL_CTL_ADD, ends[1], &e), 0);
  weft_looks_allow(true, false);
  take_out(ends);
  full = true;
  const int ms = weft_looks_sleep(-1);
  CHECK(ms >= 0 && ms < 10);
  weft_looks_wake();
  CHECK_EQ(weft_looks_sleep(0), 0);
  weft_looks_wake();
  e.data.fd = -1;
  CHECK_EQ(weft_looks_wait(queue, &e, 1, -1), 1);
  CHECK_EQ(e.data.fd, ends[1]);
  full = false;
  CHECK_EQ(weft_looks_sleep(-1), -1);
  CHECK_EQ(epoll_wait(queue, &e, 1, 0), 1);
  CHECK_EQ(recv(ends[1], &(char){0}, 1, 0), 1);
  weft_looks_wake();
  take_out(ends);
  return 0;
}
