/*
 * Who connects proves that they know the secret (src/fabric/door.c), whichever call takes the
 * connection; a stranger is refused, whatever they say, and so are descriptors for which there is
 * no room. What a descriptor was before is forgotten, a child of fork leaves the door alone, many
 * may connect at once, and who uses io_uring has no door.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "caller.h"
#include "check.h"
#include "fabric/fabric_internal.h"

enum { THREADS = 6, EACH = 30, FEW = 64 };

static struct sockaddr_in known;
static int listener, rings;

int io_uring_queue_init_params(unsigned entries, void *ring, void *params);
int io_uring_queue_init_params(unsigned entries, void *ring, void *params) {
  (void)ring, (void)params;
  rings += (int)entries;
  return 0;
}

static int knock(bool honest) {
  const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  int (*const how)(int, const struct sockaddr *, socklen_t) = honest ? caller_connect : connect;
  CHECK(fd >= 0 && how(fd, (struct sockaddr *)&known, sizeof known) == 0);
  return fd;
}

/* What the provider hears of a connection on which something was sent. */
static ssize_t hear(int fd, char *to, size_t n) {
  CHECK_EQ(poll(&(struct pollfd){.fd = fd, .events = POLLIN}, 1, 30000), 1);
  errno = 0;
  return caller_recv(fd, to, n);
}

static void let_in(int (*take)(int)) {
  char text[8] = "";
  const int from = knock(true), to = take(listener);
  CHECK_EQ(caller_recv(to, text, sizeof text), -1);
  CHECK_EQ(errno, EAGAIN);
  CHECK_EQ(caller_send(from, "hello", 6), 6);
  CHECK_EQ(hear(to, text, sizeof text), 6);
  CHECK_STR(text, "hello");
  CHECK_EQ(caller_send(to, "you", 4), 4);
  CHECK_EQ(hear(from, text, sizeof text), 4);
  CHECK_STR(text, "you");
  caller_close(from);
  CHECK_EQ(hear(to, text, sizeof text), 0);
  caller_close(to);
}

static void turn_away(int (*take)(int), size_t n) {
  static const char greeting[64] = {3};
  char text[64];
  const unsigned before = weft_fabric_refused();
  const int from = knock(false), to = take(listener);
  CHECK(to >= 0);
  if (n) CHECK_EQ(send(from, greeting, n, 0), n);
  if (!n) close(from);
  CHECK_EQ(hear(to, text, sizeof text), -1);
  CHECK_EQ(errno, ECONNREFUSED);
  CHECK_EQ(weft_fabric_refused(), before + (n > 0));
  if (n) close(from);
  caller_close(to);
}

/* A stranger's descriptor is another connection afterwards, of the provider and none of the job. */
static void check_reuse(bool noted) {
  struct sockaddr_in other = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  char text[8] = "";
  socklen_t n = sizeof other;
  const int beside = socket(AF_INET, SOCK_STREAM, 0);
  CHECK_EQ(bind(beside, (struct sockaddr *)&other, sizeof other), 0);
  CHECK(listen(beside, 1) == 0 && getsockname(beside, (struct sockaddr *)&other, &n) == 0);
  const int stranger = knock(false), to = caller_accept(listener), from = socket(AF_INET, 1, 0);
  CHECK(weft_door_is_shut(to));
  CHECK_EQ((noted ? caller_close : close)(to), 0);
  CHECK_EQ(weft_door_is_shut(to), !noted);
  CHECK_EQ(connect(from, (struct sockaddr *)&other, sizeof other), 0);
  CHECK_EQ(caller_accept(beside), to);
  CHECK_EQ(send(from, "abc", 4, 0), 4);
  CHECK_EQ(hear(to, text, sizeof text), 4);
  caller_close(to), close(from), close(stranger), close(beside);
}

static void *connect_many(void *arg) {
  for (int i = 0; i < EACH; i++) {
    const int fd = knock(true);
    CHECK_EQ(caller_send(fd, &i, sizeof i), sizeof i);
    char end;
    CHECK_EQ(recv(fd, &end, 1, 0), 0); /* until the other end has closed it */
    caller_close(fd);
  }
  return arg;
}

