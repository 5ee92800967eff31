/* connect.h: one TCP connection between the two processes of tcp_pingpong.c or fi_pingpong.c. */
#ifndef WEFT_BENCH_CONNECT_H
#define WEFT_BENCH_CONNECT_H

#include <arpa/inet.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static inline _Noreturn void connect_die(const char *what) {
  fprintf(stderr, "pingpong: %s: %s\n", what, strerror(errno));
  exit(1);
}

static inline struct sockaddr_in connect_parse(const char *address, const char *port) {
  struct sockaddr_in a = {.sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(port))};
  if (inet_pton(AF_INET, address, &a.sin_addr) != 1) connect_die("not an IPv4 address");
  return a;
}

static inline int connect_serve(struct sockaddr_in address) {
  int one = 1, listener = socket(AF_INET, SOCK_STREAM, 0);
  setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
  if (bind(listener, (struct sockaddr *)&address, sizeof address) || listen(listener, 1))
    connect_die("listen");
  int connected = accept(listener, NULL, NULL);
  close(listener);
  return connected;
}

/* The server may start a little later than the client. */
static inline int connect_call(struct sockaddr_in address) {
  for (int attempt = 0; attempt < 50; attempt++) {
    int s = socket(AF_INET, SOCK_STREAM, 0);
    if (!connect(s, (struct sockaddr *)&address, sizeof address)) return s;
    close(s);
    usleep(100000);
  }
  return -1;
}

static inline int connect_pair(bool server, const char *ip, const char *port) {
  struct sockaddr_in address = connect_parse(ip, port);
  int s = server ? connect_serve(address) : connect_call(address);
  if (s < 0) connect_die("connect");
  return s;
}

#endif
