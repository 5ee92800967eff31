/*
 * What the provider is told of its connections (src/fabric/looks.c): after some messages of one it
 * is told of that one, also where nothing came; but the kernel is asked for others in between, and
 * it is told neither of a connection that is gone or that it waits to write on, nor of what is no
 * connection. And it is told of those that it has stopped reading from. After a while the one that
 * it is told of is taken out of the kernel's list, until something else happens than looks at it:
 * that may be done by another thread.
 */
#include <arpa/inet.h>
#include <dlfcn.h>
#include <poll.h>
#include <pthread.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>

#include "check.h"
#include "fabric/fabric_internal.h"

enum { ROUNDS = 200, MANY = 8, ENOUGH = 1000000, MOST_GUESSES = 15, TRIES = 100000 };

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

/* A byte on its way, and found. How many looks told of something else before. */
static int pass(int from, int to) {
  char byte = 1;
  int told = 0;
  CHECK_EQ(write(from, &byte, 1), 1);
  for (int looks = 0;; looks++) {
    const int fd = look();
    if (fd == to && recv(to, &byte, 1, MSG_DONTWAIT) == 1) return told;
    told += fd >= 0;
    CHECK(looks < ENOUGH);
  }
}

/* Looks that tell of something where nothing is, until one asks the kernel. */
static int empty_looks(int of) {
  int n = 0;
  for (int fd; n < MOST_GUESSES && (fd = look()) >= 0; n++) CHECK_EQ(fd, of);
  return n;
}

/* The same after each of many messages. (The time for guesses may be over before the first look.)
 */
static int guesses(const int ends[2]) {
  int n = 0;
  for (int i = 0; i < ROUNDS; i++) {
    pass(ends[0], ends[1]);
    n += empty_looks(ends[1]);
  }
  return n;
}

/* It stops reading from a connection, and is told of it all the same, if that is wanted. */
static void check_stopped(int fd, int other) {
  struct epoll_event e[MANY];
  watch(EPOLL_CTL_MOD, fd, 0);
  CHECK_EQ(look(), fd);
  watch(EPOLL_CTL_MOD, fd, EPOLLOUT);
  CHECK_EQ(weft_looks_wait(queue, e, MANY, 0), 2); /* the kernel's and this one */
  CHECK(e[0].events == EPOLLOUT && e[1].events == EPOLLIN);
  CHECK_EQ(e[0].data.fd, fd);
  CHECK_EQ(e[1].data.fd, fd);
  CHECK_EQ(weft_looks_wait(queue, e, 1, 0), 1); /* never more than there is room for */
  watch(EPOLL_CTL_MOD, other, 0);
  CHECK_EQ(weft_looks_wait(queue, e, MANY, 0), 3);
  CHECK_EQ(weft_looks_wait(queue, e, MANY, 1), 1); /* a wait is the kernel's alone */
  watch(EPOLL_CTL_MOD, other, EPOLLIN);
  weft_looks_allow(true, false);
  CHECK_EQ(look_for(EPOLLOUT), fd);
  weft_looks_allow(true, true);
  watch(EPOLL_CTL_DEL, fd, 0);
  CHECK_EQ(look(), -1);
  watch(EPOLL_CTL_ADD, fd, 0); /* nothing was read before */
  CHECK_EQ(look(), -1);
  watch(EPOLL_CTL_MOD, fd, EPOLLIN);
  CHECK_EQ(look(), -1);
}

/* How many the kernel tells of. */
static int ask_kernel(void) {
  struct epoll_event e[MANY];
  return epoll_wait(queue, e, MANY, 0);
}

/* A busy kernel may take a while to pass on what was written. */
static bool has_come(int fd) {
  return poll(&(struct pollfd){.fd = fd, .events = POLLIN}, 1, -1) == 1;
}

