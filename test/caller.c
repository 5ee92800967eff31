/*
 * A library that calls what a TCP provider calls, so that its calls can be made to pass by
 * src/fabric. For tests of that without a provider.
 */
#include "caller.h"

#include <unistd.h>

int io_uring_queue_init_params(unsigned entries, void *ring, void *params);

int caller_listen(int fd, int backlog) {
  return listen(fd, backlog);
}

int caller_connect(int fd, const struct sockaddr *to, socklen_t n) {
  return connect(fd, to, n);
}

int caller_accept(int fd) {
  return accept(fd, NULL, NULL);
}

int caller_accept4(int fd) {
  return accept4(fd, NULL, NULL, SOCK_CLOEXEC);
}

ssize_t caller_send(int fd, const void *from, size_t n) {
  return send(fd, from, n, MSG_NOSIGNAL);
}

ssize_t caller_recv(int fd, void *to, size_t n) {
  return recv(fd, to, n, MSG_DONTWAIT);
}

int caller_close(int fd) {
  return close(fd);
}

int caller_begin_ring(void) {
  return io_uring_queue_init_params(1, NULL, NULL);
}
