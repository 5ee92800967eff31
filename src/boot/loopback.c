/*
 * Pretended nodes of one machine talk through its loopback interface: which address that has.
 * Knows no job; weftrun asks, too.
 */
#include "base/base.h"
#include "boot/boot.h"

#include <arpa/inet.h>
#include <sys/socket.h>
#include <unistd.h>

static bool has(const struct sockaddr *address, socklen_t size) {
  const int fd = socket(address->sa_family, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  const bool here = fd >= 0 && bind(fd, address, size) == 0;
  if (fd >= 0) close(fd);
  return here;
}

const char *weft_boot_loopback(void) {
  const struct sockaddr_in four = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
  const struct sockaddr_in6 six = {.sin6_family = AF_INET6, .sin6_addr = IN6ADDR_LOOPBACK_INIT};
  const bool only_six = !has((const struct sockaddr *)&four, sizeof four) &&
                        has((const struct sockaddr *)&six, sizeof six);
  return only_six ? "::1" : "127.0.0.1";
}
