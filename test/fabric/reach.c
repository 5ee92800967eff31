/*
 * One target cannot be reached, others are busy: the line about the one comes in time. It shares
 * its place with the others. Time is the test's own: each look at the clock takes 1 ms.
 */
#include "fabric/fabric.h"

#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

enum { BUSY = 6, APART = 8, TARGETS = (BUSY + 1) * APART };

bool __wrap_weft_links_reach(const void *address);
uint64_t __wrap_weft_clock_ns(void);

static struct sockaddr_in one;
static uint64_t now = 1000000000;

uint64_t __wrap_weft_clock_ns(void) {
  return now += 1000000;
}

bool __wrap_weft_links_reach(const void *address) {
  return memcmp(address, &one, sizeof one) != 0;
}

static void in_time(void *arg, int status) {
  (void)arg;
  (void)status;
  const uint64_t ms = now / 1000000 - 1000;
  CHECK(ms >= 2000);
  CHECK(ms < 6000); /* one after the other they take seven times 2 s */
  exit(0);
}

int main(int argc, char **argv) {
  weft_fabric_t fabric;
  weft_endpoint_t e;
  char address[WEFT_ADDRESS_MAX];
  size_t n = sizeof address;
  fi_addr_t at;
  CHECK_EQ(weft_options_read(), 0);
  weft_options.link_timeout = 2;
  CHECK_EQ(weft_fabric_find(&fabric, argc > 1 ? argv[1] : "", NULL, "auto"), 0);
  CHECK_EQ(weft_fabric_open(&fabric), 0);
  CHECK_EQ(weft_endpoint_open(&e, &fabric, 8, 4096, true, 1), 0);
  CHECK_EQ(weft_endpoint_address(&e, address, &n), 0);
  memcpy(&one, address, sizeof one);
  for (int i = 0; i < TARGETS; i++) {
    struct sockaddr_in other = one;
    other.sin_port = htons((uint16_t)(1024 + i));
    CHECK_EQ(weft_endpoint_insert(&e, (char *)&other, &at), 0);
    CHECK_EQ(at, i);
    if (i == BUSY * APART) one = other;
  }
  weft_log_set_abort(in_time, NULL);
  while (now < 20000000000u)
    for (int i = 0; i <= BUSY; i++)
      weft_endpoint_again(&e, -FI_EAGAIN, "a put", (uint64_t)(i * APART));
  CHECK(false);
  return 1;
}
