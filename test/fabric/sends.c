/*
 * What a provider sends by sendmsg arrives as it would without weft_sends_message, whether it is
 * short enough to be put together or not: in order, as much of it as there is room for, and with
 * the kernel's errors. What is in front of another message leaves with it.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/sockios.h>
#include <sys/ioctl.h>

#include "fabric/fabric_internal.h"
#include "fabric/tcp_pair.h"

enum { MOST = 20000, PARTS = 3 };

static char out[PARTS][MOST], in[PARTS * MOST];

static ssize_t send_parts(int fd, const size_t *sizes) {
  struct iovec parts[PARTS];
  for (int i = 0; i < PARTS; i++)
    parts[i] = (struct iovec){.iov_base = out[i], .iov_len = sizes[i]};
  return weft_sends_message(fd, &(struct msghdr){.msg_iov = parts, .msg_iovlen = PARTS},
                            MSG_NOSIGNAL);
}

static void arrives(const int *ends, size_t a, size_t b, size_t c) {
  const size_t sizes[PARTS] = {a, b, c}, n = a + b + c;
  CHECK_EQ(send_parts(ends[0], sizes), (ssize_t)n);
  if (n == 0) return;
  CHECK_EQ(recv(ends[1], in, n, MSG_WAITALL), (ssize_t)n);
  const char *at = in;
  for (int i = 0; i < PARTS; at += sizes[i++]) CHECK(memcmp(at, out[i], sizes[i]) == 0);
}

/* Until there is no room: what was taken is what arrives. */
static void fills(const int *ends) {
  const size_t sizes[PARTS] = {16, 3000, 1000}, n = 4016;
  size_t sent = 0;
  ssize_t taken;
  CHECK_EQ(fcntl(ends[0], F_SETFL, O_NONBLOCK), 0);
  while ((taken = send_parts(ends[0], sizes)) > 0) {
    sent += (size_t)taken;
    if ((size_t)taken < n) break;
  }
  CHECK_EQ(send_parts(ends[0], sizes), -1);
  CHECK_EQ(errno, EAGAIN);
  for (size_t at = 0; at < sent; at++) {
    char byte;
    CHECK_EQ(recv(ends[1], &byte, 1, 0), 1);
    const size_t k = at % n;
    CHECK_EQ(byte, k < 16 ? out[0][k] : k < 3016 ? out[1][k - 16] : out[2][k - 3016]);
  }
}

static int unsent(int fd) {
  int bytes = -1;
  CHECK_EQ(ioctl(fd, SIOCOUTQNSD, &bytes), 0);
  return bytes;
}

/* The first message is in front; any other leaves at once, also meanwhile. */
static void goes_in_front(void) {
  const size_t front[PARTS] = {40, 0, WEFT_PIECE_APART}, other[PARTS] = {16, 0, 100};
  int ends[2];
  const int one = 1;
  tcp_pair(ends, 0, 0);
  CHECK_EQ(setsockopt(ends[0], IPPROTO_TCP, TCP_NODELAY, &one, sizeof one), 0);
  weft_sends_in_front(out[2]);
  CHECK_EQ(send_parts(ends[0], front), 104);
  CHECK_EQ(unsent(ends[0]), 104);
  CHECK_EQ(send_parts(ends[0], other), 116);
  CHECK_EQ(unsent(ends[0]), 0);
  weft_sends_in_front(NULL);
  CHECK_EQ(send_parts(ends[0], front), 104);
  CHECK_EQ(unsent(ends[0]), 0);
  CHECK_EQ(recv(ends[1], in, 324, MSG_WAITALL), 324);
}

int main(void) {
  int ends[2];
  CHECK_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
  for (int i = 0; i < PARTS; i++)
    for (int k = 0; k < MOST; k++) out[i][k] = (char)(i * 31 + k * 7 + k / 256);
  arrives(ends, 0, 0, 0);
  arrives(ends, 16, 512, 0);
  arrives(ends, 0, 1, 4095);
  arrives(ends, 16, 8176, 0);
  arrives(ends, 16, 8176, 1);
  arrives(ends, 40, MOST, MOST);
  fills(ends);
  close(ends[1]);
  const size_t some[PARTS] = {16, 64, 0};
  CHECK_EQ(send_parts(ends[0], some), -1);
  CHECK_EQ(errno, EPIPE);
  goes_in_front();
  return 0;
}