static void check_threads(void) {
  pthread_t threads[THREADS];
  const unsigned before = weft_fabric_refused();
  for (int i = 0; i < THREADS; i++)
    CHECK_EQ(pthread_create(&threads[i], NULL, connect_many, NULL), 0);
  for (int i = 0, said; i < THREADS * EACH; i++) {
    const int fd = caller_accept(listener);
    CHECK_EQ(hear(fd, (char *)&said, sizeof said), sizeof said);
    CHECK(said >= 0 && said < EACH);
    caller_close(fd);
  }
  for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
  CHECK_EQ(weft_fabric_refused(), before);
}

/* A child has its parent's descriptors, and ends; it may connect, too. */
static void check_fork(void) {
  char text[8] = "";
  int status;
  const int from = knock(true), to = caller_accept(listener);
  const pid_t child = fork();
  if (child == 0) {
    caller_close(from), caller_close(to);
    const int own = knock(true);
    _exit(caller_send(own, "child", 6) != 6);
  }
  const int of_child = caller_accept(listener);
  CHECK(child > 0 && waitpid(child, &status, 0) == child && status == 0);
  CHECK_EQ(hear(of_child, text, sizeof text), 6);
  CHECK_EQ(caller_send(from, "self", 5), 5);
  CHECK_EQ(hear(to, text, sizeof text), 5);
  CHECK_STR(text, "self");
  caller_close(from), caller_close(to), caller_close(of_child);
}

/* The limit of descriptors has grown since: nobody is let in unasked. */
static void check_room(rlim_t limit) {
  int low[FEW], n = 0;
  if (setrlimit(RLIMIT_NOFILE, &(struct rlimit){limit, limit}) != 0) return; /* not root */
  while (n < FEW && (low[n] = dup(listener)) < FEW) n++;
  const int beyond = socket(AF_INET, SOCK_STREAM, 0);
  CHECK(beyond >= FEW);
  CHECK_EQ(caller_connect(beyond, (struct sockaddr *)&known, sizeof known), -1);
  CHECK_EQ(errno, EMFILE);
  CHECK_EQ(connect(beyond, (struct sockaddr *)&known, sizeof known), 0);
  CHECK_EQ(caller_accept(listener), -1);
  CHECK_EQ(errno, EMFILE);
  while (n-- > 0) close(low[n]);
  close(beyond);
}

int main(void) {
  static const weft_secret_t secret = {{1, 2}};
  struct rlimit files;
  socklen_t n = sizeof known;
  void *const function = (void *)caller_send;
  CHECK_EQ(weft_options_read(), 0);
  CHECK_EQ(getrlimit(RLIMIT_NOFILE, &files), 0);
  CHECK_EQ(setrlimit(RLIMIT_NOFILE, &(struct rlimit){FEW, FEW}), 0);
  weft_links_begin(function);
  weft_receive_window_begin(function);
  weft_door_begin(function);
  known = (struct sockaddr_in){.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  listener = socket(AF_INET, SOCK_STREAM, 0);
  CHECK_EQ(bind(listener, (struct sockaddr *)&known, sizeof known), 0);
  CHECK_EQ(getsockname(listener, (struct sockaddr *)&known, &n), 0);
  CHECK(!weft_links_listens(&known));
  CHECK_EQ(caller_listen(listener, 16), 0);
  CHECK(weft_links_listens(&known));
  weft_links_know_own(&known);
  CHECK_EQ(weft_fabric_shut_door(&secret), 0);
  for (int i = 0; i < 2; i++) let_in(i ? caller_accept4 : caller_accept);
  for (size_t bytes = 0; bytes <= 64; bytes++)
    turn_away(bytes & 1 ? caller_accept4 : caller_accept, bytes);
  check_reuse(true);
  check_reuse(false);
  check_threads();
  check_fork();
  check_room(files.rlim_max);
  CHECK_EQ(caller_begin_ring(), 0);
  CHECK_EQ(rings, 1);
  CHECK(!weft_fabric_has_door(&(weft_endpoint_t){.fabric = &(weft_fabric_t){.name = "tcp"}}));
  return 0;
}
