/* tcp_pingpong.c: the floor of `make bench` between hosts: 8 bytes to and fro over one TCP
 * connection with TCP_NODELAY, once spinning on a non-blocking socket and once blocking in recv;
 * and many bytes one way, in pieces of two sizes.
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

/* The other side says when it has all of them. */
static void stream(long n, size_t size) {
  static char piece[65536];
  size_t left = (size_t)(n * bench_depth(size)) * size;
  while (left > 0) {
    const size_t part = left < sizeof piece ? left : sizeof piece;
    const ssize_t moved = me == 1 ? recv(sock, piece, part, 0)
                                 : send(sock, piece, part < size ? part : size, MSG_NOSIGNAL);
    if (moved <= 0) connect_die(me == 1 ? "recv" : "send");
    left -= (size_t)moved;
  }
  if (me == 1)
    put_word(0);
  else
    get_word();
}

int main(int argc, char **argv) {
  static const size_t pieces[] = {2048, 65536, 0};
  static const bench_test_t tests[] = {
      {"tcp_spin", spin, NULL, UNIT_US, false, 2, bench_size_8},
      {"tcp_block", pingpong, NULL, UNIT_US, false, 2, bench_size_8},
      {"tcp_stream", stream, NULL, UNIT_MBS, false, 0, pieces},
  };
  int one = 1;
  me = argc == 4 && !strcmp(argv[1], "serve");
  npes = 2;
  if (argc < 3) {
    fputs("usage: tcp_pingpong [serve] ADDRESS PORT\n", stderr);
    return 2;
  }
  sock = connect_pair(me == 1, argv[argc - 2], argv[argc - 1]);
  if (setsockopt(sock, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one)) connect_die("setsockopt");
  bench_run(tests, sizeof tests / sizeof tests[0], 1, argv);
  bench_emit("done", 0, 1, "");
  return 0;
}
