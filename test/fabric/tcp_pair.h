/* Two ends of a TCP connection on loopback. */
#ifndef WEFT_TEST_TCP_PAIR_H
#define WEFT_TEST_TCP_PAIR_H

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include "check.h"

/* `segment`, `buffer`: bytes of a segment, and of the receive buffer; 0: as they are. */
static inline void tcp_pair(int ends[2], int segment, int buffer) {
  const int listener = socket(AF_INET, SOCK_STREAM, 0);
  struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t n = sizeof at;
  if (segment) setsockopt(listener, IPPROTO_TCP, TCP_MAXSEG, &segment, sizeof segment);
  if (buffer) setsockopt(listener, SOL_SOCKET, SO_RCVBUF, &buffer, sizeof buffer);
  CHECK_EQ(bind(listener, (struct sockaddr *)&at, n), 0);
  CHECK_EQ(listen(listener, 1), 0);
  CHECK_EQ(getsockname(listener, (struct sockaddr *)&at, &n), 0);
  ends[0] = socket(AF_INET, SOCK_STREAM, 0);
  CHECK_EQ(connect(ends[0], (struct sockaddr *)&at, sizeof at), 0);
  CHECK((ends[1] = accept(listener, NULL, NULL)) >= 0);
  close(listener);
}

#endif
