/* caller: a library whose calls pass by src/fabric, as a TCP provider's do (caller.c). */
#ifndef WEFT_TEST_CALLER_H
#define WEFT_TEST_CALLER_H

#include <sys/socket.h>
#include <sys/types.h>

int caller_listen(int fd, int backlog);
int caller_connect(int fd, const struct sockaddr *to, socklen_t n);
int caller_accept(int fd);
int caller_accept4(int fd);
ssize_t caller_send(int fd, const void *from, size_t n);
ssize_t caller_recv(int fd, void *to, size_t n); /* does not wait */
int caller_close(int fd);
int caller_begin_ring(void);

#endif
