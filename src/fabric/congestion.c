/*
 * The congestion control of the TCP connections below this process's endpoints. BBR, which some
 * systems have for all connections, is made for the long ways of the internet: it sends no faster
 * than its model of the path says, with a timer from packet to packet. With a cluster's round trips
 * of microseconds that leaves a third of the rate of transfers of 256 KB and more. Reno is in every
 * Linux, and every process may choose it, unless an administrator forbids it: then BBR stays. Knows
 * no job.
 */
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "fabric/fabric_internal.h"

enum { NAME = 16 }; /* bytes, TCP_CA_NAME_MAX of Linux */

static bool set(int fd, const char *name) {
  return setsockopt(fd, IPPROTO_TCP, TCP_CONGESTION, name, (socklen_t)strlen(name)) == 0;
}

/* Nothing is as good as auto. */
static bool is_auto(const char *name) {
  return !*name || strcmp(name, "auto") == 0;
}

int weft_congestion_check(void) {
  const char *name = weft_options.tcp_congestion;
  if (is_auto(name) || strcmp(name, "system") == 0) return 0;
  const int fd = socket(AF_INET, SOCK_STREAM, 0);
  const int rc = fd < 0 || set(fd, name) ? 0 : -errno;
  if (fd >= 0) close(fd);
  if (rc < 0)
    weft_warn("WEFT_TCP_CONGESTION: this process may not use %s (%s); "
              "/proc/sys/net/ipv4/tcp_allowed_congestion_control lists what it may",
              name, strerror(-rc));
  return rc;
}

void weft_congestion_choose(int fd) {
  const char *name = weft_options.tcp_congestion;
  char now[NAME] = "";
  socklen_t n = sizeof now;
  if (strcmp(name, "system") == 0) return;
  if (!is_auto(name))
    set(fd, name);
  else if (getsockopt(fd, IPPROTO_TCP, TCP_CONGESTION, now, &n) == 0 && strncmp(now, "bbr", 3) == 0)
    set(fd, "reno");
}
