/* tcp_pingpong.c: the floor of `make bench` between hosts: 8 bytes to and fro over one TCP
 * connection with TCP_NODELAY, once spinning on a non-blocking socket and once blocking in recv.
 *   tcp_pingpong serve ADDRESS PORT      (waits for one client, then ends)
 *   tcp_pingpong ADDRESS PORT            (prints the CSV lines) */
#include <netinet/tcp.h>

#include "bench.h"
#include "connect.h"
#include "pair.h"

static int sock = -1, flags;

static void put_word(uint64_t word) {
  if (send(sock, &word, sizeof word, MSG_NOSIGNAL) != sizeof word) connect_die("send");
}

static uint64_t get_word(void) {
  uint64_t word = 0;
  for (size_t have = 0; have < sizeof word;) {
    ssize_t n = recv(sock, (char *)&word + have, sizeof word - have, flags);
    if (n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR)) connect_die("recv");
    have += n > 0 ? (size_t)n : 0;
  }
  return word;
}

static void spin(long n, size_t size) {
  flags = MSG_DONTWAIT;
  pingpong(n, size);
  flags = 0;
}

int main(int argc, char **argv) {
  static const bench_test_t tests[] = {
      {"tcp_spin", spin, NULL, UNIT_US, false, 2, bench_size_8},
      {"tcp_block", pingpong, NULL, UNIT_US, false, 2, bench_size_8},
  };
  int one = 1;
  server = argc == 4 && !strcmp(argv[1], "serve");
  if (argc < 3) {
    fputs("usage: tcp_pingpong [serve] ADDRESS PORT\n", stderr);
    return 2;
  }
  sock = connect_pair(server, argv[argc - 2], argv[argc - 1]);
  if (setsockopt(sock, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one)) connect_die("setsockopt");
  bench_run(tests, sizeof tests / sizeof tests[0], 1, argv);
  bench_emit("done", 0, 1, "");
  return 0;
}