/* Messages of this one until the kernel tells of none, and one more, which is there at return. */
static void take_out(const int ends[2]) {
  char byte = 1;
  for (int i = 0;; i++) {
    CHECK_EQ(write(ends[0], &byte, 1), 1);
    if (ask_kernel() == 0 && has_come(ends[1]) && ask_kernel() == 0) return;
    pass(ends[0], ends[1]);
    CHECK_EQ(recv(ends[1], &byte, 1, 0), 1);
    empty_looks(ends[1]);
    CHECK(i < TRIES);
  }
}

/* A byte of this one, while the other has something. (After a pause a look tells of both.) */
static void pass_beside(const int ends[2]) {
  struct epoll_event e[MANY];
  char byte = 1;
  bool told = false;
  CHECK_EQ(write(ends[0], &byte, 1), 1);
  for (int looks = 0; !told; looks++) {
    const int n = weft_looks_wait(queue, e, MANY, 0);
    for (int i = 0; i < n; i++) told |= e[i].data.fd == ends[1];
    CHECK(looks < ENOUGH);
  }
  CHECK_EQ(recv(ends[1], &byte, 1, MSG_DONTWAIT), 1);
}

static void check_out(const int a[2], const int b[2]) {
  char bytes[4];
  for (int way = 0; way < 5; way++) {
    take_out(a);
    for (int i = 0; i < 2 * MOST_GUESSES; i++) CHECK_EQ(look(), a[1]);
    if (way == 0) CHECK_EQ(weft_looks_sleep(7), 7), weft_looks_wake();
    if (way == 1) usleep(1000);
    if (way == 2) pass_beside(b);
    if (way == 3) watch(EPOLL_CTL_MOD, a[1], EPOLLIN);
    if (way == 4) watch(EPOLL_CTL_MOD, b[1], EPOLLIN);
    if (way == 1) CHECK_EQ(look(), a[1]);
    CHECK_EQ(ask_kernel(), 1);
    CHECK_EQ(look(), a[1]);
    CHECK_EQ(recv(a[1], bytes, sizeof bytes, MSG_DONTWAIT), 1);
  }
  CHECK_EQ(weft_looks_sleep(-1), -1);
  for (int i = 0; i < ROUNDS; i++) { /* not while somebody sleeps */
    for (int k = 0; k < 8; k++) pass(a[0], a[1]);
    empty_looks(a[1]);
    CHECK_EQ(write(a[0], bytes, 1), 1);
    CHECK_EQ(ask_kernel(), 1);
    pass(a[0], a[1]);
    CHECK_EQ(recv(a[1], bytes, 1, 0), 1);
  }
  weft_looks_wake();
  take_out(a);
  struct epoll_event event;
  CHECK_EQ(weft_looks_wait(queue, &event, 1, 1000), 1); /* it is there before a wait */
  CHECK_EQ(recv(a[1], bytes, sizeof bytes, MSG_DONTWAIT), 1);
}

static int threads_end;

static void *look_on(void *arg) {
  struct epoll_event e[MANY];
  while (!weft_peek(&threads_end)) weft_looks_wait(queue, e, MANY, 0);
  return arg;
}

/* It has something all the time, so threads that look take it out whenever they may. */
static void check_threads(const int ends[2]) {
  enum { LOOKERS = 3, CHANGES = WEFT_TSAN ? 100000 : 1500000 };
  pthread_t lookers[LOOKERS];
  char byte = 1;
  CHECK_EQ(write(ends[0], &byte, 1), 1);
  for (int i = 0; i < LOOKERS; i++) CHECK_EQ(pthread_create(&lookers[i], NULL, look_on, NULL), 0);
  for (int i = 0; i < CHANGES; i++) watch(EPOLL_CTL_MOD, ends[1], EPOLLIN);
  weft_poke(&threads_end, 1);
  for (int i = 0; i < LOOKERS; i++) CHECK_EQ(pthread_join(lookers[i], NULL), 0);
  CHECK_EQ(recv(ends[1], &byte, 1, 0), 1);
}

