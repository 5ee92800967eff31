/*
 * What the provider is told of its connections (src/fabric/looks.c): after some messages of one it
 * is told of that one, also where nothing came; but not for ever, not of a connection that is gone
 * or that it waits to write on, and of nothing that is no connection.
 */
#include <arpa/inet.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>

#include "check.h"
#include "fabric/fabric_internal.h"

enum { ROUNDS = 50, LATEST = 16, MANY = 8 };

static int queue, listener;
static struct sockaddr_in known;

static struct epoll_event event_of(int fd, uint32_t events) {
  return (struct epoll_event){.events = events, .data.fd = fd};
}

static void watch(int what, int fd, uint32_t events) {
  struct epoll_event e = event_of(fd, events);
  CHECK_EQ(weft_looks_control(queue, what, fd, &e), 0);
}

/* ends[1] is looked at. */
static void connect_pair(int ends[2]) {
  ends[0] = socket(AF_INET, SOCK_STREAM, 0);
  CHECK_EQ(connect(ends[0], (struct sockaddr *)&known, sizeof known), 0);
  ends[1] = accept(listener, NULL, NULL);
  CHECK(ends[1] >= 0);
  watch(EPOLL_CTL_ADD, ends[1], EPOLLIN);
}

/* The descriptor that a look tells of, or -1; that `events` are there. */
static int look_for(uint32_t events) {
  struct epoll_event e[MANY];
  const int n = weft_looks_wait(queue, e, MANY, 0);
  CHECK(n >= 0 && n <= 1);
  if (n) CHECK_EQ(e[0].events, events);
  return n ? e[0].data.fd : -1;
}

static int look(void) {
  return look_for(EPOLLIN);
}

/* A byte on its way, and found by one of a few looks. How many told of something before. */
static int pass(int from, int to) {
  char byte = 1;
  CHECK_EQ(write(from, &byte, 1), 1);
  for (int told = 0, looks = 0; looks <= LATEST; looks++) {
    const int fd = look();
    told += fd >= 0;
    if (fd == to && recv(to, &byte, 1, MSG_DONTWAIT) == 1) return told - 1;
  }
  CHECK(!"it is found in 16 looks");
  return -1;
}

/* Looks that tell of something where nothing is, until one does not. */
static int empty_looks(int of) {
  int n = 0;
  for (int fd; (fd = look()) >= 0; n++) CHECK(fd == of && n < LATEST);
  return n;
}

static void row(const int ends[2]) {
  for (int i = 0; i < ROUNDS; i++) pass(ends[0], ends[1]);
}

int main(void) {
  socklen_t n = sizeof known;
  int a[2], b[2], other = eventfd(0, EFD_NONBLOCK);
  uint64_t one = 1;
  queue = epoll_create1(0);
  known = (struct sockaddr_in){.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  listener = socket(AF_INET, SOCK_STREAM, 0);
  CHECK_EQ(bind(listener, (struct sockaddr *)&known, sizeof known), 0);
  CHECK_EQ(listen(listener, 16), 0);
  CHECK_EQ(getsockname(listener, (struct sockaddr *)&known, &n), 0);
  connect_pair(a);
  connect_pair(b);

  row(a);
  CHECK_EQ(empty_looks(a[1]), 0); /* not an endpoint's */
  weft_links_know(&known);
  row(a);
  CHECK_EQ(empty_looks(a[1]), 0); /* nobody has allowed it */
  weft_looks_guess(true);
  row(a);
  CHECK(empty_looks(a[1]) > 0);
  CHECK(pass(b[0], b[1]) > 0); /* found, a little later */
  CHECK_EQ(pass(b[0], b[1]), 0); /* one of each: no row */
  CHECK_EQ(pass(a[0], a[1]), 0);
  CHECK_EQ(empty_looks(a[1]), 0);

  row(a);
  watch(EPOLL_CTL_MOD, a[1], EPOLLIN | EPOLLOUT); /* something is to be written */
  for (int i = 0; i < ROUNDS; i++) CHECK_EQ(look_for(EPOLLOUT), a[1]);
  watch(EPOLL_CTL_MOD, a[1], EPOLLIN);
  row(a);
  CHECK(empty_looks(a[1]) > 0);
  watch(EPOLL_CTL_MOD, a[1], EPOLLIN | EPOLLPRI);
  row(a);
  CHECK_EQ(empty_looks(a[1]), 0); /* more than messages is waited for */
  watch(EPOLL_CTL_MOD, a[1], EPOLLIN);

  row(a);
  watch(EPOLL_CTL_DEL, a[1], EPOLLIN);
  CHECK_EQ(empty_looks(-1), 0);
  row(b);
  weft_looks_closed(b[1]); /* without a word to the queue */
  close(b[1]);
  CHECK_EQ(empty_looks(-1), 0);

  watch(EPOLL_CTL_ADD, other, EPOLLIN);
  for (int i = 0; i < ROUNDS; i++) {
    CHECK_EQ(write(other, &one, sizeof one), sizeof one);
    CHECK_EQ(look(), other);
    CHECK_EQ(read(other, &one, sizeof one), sizeof one);
    CHECK_EQ(look(), -1);
  }
  return 0;
}
