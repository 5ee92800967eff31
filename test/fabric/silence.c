/*
 * A receiver without room that takes nothing for long is not a silent one: the kernel asks it, and
 * is answered. Before Linux 6.15 it asks after ever longer pauses; so does it here, as it is not
 * told the longest one. test: unit
 */
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>

#include "link_ends.h"

int __real_setsockopt(int fd, int level, int name, const void *value, socklen_t n);
int __wrap_setsockopt(int fd, int level, int name, const void *value, socklen_t n);

/* TCP_RTO_MAX_MS, which older headers do not have. */
int __wrap_setsockopt(int fd, int level, int name, const void *value, socklen_t n) {
  if (level == IPPROTO_TCP && name == 44) return -1;
  return __real_setsockopt(fd, level, name, value, n);
}

/* ms since the kernel has heard of the other end */
static unsigned heard(int fd) {
  struct tcp_info info;
  socklen_t n = sizeof info;
  CHECK_EQ(getsockopt(fd, IPPROTO_TCP, TCP_INFO, &info, &n), 0);
  return info.tcpi_last_ack_recv;
}

int main(void) {
  enum { PATIENCE_S = 2, LATE_MS = 2500, MS = 9000 };
  static char bytes[65536];
  weft_link_report_t r;
  unsigned longest = 0;
  int mute = 0;
  begin();
  make(0);
  fcntl(ends[0][0], F_SETFL, O_NONBLOCK);
  while (write(ends[0][0], bytes, sizeof bytes) > 0) continue;
  for (int ms = 0; ms < MS; ms += 50, usleep(50000)) {
    weft_links_look(PATIENCE_S, &r);
    CHECK_EQ(r.state, WEFT_LINK_WELL);
    mute += weft_links_are_mute(NULL, PATIENCE_S);
    if (heard(ends[0][0]) > longest) longest = heard(ends[0][0]);
  }
  CHECK(longest > LATE_MS); /* there was such a pause */
  CHECK(mute < MS / 50 / 2); /* until the next question, where one gets no answer */
  end(0);
  return 0;
}