/* The provider's calls come here. */
static void check_hooked(void) {
  weft_fabric_t fabric;
  CHECK_EQ(weft_options_read(), 0);
  CHECK_EQ(weft_fabric_find(&fabric, "auto", NULL, "auto"), 0);
  CHECK_EQ(weft_fabric_open(&fabric), 0);
  void *library = dlopen("libfabric.so.1", RTLD_NOW | RTLD_NOLOAD);
  CHECK(library != NULL);
  const void *function = dlsym(library, "fi_getinfo");
  CHECK(weft_calls_set(function, "epoll_wait", NULL) == (void *)weft_looks_wait);
  CHECK(weft_calls_set(function, "epoll_ctl", NULL) == (void *)weft_looks_control);
  weft_fabric_close(&fabric);
}

int main(void) {
  socklen_t n = sizeof known;
  int a[2], b[2], c[2], other = eventfd(0, EFD_NONBLOCK);
  uint64_t one = 1;
  queue = epoll_create1(0);
  known = (struct sockaddr_in){.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  listener = socket(AF_INET, SOCK_STREAM, 0);
  CHECK_EQ(bind(listener, (struct sockaddr *)&known, sizeof known), 0);
  CHECK_EQ(listen(listener, 16), 0);
  CHECK_EQ(getsockname(listener, (struct sockaddr *)&known, &n), 0);
  connect_pair(a);
  connect_pair(b);

  CHECK_EQ(guesses(a), 0); /* nobody has allowed it */
  weft_looks_allow(true, true);
  CHECK_EQ(guesses(a), 0); /* not an endpoint's */
  weft_links_know(&known);
  watch(EPOLL_CTL_DEL, a[1], 0);
  watch(EPOLL_CTL_ADD, a[1], EPOLLIN);
  CHECK(guesses(a) > 0);
  CHECK(pass(b[0], b[1]) <= MOST_GUESSES);
  CHECK(guesses(a) > 0);
  usleep(1000);
  CHECK_EQ(pass(b[0], b[1]), 0); /* after a pause the kernel is asked */
  for (int i = 0; i < ROUNDS; i++) { /* one of each is no row */
    CHECK_EQ(pass(a[0], a[1]), 0);
    CHECK_EQ(pass(b[0], b[1]), 0);
  }

  guesses(a);
  watch(EPOLL_CTL_MOD, a[1], EPOLLIN | EPOLLOUT); /* something is to be written */
  for (int i = 0; i < ROUNDS; i++) CHECK_EQ(look_for(EPOLLOUT), a[1]);
  watch(EPOLL_CTL_MOD, a[1], EPOLLIN);
  CHECK(guesses(a) > 0);
  watch(EPOLL_CTL_MOD, a[1], EPOLLIN | EPOLLPRI);
  CHECK_EQ(guesses(a), 0); /* more than messages is waited for */
  watch(EPOLL_CTL_MOD, a[1], EPOLLIN);

  for (int i = 0; i < ROUNDS; i++) {
    for (int k = 0; k < 8; k++) pass(a[0], a[1]);
    watch(EPOLL_CTL_DEL, a[1], EPOLLIN);
    CHECK_EQ(look(), -1);
    watch(EPOLL_CTL_ADD, a[1], EPOLLIN);
  }
  for (int i = 0; i < ROUNDS; i++) {
    connect_pair(c);
    for (int k = 0; k < 8; k++) pass(c[0], c[1]);
    weft_looks_forget(c[1]); /* without a word to the queue */
    close(c[1]);
    CHECK_EQ(look(), -1);
    close(c[0]);
  }

  check_out(a, b);
  check_threads(a);
  check_stopped(a[1], b[1]);
  watch(EPOLL_CTL_ADD, other, EPOLLIN);
  for (int i = 0; i < ROUNDS; i++) {
    CHECK_EQ(write(other, &one, sizeof one), sizeof one);
    CHECK_EQ(look(), other);
    CHECK_EQ(read(other, &one, sizeof one), sizeof one);
    CHECK_EQ(look(), -1);
  }
  check_hooked();
  return 0;
}
